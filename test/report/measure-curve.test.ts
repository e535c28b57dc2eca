// How many rules it takes: the same as canonizing the list with the first k rules, for every k.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer, type CanonizerOptions } from '../../src/canonize/canonizer.js';
import { CurveMeter, stepsOf, type CurveMeasures } from '../../src/report/measure-curve.js';
import type { Rule } from '../../src/rule/rule.js';
import { accepts } from '../../src/rule/standing.js';
import { amount } from '../amount.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';

const how: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 4,
  urlForm: 'absolute',
  sitePolicy: 'all',
};

function curveOf(urls: readonly string[], rules: readonly Rule[]): CurveMeasures {
  const meter = new CurveMeter(rules, how, { memoryBytes: 1 << 14, tmpdir: tmpdir() }, { runs: 0, bytes: 0 });
  for (const url of urls) meter.add(encodeText(url));
  return meter.finish();
}

/** Forms under the first k rules that may be used, by a canonizer for each k. */
function naive(urls: readonly string[], rules: readonly Rule[]): number[] {
  const applied = rules.filter((one) => accepts(one, 'valid')).sort((a, b) => a.rank - b.rank);
  return [...applied.keys(), applied.length].map((k) => {
    const canonizer = createCanonizer(applied.slice(0, k), how);
    return new Set(urls.map((url) => decodeText(canonizer.canonize(encodeText(url))))).size;
  });
}

const words = fc.constantFrom('a', 'b', 'c', 'ab', 'x');
const url = fc
  .tuple(words, words, fc.constantFrom('', '?s=1', '?s=2&t=3', '?t=3', '?s=1&t=4'))
  .map(([one, two, query]) => `http://h.test/${one}/${two}${query}`);
// Rules that undo each other, and that others make possible.
const rule = fc.oneof(
  fc.tuple(words, words).map(([from, to]) => sampleRule(`/${from}`, `/${to}`, { anchor: 'none' })),
  fc.constantFrom('s', 't').map((name) => sampleParameter(name)),
);
const ranked = fc
  .array(fc.tuple(rule, fc.constantFrom('valid' as const, 'invalid' as const, 'valid' as const)), { maxLength: 9 })
  .map((rules) => rules.map(([one, status], at) => ({ ...one, status, rank: at + 1 }) as Rule));

test('is what the first k rules leave, for every k', () => {
  const seen = { gains: 0, late: 0 };
  fc.assert(
    fc.property(fc.uniqueArray(url, { maxLength: 30 }), ranked, (urls, rules) => {
      const forms = naive(urls, rules);
      const { formsWithout, formsWith, needed } = curveOf(urls, rules);
      const [without, all] = [forms[0]!, forms.at(-1)!];
      expect([formsWithout, formsWith]).toEqual([without, all]);
      for (const { share, rules: count } of needed) {
        const least = forms.findIndex((left) => 100 * (without - left) >= Math.round(100 * share) * (without - all));
        expect(count).toBe(without > all ? least : null);
        if (count !== null && count > 1) seen.late++;
      }
      if (without > all) seen.gains++;
    }),
    { numRuns: amount(500, 2.5) },
  );
  expect(Math.min(seen.gains, seen.late)).toBeGreaterThan(amount(50, 2.5));
});

test('has all numbers of rules up to 128, and of more some, each but a seventh above the one before', () => {
  expect(stepsOf(128)).toEqual([...Array(129).keys()]);
  for (const count of [129, 500, 5000]) {
    const steps = stepsOf(count);
    expect([steps[0], steps.at(-1)]).toEqual([0, count]);
    const ratios = steps.slice(1).map((k, at) => k / Math.max(1, steps[at]!));
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...ratios.slice(64))).toBeLessThan(1.16);
  }
});

test('of many rules a count is the next step', () => {
  const rules = Array.from({ length: 200 }, (_, k) => sampleParameter(`p${k}`, { rank: k + 1 }));
  const urls = rules.map((_, k) => [`http://h.test/${k}`, `http://h.test/${k}?p${k}=1`]).flat();
  const { formsWithout, formsWith, needed } = curveOf(urls, rules);
  expect([formsWithout, formsWith]).toEqual([400, 200]);
  const next = (count: number) => stepsOf(200).find((k) => k >= count);
  expect(needed.map(({ rules: count }) => count)).toEqual([next(100), next(160), next(180), 200]);
});
