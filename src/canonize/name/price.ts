// What does a rule cost, and what is it worth? Its price: hits that it alone redirects, for each URL that it alone makes
// one with another, in hits that a URL has on average. On nine sites, rules that only respell URLs stood out (60, 51, 26,
// 22, 21, 13, 10, 7, 5); all others were at 3.2 or less.
//
// A redirect of a URL that has its form for itself gains nothing, until a twin turns up: of such URLs, that happens to .09
// to .26. So it counts three times. On five sites only rules that mostly do that are dear by it (13, 7, 5); all others were
// at 4 or less. Counted five times, a rule that makes a sixth of a wiki's duplicates one was dear, too.
import type { Rule } from '../../rule/rule.js';
import type { Census, HitList, Totals, Without } from './census.js';

/** Above it, a rule is not worth the redirects. */
export const MOST_PRICE = 5;
/** How much more a redirect costs that gains nothing. */
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
