// Are the duplicates of a report proven, or only likely, or was nothing asked that could show any?
import { isInUse } from '../../../rule/standing.js';
import type { ReportModel } from '../model.js';

/** `nothing`: no rule is applied, and pages have decided on none. */
export type Asked = 'proven' | 'likely' | 'nothing';

export function askedOf({ rules }: ReportModel): Asked {
  const applied = rules.filter(({ isApplied }) => isApplied);
  if (applied.some(({ rule }) => !isInUse(rule))) return 'likely';
  return applied.length > 0 || rules.some(({ rule }) => rule.verdict !== undefined) ? 'proven' : 'nothing';
}
