import { describe, expect, it } from 'vitest';
import { patternForm, requestForm } from '../../src/robots/form.js';
import { createMatch, type Rule } from '../../src/robots/match.js';
import { amount } from '../amount.js';
import { seeded } from '../bench/input/random.js';

describe('the rule that decides', () => {
  it('is that of a slow and obvious matcher', () => {
    const random = seeded(38);
    const counts = { none: 0, allows: 0, refuses: 0, byStar: 0, byEnd: 0, byTie: 0 };
    const cases = amount(60_000);
    for (let k = 0; k < cases; k++) {
      const rules = drawRules(random);
      const path = `/${draw(random, 'aab/*$', 10)}`;
      const expected = slowMatch(rules, path);
      const found = createMatch(rules)(requestForm(path));
      if (found !== expected) expect({ rules, path, found }).toEqual({ rules, path, found: expected });
      if (expected === undefined) counts.none++;
      else counts[expected.allows ? 'allows' : 'refuses']++;
      if (expected?.pattern.includes('*') === true) counts.byStar++;
      if (expected?.pattern.endsWith('$') === true) counts.byEnd++;
      if (rules.some((rule) => rule !== expected && isAsGood(rule, expected, path))) counts.byTie++;
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(cases / 50);
  });

  it('is found among thousands with one beginning', () => {
    const rules = Array.from({ length: 20_000 }, (_, k) => ruleOf(`/*?id=${k}$`, { allows: k % 2 === 0, line: k + 1 }));
    const match = createMatch([...rules, ruleOf('/*', { allows: false, line: 1 })]);
    expect(match('/a?id=12345')?.line).toBe(12_346);
    expect(match('/a?id=20000')?.pattern).toBe('/*');
  });

  it('is found among literals that begin one another', () => {
    const rules = Array.from({ length: 500 }, (_, k) => ruleOf(`/${'a'.repeat(k)}`, { allows: false, line: k + 1 }));
    const match = createMatch(rules);
    expect(['/', '/b', '/aab', `/${'a'.repeat(1000)}`].map((path) => match(path)?.line)).toEqual([1, 1, 3, 500]);
    expect(createMatch([])('/')).toBeUndefined();
  });
});

function ruleOf(written: string, { allows, line }: { readonly allows: boolean; readonly line: number }): Rule {
  return { allows, pattern: patternForm(written), line, text: written };
}

/** Up to eight rules with different patterns, of which some begin alike. */
function drawRules(random: () => number): Rule[] {
  const rules = new Map<string, Rule>();
  for (let line = 1 + Math.floor(random() * 8); line > 0; line--) {
    const start = random() < 0.1 ? '*' : '/';
    const rule = ruleOf(start + draw(random, 'aab/**$', 6), { allows: random() < 0.5, line });
    rules.set(rule.pattern, rule);
  }
  return Array.from(rules.values());
}

function draw(random: () => number, letters: string, most: number): string {
  const length = Math.floor(random() * most);
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
}

function slowMatch(rules: readonly Rule[], path: string): Rule | undefined {
  let best: Rule | undefined;
  for (const rule of rules) {
    if (!matches(rule.text, path)) continue;
    const longer = best === undefined ? 1 : lengthOf(rule) - lengthOf(best);
    if (longer > 0 || (longer === 0 && comesFirst(rule, best!))) best = rule;
  }
  return best;
}

/** Of two that are as long. */
function comesFirst(a: Rule, b: Rule): boolean {
  return a.allows === b.allows ? a.line < b.line : a.allows;
}

/** By trying all that a star may stand for. `text` is a rule as it was written. */
function matches(text: string, path: string): boolean {
  if (text === '') return true;
  if (text === '$') return path === '';
  if (text[0] !== '*') return text[0] === path[0] && matches(text.slice(1), path.slice(1));
  return Array.from({ length: path.length + 1 }).some((_, skipped) => matches(text.slice(1), path.slice(skipped)));
}

/** A dollar that is not at the end counts as its escape. */
function lengthOf({ text }: Rule): number {
  return text.replace(/\$(?=.)/g, '%24').length;
}

function isAsGood(rule: Rule, best: Rule | undefined, path: string): boolean {
  return best !== undefined && lengthOf(rule) === lengthOf(best) && matches(rule.text, path);
}
