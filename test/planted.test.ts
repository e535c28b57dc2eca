// The twin alone finds what was planted; every better miner has to find it too.
import { describe, expect, test } from 'vitest';
import { judge, plantedSite, precisionAt, randomUrls, type PlantedSite } from './planted.js';
import { twinLikely, twinPairs, twinRank, type TwinPair } from './twin.js';
import { amount } from './amount.js';

const PAPER = { S: 35, T_low: 6, T_high: 11, MS: 3, similarity: true };
const FIGURE_2 = { MRD: 0.05, MAD: 1, MW: 1100 };

const sites = [1, 2, 3].flatMap((seed) => [
  siteOf(`site ${seed}`, plantedSite(seed)),
  siteOf(`site ${seed} with hosts`, plantedSite(seed, { host: true })),
]);

function siteOf(name: string, site: PlantedSite) {
  return { name, site, pairs: twinPairs(site.urls, PAPER) };
}

function ranked(pairs: readonly TwinPair[]): TwinPair[] {
  return twinRank(twinLikely(pairs, FIGURE_2), 'confidence');
}

/** SPEC 2 once more, from the lines. */
function readBack({ lines }: PlantedSite): Map<string, { min?: number; max?: number }> {
  const list = new Map<string, { min?: number; max?: number }>();
  for (const line of lines) {
    const fields = /^(?:(\S+):80 )?\S+ - - \[[^\]]+\] "(\S+) (\S+) HTTP\/1\.1" (\d+) (\S+) "-" ".*"$/.exec(line);
    if (fields === null) throw new Error(`no line of a log: ${line}`);
    const [, host, method, target, status, bytes] = fields;
    if (!/^(GET|HEAD)$/.test(method!) || !/^(2..|30[148])$/.test(status!)) continue;
    const url = host === undefined ? target! : `http://${host}${target}`;
    const { min = Infinity, max = 0 } = list.get(url) ?? {};
    const size = Number(bytes);
    if (method === 'GET' && status === '200') list.set(url, { min: Math.min(min, size), max: Math.max(max, size) });
    else if (!list.has(url)) list.set(url, {});
  }
  return list;
}

describe.each(sites)('$name', ({ site, pairs }) => {
  const rules = ranked(pairs);
  const unasked = twinPairs(site.urls, { ...PAPER, similarity: false });
  const plain = (list: readonly TwinPair[], { from, to }: { from: string; to: string }) =>
    list.find((pair) => pair.anchor === 'none' && pair.from === from && pair.to === to);

  test('the list agrees with the lines, including sizes', () => {
    expect(new Map(site.urls.map(({ url, ...sizes }) => [url, sizes]))).toEqual(readBack(site));
    expect(site.urls.length).toBeGreaterThan(400);
    expect([...site.documents.keys()].sort()).toEqual(site.urls.map(({ url }) => url).sort());
  });

  test('every planted rule is a likely pair, and joins URLs of one document only', () => {
    for (const rule of site.truth.filter(({ dust }) => dust)) {
      const found = plain(pairs, rule);
      expect(found, `${rule.from} → ${rule.to}`).toBeDefined();
      const { instances, same } = judge(site.documents, found!);
      expect([same, instances >= 3], rule.note).toEqual([instances, true]);
    }
  });

  test('every trap would be a likely pair without sizes, and joins different documents', () => {
    for (const trap of site.truth.filter(({ dust }) => !dust)) {
      const found = plain(unasked, trap);
      expect(found, `${trap.from} → ${trap.to}`).toBeDefined();
      expect(judge(site.documents, found!).same, trap.note).toBe(0);
    }
  });

  test('every planted rule survives elimination, alone or with more context', () => {
    for (const { from, to, note } of site.truth.filter(({ dust }) => dust)) {
      expect(rules.filter((rule) => rule.from.replace(from, to) === rule.to).length, note).toBeGreaterThan(0);
    }
  });

  test('the first 20 rules are dust, and would not be without sizes', () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(precisionAt(20, rules, site.documents)).toBe(1);
    expect(precisionAt(20, ranked(unasked), site.documents)).toBeLessThan(0.95);
    expect(precisionAt(Infinity, rules, site.documents)).toBeGreaterThan(0.75);
  });
});

test('traps that get through are in the lower half of the rules', () => {
  let traps = 0;
  for (const { site, pairs } of sites) {
    const isTrap = (pair: TwinPair) => judge(site.documents, pair).same === 0;
    const rules = ranked(pairs);
    traps += rules.filter(isTrap).length;
    expect(rules.findIndex(isTrap) / rules.length).toBeGreaterThan(0.5);
  }
  expect(traps).toBeGreaterThan(10);
});

test('the same seed gives the same site, a different seed a different one', () => {
  expect(plantedSite(7, { pages: 50 })).toEqual(plantedSite(7, { pages: 50 }));
  expect(plantedSite(7, { pages: 50 }).urls).not.toEqual(plantedSite(8, { pages: 50 }).urls);
  expect(randomUrls(7)).toEqual(randomUrls(7));
  expect(randomUrls(7)).not.toEqual(randomUrls(8));
});

test('the log has what real logs have: errors, redirects, HEAD and POST, URLs without a size', () => {
  const { lines, urls } = plantedSite(1);
  for (const field of ['" 404 ', '" 301 ', '" 304 -', '" 206 ', '" 500 ', '"POST ', '"HEAD ', '/wp-login.php']) {
    expect(lines.filter((line) => line.includes(field)).length, field).toBeGreaterThan(2);
  }
  expect(urls.filter(({ min }) => min === undefined).length).toBeGreaterThan(10);
  expect(urls.filter(({ min, max }) => min !== max).length).toBeGreaterThan(50);
});

describe('random URLs', () => {
  const seeds = Array.from({ length: amount(12, 4) }, (_, seed) => seed);

  test('without limits, support is the number of URL pairs that a replacement joins', () => {
    // No envelopes or buckets here: Theorem 4.1, and its exception for borders.
    let bordered = 0;
    for (const seed of seeds) {
      const urls = randomUrls(seed, { count: 40, alphabet: ['a', '.', '/'], depth: 6, long: 0 });
      const documents = new Map(urls.map(({ url }, row) => [url, row]));
      const limits = { S: 99, T_low: 99, T_high: 99, MS: 1, similarity: false };
      for (const pair of twinPairs(urls, limits)) {
        expect(pair.high, JSON.stringify(pair)).toBe(judge(documents, pair).instances);
        if (pair.from.startsWith(pair.to) && pair.from.endsWith(pair.to)) bordered++;
      }
    }
    expect(bordered).toBeGreaterThan(amount(500, 8));
  });

  test('are distinct, with and without evidence, short and longer than S', () => {
    for (const seed of seeds) {
      const urls = randomUrls(seed);
      expect(new Set(urls.map(({ url }) => url)).size).toBe(urls.length);
      expect(urls.filter(({ url }) => url.length > 70)).toHaveLength(6);
    }
    const keys = (evidence: 'none' | 'sizes' | 'sketches' | 'mixed') =>
      new Set(randomUrls(1, { evidence }).map((url) => Object.keys(url).join()));
    expect(keys('none')).toEqual(new Set(['url']));
    expect(keys('sizes')).toEqual(new Set(['url,min,max']));
    expect(keys('sketches')).toEqual(new Set(['url,sketch']));
    expect(keys('mixed').size).toBe(4);
  });

  test('are nasty: every limit of the paper makes a difference', () => {
    const differ = { T_low: 0, T_high: 0, S: 0, similarity: 0 };
    for (const seed of seeds.slice(0, amount(6, 3))) {
      const urls = randomUrls(seed, { count: 120, alphabet: ['a', 'b', '/', '.'], depth: 5 });
      const under = (options: Partial<typeof PAPER>) =>
        JSON.stringify(twinPairs(urls, { ...PAPER, MS: 1, ...options }));
      const paper = under({});
      if (under({ T_low: 7 }) !== paper) differ.T_low++;
      if (under({ T_high: 12 }) !== paper) differ.T_high++;
      if (under({ S: 36 }) !== paper) differ.S++;
      if (under({ similarity: false }) !== paper) differ.similarity++;
    }
    for (const [limit, count] of Object.entries(differ)) expect(count, limit).toBeGreaterThan(amount(2, 3));
  });
});
