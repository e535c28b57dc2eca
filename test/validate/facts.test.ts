// Valid rules rewrite later ones, and counter-examples are checked against them.
import { describe, expect, it, test } from 'vitest';
import { SiteFacts } from '../../src/validate/facts.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import type { Rule } from '../../src/rule/rule.js';

function known(...rules: readonly Rule[]): SiteFacts {
  const facts = new SiteFacts(false);
  facts.add(rules);
  return facts;
}

const www = sampleRule('http://www.h/', 'http://h/', { anchor: 'start' });

describe('the form of a URL', () => {
  it('is the result of one round of the valid rules, in their order', () => {
    const facts = known(www, sampleParameter('u'), sampleRule('.html', '', { anchor: 'end' }));
    expect(facts.formOf('http://www.h/a.html?u=1')).toBe('http://h/a');
    expect(facts.formOf('http://h/b?x=1')).toBe('http://h/b?x=1');
  });

  it('does not depend on rules that are not valid', () => {
    const facts = known({ ...www, status: 'likely' }, { ...www, status: 'invalid' });
    expect(facts.formOf('http://www.h/a')).toBe('http://www.h/a');
    expect(facts.count).toBe(0);
  });

  it('respects exceptions', () => {
    const facts = known({ ...www, except: ['http://www.h/own'] });
    expect(facts.formOf('http://www.h/own')).toBe('http://www.h/own');
    expect(facts.formOf('http://www.h/other')).toBe('http://h/other');
  });
});

describe('a rule in the terms of the valid ones', () => {
  const inTerms = (from: string, to: string, anchor: 'start' | 'none' = 'start') => {
    const rule = known(www).inTheirTerms(sampleRule(from, to, { anchor }));
    return rule?.kind === 'substring' ? `${rule.from} ${rule.to}` : undefined;
  };

  test.each([
    ['http://www.h/a?id=', 'http://www.h/a_', 'start', 'http://h/a?id= http://h/a_'],
    ['http://www.h/a', 'http://h/b', 'start', 'http://h/a http://h/b'],
    ['http://www.h/a', 'http://h/a', 'start', undefined],
    ['http://x/a', 'http://x/b', 'start', 'http://x/a http://x/b'],
    ['http://www.h/a', 'http://www.h/b', 'none', 'http://www.h/a http://www.h/b'],
  ] as const)('%s → %s (%s) is %s', (from, to, anchor, expected) => {
    expect(inTerms(from, to, anchor)).toBe(expected);
  });
});

it('a counter-example counts against every rule that maps one page to the other, in either direction', () => {
  const facts = known();
  facts.addForeign('http://h/a', 'http://h/b');
  expect(facts.foreignPairs).toEqual([
    ['http://h/a', 'http://h/b'],
    ['http://h/b', 'http://h/a'],
  ]);
  for (let k = 0; k < 5000; k++) facts.addForeign(`/${k}`, '/');
  expect(facts.foreignPairs.length).toBeLessThan(2010);
});
