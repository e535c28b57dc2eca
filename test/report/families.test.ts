// The table of rules as people see it: families, candidates, signs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { familiesOf } from '../../src/report/families.js';
import { likelyWords } from '../../src/report/render.js';
import { rulesTable } from '../../src/report/rules-table.js';
import type { Rule } from '../../src/rule/rule.js';
import { amount } from '../amount.js';
import { sampleRule } from '../rule/sample.js';

const hosts = ['', 'a/', 'b/', 'b/c/'].map((path) => [`http://www.h.test/${path}`, `http://h.test/${path}`] as const);
const likely = { status: 'likely', confidence: 0.9 } as const;
const ranked = (...rules: Rule[]) => rules.map((rule, at) => ({ ...rule, rank: at + 1 }));
const www = hosts.map(([from, to]) => sampleRule(from, to, { ...likely, anchor: 'start' }));

test('likely rules that change the same tokens are one family, named by the first', () => {
  const rules = ranked(www[0]!, sampleRule('.html', '', likely), www[1]!, www[2]!, www[3]!);
  expect(familiesOf(rules).first.map(({ rule, variants }) => [rule.rank, variants])).toEqual([
    [1, 4],
    [2, 1],
  ]);
});

test('the first families are those of all, and the others are counted', () => {
  const word = fc.constantFrom('a', 'b', '/', '');
  const one = fc.tuple(word, word, fc.constantFrom('likely', 'valid'), fc.constantFrom('x', 'y'));
  fc.assert(
    fc.property(fc.array(one), fc.nat(5), (all, limit) => {
      const rules = ranked(
        ...all.map(([from, to, status, site]) => sampleRule(`c/${from}`, to, { ...likely, status, site })),
      );
      const { first } = familiesOf(rules);
      expect(first.reduce((sum, { variants }) => sum + variants, 0)).toBe(rules.length);
      const left = first.slice(limit);
      expect(familiesOf(rules, limit)).toEqual({
        first: first.slice(0, limit),
        others: left.length,
        otherRules: left.reduce((sum, { variants }) => sum + variants, 0),
      });
    }),
    { numRuns: amount(500) },
  );
});

test('tokens are whole: /p1 → /p2 and /p11 → /p12 are two ideas, and so are two sites', () => {
  const two = ranked(sampleRule('/p1', '/p2', likely), sampleRule('/p11', '/p12', likely));
  expect(familiesOf(two).first.length).toBe(2);
  const sites = ranked(sampleRule('a', 'b', { ...likely, site: 'x' }), sampleRule('a', 'b', { ...likely, site: 'y' }));
  expect(familiesOf(sites).first.length).toBe(2);
});

test('rules that pages or people decided on stand for themselves', () => {
  const decided = www.map((rule) => ({ ...rule, status: 'valid' as const }));
  expect(familiesOf(decided).first.length).toBe(4);
  expect(familiesOf(www.map((rule) => ({ ...rule, veto: true }))).first).toHaveLength(4);
});

test('the table has a line for a family, and counts the others', () => {
  const rules = ranked(...www, sampleRule('.html', '', likely), sampleRule('a', 'b', { ...likely, confidence: 0.3 }));
  const lines = rulesTable(rules, { top: 2 }).split('\n');
  expect(lines[0]).toMatch(/^rank +id +variants +low .* rule$/);
  expect(lines[1]).toMatch(/^ +1 +[0-9a-z]{8} +4 .* The host `www\.h\.test` becomes `h\.test`\.$/);
  expect(lines[3]).toBe('(variants: rules that change the same text elsewhere)');
  expect(lines[4]).toBe('… and 1 more; --top 3 shows all');
  expect(rulesTable(rules, { top: 1 })).toContain('… and 2 more; --top 3 shows all\n');
  expect(rulesTable(rules, { top: 3 })).not.toContain('…');
});

test('what is left out is counted in rules, too, where families are among it', () => {
  expect(rulesTable(ranked(sampleRule('x', 'y', likely), ...www), { top: 1 })).toContain(
    '… and 1 more line, of 4 rules; --top 2 shows all\n',
  );
});

test('a rule of little confidence is a candidate, in the table and in the counts', () => {
  const rules = ranked(www[0]!, sampleRule('a', 'b', { ...likely, confidence: 0.49 }));
  expect(rulesTable(rules, { top: 2 })).toMatch(/ likely .*\n.* candidate /);
  expect(rulesTable(rules, { top: 1 })).not.toContain('status');
  expect(likelyWords(rules)).toBe('1 likely rule and 1 candidate');
  expect(rulesTable(rules, { top: 0 })).toBe('1 likely rule and 1 candidate\n');
  expect(likelyWords(www)).toBe('4 likely rules');
});
