// What does a rule cost for what it gains? Its price is the number of hits that it alone redirects per URL that it
// alone merges, in units of the average hits of a URL. On nine sites, rules that only respell URLs stood out (60, 51,
// 26, 22, 21, 13, 10, 7, 5); all others were at 3.2 or less.
//
// Redirecting a URL that shares its form with no other gains nothing until a twin turns up, which happens for .09 to
// .26 of such URLs. So it counts three times. On five sites this makes only rules dear that mostly redirect such URLs
// (13, 7, 5); all others are at 4 or less. Counted five times, a rule that merges a sixth of a wiki's duplicates was dear.
import type { Rule } from '../../rule/rule.js';
import type { Census, HitList, Totals, Without } from './census.js';

/** Above this price, a rule is not worth its redirects. */
export const MOST_PRICE = 5;
/** Added weight of a redirect that merges nothing: it counts 1 + 2 times. */
export const MORE_FOR_LONE = 2;

export function priceOf(census: Census, rule: Rule): number {
  return priceFrom(census.list, census.totals, census.without(rule));
}

/** From the totals with the rule and without it; 0 for a rule that redirects nothing. */
export function priceFrom({ allUrls, allHits }: HitList, withIt: Totals, without: Without): number {
  const redirects = withIt.redirected - without.redirected + MORE_FOR_LONE * Math.max(0, without.lone);
  if (redirects <= 0) return 0;
  return redirects / Math.max(0, without.forms - withIt.forms) / (allHits / allUrls);
}
