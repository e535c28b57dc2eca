// Which likely rules are one idea? Those that change the same text, whatever is around it:
//
//   ⟨http://www.example.test/  → ⟨http://example.test/       the family of `www.` → ε, named by its first member
//   ⟨http://www.example.test/a → ⟨http://example.test/a
//
// A parameter in several places is one idea, too. Pages decide on each rule by itself: others are never grouped.
import { standingOf } from '../rule/standing.js';
import type { Rule } from '../rule/rule.js';

export interface Family {
  /** The first by rank. */
  readonly rule: Rule;
  /** How many rules say it in one place or another, this one included. */
  readonly variants: number;
}

/** In the order of the rules. */
export function familiesOf(rules: readonly Rule[]): Family[] {
  const counts = new Map<string, number>();
  const keys = rules.map(familyKey);
  for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  return rules.flatMap((rule, at) => {
    const key = keys[at];
    const variants = key === undefined ? 1 : counts.get(key);
    if (key !== undefined) counts.delete(key);
    return variants === undefined ? [] : [{ rule, variants }];
  });
}

/** Undefined for a rule that stands for itself. */
function familyKey(rule: Rule): string | undefined {
  return rule.kind === 'step' || rule.kind === 'pattern' || !standingOf(rule).startsWith('likely')
    ? undefined
    : ideaOf(rule);
}

/** The same for rules that change the same text, whatever is around it. */
export function ideaOf(rule: Rule): string {
  switch (rule.kind) {
    case 'parameter':
      return JSON.stringify([rule.site, rule.name, rule.action, rule.value]);
    case 'substring':
      return JSON.stringify([rule.site, ...coreOf(rule.from, rule.to)]);
    case 'step':
      return JSON.stringify([rule.site, rule.step, rule.text]);
    case 'pattern':
      return JSON.stringify([rule.site, rule.pattern]);
    default:
      return rule satisfies never;
  }
}

/** Both sides without the tokens that they share at their ends. */
function coreOf(from: string, to: string): [string, string] {
  const a = tokensOf(from);
  const b = tokensOf(to);
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a.slice(start, a.length - end).join(''), b.slice(start, b.length - end).join('')];
}

function tokensOf(text: string): string[] {
  return text.match(TOKENS) ?? [];
}

/** As SPEC 1 has them. */
const TOKENS = /[A-Za-z\d\u0080-\u{10ffff}]+|[^A-Za-z\d\u0080-\u{10ffff}]/gu;
