// Which lists may have their items sorted, by the log alone? URLs that are equal but for the order of items have equal pages.
import { chanceOfMore } from '../../base/binomial.js';
import type { ItemsPlace } from '../../rule/items-place.js';
import type { ListFacts } from './facts.js';
import type { OrderEvidence } from './order.js';

/** A likely rule: the items at this place of a site are sorted. */
export interface ListRule {
  readonly site: string;
  readonly place: ItemsPlace;
  /** The probability that at most one in twenty pairs are two pages. */
  readonly confidence: number;
  readonly evidence: OrderEvidence;
  /** URLs that sorting the items makes another URL of the log. */
  readonly urls: number;
  /** URLs with such lists. */
  readonly examples: readonly string[];
}

/** The most pairs that are two pages, of a rule that holds. */
const TOLERATED = 0.05;
/** Entries of a page in another order have the same size: sizes alone are not sure of it (SPEC 5). */
const MOST_BY_SIZES = 0.9;

export function listRules(lists: readonly ListFacts[]): ListRule[] {
  return lists.flatMap(({ site, place, order, duplicates, examples }) => {
    if (order.verdict !== 'likely') return [];
    const { verdict: _, ...evidence } = order;
    return [{ site, place, confidence: confidenceOf(evidence), evidence, urls: duplicates.urls, examples }];
  });
}

function confidenceOf({ pairs, equal, bySketches }: OrderEvidence): number {
  const unequal = pairs - equal;
  if (unequal > TOLERATED * pairs) return 0;
  const confidence = chanceOfMore(unequal, pairs, TOLERATED);
  return bySketches ? confidence : Math.min(confidence, MOST_BY_SIZES);
}
