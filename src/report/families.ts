// Which likely rules express one idea? Those that change the same text, whatever is around it:
//
//   ⟨http://www.example.test/  → ⟨http://example.test/       the family of `www.` → ε, named by its first member
//   ⟨http://www.example.test/a → ⟨http://example.test/a
//
// So are rules for one parameter in several places. Rules with a verdict are never grouped, as pages decide on each by
// itself.
import { encodeText } from '../base/bytes.js';
import { hashBytes, OTHER_SEED } from '../base/hash.js';
import { standingOf } from '../rule/standing.js';
import type { Rule } from '../rule/rule.js';
import { tokensOf } from '../url/token.js';

export interface Family {
  /** The rule of the family with the highest rank. */
  readonly rule: Rule;
  /** How many rules of the family there are, including this one. */
  readonly variants: number;
}

/** Families, in the order of their first rules. */
interface Families {
  readonly first: readonly Family[];
  /** How many families were left out, and how many rules they have. */
  readonly others: number;
  readonly otherRules: number;
}

/** The first `limit` families, in one pass. Of other families only a 53-bit hash is kept, as there may be 250,000. */
export function familiesOf(rules: Iterable<Rule>, limit = Infinity): Families {
  const first: Writable<Family>[] = [];
  const known = new Map<string, Writable<Family>>();
  const others = new Set<number>();
  let [alone, otherRules] = [0, 0];
  for (const rule of rules) {
    const key = familyKey(rule);
    const family = key === undefined ? undefined : known.get(key);
    if (family !== undefined) family.variants++;
    else if (first.length < limit) {
      const next = { rule, variants: 1 };
      first.push(next);
      if (key !== undefined) known.set(key, next);
    } else {
      otherRules++;
      if (key === undefined) alone++;
      else others.add(hashOf(key));
    }
  }
  return { first, others: alone + others.size, otherRules };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function hashOf(text: string): number {
  const bytes = encodeText(text);
  const high = hashBytes(bytes, 0, bytes.length) >>> 0;
  return high * 2 ** 21 + (hashBytes(bytes, 0, bytes.length, OTHER_SEED) >>> 11);
}

/** Undefined for a rule that is never grouped. */
function familyKey(rule: Rule): string | undefined {
  return rule.kind === 'step' || rule.kind === 'pattern' || !standingOf(rule).startsWith('likely')
    ? undefined
    : ideaOf(rule);
}

/** A key that is equal for rules that change the same text, whatever is around it. */
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
