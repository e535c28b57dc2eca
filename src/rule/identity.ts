// When are rules of two nights the same? When they say the same, whatever their rank and figures.
//
// Two keys: what a rule says, and what it is about. Mining writes a pair so that it shrinks, and validation may have
// turned it round; mining proposes `remove`, and validation may have found `set`. Both are one subject, and fetching
// has found the right direction.
import { conditionsKey } from './condition.js';
import type { Rule } from './rule.js';

/** A rule, or one that has no rank yet. */
export type RuleSaying = Rule extends infer R ? (R extends Rule ? Omit<R, 'rank'> : never) : never;

/** What a rule says, including direction and value: rules with the same key do the same. */
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
 * What a rule is about: the pair in either direction, the parameter in its scope whatever the action, the slash at the
 * end of a path whether removed or added, a pattern whatever its template.
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

/** The conditions are part of what a rule says, whatever their order. */
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
  // Their conditions may differ, too.
  if (other.kind !== 'substring' || rule.from === other.from) return rule;
  return { ...rule, from: rule.to, to: rule.from, examples: rule.examples.map(([u, v]) => [v, u] as const) };
}
