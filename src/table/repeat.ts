// Does a bucket say anything that others did not say before? In a crawler trap (/a/a/a/a…) the same URLs stand together in
// one envelope after the other, and where the substring lies inside of what repeats, an envelope one period further on is
// the same again:
//
//   x a a a a a a y       first part | substring | last part
//   x a a a a a y         x a a | a a | a a y   and   x a a a | a a | a y   have the same URLs and the same substrings
//
// So such envelopes differ only in their d = i + j and in i by the period. Which of them came is kept by the members of the
// bucket. The table forgets by overwriting and compares all of what it holds: it saves work and changes nothing.
//
//   a set of members   | size | first tokens | last tokens | period, 0 if none, -1 not yet known | least d | members … | bits …
//   bits               (d - least d) · period + i modulo period
import { mixed } from '../base/hash.js';
import type { Box, BucketOptions, BucketVisitor } from './envelope.js';
import type { UrlOrder } from './order.js';
import type { Overlap } from './overlap.js';

const HEAD = 5;
const UNKNOWN = -1;
const NONE = 0;
const MAX_INTS = 1 << 21;

/** A visitor that takes to `visit` what it did not take there before: a bucket may lose envelopes, or not come at all. */
export function withoutRepeats(
  order: Pick<UrlOrder, 'tokens'>,
  overlap: Overlap,
  options: BucketOptions,
  visit: BucketVisitor,
): BucketVisitor {
  const repeats = new Repeats(order, overlap, options, visit);
  return (members, size, box) => repeats.visit(members, size, box);
}

class Repeats {
  readonly #order: Pick<UrlOrder, 'tokens'>;
  readonly #overlap: Overlap;
  readonly #visit: BucketVisitor;
  readonly #S: number;
  readonly #bits: number;
  readonly #entry: number;
  readonly #slots: number;
  /** Made when it is first needed: few sites have anything that repeats, and many are small. */
  #sets = new Int32Array(0);
  readonly #part: Box = { iLow: 0, iHigh: 0, jLow: 0, jHigh: 0, dLow: 0, dHigh: 0 };

  constructor(order: Pick<UrlOrder, 'tokens'>, overlap: Overlap, { S, T_high }: BucketOptions, visit: BucketVisitor) {
    this.#order = order;
    this.#overlap = overlap;
    this.#visit = visit;
    this.#S = S;
    // The lengths in one bucket are at most S apart, so a period is at most S and there are S + 1 values of d.
    this.#bits = HEAD + T_high;
    this.#entry = this.#bits + Math.ceil((S * (S + 1)) / 32);
    const wanted = Math.min(16 * order.tokens.length, MAX_INTS / this.#entry);
    this.#slots = 2 ** Math.max(1, Math.floor(Math.log2(wanted + 1)));
  }

  visit(members: Int32Array, size: number, box: Readonly<Box>): void {
    const { tokens } = this.#order;
    // Where two have the same length nothing repeats; most buckets go this way.
    if (tokens[members[0]!] === tokens[members[1]!]) return this.#visit(members, size, box);
    // Nor where what two have in common does not overlap. They are asked for next in any case, the set is a place in 8 MB.
    if (!this.#overlaps(members[1]!, members[0]!)) return this.#visit(members, size, box);
    if (this.#sets.length === 0) this.#sets = new Int32Array(this.#slots * this.#entry);
    const sets = this.#sets;
    const at = this.#slotOf(members, size);
    if (!this.#isSet(at, members, size)) {
      this.#put(at, members, size);
      return this.#visit(members, size, box);
    }
    if (sets[at + 3] === UNKNOWN) this.#findPeriod(at);
    if (sets[at + 3] === NONE) return this.#visit(members, size, box);
    const [first, last] = [sets[at + 1]!, sets[at + 2]!];
    const part = this.#part;
    if (this.#cut(box, box.iLow, first - 1, box.jLow, box.jHigh)) this.#visit(members, size, part);
    const iLow = Math.max(box.iLow, first);
    if (this.#cut(box, iLow, box.iHigh, box.jLow, last - 1)) this.#visit(members, size, part);
    const repeats = this.#cut(box, iLow, box.iHigh, Math.max(box.jLow, last), box.jHigh);
    if (repeats && this.#hasNews(at)) this.#visit(members, size, part);
  }

  #overlaps(u: number, v: number): boolean {
    const { tokens } = this.#order;
    this.#overlap.look(u, v);
    return this.#overlap.prefix + this.#overlap.suffix > Math.min(tokens[u]!, tokens[v]!);
  }

  /** Makes `part` the envelopes of the box within these; false if there are none. */
  #cut({ iHigh, jHigh, dLow, dHigh }: Readonly<Box>, i: number, iMost: number, j: number, jMost: number): boolean {
    const part = this.#part;
    part.iLow = i;
    part.iHigh = Math.min(iHigh, iMost);
    part.jLow = j;
    part.jHigh = Math.min(jHigh, jMost);
    part.dLow = Math.max(dLow, part.iLow + part.jLow);
    part.dHigh = Math.min(dHigh, part.iHigh + part.jHigh);
    return part.iLow <= part.iHigh && part.jLow <= part.jHigh && part.dLow <= part.dHigh;
  }

  #slotOf(members: Int32Array, size: number): number {
    let hash = size;
    for (let k = 0; k < size; k++) hash = mixed(hash ^ members[k]!);
    return (hash & (this.#slots - 1)) * this.#entry;
  }

  #isSet(at: number, members: Int32Array, size: number): boolean {
    const sets = this.#sets;
    if (sets[at] !== size) return false;
    for (let k = 0; k < size; k++) if (sets[at + HEAD + k] !== members[k]) return false;
    return true;
  }

  /** What repeats is asked only when the set comes again: most do not. */
  #put(at: number, members: Int32Array, size: number): void {
    const sets = this.#sets;
    sets[at] = size;
    sets[at + 3] = UNKNOWN;
    for (let k = 0; k < size; k++) sets[at + HEAD + k] = members[k]!;
  }

  /** Where all pairs of the set repeat, and the least common multiple of their periods. */
  #findPeriod(at: number): void {
    const sets = this.#sets;
    const { tokens } = this.#order;
    const overlap = this.#overlap;
    let [first, last, period, longest] = [0, 0, 1, 0];
    for (let x = 0; x < sets[at]! && period !== NONE; x++) {
      const u = sets[at + HEAD + x]!;
      longest = Math.max(longest, tokens[u]!);
      for (let y = 0; y < x && period !== NONE; y++) {
        const v = sets[at + HEAD + y]!;
        const shorter = Math.min(tokens[u]!, tokens[v]!);
        overlap.look(u, v);
        const repeats = tokens[u] !== tokens[v] && overlap.prefix + overlap.suffix > shorter;
        period = repeats ? commonMultiple(period, overlap.period(u, v)) : NONE;
        first = Math.max(first, shorter - overlap.suffix);
        last = Math.max(last, shorter - overlap.prefix);
      }
    }
    sets[at + 1] = first;
    sets[at + 2] = last;
    sets[at + 3] = period <= this.#S ? period : NONE;
    sets[at + 4] = longest - this.#S;
    sets.fill(0, at + this.#bits, at + this.#entry);
  }

  /** Marks the envelopes of `part`; true if one of them was not yet. */
  #hasNews(at: number): boolean {
    const { iLow, iHigh, jLow, jHigh, dLow, dHigh } = this.#part;
    const sets = this.#sets;
    const period = sets[at + 3]!;
    let isNew = false;
    for (let d = dLow; d <= dHigh; d++) {
      const from = Math.max(iLow, d - jHigh);
      const to = Math.min(iHigh, d - jLow, from + period - 1);
      for (let i = from; i <= to; i++) {
        const bit = (d - sets[at + 4]!) * period + (i % period);
        const word = at + this.#bits + (bit >>> 5);
        if ((sets[word]! & (1 << (bit & 31))) !== 0) continue;
        sets[word]! |= 1 << (bit & 31);
        isNew = true;
      }
    }
    return isNew;
  }
}

function commonMultiple(a: number, b: number): number {
  let [rest, divisor] = [a, b];
  while (rest > 0) [rest, divisor] = [divisor % rest, rest];
  return (a / divisor) * b;
}
