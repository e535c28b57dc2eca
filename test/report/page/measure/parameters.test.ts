// The parameter inventory: planted logs in which the class of each parameter is known, and counts compared with maps.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../../src/base/bytes.js';
import { classify, type GroupEvidence } from '../../../../src/report/page/measure/parameter-class.js';
import type { ParameterRow } from '../../../../src/report/page/model.js';
import type { Rule } from '../../../../src/rule/rule.js';
import { plantedParameters } from '../../../planted-parameters.js';
import { sampleFile, sampleParameter } from '../../../rule/sample.js';
import { seeded } from '../../../bench/input/random.js';
import { lineOf, listLine, reportOf } from '../visited.js';
import { amount } from '../../../amount.js';

async function inventory(log: string, rules: readonly Rule[] = [], memoryBytes = 1 << 22, top = 1000) {
  return (await reportOf(log, sampleFile(rules), { memoryBytes, top })).log!;
}

async function rowsOf(log: string, rules: readonly Rule[] = []): Promise<Map<string, ParameterRow>> {
  return new Map((await inventory(log, rules)).parameters.map((row) => [row.name, row]));
}

const PRODUCTS = 40;

/** A shop in which each page has its own size, and each parameter does what its name says. */
function shop(seed: number): string {
  const random = seeded(seed);
  const lines: string[] = [];
  const ask = (path: string, size: number) => lines.push(lineOf({ url: `http://shop.test${path}`, size }));
  const some = (most: number) => Math.floor(random() * most);
  for (let page = 0; page < PRODUCTS; page++) {
    const size = 5000 + some(60_000);
    // The same page under other sessions, and the page of another product.
    ask(`/product?id=${page}`, size);
    for (let visit = 0; visit < 3; visit++) ask(`/product?id=${page}&session=${some(1e9).toString(36)}`, size);
    // A list of a different length for each category, in four orders, which differ by some links.
    const list = 8000 + some(90_000);
    for (const way of ['name', 'price', 'date', 'rank']) ask(`/list?cat=${page}&way=${way}`, list + 1 + some(40));
    // Without filter a list is longer.
    const all = 20_000 + some(50_000);
    ask(`/search?q=w${page}`, all);
    for (const colour of ['red', 'blue', 'green'])
      ask(`/search?q=w${page}&colour=${colour}`, Math.floor(all * (0.2 + 0.6 * random())));
    // Larger and smaller than without.
    const view = 3000 + some(9000);
    for (const [query, times] of [
      ['', 1],
      ['&zoom=in', 2],
      ['&zoom=out', 0.5],
    ] as const)
      ask(`/view?doc=d${page}${query}`, Math.floor(view * times));
    // Error pages of one size, whatever the code.
    ask(`/oops/${page}?code=${page}`, 512);
    ask(`/oops/${page}?code=x`, 512);
    // A parameter that never changes alone.
    ask(`/about?once=${page}&twice=${page}`, 700 + page);
  }
  return lines.join('');
}

describe('famous names', () => {
  const page = (path: string, size: number) => lineOf({ url: `http://a.test${path}`, size });

  it('are irrelevant where the log does not decide, with the reason', async () => {
    const names = ['PHPSESSID', 'utm_source', 'gclid', 'fbclid', 'topic'];
    const rows = await rowsOf(names.map((name, k) => page(`/p${k}?${name}=1`, 100 + k)).join(''));
    expect(names.map((name) => rows.get(name)!.class)).toEqual([...names.slice(1).map(() => 'irrelevant'), 'unknown']);
    expect(rows.get('PHPSESSID')!.reason).toBe(
      'known by its name as a session parameter; no two URLs are equal but for it',
    );
    expect(rows.get('fbclid')!.reason).toMatch(/^known by its name as a campaign parameter/);
  });

  it('are what the log shows where it decides', async () => {
    const pages = Array.from({ length: 40 }, (_, k) => page(`/?utm_source=${k}`, 1000 * (k + 1)));
    expect((await rowsOf(pages.join(''))).get('utm_source')!.class).toBe('changes');
  });
});

describe('a likely rule that drops, in one folder, a parameter by which pages of the table change', () => {
  const at = (path: string, size: number) => lineOf({ url: `http://a.test${path}`, size });
  const log = Array.from({ length: 40 }, (_, k) => {
    const [path, size, times] = k % 4 === 0 ? [`/f0/${k}`, 900 + k, 1] : [`/f1/${k}`, 900 + 7 * k, 9];
    return at(path, size) + at(`${path}?mc_eid=${k}`, times * size);
  });
  const rule = { site: 'a.test', scope: 'prefix', path: '//a.test/f0/', confidence: 0.99 } as const;
  const measured = async (status: 'likely' | 'valid') =>
    (await inventory(log.join(''), [sampleParameter('mc_eid', { ...rule, status })]))!;

  it('is to be proved, as a fix says no other than the table', async () => {
    const { parameters, fixes, unproven } = await measured('likely');
    expect(parameters.map(({ name, class: kind }) => [name, kind])).toEqual([['mc_eid', 'changes']]);
    expect([fixes, unproven!.map(({ rules, saved }) => [rules, saved])]).toEqual([[], [[[1], 10]]]);
  });

  it('is a fix if pages have proved it', async () => {
    const { fixes, unproven } = await measured('valid');
    expect([fixes.map(({ rules }) => rules), unproven]).toEqual([[[1]], []]);
  });
});

it('the ratio of sizes is the median of all groups, each of another ratio', async () => {
  const sizeOf = (page: number) => 1000 + 10 * page;
  const pages = Array.from({ length: 400 }, (_, page) => {
    const url = `http://shop.test/p?id=${page}`;
    return lineOf({ url, size: 1000 }) + lineOf({ url: `${url}&wide=1`, size: sizeOf(page) });
  });
  const row = (await rowsOf(pages.join(''))).get('wide')!;
  expect(row.groups).toEqual({ same: 1, different: 399, silent: 0 });
  expect(row.sizeRatio).toBe(sizeOf(199) / 1000);
});

it('bare numbers are values of one parameter, which is judged by all of them', async () => {
  const pages = Array.from({ length: 60 }, (_, k) => {
    const url = `http://a.test/p${k % 20}?a=${k % 20}&${1_700_000_000 + k}`;
    return lineOf({ url, size: 1000 + 37 * (k % 20) });
  });
  const others = [`http://a.test/q?a=1&12=3`, 'http://a.test/q?12345'].map((url) => lineOf({ url, size: 9 }));
  const rows = await rowsOf([...pages, ...others].join(''));
  expect([...rows.keys()].sort()).toEqual(['(bare numbers)', '12', 'a']);
  const numbers = rows.get('(bare numbers)')!;
  expect(numbers).toMatchObject({ urls: 60, values: 60, class: 'irrelevant', groups: { same: 20, different: 0 } });
  expect(numbers.commonest[0]).toBe('1700000000');
});

describe('a shop with known parameters', () => {
  it.each([1, 2, 3])('has each parameter in its class (seed %i)', async (seed) => {
    const rows = await rowsOf(shop(seed));
    const classes = Object.fromEntries(Array.from(rows, ([name, row]) => [name, row.class]));
    expect(classes).toEqual({
      id: 'changes',
      session: 'irrelevant',
      cat: 'changes',
      way: 'sorts',
      q: 'changes',
      colour: 'narrows',
      doc: 'changes',
      zoom: 'changes',
      code: 'unknown',
      once: 'unknown',
      twice: 'unknown',
    });
    expect(rows.get('session')).toMatchObject({ urls: 120, hits: 120, groups: { same: 40, different: 0, silent: 0 } });
    expect(rows.get('way')).toMatchObject({ urls: 160, values: 4, commonest: ['date', 'name', 'price', 'rank'] });
    expect(rows.get('code')!.reason).toMatch(/^one page in 40 of 40 groups, but so are 39 of 39 other pages/);
    expect(rows.get('once')!.reason).toBe('no two URLs are equal but for it');
    expect(rows.get('way')!.sizeRatio).toBeLessThan(1.01);
    expect(rows.get('colour')!.sizeRatio).toBeGreaterThan(1.2);
  });

  it('has irrelevant parameters if a rule says so, with its rank', async () => {
    const rules = [
      sampleParameter('way', { rank: 1, site: 'shop.test', action: 'set', value: 'name' }),
      sampleParameter('colour', { rank: 2, site: 'other.test' }),
      sampleParameter('code', { rank: 3, site: 'shop.test', status: 'invalid' }),
      sampleParameter('id', { rank: 4, site: 'shop.test', status: 'likely' }),
      sampleParameter('id', { rank: 5, site: 'shop.test', scope: 'prefix', path: '//shop.test/product' }),
    ];
    const rows = await rowsOf(shop(1), rules);
    expect(rows.get('way')).toMatchObject({ class: 'irrelevant', rule: 1, reason: 'rule 1 sets it to “name”' });
    // For a part of the site only: other pages may need it.
    expect(rows.get('id')).toMatchObject({ class: 'changes', rule: 5 });
    expect(rows.get('id')!.reason).toMatch(/^pages differ.*; rule 5 takes it out in \/\/shop\.test\/product$/);
    expect(rows.get('colour')).not.toHaveProperty('rule');
    expect(rows.get('code')).toMatchObject({ class: 'unknown' });
  });

  it('is not affected by a rule that is only likely', async () => {
    const rules = [sampleParameter('way', { site: 'shop.test', status: 'likely' })];
    const { class: kind, reason, rule } = (await rowsOf(shop(1), rules)).get('way')!;
    expect([kind, rule]).toEqual(['sorts', 1]);
    expect(reason).toMatch(/^sizes are within 2 % .*; the likely rule 1 takes it out$/);
  });

  it('without sizes has counts, and no class', async () => {
    const log = shop(1).replace(/" 200 \d+ "/g, '" 304 - "');
    const rows = await rowsOf(log);
    expect(rows.get('session')).toMatchObject({
      urls: 120,
      groups: { same: 0, different: 0, silent: 40 },
      sizeRatio: null,
    });
    expect(new Set(Array.from(rows.values(), (row) => row.class))).toEqual(new Set(['unknown']));
    expect(rows.get('session')!.reason).toMatch(/without sizes or sketches/);
  });

  it('keeps the parameters in the most URLs, and says how many more there are', async () => {
    const { parameters, otherParameters } = await inventory(shop(1), [], 1 << 22, 3);
    expect(parameters.map(({ name, urls }) => [name, urls])).toEqual([
      ['cat', 160],
      ['id', 160],
      ['q', 160],
    ]);
    expect(otherParameters).toBe(8);
  });
});

it.each([1, 2, 3])('a site with neutral parameters and traps has each in its class (seed %i)', async (seed) => {
  const { urls } = plantedParameters(seed);
  const lines = urls.flatMap(({ url, min, max }) => [min, max].map((size) => listLine(`"${url}"`, size ?? '', '')));
  const rows = await rowsOf(`url,status,size,digest\n${lines.join('')}`);
  const classes = Object.fromEntries(Array.from(rows, ([name, row]) => [name, row.class]));
  const irrelevant = {
    sid: 'irrelevant',
    jsessionid: 'irrelevant',
    utm_source: 'irrelevant',
    utm_medium: 'irrelevant',
  };
  const changes = { page: 'changes', id: 'changes', t: 'changes', cat: 'changes', item: 'changes', lang: 'changes' };
  // The sizes of `nonce` vary, so that the log says it matters; sizes of `sort` and of `step` show nothing, but `sort`
  // is known by its name; `ref` has a meaning under one prefix and none under another.
  const traps = { nonce: 'changes', sort: 'sorts', step: 'unknown', ref: 'unknown' };
  expect(classes).toMatchObject({ ...irrelevant, ...changes, ...traps, print: 'narrows' });
});

describe('sorting', () => {
  /** Twelve folders, each listed by name, date or size, up or down, as Apache does: pages of one size to the byte. */
  const folders = (names: readonly [string, string], digestOf: (folder: number, order: string) => string) => {
    const lines = ['url,status,size,digest\n'];
    for (let folder = 0; folder < 12; folder++) {
      // Without digits, so that no two folders have the same template.
      const path = `/${'abcdefghijkl'[folder]}/`;
      for (const by of 'NDS') {
        for (const way of 'AD') {
          const query = `${names[0]}=${by};${names[1]}=${way}`;
          lines.push(listLine(`http://a.test${path}?${query}`, 1000 + 211 * folder, digestOf(folder, query)));
        }
      }
    }
    return lines.join('');
  };

  it('is detected if pages of one size differ, whatever the name', async () => {
    const rows = await rowsOf(folders(['x', 'y'], (folder, order) => `${folder}${order}`));
    expect([rows.get('x')!.class, rows.get('y')!.class]).toEqual(['sorts', 'sorts']);
  });

  it('is distinguished from irrelevance by the name if there are only sizes', async () => {
    const noDigest = () => '';
    const named = await rowsOf(folders(['sort', 'order'], noDigest));
    expect([named.get('sort')!.class, named.get('order')!.class]).toEqual(['sorts', 'sorts']);
    const apache = await rowsOf(folders(['C', 'O'], noDigest));
    expect([apache.get('C')!.class, apache.get('O')!.class]).toEqual(['sorts', 'sorts']);
    const other = await rowsOf(folders(['x', 'y'], noDigest));
    expect([other.get('x')!.class, other.get('y')!.class]).toEqual(['irrelevant', 'irrelevant']);
  });

  it('is never reported for the name alone', async () => {
    const same = await rowsOf(folders(['sort', 'order'], (folder) => `${folder}`));
    expect([same.get('sort')!.class, same.get('order')!.class]).toEqual(['irrelevant', 'irrelevant']);
    const random = seeded(7);
    const lines = Array.from({ length: 60 }, (_, k) =>
      lineOf({ url: `http://a.test/list?cat=${k % 20}&order=${k}`, size: 1000 + Math.floor(random() * 50_000) }),
    );
    expect((await rowsOf(lines.join(''))).get('order')!.class).toBe('changes');
  });
});

it.each([
  ['sort', 'sorts'],
  ['resort', 'irrelevant'],
] as const)('of a parameter %s whose pages are equal to the byte, the name says that it %s', (name, kind) => {
  expect(classify({ name, values: 3, evidence: alike, sizeRatio: 1, rule: undefined }).class).toBe(kind);
});

it.each(['lang', 'page', 'view', 'currency', 'month'])('sizes never say that %s is irrelevant', (name) => {
  const kindOf = (evidence: GroupEvidence) => classify({ name, values: 90, evidence, sizeRatio: 1, rule: undefined });
  expect(kindOf(alike).class).toBe('unknown');
  expect(kindOf(alike).reason).toMatch(/only pages can tell/);
  expect(kindOf({ ...alike, hasSketches: true }).class).toBe('irrelevant');
});

it('known trackers do not sort, whatever the sizes', () => {
  const evidence = { ...alike, same: 12, different: 8, equal: 4 };
  const kindOf = (name: string) => classify({ name, values: 3, evidence, sizeRatio: 1, rule: undefined }).class;
  expect([kindOf('p'), kindOf('utm_source')]).toEqual(['sorts', 'irrelevant']);
});

const groups = { same: 20, different: 0, silent: 0, equal: 20, near: 20, far: 0, narrower: 0, wider: 0, level: 20 };
const chance = { asked: 10, sameByChance: 0, nearByChance: 0, farByChance: 10 };
const alike: GroupEvidence = { ...groups, ...chance, members: 60, others: 0, likes: 60, hasSketches: false };

it('one script of many pages changes them, but not one page of many sessions and some errors', () => {
  const few = { ...alike, same: 0, different: 1, near: 0, far: 1, others: 12, likes: 6 };
  const kindOf = (evidence: GroupEvidence) =>
    classify({ name: 'p', values: 99, evidence, sizeRatio: 2, rule: undefined }).class;
  expect([few, { ...few, others: 9, likes: 0 }, { ...few, likes: 7 }].map(kindOf)).toEqual([
    'changes',
    'unknown',
    'unknown',
  ]);
});

it('a parameter that names the page changes it, though most groups are of two errors or of a start page', () => {
  const names = { ...alike, same: 70, different: 3, others: 2000, likes: 90 };
  const classOf = (evidence: GroupEvidence) =>
    classify({ name: 'id', values: 2000, evidence, sizeRatio: 1, rule: undefined }).class;
  expect([names, { ...names, others: 100 }, { ...names, others: 80 }].map(classOf)).toEqual([
    'changes',
    'unknown',
    'irrelevant',
  ]);
});

it.each([
  [0, 'irrelevant'],
  [6, 'irrelevant'],
  [7, 'unknown'],
])('20 groups that are one page, like %i of 10 others of their kind, are %s', (sameByChance, expected) => {
  const evidence = { ...alike, sameByChance };
  expect(classify({ name: 'box', values: 3, evidence, sizeRatio: 1, rule: undefined }).class).toBe(expected);
});

it('every combination of evidence has a class, and a complete reason', () => {
  const count = fc.nat(30);
  const evidence = fc
    .record({ same: count, different: count, silent: count, equal: count, near: count, narrower: count, wider: count, asked: count, farByChance: count, members: count, others: count, likes: count })
    .chain((some) => fc.record({ sameByChance: fc.nat(some.asked), nearByChance: count, hasSketches: fc.boolean() })
      .map((chance): GroupEvidence => ({ ...some, ...chance, far: 3, level: 2 }))); // prettier-ignore
  const seen = new Set<string>();
  fc.assert(
    fc.property(evidence, fc.nat(40), fc.constantFrom('p', 'sort'), (some, values, name) => {
      const { class: kind, reason } = classify({
        name,
        values: values + 1,
        evidence: some,
        sizeRatio: null,
        rule: undefined,
      });
      seen.add(kind);
      expect(reason).not.toMatch(/undefined|NaN|null|Infinity/);
    }),
    { numRuns: 3000, seed: 4 },
  );
  expect([...seen].sort((a, b) => (a < b ? -1 : 1))).toEqual(['changes', 'irrelevant', 'narrows', 'sorts', 'unknown']);
});

describe('counts', () => {
  const field = fc.constantFrom('p=1', 'p=2', 'p=', 'p', 'q=1', 'q=a%26', 'r[]=1', '=x', '', 'p=1=2');
  const path = fc.constantFrom('/', '/a', '/a;p=1', '/a;s=2/b', '/ü?ä'.normalize());
  const url = fc
    .tuple(fc.constantFrom('http://a.test', 'http://b.test'), path, fc.array(field, { maxLength: 3 }))
    .map(([origin, rest, fields]) => encodeURI(origin + rest) + (fields.length > 0 ? `?${fields.join('&')}` : ''));
  const hit = fc.record({ url, size: fc.constantFrom(1, 100, 101, 5000) });

  it('are those of naive maps, with much memory or hardly any', async () => {
    let groups = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(hit, { minLength: 10, maxLength: 40 }), async (hits) => {
        const { parameters } = await inventory(hits.map(lineOf).join(''));
        const shown = parameters.map(({ site, name, urls, hits: all, values, commonest }) => [site, name, urls, all, values, [...commonest].sort().join()]); // prettier-ignore
        expect(new Set(shown.map((row) => row.join('|')))).toEqual(naiveCounts(hits.map((one) => one.url)));
        expect((await inventory(hits.toReversed().map(lineOf).join(''), [], 3000)).parameters).toEqual(parameters);
        groups += parameters.reduce((sum, row) => sum + row.groups.same + row.groups.different, 0);
      }),
      { numRuns: amount(25, 5) },
    );
    expect(groups).toBeGreaterThan(amount(20, 10));
  });

  it('of values are truncated at a readable length', async () => {
    const { parameters } = await inventory(lineOf({ url: `http://a.test/?p=${'x'.repeat(200)}&q=${encodeURI('ü')}` }));
    expect(parameters.map(({ commonest }) => commonest)).toEqual([[`${'x'.repeat(100)}…`], ['%C3%BC']]);
  });
});

/** `site|name|URLs|hits|values|commonest`, of URLs as they come. */
function naiveCounts(hits: readonly string[]): Set<string> {
  const found = new Map<string, { urls: Set<string>; hits: number; values: Map<string, Set<string>> }>();
  for (const url of hits) {
    const { hostname } = new URL(url);
    for (const [name, value] of fieldsOf(url)) {
      const key = `${hostname}|${name}`;
      const row = found.get(key) ?? { urls: new Set(), hits: 0, values: new Map() };
      found.set(key, row);
      row.urls.add(url);
      row.hits++;
      row.values.set(value, (row.values.get(value) ?? new Set()).add(url));
    }
  }
  return new Set(
    Array.from(found, ([key, { urls, hits: all, values }]) => {
      const commonest = [...values].sort(
        ([a, x], [b, y]) => y.size - x.size || Buffer.compare(encodeText(a.slice(1)), encodeText(b.slice(1))),
      );
      const shown = [...new Set(commonest.slice(0, 5).map(([value]) => value.slice(1)))];
      return `${key}|${urls.size}|${all}|${values.size}|${shown.sort().join()}`;
    }),
  );
}

/** Names with the value of their first field after its `=`, or a space for one without: `p` and `p=` are two values. */
function fieldsOf(url: string): Map<string, string> {
  const [, path, query = ''] = /^http:\/\/[^/]*([^?]*)\??(.*)$/.exec(url)!;
  const inPath = [...path!.matchAll(/;([^;/]+)/g)].map((match) => match[1]!).filter((field) => field.indexOf('=') > 0);
  const inQuery = query.split(/[&;]/);
  const isBare = inQuery.filter((field) => field !== '').length === 1 && !query.includes('=');
  const fields = new Map<string, string>();
  for (const field of [...inPath, ...(isBare ? [] : inQuery)]) {
    const [name, ...value] = field.split('=');
    if (name !== '' && !fields.has(name!)) fields.set(name!, field.includes('=') ? `=${value.join('=')}` : ' ');
  }
  return fields;
}
