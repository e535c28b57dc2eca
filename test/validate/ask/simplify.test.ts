// Rules say no more than the list needs.
import { expect, test } from 'vitest';
import { createCanonizer } from '../../../src/canonize/canonizer.js';
import type { Condition, Rule } from '../../../src/rule/rule.js';
import { stepRule } from '../../../src/validate/ask/questions.js';
import { simplified, withoutImplied } from '../../../src/validate/ask/simplify.js';
import { SiteForms } from '../../../src/validate/ask/site-forms.js';
import { options } from './asked.js';

function formsOf(urls: readonly string[], rules: readonly Rule[]): SiteForms {
  const canonizeBy = (some: readonly Rule[]) => {
    const ranked = some.map((rule, at) => ({ ...rule, status: 'valid' as const, rank: at + 1 }));
    const canonizer = createCanonizer(ranked, options.canonizer, () => '*');
    return (url: Uint8Array) => canonizer.canonize(url);
  };
  const forms = new SiteForms(urls, canonizeBy, options);
  forms.setRules(rules);
  return forms;
}

function simplifiedOn(urls: readonly string[], rules: readonly Rule[]): readonly Rule[] {
  return simplified(formsOf(urls, rules), () => false).rules;
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

test('a special case goes, whenever it was found, and every form stays as it is', () => {
  const general = stepRule('*', 'fold-slashes');
  const special: Rule = { ...general, only: [{ part: 'first', is: 'lib' }] };
  const urls = ['/a//b', '/lib//x', '/lib/x', '/lib//y?q=1'];
  for (const rules of [
    [general, special],
    [special, general],
  ]) {
    const forms = formsOf(urls, rules);
    expect(withoutImplied(forms, () => false)).toEqual([general]);
    expect(forms.formsUnder([general])).toEqual(forms.formsUnder(rules));
    expect(withoutImplied(forms, (rule) => rule === special)).toEqual(rules);
  }
});

test('a special case that comes first and changes what the general rule is handed stays', () => {
  const general = stepRule('*', 'drop-segment', 'a');
  const other = stepRule('*', 'lower-case');
  const special: Rule = { ...general, only: [{ part: 'last', is: 'B' }] };
  const urls = ['/a/B', '/A/a/B', '/a/c'];
  const forms = formsOf(urls, [special, other, general]);
  const left = withoutImplied(forms, () => false);
  expect(forms.formsUnder(left)).toEqual(forms.formsUnder(forms.rules));
});
