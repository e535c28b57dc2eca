// Chooses pairs to compare in the list of a fingerprint that very many pages have: each page with those next to it, and
// with the first pages of different clusters.

/** The longest list whose pairs are all candidates. */
export const MAX_LIST = 4096;
/** In a longer list: how many members before it each member is compared with, and how many firsts of clusters. */
const NEIGHBOURS = 64;
const HEADS = 64;

/** The number of pairs of so many members. */
export function possiblePairs(count: number): number {
  return count < 2 ? 0 : (count * (count - 1)) / 2;
}

/**
 * Calls `take` for pairs of list[0, count). `areOne`: both are known to be in one cluster. Returns the number of pairs
 * of different clusters that were not compared.
 */
export function takeLongList(
  list: Uint32Array,
  count: number,
  areOne: (a: number, b: number) => boolean,
  take: (a: number, b: number) => void,
): number {
  let unseen = 0;
  const heads: number[] = [];
  for (let at = 0; at < count; at++) {
    const member = list[at]!;
    const nearest = Math.max(0, at - NEIGHBOURS);
    for (const head of heads) if (head < nearest) take(list[head]!, member);
    for (let before = nearest; before < at; before++) take(list[before]!, member);
    const seen = heads.filter((head) => head < nearest).length + at - nearest;
    if (heads.some((head) => areOne(list[head]!, member))) continue;
    unseen += at - seen;
    if (heads.length < HEADS) heads.push(at);
  }
  return unseen;
}
