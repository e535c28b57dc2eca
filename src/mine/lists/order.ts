// Does the order of the items matter? Pages of URLs that are equal but for it, compared by sketch or, to the byte, by
// size, beside pages of neighbours: other items, as many of them, at the same place of the same page.
//
//   /list?tags=a,b   7,101      /list?tags=b,a   7,101     a pair
//   /list?tags=a,c   6,980                                 its neighbour
//
// Repeated items are apart from order: they make links on the page longer. Sizes of which one is nearly twice the other
// are those of a packed page and a plain one, and say nothing.
import { addTo } from '../../base/group-by.js';
import { setOf } from './choices.js';
import type { ListUse } from './find.js';
import type { ListedUrl } from './sample.js';

/** Pairs of URLs that are equal but for the order of items. */
export interface OrderEvidence {
  /** Pairs whose pages can be compared, and how many of these are one page. */
  readonly pairs: number;
  readonly equal: number;
  /** The same for pages and their neighbours. */
  readonly neighbours: number;
  readonly equalByChance: number;
  /** True if sketches of pages say so, not sizes alone. */
  readonly bySketches: boolean;
}

/** Whether the log says that the order does not matter, that it does, or nothing. */
export type OrderVerdict = 'likely' | 'matters' | 'unknown';

const FEWEST_PAIRS = 20;
const LEAST_EQUAL = 0.85;
const MOST_BY_CHANCE = 0.1;
const PACKED = 1.8;

export function orderVerdict({ pairs, equal, neighbours, equalByChance }: OrderEvidence): OrderVerdict {
  if (pairs < FEWEST_PAIRS) return 'unknown';
  if (2 * equal < pairs) return 'matters';
  const isByChance = neighbours < FEWEST_PAIRS || equalByChance > MOST_BY_CHANCE * neighbours;
  return equal >= LEAST_EQUAL * pairs && !isByChance ? 'likely' : 'unknown';
}

/** The URL without what is in the slot. */
export function contextOf({ url: { text }, ranges }: ListUse): string {
  let [context, from] = ['', 0];
  for (let at = 0; at < ranges.length; at += 2) {
    context += `${text.slice(from, ranges[at])}\0`;
    from = ranges[at + 1]!;
  }
  return context + text.slice(from);
}

/** URLs with the same items at the same place, by place: each group has two or more orders, or repetitions. */
export function byContext(all: readonly ListUse[]): Map<string, Map<string, ListUse[]>> {
  const contexts = new Map<string, Map<string, ListUse[]>>();
  for (const use of all) {
    if (use.items.length < 2) continue;
    const context = contextOf(use);
    let sets = contexts.get(context);
    if (sets === undefined) contexts.set(context, (sets = new Map()));
    const set = setOf(use.items);
    addTo(sets, set, use);
  }
  return contexts;
}

export function orderEvidence(contexts: ReadonlyMap<string, ReadonlyMap<string, readonly ListUse[]>>): OrderEvidence {
  let [pairs, equal, neighbours, equalByChance, sketched] = [0, 0, 0, 0, 0];
  for (const sets of contexts.values()) {
    const firsts = new Map<number, ListUse>();
    for (const uses of sets.values()) {
      const [first, ...others] = uses;
      for (const { url } of others) {
        const isSame = arePagesEqual(first!.url, url);
        if (isSame === undefined) continue;
        pairs++;
        if (isSame) equal++;
        if (first!.url.sketch !== 0 && url.sketch !== 0) sketched++;
      }
      const depth = first!.items.length;
      const neighbour = firsts.get(depth);
      const isSame = neighbour && arePagesEqual(neighbour.url, first!.url);
      if (isSame !== undefined) neighbours++;
      if (isSame === true) equalByChance++;
      firsts.set(depth, first!);
    }
  }
  return { pairs, equal, neighbours, equalByChance, bySketches: pairs > 0 && sketched === pairs };
}

/** Undefined if nothing is known. */
function arePagesEqual(a: ListedUrl, b: ListedUrl): boolean | undefined {
  if (a.sketch !== 0 && b.sketch !== 0) return a.sketch === b.sketch;
  if (!isExact(a) || !isExact(b)) return undefined;
  const [less, more] = [Math.min(a.minSize, b.minSize), Math.max(a.minSize, b.minSize)];
  return more >= PACKED * less && more > 0 ? undefined : less === more;
}

function isExact({ minSize, maxSize }: ListedUrl): boolean {
  return minSize >= 0 && minSize === maxSize;
}
