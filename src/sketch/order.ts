// Tests whether two texts say the same things in the same order. Sketches cannot show that: a list sorted by another
// column has nearly the same shingles.
//
//     a    A B C D E F      shingles that occur once in each text, as positions in the other:
//     b    D E F A B C      3 4 5 0 1 2      longest ascending part: 3 of 6
import type { SetAside } from './boilerplate.js';
import { shinglesInOrder } from './shingle.js';

/**
 * The least share of the common shingles that must be in the same order. Normal movement on a page (a box, an updated
 * entry) affects fewer.
 */
const IN_ORDER = 0.8;

/** Ignores shingles of the site's templates: they have the same order on every page. */
export function isInOrder(a: string, b: string, boilerplate?: SetAside): boolean {
  const [placesA, placesB] = [placesOf(a), placesOf(b)];
  const shared: number[] = [];
  for (const [shingle, place] of placesA) {
    const other = placesB.get(shingle);
    if (place >= 0 && other !== undefined && other >= 0 && boilerplate?.has(shingle) !== true) shared.push(other);
  }
  return longestAscending(shared) >= IN_ORDER * shared.length;
}

/** The position of each shingle among all; -1 for one that occurs several times. */
function placesOf(text: string): Map<number, number> {
  const places = new Map<number, number>();
  for (const [at, shingle] of shinglesInOrder(text).entries()) places.set(shingle, places.has(shingle) ? -1 : at);
  return places;
}

/** The length of the longest ascending subsequence, by patience sorting. */
function longestAscending(numbers: readonly number[]): number {
  const tops: number[] = [];
  for (const number of numbers) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tops[middle]! < number) low = middle + 1;
      else high = middle;
    }
    tops[low] = number;
  }
  return tops.length;
}
