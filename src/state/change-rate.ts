// How often does a page change, by what its visits saw?
//
// Changes are taken for a Poisson process of rate λ a day: a page is unchanged after τ days with probability e^(−λτ),
// and a visit says whether it has changed, not how often. With N comparisons, X of which found a change, τ apart, Cho
// and Garcia-Molina's estimator (seed 001) is
//
//   λτ = log((N + 0.5) / (N − X + 0.5))
//
// the maximum likelihood of −log(share unchanged) but for the halves, which remove most of its bias and allow X = N.
// Days between visits are irregular here. Then the likelihood is greatest where Σ τ / (e^(λτ) − 1) over the changed
// intervals is the sum of the unchanged ones, U. With their mean c in place of each of the changed intervals, which are
// C days together, that is closed, and needs no more than two sums:
//
//   λ = log((U + C + τ/2) / (U + τ/2)) / c        τ the mean interval
//
// which is the estimator above if all intervals are equal. `test/state/change-rate.test.ts` has its bias.
import type { VisitCounts } from './visits.js';

/** Changes a day; 0 if none was seen, and undefined if no visit could be compared with another. */
export function changeRate({ comparisons, changes, daysCompared, daysChanged }: VisitCounts): number | undefined {
  if (comparisons === 0) return undefined;
  if (changes === 0) return 0;
  const half = daysCompared / comparisons / 2;
  return Math.log((daysCompared + half) / (daysCompared - daysChanged + half)) / (daysChanged / changes);
}

/**
 * The rate that visits are planned by: a page of which no change was seen counts as if half of one had been, after
 * τ/2 days, or nobody would look at it again; a page visited once has the rate `ofAll`, of all pages together.
 */
export function plannedRate(counts: VisitCounts, ofAll: number): number {
  const { comparisons, changes, daysCompared } = counts;
  if (comparisons === 0) return ofAll;
  if (changes > 0) return changeRate(counts)!;
  const interval = daysCompared / comparisons;
  return Math.log((comparisons + 0.5) / comparisons) / interval;
}
