// Which rule is most likely true (SPEC 5)?

/** The 97.5 % quantile of the normal distribution: two-sided 95 %. */
const Z = 1.959963984540054;

/** URLs that a parameter has to stand in, unless the options say otherwise (SPEC 9). */
export const PARAM_MIN_URLS = 10;

export type RankOrder = 'confidence' | 'support';

/** Lower end of the 95 % Wilson interval of low / (low + against); 0 where both are 0. */
export function wilsonLower(low: number, against: number): number {
  const n = low + against;
  if (n === 0) return 0;
  const share = low / n;
  const middle = share + (Z * Z) / (2 * n);
  const half = Z * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  return Math.max(0, (middle - half) / (1 + (Z * Z) / n));
}

/** The number rules are ranked by, largest first. Ties go by `low`, then by (α, β). */
export function rankScore(low: number, against: number, order: RankOrder): number {
  return order === 'support' ? low : wilsonLower(low, against) * Math.log2(1 + low);
}
