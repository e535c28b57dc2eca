// Rules of classes of hosts by groups of hosts give what conditions give that are tested one by one, and say which rules
// of the file did it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { groupedByHosts } from '../../src/canonize/by-hosts.js';
import { createCanonizer, type CanonizerOptions } from '../../src/canonize/canonizer.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import { meets } from '../../src/rule/condition.js';
import type { Condition, Rule } from '../../src/rule/rule.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { amount } from '../amount.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';

const NAMES = Array.from({ length: 24 }, (_, k) => `h${k}.site${k % 6}.example`);
const options: CanonizerOptions = {
  normalize: 'none',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'absolute',
  sitePolicy: 'domain',
};

const hosts = fc
  .uniqueArray(fc.constantFrom(...NAMES, 'www.h1.site1.example'), { minLength: 8, maxLength: 20 })
  .map((names) => names.map((is): Condition => ({ part: 'host', is })));
const where = fc.oneof(
  hosts.map((only) => ({ only })),
  hosts.map((not) => ({ not })),
  fc.constant({}),
);
const sites = fc.oneof(
  { weight: 4, arbitrary: fc.constant('*') },
  { weight: 1, arbitrary: fc.constantFrom('site1.example', 'site2.example') },
);
const saying = fc.oneof(
  fc.constantFrom('sid', 'utm', 'v').map((name) => sampleParameter(name)),
  fc
    .constantFrom(
      ['/index.html', '/', 'end'] as const,
      ['//www.', '//', 'none'] as const,
      ['/a/', '/b/', 'none'] as const,
      ['//h1.site1.example/', '//h2.site2.example/', 'none'] as const,
    )
    .map(([from, to, anchor]) => sampleRule(from, to, { anchor })),
);
const rules = fc
  .array(fc.tuple(saying, where, sites), { minLength: 1, maxLength: 8 })
  .map((all) =>
    all.map(([rule, conditions, site], at): Rule => ({ ...rule, ...(site === '*' && conditions), site, rank: at + 1 })),
  );
const urls = fc.array(
  fc
    .tuple(
      fc.constantFrom('http://', 'http://www.', 'http://me@'),
      fc.constantFrom(...NAMES, 'other.example', 'h1.site1.example:8080'),
      fc.constantFrom('/', '/a/index.html', '/index.html', '/a/a/'),
      fc.constantFrom('', '?sid=1', '?p=1&utm=2&v=3'),
    )
    .map((parts) => parts.join('')),
  { minLength: 1, maxLength: 10 },
);

const siteOf = createSiteOf('domain');

/** Which rules may change the URL by themselves: their conditions are tested one by one. */
function changesOneByOne(all: readonly Rule[], url: Uint8Array): Map<Rule, string> {
  const site = siteOf(url, 0, url.length);
  const found = new Map<Rule, string>();
  for (const rule of all) {
    if (rule.site !== '*' && rule.site !== site) continue;
    const { only, not = [], ...bare } = rule;
    if (not.some((condition) => meets(url, condition))) continue;
    if (only !== undefined && !only.some((condition) => meets(url, condition))) continue;
    const image = imageOf(compileRule(bare), url, 0);
    if (image !== url) found.set(rule, decodeText(image));
  }
  return found;
}

describe('rules of classes of hosts', () => {
  it('hold in a group of hosts as their conditions say', () => {
    const law = fc.property(rules, urls, (all, list) => {
      const { rules: copies, siteOf: groupOf, original } = groupedByHosts(all, siteOf);
      for (const text of list) {
        const url = encodeText(text);
        const group = groupOf(url, 0, url.length);
        const inGroup = copies.filter((rule) => rule.site === '*' || rule.site === group);
        const changes = new Map<Rule, string>();
        for (const copy of inGroup) {
          const image = imageOf(compileRule(copy), url, 0);
          if (image !== url) changes.set(original(copy), decodeText(image));
        }
        const expected = changesOneByOne(all, url);
        expect([...changes].sort(byRank)).toEqual([...expected].sort(byRank));
      }
    });
    fc.assert(law, { numRuns: amount(300) });
  });

  it('give the same forms and the same steps as with a condition that keeps them from being grouped', () => {
    // A condition on another part that no URL meets changes nothing, but these rules are tested one by one.
    const never: Condition = { part: 'text', is: 'no-url-has-this' };
    const law = fc.property(rules, urls, (all, list) => {
      const naive = all.map((rule) => (rule.site === '*' ? { ...rule, not: [...(rule.not ?? []), never] } : rule));
      const [grouped, one] = [createCanonizer(all, options), createCanonizer(naive, options)];
      for (const text of list) {
        const url = encodeText(text);
        expect(decodeText(grouped.canonize(url))).toBe(decodeText(one.canonize(url)));
        const [a, b] = [grouped.explain(url), one.explain(url)];
        expect(a.steps.map(({ rule }) => rule?.rank)).toEqual(b.steps.map(({ rule }) => rule?.rank));
        for (const { rule } of a.steps) expect(rule === undefined || all.includes(rule)).toBe(true);
        const traced: (Rule | undefined)[] = [];
        grouped.trace(url, (_, rule) => void traced.push(rule));
        for (const rule of traced) expect(rule === undefined || all.includes(rule)).toBe(true);
      }
    });
    fc.assert(law, { numRuns: amount(150) });
  });
});

function byRank([a]: readonly [Rule, string], [b]: readonly [Rule, string]): number {
  return a.rank - b.rank;
}
