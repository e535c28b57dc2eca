// The freshness of a collection whose pages are fetched again and again, and how to spread M fetches a night over it.
//
// For a page that changes at rate λ a day and is fetched every τ days (Cho and Garcia-Molina, Effective Page Refresh
// Policies for Web Crawlers, ACM TODS 28(4), 2003):
//
//   freshness   the share of time in which the copy is up to date            F = (1 − e^(−λτ)) / λτ
//   age         mean days since the copy went out of date, 0 while fresh     A = τ (1/2 − 1/λτ + (1 − e^(−λτ)) / (λτ)²)
//   delay       days from change to next fetch, for the changes of a day     D = λτ / 2
//
// The total delay is least if the frequency 1/τ of each page is proportional to √λ (by Lagrange multipliers: minimise Σ
// λτ/2 under Σ 1/τ = M). For freshness, fetching all pages equally often is better than in proportion to λ, whatever
// the rates: pages that change too fast to follow waste fetches. The optimum for freshness would not fetch those at
// all, which nobody wants for a front page.

export const POLICIES = ['root', 'uniform', 'proportional'] as const;
export type Policy = (typeof POLICIES)[number];

export interface Freshness {
  /** The share of pages that are up to date. */
  readonly freshness: number;
  /** Mean age in days. */
  readonly age: number;
  /** Total days of delay of the changes of one day. */
  readonly delay: number;
}

/** The weight of a page: fetches are in proportion to it. */
export function weightOf(rate: number, policy: Policy): number {
  if (policy === 'uniform') return 1;
  return policy === 'root' ? Math.sqrt(rate) : rate;
}

/** The freshness of one page that is fetched every `interval` days. */
export function freshnessOf(rate: number, interval: number): Freshness {
  const x = rate * interval;
  // A series, as the difference would cancel.
  if (x < 1e-4) return { freshness: 1 - x / 2, age: (interval * x) / 6, delay: x / 2 };
  const unchanged = -Math.expm1(-x);
  return { freshness: unchanged / x, age: interval * (0.5 - 1 / x + unchanged / (x * x)), delay: x / 2 };
}

/** Pages with about the same rate. */
interface RateClass {
  readonly rate: number;
  readonly pages: number;
}

/** Rates that differ by up to 1 % are one class. */
const CLASS_WIDTH = Math.log(1.01);

/** Counts pages by rate, in at most some thousand classes whose mean rates are exact. */
export class RateClasses {
  readonly #classes = new Map<number, { sum: number; pages: number }>();

  add(rate: number): void {
    const number = rate > 0 ? Math.floor(Math.log(rate) / CLASS_WIDTH) : -Infinity;
    const found = this.#classes.get(number);
    if (found === undefined) return void this.#classes.set(number, { sum: rate, pages: 1 });
    found.sum += rate;
    found.pages++;
  }

  /** Slowest first. */
  get all(): readonly RateClass[] {
    const sorted = [...this.#classes].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, { sum, pages }]) => ({ rate: sum / pages, pages }));
  }
}

/**
 * The expected freshness of a collection if `budget` pages are fetched each night, in proportion to the weights of the
 * policy, each at most once a night. A page with weight 0 is never fetched: its age is not finite.
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

/** The fetch frequency of a page of weight 1, such that all fetches of a night add up to the budget. */
function scaleOf(classes: readonly RateClass[], budget: number, policy: Policy): number {
  // Pages that would be fetched more than once a night are fetched once, and the rest of the budget goes to the others.
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
