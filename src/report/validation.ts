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
  return `validated by ${source.name}: ${parts.join(', ')}${requests}\n`;
}

/** The median of what rules cost that were settled by asking. */
function perRule(settlements: readonly Settlement[]): string {
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
