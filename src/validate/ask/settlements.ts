// What became of the rules of the file, and which rules are new, after a site was asked?
import type { Rule, Verdict } from '../../rule/rule.js';
import { accepts, isKey, isOpen } from '../../rule/standing.js';
import type { PlannedRule } from '../plan.js';
import type { Settlement } from '../settlement.js';
import type { SiteAnswer } from './ask.js';

/** Accepted rules first, in the order in which they are applied; then the other rules of the plan. */
export function settlementsOf(plan: readonly PlannedRule[], answer: SiteAnswer): Settlement[] {
  const { accepted, settled, origins, requests, stop, source } = answer;
  const taken = new Set<Rule>();
  const first = accepted.map((rule): Settlement => {
    const before = origins.get(rule) ?? rule;
    taken.add(before);
    // A pinned rule is in use whatever its verdict.
    const said = before === rule ? settled.get(rule) : undefined;
    if (said !== undefined) return { before, after: said, outcome: outcomeOf(said), requests: 0 };
    const isKept = plan.some((planned) => planned.rule === before) && isSame(before, rule) && !requests.has(rule);
    return { before, after: [rule], outcome: isKept ? 'kept' : outcomeOf([rule]), requests: requests.get(rule) ?? 0 };
  });
  const others = plan
    .filter(({ rule }) => !taken.has(rule))
    .map(({ rule }): Settlement => {
      const after = settled.get(rule);
      if (after !== undefined)
        return { before: rule, after, outcome: outcomeOf(after), requests: requests.get(rule) ?? 0 };
      const isLeft = isOpen(rule) && !accepts(rule, 'valid');
      // The next run continues where this one was cut short.
      if (isLeft && stop !== undefined && !isKey(rule)) {
        return { before: rule, after: [{ ...rule, verdict: cutShort(stop, source) }], outcome: 'likely', requests: 0 };
      }
      return { before: rule, after: [rule], outcome: isLeft ? 'unasked' : 'kept', requests: 0 };
    });
  return [...first, ...others];
}

/** True if nothing changed in a rule, except its hits. */
function isSame(before: Rule, after: Rule): boolean {
  const { hits: _before, ...was } = before;
  const { hits: _after, ...is } = after;
  return JSON.stringify(was) === JSON.stringify(is);
}

function outcomeOf(after: readonly Rule[]): Settlement['outcome'] {
  const [rule] = after;
  if (rule === undefined) return 'needless';
  return isKey(rule) ? 'key' : rule.status;
}

function cutShort(undecided: 'budget' | 'interrupted', source: Verdict['source']): Verdict {
  return { source, positive: 0, negative: 0, unjudged: {}, undecided, positives: [], negatives: [] };
}
