// The largest share that is plausible if k of a sample of n had it: the upper end of the one-sided 95 % Clopper-Pearson
// interval. At that share p, only one sample in twenty would have k or fewer:
//
//     P(X ≤ k | n, p) = Σ (i = 0 … k) C(n, i) p^i (1 - p)^(n - i) = 0.05.
//
// It is exact for any n and k: 0 of 300 means at most .00994.

const DOUBT = 0.05;
/** Bounds are rounded up to this many parts: they remain bounds, and have the same digits on every machine. */
const PARTS = 1e6;
/** Tolerates rounding errors where a bound is a whole number of parts: 0 of 1 is .95. */
const SLACK = 1e-6;
/** Bisection steps on 0 … 1; then the ends are adjacent doubles. */
const HALVINGS = 60;

/** The bound for k failures in a sample. 1 if there is no sample, or all of it failed. */
export function failureBound(failures: number, sample: number): number {
  if (failures >= sample) return 1;
  const logChoices = logChoose(sample, failures);
  let [low, high] = [failures / sample, 1];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (atMost(failures, sample, middle, logChoices) > DOUBT) low = middle;
    else high = middle;
  }
  return Math.min(1, Math.ceil(high * PARTS - SLACK) / PARTS);
}

/** P(X > k) of n trials with p ≥ k / n, to six digits: the same on every machine. */
export function chanceOfMore(k: number, n: number, p: number): number {
  return Math.round((1 - atMost(k, n, p, logChoose(n, k))) * PARTS) / PARTS;
}

/** P(X ≤ k) of n trials with p ≥ k / n. Sums from the largest term, that of k, downwards, until a term adds nothing. */
function atMost(k: number, n: number, p: number, logChoices: number): number {
  let term = Math.exp(logChoices + k * Math.log(p) + (n - k) * Math.log1p(-p));
  if (k === 0) return Math.exp(n * Math.log1p(-p));
  let sum = term;
  for (let i = k; i > 0 && term > sum * Number.EPSILON; i--) {
    term *= ((i / (n - i + 1)) * (1 - p)) / p;
    sum += term;
  }
  return sum;
}

/** log C(n, k) */
function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}
