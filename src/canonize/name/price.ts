// What does a rule cost for what it gains? Its price is the number of hits that it alone redirects per URL that it
// alone merges, in units of the average hits of a URL. On nine sites, rules that only respell URLs stood out (60, 51,
// 26, 22, 21, 13, 10, 7, 5); all others were at 3.2 or less.
//
// Redirects of URLs that share their form with no other are not counted apart, though they gain nothing yet. Where they
// counted three or five times, a list with .3 of a site's URLs, most of whose twins are missing, lost the rules of its
// mounts (coverage .64 -> .49).
import type { Rule } from '../../rule/rule.js';
import type { Census, HitList, Totals } from './census.js';

/** Above this price, a rule is not worth its redirects. */
export const MOST_PRICE = 4;

export function priceOf(census: Census, rule: Rule): number {
  return priceFrom(census.list, census.totals, census.without(rule));
}

/** From the totals with the rule and without it; 0 for a rule that redirects nothing. */
export function priceFrom({ allUrls, allHits }: HitList, withIt: Totals, without: Totals): number {
  const redirects = withIt.redirected - without.redirected;
  if (redirects <= 0) return 0;
  return redirects / Math.max(0, without.forms - withIt.forms) / (allHits / allUrls);
}
