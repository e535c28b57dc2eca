// When is a rule of tonight a rule of last night? When it says the same, whatever its rank and figures.
//
// Two keys: what a rule says, and what it is about. Mining writes a pair so that it shrinks, and validation may have turned
// it round; mining proposes `remove`, and validation may have found `set`. That is one subject, of which fetching has found out
// the right way.
import type { Rule } from './rule.js';

/** A rule, or one that has no rank yet. */
export type RuleSaying = Rule extends infer R ? (R extends Rule ? Omit<R, 'rank'> : never) : never;

/** What a rule says, direction and value included: rules of the same key do the same. */
export function sayingKey(rule: RuleSaying): string {
  if (rule.kind === 'substring') return JSON.stringify([rule.kind, rule.site, rule.anchor, rule.from, rule.to]);
  const { kind, site, name, action, value, scope, path } = rule;
  return JSON.stringify([kind, site, name, scope, path, action, action === 'set' ? value : null]);
}

/** What a rule is about: the pair whichever way round, the parameter in its scope whatever becomes of it. */
export function subjectKey(rule: RuleSaying): string {
  if (rule.kind === 'parameter') return JSON.stringify([rule.kind, rule.site, rule.name, rule.scope, rule.path]);
  return JSON.stringify([rule.kind, rule.site, rule.anchor, ...[rule.from, rule.to].sort()]);
}

/** `rule` as `other` of the same subject says it: turned round, or with its action. Figures stay. */
export function saidAs<R extends RuleSaying>(rule: R, other: RuleSaying): R {
  if (sayingKey(rule) === sayingKey(other)) return rule;
  if (rule.kind === 'parameter') {
    return other.kind === 'parameter' ? { ...rule, action: other.action, value: other.value } : rule;
  }
  return { ...rule, from: rule.to, to: rule.from, examples: rule.examples.map(([u, v]) => [v, u] as const) };
}
