// When are rules of two nights the same? When they say the same, whatever their rank and figures.
//
// There are two keys, for what a rule says, and for what it is about. Mining writes a pair so that it shrinks, and
// validation may have turned it; mining proposes `remove`, and validation may have found `set`. In both cases the
// subject is the same, and fetching has found the right direction.
import { conditionsKey } from './condition.js';
import type { Rule } from './rule.js';

/** A rule, or one that has no rank yet. */
export type RuleSaying = Rule extends infer R ? (R extends Rule ? Omit<R, 'rank'> : never) : never;

/** Equal for rules that do the same: what the rule says, including direction and value. */
export function sayingKey(rule: RuleSaying): string {
  switch (rule.kind) {
    case 'substring':
      return keyOf(rule, rule.anchor, rule.from, rule.to);
    case 'parameter': {
      const { name, action, value, scope, path } = rule;
      return keyOf(rule, name, scope, path, action, action === 'set' ? value : null);
    }
    case 'step':
      return keyOf(rule, rule.step, rule.text);
    case 'pattern':
      return keyOf(rule, rule.pattern, rule.template);
    default:
      return rule satisfies never;
  }
}

/**
 * Equal for rules about the same thing: a pair in either direction, a parameter in its scope with any action, the slash
 * at the end of a path whether removed or added, a pattern with any template.
 */
export function subjectKey(rule: RuleSaying): string {
  switch (rule.kind) {
    case 'substring':
      return keyOf(rule, rule.anchor, ...[rule.from, rule.to].sort());
    case 'parameter':
      return keyOf(rule, rule.name, rule.scope, rule.path);
    case 'step':
      return keyOf(rule, rule.step === 'add-end-slash' ? 'drop-end-slash' : rule.step, rule.text);
    case 'pattern':
      return keyOf(rule, rule.pattern);
    default:
      return rule satisfies never;
  }
}

/** Conditions are part of the key, in any order. */
function keyOf(rule: RuleSaying, ...saying: readonly (string | null)[]): string {
  const where = conditionsKey(rule);
  return JSON.stringify([rule.kind, rule.site, ...saying, ...(where === '' ? [] : [where])]);
}

/** `rule` in the direction or with the action of `other`, which has the same subject. Figures stay. */
export function saidAs<R extends RuleSaying>(rule: R, other: RuleSaying): R {
  if (sayingKey(rule) === sayingKey(other)) return rule;
  if (rule.kind === 'parameter') {
    return other.kind === 'parameter' ? { ...rule, action: other.action, value: other.value } : rule;
  }
  if (rule.kind === 'step') return other.kind === 'step' ? { ...rule, step: other.step, text: other.text } : rule;
  if (rule.kind === 'pattern') return other.kind === 'pattern' ? { ...rule, template: other.template } : rule;
  // The conditions may differ too.
  if (other.kind !== 'substring' || rule.from === other.from) return rule;
  return { ...rule, from: rule.to, to: rule.from, examples: rule.examples.map(([u, v]) => [v, u] as const) };
}
