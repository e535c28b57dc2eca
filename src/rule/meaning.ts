// Does a rules file make sense? Checks what a schema cannot express.
import { UserError } from '../base/error.js';
import { faultOfCondition } from './condition.js';
import { brief } from './json.js';
import type { Condition, ParameterRule, Rule, RulesFile, SubstringRule } from './rule.js';
import { faultOfPattern } from './pattern.js';
import { faultOfStep } from './step.js';

/**
 * Throws {@link UserError} for a duplicate rank, a rule without effect, or text that cannot be written back as bytes.
 */
export function checkMeaning(file: RulesFile, name: string): void {
  const seen = new Map<number, number>();
  for (const [at, rule] of file.rules.entries()) {
    const { rank } = rule;
    const first = seen.get(rank);
    seen.set(rank, at);
    const fault = first === undefined ? faultOf(rule) : `/rules/${first} has this rank too`;
    if (fault === undefined) continue;
    throw new UserError(`${name}: at /rules/${at} (rule of rank ${rank}): ${fault}. Mend or remove the rule.`);
  }
}

/** Why a rule of the right shape is invalid, or undefined. */
export function faultOf(rule: Rule): string | undefined {
  const conditions = [...(rule.only ?? []), ...(rule.not ?? [])];
  const fault = faultOfKind(rule) ?? faultOfConditions(conditions);
  if (fault !== undefined) return fault;
  const said = conditions.flatMap(({ is }) => (typeof is === 'string' ? [is] : []));
  const strange = [...textsOf(rule), ...said, ...(rule.except ?? [])].find(isStrange);
  return strange === undefined ? undefined : `${brief(strange)} has a lone surrogate outside U+DC80 to U+DCFF`;
}

function faultOfKind(rule: Rule): string | undefined {
  switch (rule.kind) {
    case 'substring':
      return faultOfSubstring(rule);
    case 'parameter':
      return faultOfParameter(rule);
    case 'step':
      return faultOfStep(rule);
    case 'pattern':
      return faultOfPattern(rule);
    default:
      return rule satisfies never;
  }
}

/** All texts of a rule. */
export function textsOf(rule: Rule): readonly string[] {
  switch (rule.kind) {
    case 'substring':
      return [rule.from, rule.to];
    case 'parameter':
      return [rule.name, rule.value ?? '', rule.path];
    case 'step':
      return [rule.text];
    case 'pattern':
      return [rule.pattern, rule.template];
    default:
      return rule satisfies never;
  }
}

function faultOfConditions(conditions: readonly Condition[]): string | undefined {
  for (const condition of conditions) {
    const fault = faultOfCondition(condition);
    if (fault !== undefined) return `its condition ${brief(condition)} is never met: ${fault}`;
  }
  return undefined;
}

/** True for text that cannot be turned back into bytes. */
function isStrange(text: string): boolean {
  return /[\ud800-\udc7f\udd00-\udfff]/u.test(text);
}

function faultOfSubstring(rule: SubstringRule): string | undefined {
  if (rule.from === rule.to) return `"from" and "to" are both ${brief(rule.from)}, so it changes nothing`;
  if (rule.from === '' && rule.anchor === 'none') return '"from" is empty and has no anchor, so it stands nowhere';
  return undefined;
}

function faultOfParameter({ name, value, scope, path }: ParameterRule): string | undefined {
  if (/[&;=#]/.test(name)) return `"name" is ${brief(name)}, but no parameter name has any of & ; = #`;
  // eslint-disable-next-line no-control-regex -- a URL has none
  if (value !== null && /[&;#\u0000-\u0020\u007f]/.test(value))
    return `"value" is ${brief(value)}, but no value has a space or any of & ; #`;
  if (scope === 'site' && path !== '') return `"path" is ${brief(path)}, but for the whole site it has to be empty`;
  if (scope !== 'site' && !path.startsWith('/')) return `"path" is ${brief(path)}, but has to begin with /`;
  return undefined;
}
