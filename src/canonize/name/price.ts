// What does a rule cost, and what is it worth? Its price: hits that it alone redirects, for each URL that it alone makes
// one with another, in hits that a URL has on average. On nine sites, rules that only respell URLs stood out (60, 51, 26,
// 22, 21, 13, 10, 7, 5); all others were at 3.2 or less.
//
// A redirect of a URL that has its form for itself gains nothing, until a twin turns up: of such URLs, that happens to .09
// to .26. So it counts five times. On four sites this says only of rules that it is dear which mostly do that (21, 12, 8);
// all others were at 2.5 or less.
import type { Rule } from '../../rule/rule.js';
import type { Census, HitList, Totals, Without } from './census.js';

/** Above it, a rule is not worth the redirects. */
export const MOST_PRICE = 5;
/** Added weight of a redirect that merges nothing: it counts 1 + 4 times. */
export const MORE_FOR_LONE = 4;

export function priceOf(census: Census, rule: Rule): number {
  return priceFrom(census.list, census.totals, census.without(rule));
}

/** Whether it is too dear though each redirect counts once. */
export function isDearAnyway(census: Census, rule: Rule): boolean {
  const without = census.without(rule);
  return priceFrom(census.list, census.totals, { ...without, lone: 0 }) > MOST_PRICE;
}

/** From the totals with the rule and without it; 0 for a rule that redirects nothing. */
export function priceFrom({ allUrls, allHits }: HitList, withIt: Totals, without: Without): number {
  const redirects = withIt.redirected - without.redirected + MORE_FOR_LONE * Math.max(0, without.lone);
  if (redirects <= 0) return 0;
  return redirects / Math.max(0, without.forms - withIt.forms) / (allHits / allUrls);
}
