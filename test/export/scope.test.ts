import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../src/export/scope.js';
import { sampleParameter } from '../rule/sample.js';

const domain = { urlForm: 'absolute', sitePolicy: 'domain' } as const;
const all = { urlForm: 'absolute', sitePolicy: 'all' } as const;

describe('the sites that rules are for', () => {
  it('are those of the rules', () => {
    const rules = [sampleParameter('a', { site: 'b.test' }), sampleParameter('c', { site: 'a.test' })];
    expect(scopeOf(rules, rules, domain)).toEqual(['a.test', 'b.test']);
  });

  it('are all sites if a rule is for every site, or if URLs have no hosts', () => {
    const rules = [sampleParameter('a', { site: 'b.test' }), sampleParameter('c', { site: '*' })];
    expect(scopeOf(rules, rules, domain)).toBeUndefined();
    expect(scopeOf(rules.slice(0, 1), rules, { ...domain, urlForm: 'path' })).toBeUndefined();
  });

  it('are those of the hosts in the examples of all rules if the log was mined as one site', () => {
    const example = (url: string) => [[url, 'http://elsewhere.test/']] as const;
    const known = ['http://u@WWW.Shop.co.uk.:80/a?b', 'https://doku.localhost:8105/', 'http://[::1]:80/', '/a'].map(
      (url) => sampleParameter('a', { site: '*', examples: example(url) }),
    );
    expect(scopeOf(known.slice(0, 1), known, all)).toEqual(['[::1]', 'doku.localhost', 'shop.co.uk']);
    expect(scopeOf(known, [sampleParameter('a', { site: '*', examples: [] })], all)).toBeUndefined();
  });
});
