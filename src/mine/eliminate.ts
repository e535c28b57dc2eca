// Redundancy elimination (paper §5.2, Figure 2): of two pairs of about the same support, one of which refines the other,
// only the refining one stays, since it gives the full context of the substitution.
//
// The scan looks at most MW pairs ahead, so that is all it holds. Refining adds the same text to both sides, which leaves
// the core of a pair as it is (where one side is a border of the other: as it is but for a rotation). So a pair is compared
// only with those in the window that have its core, instead of with all of them.
import { hashBytes } from '../base/hash.js';
import { refinesPair } from '../rule/refine.js';
import type { Pair } from '../table/pair.js';
import { isBoundary } from '../url/token.js';

export interface EliminationOptions {
  /** Largest relative and largest absolute deficiency of the support, and the window, as the paper names them. */
  readonly MRD: number;
  readonly MAD: number;
  readonly MW: number;
}

interface Entry {
  readonly pair: Pair;
  readonly position: number;
  readonly core: number;
  eliminated: boolean;
}

/** Takes pairs in the order of elimination (SPEC 4) and gives those that stay, in that order. */
export function* eliminateRedundancies(pairs: Iterable<Pair>, options: EliminationOptions): Generator<Pair> {
  const window: Entry[] = [];
  const byCore = new Map<number, Entry[]>();
  let position = 0;
  for (const pair of pairs) {
    const entry = { pair, position: position++, core: coreHash(pair), eliminated: false };
    window.push(entry);
    const sameCore = byCore.get(entry.core);
    if (sameCore === undefined) byCore.set(entry.core, [entry]);
    else sameCore.push(entry);
    if (window.length <= options.MW) continue;
    const first = window.shift()!;
    if (settle(first, byCore, options)) yield first.pair;
  }
  for (const entry of window) if (settle(entry, byCore, options)) yield entry.pair;
}

/** Lines 3 to 10 of Figure 2 for the first pair of the window; true if it stays. */
function settle(entry: Entry, byCore: Map<number, Entry[]>, options: EliminationOptions): boolean {
  const sameCore = byCore.get(entry.core)!;
  sameCore.shift();
  if (sameCore.length === 0) byCore.delete(entry.core);
  if (entry.eliminated) return false;
  const deficiency = Math.max(options.MRD * entry.pair.high, options.MAD);
  for (const other of sameCore) {
    if (entry.pair.high - other.pair.high > deficiency) break;
    if (other.eliminated) continue;
    if (refinesPair(entry.pair, other.pair)) other.eliminated = true;
    else if (refinesPair(other.pair, entry.pair)) return false;
  }
  return true;
}

/**
 * A hash that all pairs have which refine one another: of the core or, where `to` has none, of its least rotation. `from` is
 * the longer side, so it is never the one without.
 */
export function coreHash(pair: Pair): number {
  const { from, to } = pair;
  const limit = Math.min(from.length, to.length);
  let first = 0;
  while (first < limit && from[first] === to[first]) first++;
  while (first > 0 && !(isBoundary(from, first) && isBoundary(to, first))) first--;
  let last = 0;
  while (last < limit - first && from[from.length - 1 - last] === to[to.length - 1 - last]) last++;
  while (last > 0 && !(isBoundary(from, from.length - last) && isBoundary(to, to.length - last))) last--;
  const longer = from.subarray(first, from.length - last);
  const shorter = to.subarray(first, to.length - last);
  const turned = shorter.length === 0 ? leastRotation(longer) : longer;
  return hashBytes(shorter, 0, shorter.length, hashBytes(turned, 0, turned.length));
}

/** The first of all rotations in byte order (Booth's two pointers). Token boundaries turn with the bytes. */
function leastRotation(text: Uint8Array): Uint8Array {
  const length = text.length;
  let a = 0;
  let b = 1;
  for (let same = 0; a < length && b < length && same < length;) {
    const order = text[(a + same) % length]! - text[(b + same) % length]!;
    if (order === 0) {
      same++;
      continue;
    }
    if (order > 0) a += same + 1;
    else b += same + 1;
    if (a === b) b++;
    same = 0;
  }
  const start = Math.min(a, b);
  return Buffer.concat([text.subarray(start), text.subarray(0, start)]);
}
