// What a validation came to, in a few lines.
import type { Settlement } from '../validate/validate.js';

/** Counts by outcome, and what was asked of the network. */
export function validationReport(
  settlements: readonly Settlement[],
  source: { readonly name: string; readonly requests: number },
): string {
  const count = (outcome: Settlement['outcome']) => settlements.filter((one) => one.outcome === outcome).length;
  const extra = settlements.reduce((sum, { after }) => sum + Math.max(0, after.length - 1), 0);
  const parts = [
    `${count('valid')} valid`,
    `${count('invalid')} invalid`,
    `${count('likely')} still likely${reasons(settlements)}`,
    `${count('needless')} needless`,
    ...(extra > 0 ? [`${extra} in narrower scopes`] : []),
    ...(count('kept') > 0 ? [`${count('kept')} settled before`] : []),
  ];
  const requests = source.name === 'live' ? `; ${source.requests} requests${perRule(settlements)}` : '';
  return `validated by ${source.name}: ${parts.join(', ')}${requests}\n${withoutVerdict(settlements)}`;
}

/** Why rules had too few samples: else a site that was not to be reached looks like a list that was too short. */
function withoutVerdict(settlements: readonly Settlement[]): string {
  const counts = new Map<string, number>();
  for (const { after, outcome } of settlements) {
    if (outcome !== 'likely') continue;
    for (const [reason, n] of Object.entries(after[0]?.verdict?.unjudged ?? {}))
      counts.set(reason, (counts.get(reason) ?? 0) + n);
  }
  const mostFirst = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  if (mostFirst.length === 0) return '';
  return `samples of these without a verdict: ${mostFirst.map(([reason, n]) => `${reason} ${n}`).join(', ')}\n`;
}

/** The median of what rules cost that were settled by asking; of sites that were asked side by side nobody can tell. */
function perRule(settlements: readonly Settlement[]): string {
  if (new Set(settlements.map(({ before }) => before.site)).size > 1) return '';
  const costs = settlements
    .filter(({ outcome }) => outcome === 'valid' || outcome === 'invalid')
    .map(({ requests }) => requests)
    .sort((a, b) => a - b);
  return costs.length === 0 ? '' : `, half of the rules took at most ${costs[Math.floor((costs.length - 1) / 2)]}`;
}

function reasons(settlements: readonly Settlement[]): string {
  const counts = new Map<string, number>();
  for (const { after, outcome } of settlements) {
    const reason = after[0]?.verdict?.undecided;
    if (outcome === 'likely' && reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts.size === 0 ? '' : ` (${Array.from(counts, ([reason, n]) => `${reason} ${n}`).join(', ')})`;
}
