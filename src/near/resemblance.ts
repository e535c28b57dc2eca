// How much do two sketches of a store have in common? The r' of `sketch/sketch`, on columns, and only as far as it can
// still reach a threshold.
import type { Chunk } from './sketch-store.js';

/** A sketch in its chunk: fingerprints [start, start + length). */
export interface Placed {
  readonly chunk: Chunk;
  readonly start: number;
  readonly length: number;
}

/**
 * r' of two sketches of at most s fingerprints, if it is at least `threshold`; otherwise some number below it. A sketch
 * of fewer than s has all of its page.
 */
export function resemblanceFrom(threshold: number, s: number, a: Placed, b: Placed): number {
  const { tops, rests } = a.chunk;
  const { tops: otherTops, rests: otherRests } = b.chunk;
  let [i, j] = [a.start, b.start];
  const [endI, endJ] = [i + a.length, j + b.length];
  const limit = a.length < s && b.length < s ? Infinity : s;
  // With U in the union at least threshold × U are shared, and the union has at least the larger of the two.
  const most = mostOwn(threshold, Math.min(limit, a.length + b.length));
  let [union, shared] = [0, 0];
  for (; i < endI && j < endJ && union < limit; union++) {
    const order = tops[i]! - otherTops[j]! || rests[i]! - otherRests[j]!;
    if (order <= 0) i++;
    if (order >= 0) j++;
    if (order === 0) shared++;
    else if (union + 1 - shared > most) return 0;
  }
  union = Math.min(limit, union + (endI - i) + (endJ - j));
  return union === 0 ? 1 : shared / union;
}

/** The most fingerprints of a union of this size that may be in one sketch only. */
export function mostOwn(threshold: number, union: number): number {
  return Math.floor((1 - threshold) * union + 1e-9);
}

/** The fewest fingerprints that a sketch of this length shares with one it resembles: all unions are as large as it. */
export function fewestShared(threshold: number, length: number): number {
  return Math.max(0, Math.ceil(threshold * length - 1e-9));
}
