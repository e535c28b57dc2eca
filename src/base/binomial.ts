// At most how large is a share of which a sample had some? The upper end of the one-sided 95 % Clopper-Pearson interval: the
// share p at which as few as k of n, or fewer, would be seen in only one sample of twenty,
//
//     P(X ≤ k | n, p) = Σ (i = 0 … k) C(n, i) p^i (1 - p)^(n - i) = 0.05.
//
// It is exact, whatever n and k are: of a share that is 0, 300 samples say that it is at most .00994.

const DOUBT = 0.05;
/** Bounds are rounded up to so many parts: they stay bounds, and are the same digits on every machine. */
const PARTS = 1e6;
/** Of a part, for what doubles make of a bound that is a whole number of parts: 0 of 1 is .95. */
const SLACK = 1e-6;
/** Halvings of 0 … 1, beyond which two doubles in a row are the ends. */
const HALVINGS = 60;

/** 1 where there is no sample, or all of it failed. */
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

/**
 * P(X ≤ k) of n trials with p ≥ k / n, summed from the largest term, that of k, down: each is less than the one before, and where
 * one adds nothing none of the others does.
 */
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
