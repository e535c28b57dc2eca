// When have enough samples been judged (SPEC 10)? The paper's answer is in `paper/figure-3`.
//
// This is Wald's test of a failure rate of at most 2 % against one of at least 10 %, both errors 5 %, with N as a cap: 35
// positives in a row accept, 2 early negatives refute. Between 3 % and 8 % neither decides reliably (SPEC 10.1). Pages are drawn without replacement:
// of a rule that changes 40 URLs, 23 positives in a row leave as little doubt. After a negative that is not taken into
// account: among so few URLs it says most of what there is to know.
//
// Neither test notices a rule that is wrong for every thirtieth page, and each such rule costs dozens of false merges;
// pages that change a little between two fetches are not such a sign. So if a sample meets a page of entirely different
// content, nothing is accepted before N samples, and then only if such pages are at most one in a hundred. At a failure
// rate of 10 % this halves what is accepted (2.5 % instead of 5 %), and rules that meet none need no more samples.
export interface TrialOptions {
  /** A limit on the samples, and the share of negatives with which a rule is accepted at it. */
  readonly N: number;
  readonly epsilon: number;
}

export interface ValidateOptions extends TrialOptions {
  /** With fewer judged samples the rule stays likely. */
  readonly minSamples: number;
  /** True if START is the start of the path also in absolute URLs. */
  readonly pathOnly: boolean;
}

const GOOD_RATE = 0.02;
const BAD_RATE = 0.1;
const ERROR_RATE = 0.05;
const PER_NEGATIVE = Math.log(BAD_RATE / GOOD_RATE);
const PER_POSITIVE = Math.log((1 - BAD_RATE) / (1 - GOOD_RATE));
const BOUND = Math.log((1 - ERROR_RATE) / ERROR_RATE);

/** The fewest consecutive positives that accept a rule. */
export const QUICKEST_ACCEPTANCE = Math.ceil(BOUND / -PER_POSITIVE);

/** Samples so far; `foreign` counts negatives whose pages have little or nothing in common. */
export interface Tally {
  readonly positive: number;
  readonly negative: number;
  readonly foreign: number;
}

/** What is known about a rule before any page is fetched. */
export type LogEvidence = 'plenty' | 'known';

/** Factors for the bound of the test. */
const BOUNDS: Record<LogEvidence, number> = { plenty: 1, known: 0.5 };

/** The largest share of foreign pages with which a rule is accepted. */
const MAX_FOREIGN = 0.01;

/** True accepts, false refutes, undefined asks for more samples. `population`: how many there are to draw from. */
export function decide(
  tally: Tally,
  options: TrialOptions,
  evidence: LogEvidence = 'plenty',
  population = Infinity,
): boolean | undefined {
  const { positive, negative, foreign } = tally;
  const { N, epsilon } = options;
  const ratio = negative * PER_NEGATIVE + logRatioOf(positive, negative === 0 ? population : Infinity);
  if (ratio >= BOUND) return false;
  if (ratio <= -BOUNDS[evidence] * BOUND && foreign === 0) return true;
  if (positive + negative < N) return undefined;
  return foreign <= MAX_FOREIGN * N && (negative === 0 || negative < epsilon * (positive + negative));
}

/** Logarithm of how likely so many positives are at the bad rate, relative to the good one. */
function logRatioOf(positive: number, population: number): number {
  if (population === Infinity) return positive * PER_POSITIVE;
  const good = (1 - GOOD_RATE) * population;
  const bad = (1 - BAD_RATE) * population;
  if (positive > bad) return -Infinity;
  let sum = 0;
  for (let drawn = 0; drawn < positive; drawn++) sum += Math.log((bad - drawn) / (good - drawn));
  return sum;
}
