// Was a site asked in vain? Otherwise a nightly run with -q would be silent for ever about a site that it never reaches.
import { unjudgedLines } from '../../../report/outcome-words.js';
import type { PageSource } from '../../../validate/source.js';
import type { Settlement } from '../../../validate/validate.js';

/** Reasons that concern the way to the site, not one URL. */
const LOST = new Set(['host-given-up', 'network', 'private-address', 'robots', 'status', 'time-out']);

/** A sentence with the way out; undefined if a rule got a verdict or was settled, or pages came. */
export function nothingAnswered(
  settlements: readonly Settlement[],
  { name }: Pick<PageSource, 'name'>,
): string | undefined {
  if (name !== 'live' || settlements.some(hasAnswer)) return undefined;
  const counts: Record<string, number> = {};
  for (const { after } of settlements) {
    for (const [code, n] of Object.entries(after[0]?.verdict?.unjudged ?? {})) {
      const reason = code.replace(/^[uv]: /, '');
      if (LOST.has(reason)) counts[reason] = (counts[reason] ?? 0) + n;
    }
  }
  const reasons = unjudgedLines(counts);
  if (reasons.length === 0) return undefined;
  return `not one page of the site could be compared, so no rule was judged; ${reasons.join('; ')}`;
}

function hasAnswer({ after, outcome }: Settlement): boolean {
  const verdict = after[0]?.verdict;
  if (outcome === 'kept' || outcome === 'unasked') return false;
  return outcome !== 'likely' || (verdict !== undefined && verdict.positive + verdict.negative > 0);
}
