// How deep are the lists of a slot, how large is their space beside what was seen, and what do they duplicate by order
// alone?
//
// The space: Chao1 estimates from what was seen once and twice how many lists there are at least. Where crawlers choose
// unevenly it is thousands of times too low, so two other numbers stand beside it: how many sets the items make by
// counting, and the share of hits on URLs that were requested once.
import type { ItemsPlace } from '../../rule/items-place.js';
import { countsOf, setOf, shareInTwoOrders } from './choices.js';
import { findLists, type ListUse } from './find.js';
import { byContext, type OrderEvidence, orderEvidence, type OrderVerdict, orderVerdict } from './order.js';
import type { ListedUrl } from './sample.js';

/** A list in a slot of URLs of a site. */
export interface ListFacts extends ListMeasures {
  readonly site: string;
  readonly place: ItemsPlace;
  /** How the log writes the separator: `,`, `%2C`, `%2c`. */
  readonly spellings: readonly string[];
}

export interface ListMeasures {
  /** Distinct URLs with items, and hits on these. */
  readonly urls: number;
  readonly hits: number;
  /** The number of distinct items, and the commonest of them with the number of URLs that have it. */
  readonly items: number;
  readonly commonest: readonly (readonly [item: string, urls: number])[];
  /** By the number of items: 1 item, 2 items, … The last one counts longer lists, too. */
  readonly depths: readonly DepthFacts[];
  /** The share of sets of two or more items that come in two orders or more. */
  readonly twoOrders: number;
  readonly space: SpaceFacts;
  readonly duplicates: OrderDuplicates;
  readonly order: OrderEvidence & { readonly verdict: OrderVerdict };
  /** URLs of the log with two or more items. */
  readonly examples: readonly string[];
}

export interface DepthFacts {
  readonly urls: number;
  readonly hits: number;
}

export interface SpaceFacts {
  /** Distinct sets of items that were seen, at least so many there are, and at most so many by counting. */
  readonly seen: number;
  readonly atLeast: number;
  readonly atMost: number;
  /** The share of hits on URLs with two or more items that were requested once. */
  readonly onceShare: number;
}

/** URLs that are another one but for the order of items, or for repeated items, and hits on these. */
export interface OrderDuplicates {
  readonly urls: number;
  readonly hits: number;
  readonly repeatedUrls: number;
  readonly repeatedHits: number;
}

const MOST_DEPTHS = 8;
const MOST_ITEMS = 10;
const MOST_EXAMPLES = 3;

/** The lists of the URLs, with the most URLs first. */
export function listFacts(urls: readonly ListedUrl[]): ListFacts[] {
  return findLists(urls).map(({ site, place, uses }) => ({
    site,
    place,
    spellings: spellingsOf(place.separator, uses),
    ...measuresOf(uses),
  }));
}

function spellingsOf(separator: string, uses: readonly ListUse[]): string[] {
  const escape = `%${separator.charCodeAt(0).toString(16).toUpperCase()}`;
  const isUsed = (sign: string) =>
    uses.some(
      ({ url: { text }, ranges: [start, end], items }) => items.length > 1 && text.slice(start, end).includes(sign),
    );
  return [separator, escape, escape.toLowerCase()].filter((sign, at, all) => all.indexOf(sign) === at && isUsed(sign));
}

export function measuresOf(uses: readonly ListUse[]): ListMeasures {
  const long = uses.filter(({ items }) => items.length > 1);
  const contexts = byContext(uses);
  const evidence = orderEvidence(contexts);
  const counts = [...countsOf(uses)].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    urls: uses.length,
    hits: hitsOf(uses),
    items: counts.length,
    commonest: counts.slice(0, MOST_ITEMS),
    depths: depthsOf(uses),
    twoOrders: shareInTwoOrders(distinct(long)),
    space: spaceOf(long, counts.length),
    duplicates: duplicatesOf(contexts),
    order: { ...evidence, verdict: orderVerdict(evidence) },
    examples: long
      .map(({ url }) => url.text)
      .sort()
      .slice(0, MOST_EXAMPLES),
  };
}

function hitsOf(uses: readonly ListUse[]): number {
  return uses.reduce((sum, { url }) => sum + url.hits, 0);
}

function distinct(uses: readonly ListUse[]): ListUse[] {
  return [...new Map(uses.map((use) => [use.items.join('\0'), use])).values()];
}

function depthsOf(uses: readonly ListUse[]): DepthFacts[] {
  const depths: { urls: number; hits: number }[] = [];
  for (const { items, url } of uses) {
    const at = Math.min(items.length, MOST_DEPTHS) - 1;
    while (depths.length <= at) depths.push({ urls: 0, hits: 0 });
    depths[at]!.urls++;
    depths[at]!.hits += url.hits;
  }
  return depths;
}

function spaceOf(long: readonly ListUse[], items: number): SpaceFacts {
  const hits = new Map<string, number>();
  let [deepest, once, all] = [0, 0, 0];
  for (const { items: own, url } of long) {
    const set = setOf([...new Set(own)]);
    hits.set(set, (hits.get(set) ?? 0) + url.hits);
    deepest = Math.max(deepest, new Set(own).size);
    all += url.hits;
    if (url.hits === 1) once++;
  }
  const counts = [...hits.values()];
  const [singles, doubles] = [1, 2].map((n) => counts.filter((count) => count === n).length as number);
  const unseen = (singles! * (singles! - 1)) / (2 * (doubles! + 1));
  const atMost = setsUpTo(items, deepest);
  return {
    seen: hits.size,
    atLeast: Math.round(Math.min(hits.size + unseen, atMost)),
    atMost,
    onceShare: all === 0 ? 0 : once / all,
  };
}

/** How many sets of 2 to `most` items there are. */
function setsUpTo(items: number, most: number): number {
  let [sum, choices] = [0, items];
  for (let size = 2; size <= most; size++) {
    choices = (choices * (items - size + 1)) / size;
    sum += choices;
  }
  return Math.round(sum);
}

function duplicatesOf(contexts: ReadonlyMap<string, ReadonlyMap<string, readonly ListUse[]>>): OrderDuplicates {
  let [urls, hits, repeatedUrls, repeatedHits] = [0, 0, 0, 0];
  for (const sets of contexts.values()) {
    const withoutRepeats = new Map<string, number>();
    for (const [set, uses] of sets) {
      const most = Math.max(...uses.map(({ url }) => url.hits));
      urls += uses.length - 1;
      hits += hitsOf(uses) - most;
      const bare = setOf([...new Set(set.split('\0'))]);
      if (bare !== set || withoutRepeats.has(bare)) {
        const other = withoutRepeats.get(bare);
        if (other !== undefined)
          [repeatedUrls, repeatedHits] = [repeatedUrls + 1, repeatedHits + Math.min(other, most)];
      }
      withoutRepeats.set(bare, Math.max(most, withoutRepeats.get(bare) ?? 0));
    }
  }
  return { urls, hits, repeatedUrls, repeatedHits };
}
