// How are rules counted that pages have not decided on? Apart, as in tables: those of little confidence are candidates.
import { many } from '../base/plural.js';
import type { Rule } from '../rule/rule.js';
import { isCandidate } from '../rule/standing.js';

/** `1 likely rule and 43 candidates` */
export function openWords(rules: readonly Rule[]): string {
  const candidates = rules.filter(isCandidate).length;
  const likely = rules.length - candidates;
  const parts = [
    ...(likely > 0 ? [many(likely, 'likely rule')] : []),
    ...(candidates > 0 ? [many(candidates, 'candidate')] : []),
  ];
  return parts.join(' and ');
}
