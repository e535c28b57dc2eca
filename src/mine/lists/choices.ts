// Are the lists of a slot sets of choices? Tests over distinct lists, none of which asks for a name:
//
//   enough     twenty lists of two or more items, not nearly all of one length (boxes, ranges, dates)
//   closed     items come again: their Good-Turing coverage, and occurrences for each of them (slugs, names)
//   free       items stand alone, too, or sets come in two orders, or pairs of items in both
//   lattice    with a separator that also stands within words (- _ + : and /): lists of three are in the log without
//              their first item. Sets that crawlers walk through have those, slugs and paths do not.
//   words      such items are not mostly numbers
import { type Heads, itemsOf } from './grammar.js';

/** A distinct list. */
export interface ItemList {
  readonly items: readonly string[];
}

const FEWEST_LISTS = 20;
const MOST_OF_ONE_LENGTH = 0.98;
const LEAST_COVERAGE = 0.8;
const LEAST_PER_ITEM = 3;
const LEAST_ALONE = 0.6;
const LEAST_TWO_ORDERS = 0.1;
const LEAST_BOTH_WAYS = 0.5;
const FEWEST_THREES = 5;
const LEAST_LATTICE = 0.6;
/** Two orders of so many sets show a lattice if there are no lists of three. */
const MANY_TWO_ORDERS = 0.3;
const NUMBER = /^[\d.,]*\d[\d.,]*$/;

const STRONG = ',|;~!&';

/** True for a separator that stands between items only. */
export function isStrongSeparator(separator: string): boolean {
  return STRONG.includes(separator);
}

/** True if the lists are sets of choices. */
export function areChoices(lists: readonly ItemList[], separator: string): boolean {
  const long = lists.filter(({ items }) => items.length > 1);
  if (long.length < FEWEST_LISTS || isOfOneLength(lists) || !isClosed(lists)) return false;
  const twoOrders = shareInTwoOrders(long);
  const isStrong = isStrongSeparator(separator);
  if (shareAlone(lists, long) < LEAST_ALONE && twoOrders < LEAST_TWO_ORDERS) {
    if (!isStrong || shareBothWays(long) < LEAST_BOTH_WAYS) return false;
  }
  return isStrong || (isLattice(lists, twoOrders) && !areNumbers(lists));
}

function isOfOneLength(lists: readonly ItemList[]): boolean {
  const lengths = new Map<number, number>();
  for (const { items } of lists) lengths.set(items.length, (lengths.get(items.length) ?? 0) + 1);
  return Math.max(...lengths.values()) > MOST_OF_ONE_LENGTH * lists.length;
}

function isClosed(lists: readonly ItemList[]): boolean {
  const counts = countsOf(lists);
  const all = lists.reduce((sum, { items }) => sum + items.length, 0);
  return coverageOf(lists) >= LEAST_COVERAGE && all >= LEAST_PER_ITEM * counts.size;
}

/** The share of items yet to come that were seen before (Good-Turing). */
export function coverageOf(lists: readonly ItemList[]): number {
  let [all, once] = [0, 0];
  for (const count of countsOf(lists).values()) {
    all += count;
    if (count === 1) once++;
  }
  return all === 0 ? 0 : 1 - once / all;
}

/** In how many of the lists each item is, counting its repetitions. */
export function countsOf(lists: readonly ItemList[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { items } of lists) for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The share of the items of longer lists that are a list by themselves. */
function shareAlone(lists: readonly ItemList[], long: readonly ItemList[]): number {
  const alone = new Set(lists.flatMap(({ items }) => (items.length === 1 ? items : [])));
  const items = countsOf(long);
  let count = 0;
  for (const item of items.keys()) if (alone.has(item)) count++;
  return count / items.size;
}

/** The share of sets of two or more items that are in the log in two orders or more. */
export function shareInTwoOrders(long: readonly ItemList[]): number {
  const orders = new Map<string, number>();
  for (const { items } of long) {
    const set = setOf(items);
    orders.set(set, (orders.get(set) ?? 0) + 1);
  }
  let several = 0;
  for (const count of orders.values()) if (count > 1) several++;
  return orders.size === 0 ? 0 : several / orders.size;
}

/** The same for each order of the items. */
export function setOf(items: readonly string[]): string {
  return items.toSorted().join('\0');
}

/** Of pairs of neighbours that come twice or more, the share that comes in both orders. */
function shareBothWays(long: readonly ItemList[]): number {
  const pairs = new Map<string, { forth: number; back: number }>();
  for (const { items } of long) {
    for (let at = 1; at < items.length; at++) {
      const [a, b] = [items[at - 1]!, items[at]!];
      if (a === b) continue;
      const key = a < b ? `${a}\0${b}` : `${b}\0${a}`;
      const pair = pairs.get(key) ?? { forth: 0, back: 0 };
      pairs.set(key, pair);
      if (a < b) pair.forth++;
      else pair.back++;
    }
  }
  const twice = [...pairs.values()].filter(({ forth, back }) => forth + back >= 2);
  if (twice.length === 0) return 0;
  return twice.filter(({ forth, back }) => forth > 0 && back > 0).length / twice.length;
}

function isLattice(lists: readonly ItemList[], twoOrders: number): boolean {
  const sets = new Set(lists.map(({ items }) => setOf(items)));
  let [threes, without] = [0, 0];
  for (const { items } of lists) {
    if (items.length !== 3) continue;
    threes++;
    if (sets.has(setOf(items.slice(1)))) without++;
  }
  return threes >= FEWEST_THREES ? without >= LEAST_LATTICE * threes : twoOrders >= MANY_TWO_ORDERS;
}

function areNumbers(lists: readonly ItemList[]): boolean {
  const items = [...countsOf(lists).keys()];
  return 2 * items.filter((item) => NUMBER.test(item)).length > items.length;
}

/** Splits tokens of each list by the heads. */
export function listsOf(tokens: readonly (readonly string[])[], separator: string, heads: Heads): ItemList[] {
  return tokens.map((one) => ({ items: itemsOf(one, separator, heads) }));
}
