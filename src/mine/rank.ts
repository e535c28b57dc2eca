// Which rule is most likely true, as long as no page was fetched (SPEC 5)?
//
// `likeliness`, the default, is the lower Wilson bound, a quarter of it for pairs that only put one word in the place of
// another: `lect1` → `lect2`, `da` → `fr`, `movie` → `politics`. Such pairs flock together (paper §4); aliases add, drop or
// move something. What orders are worth, as precision@k of the likely list against the contents of the pages:
//
//                                    @10   @20   @50   @100
//   Apache's manual     support      0.50  0.70  0.48  0.64     2,651 URLs of fixtures/access.log, a real crawl
//                       confidence   0.80  0.75  0.57  0.68
//                       likeliness   1.00  0.95  0.79  0.89
//   planted live site   support      0.75  0.63  0.57  0.70     10,000 URLs with traps, mean of three seeds
//                       confidence   0.75  0.63  0.59  0.71
//                       likeliness   0.71  0.72  0.71  0.71
//
// The crawls of carlsencards (9 rules) and keykos (7) come out the same in every order.
import { isBoundary, isRunByte } from '../url/token.js';

/** The 97.5 % quantile of the normal distribution: two-sided 95 %. */
const Z = 1.959963984540054;

/** URLs that a parameter has to stand in, unless the options say otherwise (SPEC 9). */
export const PARAM_MIN_URLS = 10;

export type RankOrder = 'likeliness' | 'confidence' | 'support';

/** Rules of about one likeliness go by their support. */
const STEPS = 50;

/** Lower end of the 95 % Wilson interval of low / (low + against); 0 where both are 0. */
export function wilsonLower(low: number, against: number): number {
  const n = low + against;
  if (n === 0) return 0;
  const share = low / n;
  const middle = share + (Z * Z) / (2 * n);
  const half = Z * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  return Math.max(0, (middle - half) / (1 + (Z * Z) / n));
}

/** The number rules are ranked by, largest first. Ties go by `low`, then by (α, β). A group counts as an instance does. */
export function rankScore(low: number, against: number, confidence: number, order: RankOrder): number {
  if (order === 'support') return low;
  if (order === 'confidence') return wilsonLower(low, against) * Math.log2(1 + low);
  return Math.round(confidence * STEPS);
}

/** α and β in raw bytes. */
export interface Sides {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** True if α and β differ in one token each, and both are runs of letters and digits. */
export function swapsOneWord({ from, to }: Sides): boolean {
  const limit = Math.min(from.length, to.length);
  let start = 0;
  while (start < limit && from[start] === to[start]) start++;
  while (start > 0 && !(isBoundary(from, start) && isBoundary(to, start))) start--;
  let end = 0;
  while (end < limit - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  while (end > 0 && !(isBoundary(from, from.length - end) && isBoundary(to, to.length - end))) end--;
  return isOneWord(from, start, from.length - end) && isOneWord(to, start, to.length - end);
}

function isOneWord(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end || !isRunByte(bytes[start]!)) return false;
  for (let at = start + 1; at < end; at++) if (isBoundary(bytes, at)) return false;
  return true;
}
