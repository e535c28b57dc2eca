import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceFrom, priceOf } from '../../../src/canonize/name/price.js';
import { sampleParameter, sampleRule, sampleStep } from '../../rule/sample.js';
import { canonizerOf, censusOf, listOf } from './list.js';
import { Census, hitList } from '../../../src/canonize/name/census.js';

const RULES = [
  sampleRule('http://www.h/', 'http://h/', { anchor: 'start' }),
  sampleRule('http://m.h/', 'http://www.h/', { anchor: 'start' }),
  sampleRule('/old/', '/', { only: [{ part: 'host', is: 'h' }] }),
  sampleRule('index.html', '', { anchor: 'end' }),
  sampleStep('drop-end-slash'),
  sampleStep('lower-case'),
  sampleStep('sort-fields'),
  sampleParameter('utm'),
];

/** URLs of few parts, so that rules meet. */
const url = fc
  .tuple(
    fc.constantFrom('h', 'www.h', 'm.h'),
    fc.constantFrom('', 'old/', 'Old/'),
    fc.constantFrom('a', 'b', 'C', 'a/', 'b/index.html'),
    fc.constantFrom('', '', '?utm=1', '?b=1&a=2', '?a=2&b=1', '?a=2&utm=3'),
  )
  .map(([host, folder, page, query]) => `http://${host}/${folder}${page}${query}`);
const entry = fc.record({ url, lines: fc.nat(9), isMoved: fc.nat(9).map((n) => n === 0) });
const entries = fc.uniqueArray(entry, { selector: (one) => one.url, minLength: 40, maxLength: 90 });

describe('what a list loses without a rule', () => {
  test('is what it has without it, canonized as a whole, and so is the price', () => {
    let missed = 0;
    fc.assert(
      fc.property(entries, fc.shuffledSubarray(RULES, { minLength: 3 }), (some, rules) => {
        const moved = some.filter(({ isMoved }) => isMoved).map((one) => one.url);
        const list = hitList(
          some.map((one) => one.url),
          some.map(({ lines }) => lines),
          moved,
        );
        const all = censusOf(rules, list);
        for (const rule of all.rules) {
          const others = all.rules.filter((one) => one !== rule);
          const twin = new Census(list, others, canonizerOf).totals;
          expect(all.without(rule)).toEqual(twin);
          expect(priceOf(all, rule)).toBe(priceFrom(list, all.totals, twin));
          if (twin.forms > all.totals.forms && twin.redirected < all.totals.redirected) missed++;
        }
      }),
      { numRuns: 60 },
    );
    expect(missed).toBeGreaterThan(50);
  });

  test('is counted in hits that pages answered', () => {
    const list = listOf({ 'http://h/a/': 5, 'http://h/a': 2, 'http://h/b/': 7 }, ['http://h/b/']);
    const census = censusOf([sampleStep('drop-end-slash')], list);
    expect(census.totals).toEqual({ redirected: 5, forms: 2 });
    expect(census.without(census.rules[0]!)).toEqual({ redirected: 0, forms: 3 });
    // 5 hits for one URL less, of 7 hits at 3 URLs.
    expect(priceOf(census, census.rules[0]!)).toBeCloseTo(5 / (7 / 3));
  });
});
