// A rule as a short formula, which is quick to type: both sides, with an anchored end shown as ⟨ or ⟩ (SPEC 6) and an
// empty side as ε.
//
//     ⟨http://www.example.com/ → ⟨http://example.com/      .html⟩ → ⟩      utm_source=… → ε
import { printable } from '../../base/bytes.js';
import type { ParameterRule, Rule, SubstringRule } from '../rule.js';

/** Undefined for rules that do not have two sides. */
export function notationOf(rule: Rule): string | undefined {
  return rule.kind === 'step' ? undefined : sidesOf(rule).join(' → ');
}

/** The two sides for tables that programs read. A step has its name in place of a side. */
export function sidesOf(rule: Rule): readonly [from: string, to: string] {
  switch (rule.kind) {
    case 'substring':
      return substringSides(rule);
    case 'parameter':
      return parameterSides(rule);
    case 'step':
      return [printable(rule.text === '' ? rule.step : `${rule.step} ${rule.text}`), ''];
    case 'pattern':
      return [printable(rule.pattern), printable(rule.template)];
    default:
      return rule satisfies never;
  }
}

function parameterSides({ name, action, value, scope, path }: ParameterRule): readonly [string, string] {
  const where = scope === 'site' ? '' : `${path}${scope === 'prefix' ? '…' : ''} `;
  const set = value === null ? name : `${name}=${value}`;
  return [printable(`${where}${name}=…`), action === 'remove' ? 'ε' : printable(set)];
}

export function substringSides({
  from,
  to,
  anchor,
}: Pick<SubstringRule, 'from' | 'to' | 'anchor'>): readonly [from: string, to: string] {
  const open = anchor === 'start' || anchor === 'both' ? '⟨' : '';
  const close = anchor === 'end' || anchor === 'both' ? '⟩' : '';
  const shown = (side: string) => open + printable(side) + close || 'ε';
  return [shown(from), shown(to)];
}
