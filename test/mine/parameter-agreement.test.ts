// The parameter phase and its naive twin agree on every rule and every figure, with any memory.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { eachParameterRule, type ParameterOptions, type UnrankedParameterRule } from '../../src/mine/parameter.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import { seededRandom } from '../planted.js';
import { plantedParameters } from '../planted-parameters.js';
import { siteReaderOf, type TestRecord } from '../url-list.js';
import type { TwinUrl } from '../twin.js';
import { twinParameters, type TwinParameter } from '../twin-parameter.js';
import { amount, isFew, rows } from '../amount.js';

const latin1 = (text: string) => Buffer.from(encodeText(text)).toString('latin1');

function mined(urls: readonly TwinUrl[], options: ParameterOptions, memoryBytes = 1 << 24) {
  const records = urls.flatMap(({ url, min, max, sketch }): TestRecord[] => [
    { url, ...(min !== undefined && { size: min }), ...(sketch !== undefined && { sketch }) },
    ...(max === undefined ? [] : [{ url, size: max }]),
  ]);
  const stats = { runs: 0, bytes: 0 };
  const rules: UnrankedParameterRule[] = [];
  const list = siteReaderOf(records, memoryBytes).next();
  if (list === undefined) return { rules, stats };
  eachParameterRule(list, options, { memoryBytes, tmpdir: tmpdir(), stats }, (rule) => rules.push(rule));
  return { rules, stats };
}

function asTwin(rule: UnrankedParameterRule): TwinParameter {
  const { name, action, value, scope, path, support, against, chance, likeliness: confidence = rule.confidence } = rule;
  const saying = { name: latin1(name), action, value: value === null ? null : latin1(value), scope };
  return { ...saying, path: latin1(path), groups: support.groups, urls: support.urls, against, chance, confidence };
}

const places = (share: number) => Math.round(share * 1e6) / 1e6;
const rounded = (rule: TwinParameter) => ({
  ...rule,
  chance: places(rule.chance),
  confidence: places(rule.confidence),
});
const byPlace = (a: TwinParameter, b: TwinParameter) =>
  a.name < b.name || (a.name === b.name && (a.path < b.path || (a.path === b.path && a.scope > b.scope))) ? -1 : 1;

function expectAgreement(urls: readonly TwinUrl[], options: ParameterOptions, memoryBytes?: number) {
  const { rules, stats } = mined(urls, options, memoryBytes);
  const expected = twinParameters(urls, options).map(rounded);
  expect(rules.map(asTwin).toSorted(byPlace)).toEqual(expected.toSorted(byPlace));
  expectExamples(rules, new Set(urls.map(({ url }) => url)));
  return { rules, stats };
}

/** Examples are images under the rule; first those of groups whose image is in the list, one per group. */
function expectExamples(rules: readonly UnrankedParameterRule[], list: ReadonlySet<string>): void {
  for (const rule of rules) {
    const compiled = compileRule({ rank: 1, ...rule });
    const image = (url: string) => Buffer.from(imageOf(compiled, Buffer.from(url, 'latin1'), 0)).toString('latin1');
    for (const [url, to] of rule.examples) {
      expect(list).toContain(latin1(url));
      expect([image(latin1(url)), url === to]).toEqual([latin1(to), false]);
    }
    const inList = rule.examples.filter(([, to]) => list.has(latin1(to))).length;
    // A rule also applies to values with `&` in a path, but is not mined from them.
    const looked = [...list].filter((url) => !/^[^?]*&/.test(url));
    const images = new Set(looked.filter((url) => image(url) !== url).map(image));
    const possible = [...images].filter((url) => list.has(url)).length;
    if (rule.action === 'remove') expect(inList).toBeGreaterThanOrEqual(Math.min(3, rule.examples.length, possible));
  }
}

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);

const someField = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(pick('a', 'b', 'sid'), pick('=1', '=2', '=', '', '', '', '', '=3?')).map((ab) => ab.join('')),
  },
  { weight: 1, arbitrary: pick('', '=', '=x', 'u=/p?a=1', '\u00e9=1', 'A=1') },
);
const someSegment = fc
  .tuple(
    pick('p', 'q7', 'r.html', '', 'dir'),
    fc.array(pick('a=1', 'a=2', 'sid=F&3', 'v', 'sid=', 'a&b=1'), { maxLength: 1 }),
  )
  .map(([text, parameters]) => [text, ...parameters].join(';'));
const someUrl = fc
  .tuple(
    pick('', 'http://h', 'http://h', 'https://w.h:8080'),
    fc.array(someSegment, { minLength: 1, maxLength: 2 }),
    fc.array(fc.tuple(pick('&', '&', ';'), someField), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([origin, segments, fields, mark]) => {
    const query = fields.map(([separator, field], k) => (k === 0 ? '' : separator) + field).join('');
    return `${origin}/${segments.join('/')}${fields.length > 0 || mark ? '?' : ''}${query}`;
  });
const someUrls = (origin: 'any' | 'none') =>
  fc.uniqueArray(
    fc.record(
      {
        url: origin === 'any' ? someUrl : someUrl.map((url) => url.replace(/^https?:\/\/[^/]*/, '')),
        size: fc.tuple(pick(0, 0, 0, 1, 2), pick(0, 0, 1)),
        sketch: pick('s', 's', 's', 't'),
      },
      { requiredKeys: ['url'] },
    ),
    { minLength: 20, maxLength: 90, size: 'max', selector: ({ url }) => url },
  );
const someOptions = fc.record({
  MS: pick(3, 1, 2),
  similarity: pick(true, true, false),
  paramMinUrls: pick(1, 3, 10),
  untested: fc.boolean(),
  hashMask: pick(-1, -1, 0x0f, 0),
});

test('on random lists, with hash collisions', () => {
  const seen = { rules: 0, untested: 0, runs: 0, bare: 0 };
  const someList = pick('any' as const, 'none' as const).chain(someUrls);
  fc.assert(
    fc.property(
      someList,
      someOptions,
      pick(2000, 1 << 24),
      pick(true, true, true, false),
      (list, options, memory, isKnown) => {
        const urls = list.map(({ url, size, sketch }) => ({
          url,
          ...(isKnown && size && { min: size[0], max: size[0] + size[1] }),
          ...(isKnown && sketch !== undefined && { sketch }),
        }));
        const { rules, stats } = expectAgreement(urls, options, memory);
        seen.rules += rules.length;
        seen.untested += rules.filter(({ support }) => support.groups === 0).length;
        seen.bare += rules.filter(({ value }) => value === null).length;
        seen.runs += stats.runs;
      },
    ),
    { numRuns: amount(150, 4), seed: 3 },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(amount(2, 4));
}, 60_000);

/** The effect of a parameter on a page, by folder. */
type Role = 'neutral' | 'identity' | 'needed';

/** Pages in folders, with a number of sizes, and most names of most of them; a share of the sizes is wrong. */
function siteOf(
  seed: number,
  roles: Readonly<Record<string, readonly Role[]>>,
  noise: number,
  sizes: number,
): TwinUrl[] {
  const random = seededRandom(seed);
  const urls = new Map<string, TwinUrl>();
  for (let page = 0; page < 24; page++) {
    const folder = page % 3;
    for (let name = 0; name < 10; name++) {
      const origin = page < 12 ? 'http://a.h' : 'http://b.h';
      let size = 1000 * (page % sizes);
      const fields: string[] = [];
      for (const [parameter, role] of Object.entries(roles)) {
        const value = Math.floor(random() * 4);
        if (value > 0) fields.push(`${parameter}=${value}`);
        if (role[folder] === 'identity') size += 10 * value;
        if (role[folder] === 'needed' && value > 0) size += 100;
      }
      if (random() < noise) size += 5;
      const query = fields.length === 0 ? '' : `?${fields.join('&')}`;
      const url = `${origin}/f${folder}/${page}.html${query}`;
      urls.set(url, random() < 0.05 ? { url } : { url, min: size, max: size });
    }
  }
  return [...urls.values()];
}

test.skipIf(isFew)(
  'on random sites whose parameters matter only in some places',
  () => {
    const seen = { remove: 0, set: 0, prefix: 0, path: 0, against: 0, chance: 0, runs: 0 };
    const role = fc.constantFrom<Role>('neutral', 'neutral', 'needed', 'identity');
    const roles = fc.record({ a: fc.tuple(role, role, role), b: fc.tuple(role, role, role) });
    fc.assert(
      fc.property(
        fc.nat(),
        roles,
        pick(0, 0, 0.1),
        pick(24, 24, 4),
        pick(3000, 1 << 24),
        (seed, what, noise, sizes, memory) => {
          const options = { MS: 3, similarity: true, paramMinUrls: 10 };
          const { rules, stats } = expectAgreement(siteOf(seed, what, noise, sizes), options, memory);
          for (const { action, scope, against, chance } of rules) {
            if (chance > 0) seen.chance++;
            seen[action]++;
            if (scope !== 'site') seen[scope]++;
            if (against > 0) seen.against++;
          }
          seen.runs += stats.runs;
        },
      ),
      { numRuns: amount(80, 1.3), seed: 4 },
    );
    for (const [which, count] of Object.entries(seen)) expect(count, which).toBeGreaterThan(amount(3));
  },
  120_000,
);

test('on groups of dozens with a few outliers', () => {
  const seen = { for: 0, against: 0, chance: 0 };
  for (let seed = 1; seed <= amount(30, 5); seed++) {
    const random = seededRandom(seed);
    const urls = Array.from({ length: 24 }, (_, page) =>
      Array.from({ length: 18 + Math.floor(random() * 30) }, (__, value) => {
        const size = 1000 * (page % 3) + (random() < 0.02 ? 7 : 0);
        return { url: `/${page}.html?s=${value}`, min: size, max: size };
      }),
    ).flat();
    for (const rule of expectAgreement(urls, { MS: 3, similarity: true, paramMinUrls: 10 }).rules) {
      seen.for += rule.support.groups;
      seen.against += rule.against;
      if (rule.chance > 0) seen.chance++;
    }
  }
  for (const [which, count] of Object.entries(seen)) expect(count, which).toBeGreaterThan(amount(5, 5));
});

test.each(rows([1, 2, 3, 4], 4))('on planted site %i, in memory and in dozens of runs', (seed) => {
  const { urls } = plantedParameters(seed, { hosts: seed % 2 === 0, pages: 40 });
  const options = { MS: 3, similarity: true, paramMinUrls: 10 };
  const { rules } = expectAgreement(urls, options);
  expect(rules.length).toBeGreaterThan(4);
  const { stats } = expectAgreement(urls, { ...options, hashMask: 0x3f }, 20_000);
  expect(stats.runs).toBeGreaterThan(24);
});

/**
 * Shapes that are expensive for algorithms which repeat work for all names of a URL, all values of a name or all bytes.
 */
const badShapes: Readonly<Record<string, (random: () => number) => string[]>> = {
  'sixty parameters, most in any order': (random) =>
    Array.from({ length: 60 }, (_, k) => {
      const names = Array.from({ length: 60 }, (__, name) => ({ name, at: k < 20 ? random() : name }));
      names.sort((a, b) => a.at - b.at);
      return `/list${k % 8}?${names.map(({ name }) => `p${name}=${name === 7 ? k : 1}`).join('&')}`;
    }),
  'a thousand names': () =>
    Array.from({ length: 500 }, (_, k) => `/x${k % 9}?${k < 400 ? `n${k}=1&m${(7 * k) % 400}=2&` : ''}s=${k}`),
  'a page of very many values': (random) =>
    Array.from({ length: 900 }, (_, k) =>
      k < 820 ? `/p${k % 2}?v=${k}&w=${k % 4}` : `/p${k % 7}?v=${Math.floor(random() * 820)}`,
    ),
  'values of thousands of bytes': () => {
    const [x, y] = ['x', 'y'].map((letter) => letter.repeat(amount(8000, 4)));
    return Array.from({ length: 48 }, (_, k) => `/p${k % 12}?a=${x}${k % 24}&b=${y}`);
  },
  'a URL of ten thousand parameters': () =>
    Array.from({ length: 40 }, (_, k) => `/p${k % 10}?id=${k % 10}&s=${k}`).concat(
      `/p1?${Array.from({ length: 10_000 }, (_, k) => `n${k}`).join('&')}`,
      `/p1?id=1&${'s=1&'.repeat(10_000)}s=2`,
    ),
};

test.each(Object.keys(badShapes))('on %s, in memory and in runs', (name) => {
  const list = [...new Set(badShapes[name]!(seededRandom(5)))];
  const sizeOf = (url: string) => 100 * Number(/\d/.exec(url)![0]);
  const urls = list.map((url) => ({ url, min: sizeOf(url), max: sizeOf(url) }));
  const options = { MS: 2, similarity: true, paramMinUrls: 10 };
  const { rules } = expectAgreement(urls, options);
  expect(rules.length).toBeGreaterThan(0);
  const { stats } = expectAgreement(urls, options, 2000);
  expect(stats.runs).toBeGreaterThan(0);
});

test('values of several kinds, one list behind a parameter, and a known name', () => {
  const sized = (size: number) => ({ min: size, max: size });
  const urls: TwinUrl[] = Array.from({ length: 60 }, (_, k) =>
    ['', `?p=${1 + (k % 2)}`, `?page=${1 + (k % 3)}`, `?utm_medium=${k % 4}`].map((query) => ({
      url: `/notes/${k}${query}`,
      ...sized(20_000 + 700 * k),
    })),
  ).flat();
  for (let k = 0; k < 40; k++) {
    urls.push({ url: `/timeline?n=${k}&p=c${(7919 * k).toString(16)}`, ...sized(30_000 + ((997 * k) % 9000)) });
    urls.push({ url: k === 0 ? '/' : `/?page=${k}`, ...sized(30_000 + ((997 * k) % 9000)) });
    urls.push({ url: k === 0 ? '/news' : `/news?utm_medium=m${k}`, ...sized(30_000 + ((997 * k) % 9000)) });
  }
  const { rules } = expectAgreement(urls, { MS: 3, similarity: true, paramMinUrls: 10 });
  const confidences = Object.fromEntries(rules.map(({ name, confidence }) => [name, confidence]));
  expect(confidences['p']).toBe(0.9);
  expect(confidences['page']).toBeLessThan(0.9);
  expect(confidences['utm_medium']).toBeGreaterThan(0.95);
});
