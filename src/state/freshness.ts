// How fresh is a collection whose pages are fetched again and again, and how are M fetches a night best spread over it?
//
// Of a page that changes at rate λ a day and is fetched every τ days (Cho and Garcia-Molina,
// Effective Page Refresh Policies for Web Crawlers, ACM TODS 28(4), 2003):
//
//   freshness   the share of the time in which the copy is that of the site    F = (1 − e^(−λτ)) / λτ
//   age         days since the copy is out of date, 0 while it is not        A = τ (1/2 − 1/λτ + (1 − e^(−λτ)) / (λτ)²)
//   delay       days from a change to the next fetch, of a day's changes     D = λτ / 2
//
// The delay of a collection is least if the frequency 1/τ of each page is proportional to √λ (by Lagrange multipliers:
// minimise Σ λτ/2 under Σ 1/τ = M). For freshness, fetching all pages equally often is better than in proportion to λ,
// whatever the rates: pages that change faster than they can be followed waste fetches. The best spread for freshness
// would not fetch those at all, which nobody wants of a front page.

export const POLICIES = ['root', 'uniform', 'proportional'] as const;
export type Policy = (typeof POLICIES)[number];

export interface Freshness {
  /** The share of pages that are up to date. */
  readonly freshness: number;
  /** Days, over all pages. */
  readonly age: number;
  /** Days of delay that a day adds, over all pages. */
  readonly delay: number;
}

/** In what proportion a page of this rate is fetched. */
export function weightOf(rate: number, policy: Policy): number {
  if (policy === 'uniform') return 1;
  return policy === 'root' ? Math.sqrt(rate) : rate;
}

/** Of one page that is fetched every `interval` days. */
export function freshnessOf(rate: number, interval: number): Freshness {
  const x = rate * interval;
  // The series, where the difference would cancel.
  if (x < 1e-4) return { freshness: 1 - x / 2, age: (interval * x) / 6, delay: x / 2 };
  const unchanged = -Math.expm1(-x);
  return { freshness: unchanged / x, age: interval * (0.5 - 1 / x + unchanged / (x * x)), delay: x / 2 };
}

/** Pages of about the same rate. */
interface RateClass {
  readonly rate: number;
  readonly pages: number;
}

/** Rates within 1 % of one another. */
const CLASS_WIDTH = Math.log(1.01);

/** Counts pages by their rates, in some thousand classes at most; their mean rate stays exact. */
export class RateClasses {
  readonly #classes = new Map<number, { sum: number; pages: number }>();

  add(rate: number): void {
    const number = rate > 0 ? Math.floor(Math.log(rate) / CLASS_WIDTH) : -Infinity;
    const found = this.#classes.get(number);
    if (found === undefined) return void this.#classes.set(number, { sum: rate, pages: 1 });
    found.sum += rate;
    found.pages++;
  }

  /** From the slowest. */
  get all(): readonly RateClass[] {
    const sorted = [...this.#classes].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, { sum, pages }]) => ({ rate: sum / pages, pages }));
  }
}

/**
 * What to expect of a collection if `budget` pages are fetched each night, in proportion to the weights of the policy;
 * no page is fetched more than once a night. A page with weight 0 is never fetched: its age is not finite.
 */
export function expected(classes: readonly RateClass[], budget: number, policy: Policy): Freshness {
  const pages = classes.reduce((sum, one) => sum + one.pages, 0);
  const scale = scaleOf(classes, budget, policy);
  const total = { freshness: 0, age: 0, delay: 0 };
  for (const { rate, pages: count } of classes) {
    const frequency = Math.min(1, scale * weightOf(rate, policy));
    const one = frequency === 0 ? { freshness: 1, age: 0, delay: 0 } : freshnessOf(rate, 1 / frequency);
    for (const figure of ['freshness', 'age', 'delay'] as const) total[figure] += (one[figure] * count) / pages;
  }
  return total;
}

/** The frequency of a page of weight 1, so that all fetches of a night are the budget. */
function scaleOf(classes: readonly RateClass[], budget: number, policy: Policy): number {
  // Those that would be fetched more than once a night are fetched once, and what is left goes to the others.
  const byWeight = classes.map(({ rate, pages }) => ({ weight: weightOf(rate, policy), pages }));
  byWeight.sort((a, b) => b.weight - a.weight);
  let left = budget;
  let weights = byWeight.reduce((sum, { weight, pages }) => sum + weight * pages, 0);
  for (const { weight, pages } of byWeight) {
    if (left <= 0 || weights <= 0) break;
    const scale = left / weights;
    if (scale * weight <= 1) return scale;
    left -= pages;
    weights -= weight * pages;
  }
  return Infinity;
}
