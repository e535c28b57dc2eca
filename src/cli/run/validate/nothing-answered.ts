// Was a site asked in vain? Otherwise a nightly run with -q would be silent for ever about a site that it never reaches.
import { lostPages, unjudgedLines } from '../../../report/outcome-words.js';
import type { PageSource } from '../../../validate/source.js';
import type { Settlement } from '../../../validate/settlement.js';

/** A sentence with the way out; undefined if a rule got a verdict or was settled, or pages came. */
export function nothingAnswered(
  settlements: readonly Settlement[],
  { name }: Pick<PageSource, 'name'>,
): string | undefined {
  if (name !== 'live' || settlements.some(hasAnswer)) return undefined;
  const counts: Record<string, number> = {};
  for (const { after } of settlements) {
    const lost = lostPages(after[0]?.verdict?.unjudged ?? {});
    for (const [code, n] of Object.entries(lost)) counts[code] = (counts[code] ?? 0) + n;
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
