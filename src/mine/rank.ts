// Ranks rules by how likely they are true, before any page is fetched (SPEC 5).
//
// `likeliness`, the default, orders by mine/likeliness in steps of a fiftieth, and then by support: the first rules are
// practically certain and have the most effect. mine/confidence would be a worse order: with it, one site of nine fell
// from .47 to .15 of its duplicates. The order `confidence` is the paper's support, weighted with its lower Wilson
// bound.
//
// Measured with weights close to the present ones, precision@50 of all rules: DokuWiki 0.96 (in the order before 1.00),
// git 0.80 (0.84).
import type { MineOptions, Rule } from '../rule/rule.js';
import { isBoundary, isRunByte } from '../url/token.js';

/** The 97.5 % quantile of the normal distribution: two-sided 95 %. */
const Z = 1.959963984540054;

/** The least number of URLs with a parameter, by default (SPEC 9). */
export const PARAM_MIN_URLS = 10;

export type RankOrder = MineOptions['rank'];

/** Rules whose likeliness is in the same step are ordered by support. */
const STEPS = 50;

/** Lower end of the Wilson interval of low / (low + against), by default the 95 % interval; 0 if both are 0. */
export function wilsonLower(low: number, against: number, z = Z): number {
  const n = low + against;
  if (n === 0) return 0;
  const share = low / n;
  const middle = share + (z * z) / (2 * n);
  const half = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return Math.max(0, (middle - half) / (1 + (z * z) / n));
}

/**
 * The score that rules are ranked by, largest first. Ties are broken by `low`, then by (α, β). A group counts as an
 * instance does.
 */
export function rankScore(low: number, against: number, likeliness: number, order: RankOrder): number {
  if (order === 'support') return low;
  if (order === 'confidence') return wilsonLower(low, against) * Math.log2(1 + low);
  return Math.round(likeliness * STEPS);
}

/** The score of a rule in a file. Older files have only its confidence. */
export function likelinessIn({ likeliness, confidence }: Pick<Rule, 'likeliness' | 'confidence'>): number {
  return likeliness ?? confidence;
}

/** α and β in raw bytes. */
export interface Sides {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** True if α and β differ in one token each, and both tokens are runs. */
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
