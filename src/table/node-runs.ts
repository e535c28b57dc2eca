// The runs of one node, and the buckets that they make with it (see envelope).
import type { Box, BucketOptions, BucketVisitor, WalkColumns } from './envelope.js';
import { RunStack } from './run-stack.js';

/** Visits the buckets of one node after another. */
export class NodeRuns {
  readonly #tokens: Uint16Array;
  readonly #options: BucketOptions;
  readonly #visit: BucketVisitor;
  readonly #member: Int32Array;
  readonly #shared: Uint16Array;
  readonly #box: Box = { iLow: 0, iHigh: 0, jLow: 0, jHigh: 0, dLow: 0, dHigh: 0 };
  readonly #bucket: Int32Array;
  #ofLength = new Int32Array(256);
  #runs = new RunStack(64);

  constructor(
    columns: Pick<WalkColumns, 'tokens' | 'member' | 'shared'>,
    options: BucketOptions,
    visit: BucketVisitor,
  ) {
    this.#tokens = columns.tokens;
    this.#options = options;
    this.#visit = visit;
    this.#member = columns.member;
    this.#shared = columns.shared;
    this.#bucket = new Int32Array(options.T_high);
  }

  /**
   * Every maximal run of members [from, to) that share last tokens, inner runs before outer ones; the node has these i.
   * Runs are nested, so not to look at all members again and again it is kept of each how long its two longest and two
   * shortest URLs are, and how far its overflowing reaches: more than T_high of its URLs are long enough here and have at
   * most so many tokens. They are in every run around it too, and overflow there as long as S lets them in (LITERATURE 3.4).
   */
  visit(from: number, to: number, iLow: number, iHigh: number): void {
    this.#box.iLow = iLow;
    this.#box.iHigh = iHigh;
    const shared = this.#shared;
    const runs = this.#runs;
    runs.depth = 0;
    for (let k = from + 1; k <= to; k++) {
      const here = k < to ? shared[k]! : -1;
      runs.begin(k - 1, this.#tokens[this.#member[k - 1]!]!);
      while (runs.depth > 0 && runs.topShared() > here) {
        const sharedLast = runs.topShared();
        runs.pop();
        const around = runs.depth > 0 ? Math.max(runs.topShared(), here) : here;
        this.#run(runs.left, k, around + 1, sharedLast);
      }
      if (here >= 0) runs.push(here);
    }
  }

  /** Members [from, to) share the last jLow to jHigh tokens and no other member does. */
  #run(from: number, to: number, jLow: number, jHigh: number): void {
    const { S } = this.#options;
    const box = this.#box;
    const runs = this.#runs;
    box.jLow = jLow;
    box.jHigh = jHigh;
    // URLs of these lengths are in for every d.
    const always = box.iHigh + jHigh;
    const atMost = box.iLow + jLow + S;
    if (runs.reach <= atMost || runs.secondLongest < box.iLow + jLow || runs.secondShortest > always + S) return;
    const inAlways = always <= atMost ? this.#countAlways(from, to, always, atMost) : 0;
    if (runs.reach <= atMost) return;
    if (inAlways < to - from) return this.#splitByLength(from, to);
    box.dLow = box.iLow + jLow;
    box.dHigh = always;
    for (let k = from; k < to; k++) this.#bucket[k - from] = this.#member[k]!;
    this.#visit(this.#bucket, to - from, box);
  }

  /** How many have a length of `least` to `most`. If too many, so that every envelope overflows: sets how far that reaches. */
  #countAlways(from: number, to: number, least: number, most: number): number {
    const tokens = this.#tokens;
    const { T_high } = this.#options;
    const ofLength = this.#lengthsTo(most - least);
    // Some more than needed, to take the shortest ones.
    const enough = 4 * T_high + 4;
    let count = 0;
    for (let k = from; k < to && count < enough; k++) {
      const length = tokens[this.#member[k]!]!;
      if (length < least || length > most) continue;
      ofLength[length - least]!++;
      count++;
    }
    if (count > T_high) {
      let length = least;
      for (let sum = ofLength[0]!; sum <= T_high; sum += ofLength[length - least]!) length++;
      this.#runs.reach = length;
    }
    return count;
  }

  /** The run again, for each range of d in which the same URLs are long enough and not too long. */
  #splitByLength(from: number, to: number): void {
    const { S, T_high } = this.#options;
    const box = this.#box;
    const dMin = box.iLow + box.jLow;
    const dMax = box.iHigh + box.jHigh;
    this.#countLengths(from, to, dMin, dMax + S);
    const ofLength = this.#ofLength;
    let size = 0;
    for (let length = dMin; length < dMin + S; length++) size += ofLength[length - dMin]!;
    let dLow = dMin;
    for (let d = dMin; d <= dMax; d++) {
      size += ofLength[d + S - dMin]!;
      // The same URLs are in at d + 1, unless the shortest falls out or a longer one comes in.
      const changes = d === dMax || ofLength[d - dMin]! > 0 || ofLength[d + 1 + S - dMin]! > 0;
      if (changes) {
        if (size >= 2 && size <= T_high) this.#visitLengths(from, to, dLow, d);
        dLow = d + 1;
      }
      size -= ofLength[d - dMin]!;
    }
  }

  /** How many members [from, to) have each of the lengths from `least` to `most`. */
  #countLengths(from: number, to: number, least: number, most: number): void {
    const tokens = this.#tokens;
    const ofLength = this.#lengthsTo(most - least);
    for (let k = from; k < to; k++) {
      const length = tokens[this.#member[k]!]!;
      if (length >= least && length <= most) ofLength[length - least]!++;
    }
  }

  /** Counts from 0 to `most`, all 0. */
  #lengthsTo(most: number): Int32Array {
    if (this.#ofLength.length <= most) this.#ofLength = new Int32Array((most + 1) * 2);
    return this.#ofLength.fill(0, 0, most + 1);
  }

  #visitLengths(from: number, to: number, dLow: number, dHigh: number): void {
    const tokens = this.#tokens;
    const box = this.#box;
    let size = 0;
    for (let k = from; k < to; k++) {
      const length = tokens[this.#member[k]!]!;
      if (length >= dHigh && length <= dLow + this.#options.S) this.#bucket[size++] = this.#member[k]!;
    }
    box.dLow = dLow;
    box.dHigh = dHigh;
    this.#visit(this.#bucket, size, box);
  }
}
