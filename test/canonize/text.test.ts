import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { createTextCanonizer } from '../../src/canonize/text.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { sampleRule } from '../rule/sample.js';
import { anyRules, someOptions, someUrl } from './arbitrary.js';
import { amount } from '../amount.js';

const sites = { host: createSiteOf('host'), domain: createSiteOf('domain'), all: createSiteOf('all') };
const siteOf = sites.all;
const file = {
  rules: [sampleRule('a', 'b'), sampleRule('c', '\udce9', { rank: 2, status: 'likely' })],
  normalization: 'safe',
  urlForm: 'absolute',
  options: { site: 'all' },
} as const;

describe('a canonizer of strings', () => {
  it('agrees with the canonizer of bytes for every URL and every rule set, on strings and on bytes', () => {
    const seen = new Set<string>();
    const lineEnds = fc.constantFrom('', '', '', '\n', '\r', '\r\n', 'a\nb');
    const damage = fc.constantFrom('', '', '', '\udcff', '\u{1f600}', '\ud800');
    fc.assert(
      fc.property(anyRules, someUrl, damage, lineEnds, someOptions, (rules, start, middle, end, options) => {
        const url = start + middle + end;
        const { normalize: normalization, urlForm, sitePolicy: site, accept, maxIterations } = options;
        const settings = { accept, maxIterations };
        const how = { rules, normalization, urlForm, options: { site } };
        const canonizer = createTextCanonizer(how, sites[site], settings);
        const twin = createCanonizer(rules, options);
        const right = twin.canonize(encodeText(url));
        const form = canonizer.canonize(url);
        expect(canonizer.unsettled).toBe(twin.unsettled);
        expect(encodeText(form)).toEqual(encodeText(decodeText(right)));
        expect(canonizer.canonize(encodeText(url))).toEqual(right);
        const told = canonizer.explain(url);
        expect(told.canonical).toBe(decodeText(right));
        const trace = twin.explain(encodeText(url));
        expect(told.steps.map((step) => step.form)).toEqual(trace.steps.map((step) => decodeText(step.form)));
        seen.add(told.ending + (form === url ? '' : ', changed'));
      }),
      { numRuns: amount(2000, 1), seed: 1 },
    );
    expect([...seen].sort()).toEqual(['cycle', 'cycle, changed', 'no URL', 'settled', 'settled, changed', 'unsettled']);
  });

  it.each(['/x\ty', 'http://x y/', 'mailto:a', '', '/a\n', '/a\r', '/a\n/a', '/a\r\n', '/x'])(
    'returns %j as it is, because it is not a URL or nothing changes',
    (text) => {
      const canonizer = createTextCanonizer(file, siteOf);
      expect(canonizer.canonize(text)).toBe(text);
    },
  );

  it('returns unchanged bytes as the same object', () => {
    const url = encodeText('/x');
    expect(createTextCanonizer(file, siteOf).canonize(url)).toBe(url);
  });

  it('accepts a URL that is longer than all before it', () => {
    const { canonize } = createTextCanonizer(file, siteOf);
    const long = `/${'é/'.repeat(40_000)}`;
    expect(canonize(long) === long).toBe(true);
    expect(canonize(`/a${long.slice(0, 1000)}`)).toBe(`/b${encodeURI(long.slice(0, 1000))}`);
  });

  it('uses likely rules only on request', () => {
    expect(createTextCanonizer(file, siteOf).rules).toBe(1);
    const likely = createTextCanonizer(file, siteOf, { accept: 'likely' });
    expect([likely.rules, likely.canonize('/a/c')]).toEqual([2, '/b/%E9']);
  });

  it('names the rule of each step, and none for normalization', () => {
    const { steps, ending } = createTextCanonizer(file, siteOf).explain('/%61');
    expect(steps.map(({ round, rule, form }) => [round, rule, form])).toEqual([
      [0, undefined, '/a'],
      [1, file.rules[0], '/b'],
    ]);
    expect(ending).toBe('settled');
  });

  it.each([
    [{ accept: 'any' as 'valid' }, 'accept: got "any", expected "valid", "confident" or "likely"'],
    [{ maxIterations: 0 }, 'maxIterations: got 0, expected a whole number of at least 1'],
    [{ maxIterations: NaN }, 'maxIterations: got NaN, expected a whole number of at least 1'],
  ])('refuses %j', (settings, message) => {
    expect(() => createTextCanonizer(file, siteOf, settings)).toThrow(message);
  });
});
