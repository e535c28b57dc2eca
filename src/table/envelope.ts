// The substring table ST of Figure 1, never written out: which URLs stand together in a bucket?
//
// The bucket of envelope ([0, i), [j from the end, end)) is the set of URLs that share the first i tokens and the last j,
// with 0 to S tokens between. So only shared first parts need enumerating and, within each, shared last parts:
//
//   node   all URLs with one first part. A chain of nodes with one child is one node with a range of i. Its members are
//          a range of forward rows, held in backward order, each with the last tokens shared with the one before it.
//   run    neighbours in a node that share at least j last tokens, as many as there are; again with a range of j.
//
// A node and a run make a rectangle of envelopes (i, j) with the same URLs in the bucket, but for their lengths: URL u is
// in only where d = i + j leaves between 0 and S tokens of it. Where that cuts, the rectangle is split by d.
import { memoryFor } from '../base/crew.js';
import type { UrlOrder } from './order.js';
import { RunStack } from './run-stack.js';

/** Envelopes with one bucket: i first tokens, j last tokens, d = i + j, all ends included. */
export interface Box {
  iLow: number;
  iHigh: number;
  jLow: number;
  jHigh: number;
  dLow: number;
  dHigh: number;
}

/** Called with members[0, size), 2 <= size <= T_high, and the envelopes whose bucket they are. Both are reused. */
export type BucketVisitor = (members: Int32Array, size: number, box: Readonly<Box>) => void;

export interface BucketOptions {
  /** Longest substring in tokens, START and END included (the paper's S). */
  readonly S: number;
  /** Largest bucket that is looked at. */
  readonly T_high: number;
}

/** What the walk works on. Subtrees have ranges of their own in all columns, so that threads can walk them at once. */
export interface WalkColumns {
  readonly tokens: Uint16Array;
  readonly sharedFirst: Uint16Array;
  /** The members of all open nodes, each node a range, in backward order; and last tokens shared with the one before. */
  readonly member: Int32Array;
  readonly shared: Uint16Array;
  readonly nextMember: Int32Array;
  readonly nextShared: Uint16Array;
  /** By forward row: the child it goes to, or -1 where it would be alone there. */
  readonly childOf: Int32Array;
}

/** The columns for one walk, which uses up the backward order. */
export function walkColumns(order: UrlOrder, crew?: object): WalkColumns {
  const { tokens, sharedFirst, backward: member, sharedLast: shared } = order;
  return {
    tokens,
    sharedFirst,
    member,
    shared,
    nextMember: new Int32Array(memoryFor(crew, member.length * 4)),
    nextShared: new Uint16Array(memoryFor(crew, member.length * 2)),
    childOf: new Int32Array(memoryFor(crew, member.length * 4)),
  };
}

/** Nodes that are still to be walked, four numbers each: [from, to) of the members, the first forward row, the least i. */
export type Nodes = number[];

/** Visits every bucket of 2 to T_high substrings, each envelope once. Uses up the backward order. */
export function eachBucket(order: UrlOrder, options: BucketOptions, visit: BucketVisitor): void {
  eachBucketIn(walkColumns(order), options, rootOf(order), visit);
}

/** Visits the buckets of these nodes and all nodes in them. */
export function eachBucketIn(columns: WalkColumns, options: BucketOptions, nodes: Nodes, visit: BucketVisitor): void {
  new Walk(columns, options, visit).walk(nodes);
}

/** Visits the buckets of nodes of more than `most` members, and yields those below, some together. */
export function* eachLargeBucket(
  columns: WalkColumns,
  options: BucketOptions,
  nodes: Nodes,
  most: number,
  visit: BucketVisitor,
): Generator<Nodes> {
  yield* new Walk(columns, options, visit).walkLarge(nodes, most);
}

export function rootOf({ tokens }: Pick<UrlOrder, 'tokens'>): Nodes {
  return tokens.length < 2 ? [] : [0, tokens.length, 0, 0];
}

class Walk {
  readonly #tokens: Uint16Array;
  readonly #sharedFirst: Uint16Array;
  readonly #options: BucketOptions;
  readonly #visit: BucketVisitor;
  readonly #member: Int32Array;
  readonly #shared: Uint16Array;
  readonly #nextMember: Int32Array;
  readonly #nextShared: Uint16Array;
  readonly #childOf: Int32Array;
  readonly #box: Box = { iLow: 0, iHigh: 0, jLow: 0, jHigh: 0, dLow: 0, dHigh: 0 };
  readonly #bucket: Int32Array;
  #ofLength = new Int32Array(256);
  #runs = new RunStack(64);

  constructor(columns: WalkColumns, options: BucketOptions, visit: BucketVisitor) {
    this.#tokens = columns.tokens;
    this.#sharedFirst = columns.sharedFirst;
    this.#options = options;
    this.#visit = visit;
    this.#member = columns.member;
    this.#shared = columns.shared;
    this.#nextMember = columns.nextMember;
    this.#nextShared = columns.nextShared;
    this.#childOf = columns.childOf;
    this.#bucket = new Int32Array(options.T_high);
  }

  walk(nodes: Nodes): void {
    while (nodes.length > 0) this.#node(nodes);
  }

  *walkLarge(nodes: Nodes, most: number): Generator<Nodes> {
    let small: Nodes = [];
    let members = 0;
    while (nodes.length > 0) {
      const [from, to, firstRow, iLow] = nodes.slice(-4) as [number, number, number, number];
      if (to - from > most) {
        this.#node(nodes);
        continue;
      }
      nodes.length -= 4;
      small.push(from, to, firstRow, iLow);
      members += to - from;
      if (members < most) continue;
      yield small;
      small = [];
      members = 0;
    }
    if (small.length > 0) yield small;
  }

  /** Takes the last node off and puts its children there. */
  #node(nodes: Nodes): void {
    const iLow = nodes.pop()!;
    const firstRow = nodes.pop()!;
    const to = nodes.pop()!;
    const from = nodes.pop()!;
    const iHigh = this.#sharedByAll(firstRow, firstRow + to - from);
    this.#box.iLow = iLow;
    this.#box.iHigh = iHigh;
    this.#eachRun(from, to);
    if (to - from > 2) this.#openChildren(from, to, firstRow, iHigh, nodes);
  }

  #sharedByAll(firstRow: number, endRow: number): number {
    const sharedFirst = this.#sharedFirst;
    let least = sharedFirst[firstRow + 1]!;
    for (let row = firstRow + 2; row < endRow; row++) if (sharedFirst[row]! < least) least = sharedFirst[row]!;
    return least;
  }

  /**
   * Every maximal run of members [from, to) that share last tokens, inner runs before outer ones. Runs are nested, so not
   * to look at all members again and again it is kept of each how long its two longest and two shortest URLs are, and how
   * far its overflowing reaches: more than T_high of its URLs are long enough here and have at most so many tokens. They
   * are in every run around it too, and overflow there as long as S lets them in (LITERATURE 3.4).
   */
  #eachRun(from: number, to: number): void {
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

  /** Puts the children of a node, which share more than iHigh tokens, in place of it. The order is kept (a stable partition). */
  #openChildren(from: number, to: number, firstRow: number, iHigh: number, nodes: Nodes): void {
    const sharedFirst = this.#sharedFirst;
    const endRow = firstRow + to - from;
    const cursors: number[] = [];
    let at = from;
    for (let row = firstRow; row < endRow;) {
      let end = row + 1;
      while (end < endRow && sharedFirst[end]! > iHigh) end++;
      const child = end - row > 1 ? cursors.length : -1;
      for (let k = row; k < end; k++) this.#childOf[k] = child;
      if (child >= 0) {
        nodes.push(at, at + end - row, row, iHigh + 1);
        cursors.push(at);
        at += end - row;
      }
      row = end;
    }
    if (cursors.length > 0) this.#partition(from, to, cursors, at);
  }

  #partition(from: number, to: number, cursors: number[], end: number): void {
    const last = new Int32Array(cursors.length).fill(-1);
    // Least of #shared over (p, k] for any p: the first entry after p of a stack that rises to k.
    const runs = this.#runs;
    runs.depth = 0;
    for (let k = from; k < to; k++) {
      const here = this.#shared[k]!;
      while (runs.depth > 0 && runs.topShared() >= here) runs.depth--;
      runs.add(here, k);
      const row = this.#member[k]!;
      const child = this.#childOf[row]!;
      if (child < 0) continue;
      const slot = cursors[child]!++;
      this.#nextMember[slot] = row;
      this.#nextShared[slot] = last[child]! < 0 ? 0 : runs.leastAfter(last[child]!);
      last[child] = k;
    }
    this.#member.set(this.#nextMember.subarray(from, end), from);
    this.#shared.set(this.#nextShared.subarray(from, end), from);
  }
}
