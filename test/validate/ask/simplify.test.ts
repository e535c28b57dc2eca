// Rules say no more than the list needs.
import { expect, test } from 'vitest';
import { indexedLook } from '../../../src/canonize/look.js';
import { createRounds } from '../../../src/canonize/rounds.js';
import type { Condition, Rule } from '../../../src/rule/rule.js';
import { stepRule } from '../../../src/validate/ask/questions.js';
import { simplified } from '../../../src/validate/ask/simplify.js';
import { SiteForms } from '../../../src/validate/ask/site-forms.js';
import { options } from './asked.js';

function simplifiedOn(urls: readonly string[], rules: readonly Rule[]): readonly Rule[] {
  const canonizeBy = (some: readonly Rule[]) => {
    const ranked = some.map((rule, at) => ({ ...rule, status: 'valid' as const, rank: at + 1 }));
    const canonizer = createRounds(ranked, options.canonizer, () => '*', indexedLook());
    return (url: Uint8Array) => canonizer.canonize(url);
  };
  const forms = new SiteForms(urls, canonizeBy, options);
  forms.setRules(rules);
  return simplified(forms, () => false).rules;
}

test('of several conditions, those that no form of the list needs go, the last first', () => {
  const only: readonly Condition[] = [
    { part: 'extension', is: '' },
    { part: 'first', is: 'lib' },
    { part: 'depth', is: 2 },
  ];
  const rule = { ...stepRule('*', 'lower-case'), only };
  const urls = ['/A', '/a', '/lib/B', '/lib/b', '/lib/C.html', '/lib/c.html', '/other/D.html'];
  const needs = (some: readonly string[]) => simplifiedOn(some, [rule]).map((one) => one.only);
  expect(needs(urls)).toEqual([[only[0], only[2]]]);
  expect(needs(urls.slice(0, 6))).toEqual([only.slice(0, 2)]);
  expect(needs(urls.slice(0, 4))).toEqual([only.slice(0, 1)]);
});
