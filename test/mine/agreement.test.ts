// The miner and its naive twin agree on every pair, after every phase, with any memory.
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Miner } from '../../src/mine/mine.js';
import { encodeText } from '../../src/base/bytes.js';
import { createReadReport, readRecords } from '../../src/log/read.js';
import type { MineOptions } from '../../src/rule/rule.js';
import { orderUrls } from '../../src/table/order.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { BORDERED } from '../../src/kernel/layout/instance-row.js';
import { bucketsOf, instancesOf } from '../instance-rows.js';
import { substringRules } from '../rule/sample.js';
import { batchOf, siteUrlsOf, type TestRecord } from '../url-list.js';
import { twinConfidences } from '../twin-confidence.js';
import { twinLikely, twinPairs, twinRank, type TwinPair, type TwinUrl } from '../twin.js';
import { amount, isAll } from '../amount.js';

const defaults: MineOptions = {
  parameters: false,
  S: 35,
  T_low: 6,
  T_high: 11,
  MRD: 0.05,
  MAD: 1,
  MW: 1100,
  MS: 3,
  rank: 'likeliness',
  similarity: true,
  site: 'all',
  minSiteUrls: 0,
  scheme: 'http',
  base: null,
  maxUrlLength: 2048,
};

function minerOf(urls: readonly TwinUrl[], options: MineOptions, memoryBytes: number): Miner {
  const miner = new Miner({ ...options, withVisitors: true }, () => 'site', {
    memoryBytes,
    tmpdir: tmpdir(),
  });
  const records = urls.flatMap(({ url, min, max, sketch }): TestRecord[] => [
    { url, ...(min !== undefined && { size: min }), ...(sketch !== undefined && { sketch }) },
    ...(max === undefined ? [] : [{ url, size: max }]),
  ]);
  for (let k = 0; k < records.length; k += 50) miner.add(batchOf(records.slice(k, k + 50)));
  return miner;
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

const shown = ({ anchor, from, to, low, high, against }: TwinPair) =>
  `${anchor} ${from} → ${to} ${low}/${high}/${against}`;

function minedPairs(miner: Miner): string[] {
  return Array.from(miner.eachPair(), ({ pair }) => shown({ ...pair, from: latin1(pair.from), to: latin1(pair.to) }));
}

/** The rules in their order, with what they are ranked by. */
function minedRules(miner: Miner): string[] {
  return substringRules(miner.eachRule()).map(
    ({ anchor, from, to, support, against, confidence, likeliness = confidence }) =>
      rated({ anchor, from: latin1(encodeText(from)), to: latin1(encodeText(to)), ...support, against }, likeliness),
  );
}

const rated = (pair: TwinPair, confidence: number) => `${shown(pair)} ${confidence.toFixed(4)}`;

function twinRules(urls: readonly TwinUrl[], likely: readonly TwinPair[], options: MineOptions): string[] {
  const confidences = twinConfidences(urls, likely, options.similarity);
  const shownAs = new Map(likely.map((pair, k) => [pair, rated(pair, confidences[k]!)]));
  return twinRank(likely, options.rank, confidences).map((pair) => shownAs.get(pair)!);
}

const alphabets = [
  ...['ab/', 'a/.?=12', 'a.', '/-xyz&', 'a/\u00c3\u00a9\u00e4', '%4a/', '%%20_'].map((chars) => Array.from(chars)),
  ['%20', '%4', '%', '%zz', '_', '%C3%A4', 'a', '4'],
];

const someUrls = fc.constantFrom(...alphabets).chain((alphabet) =>
  fc.uniqueArray(
    fc.record(
      {
        url: fc.array(fc.constantFrom(...alphabet), { maxLength: 9 }).map((chars) => chars.join('')),
        size: fc.tuple(fc.nat(3), fc.nat(2)),
        sketch: fc.constantFrom('s', 't'),
      },
      { requiredKeys: ['url'] },
    ),
    { maxLength: 60, size: 'max', selector: ({ url }) => url },
  ),
);

const someOptions = fc.record({
  S: fc.constantFrom(35, 2, 3, 5),
  T_low: fc.constantFrom(6, 2, 3),
  T_high: fc.constantFrom(11, 6),
  MS: fc.constantFrom(3, 1, 2),
  MRD: fc.constantFrom(0.05, 0, 0.5),
  MAD: fc.constantFrom(1, 0, 3),
  MW: fc.constantFrom(1100, 0, 1, 7),
  similarity: fc.boolean(),
  rank: fc.constantFrom('likeliness' as const, 'confidence' as const, 'support' as const),
});

const twinUrl = ({ url, size, sketch }: { url: string; size?: [number, number]; sketch?: string }): TwinUrl => ({
  url,
  ...(size && { min: size[0], max: size[0] + size[1] }),
  ...(sketch !== undefined && { sketch }),
});

/** Number of rows of the instance table that are bordered. */
function countBordered(urls: readonly TwinUrl[]): number {
  if (urls.length === 0) return 0;
  const list = siteUrlsOf(urls);
  const order = orderUrls(list, { memoryBytes: 1 << 20, tmpdir: tmpdir() }, { runs: 0, bytes: 0 });
  const rows = instancesOf(list, order, defaults, bucketsOf(order, defaults));
  return rows.filter(({ flags }) => (flags & BORDERED) !== 0).length;
}

describe('on random lists', { timeout: 60_000 }, () => {
  test('pairs, survivors and ranks are those of the twin', () => {
    const seen = { pairs: 0, eliminated: 0, runs: 0, mostRuns: 0, bordered: 0 };
    fc.assert(
      fc.property(someUrls, someOptions, fc.constantFrom(1500, 1 << 24), (list, some, memoryBytes) => {
        const urls = list.map(twinUrl);
        const options = { ...defaults, ...some };
        const expected = twinPairs(urls, options);
        const phase1 = minerOf(urls, options, memoryBytes);
        expect(minedPairs(phase1).toSorted()).toEqual(expected.map(shown).toSorted());
        const likely = twinLikely(expected, options);
        const phase2 = minerOf(urls, options, memoryBytes);
        expect(minedRules(phase2)).toEqual(twinRules(urls, likely, options));
        seen.pairs += expected.length;
        seen.eliminated += expected.length - likely.length;
        seen.runs += phase2.summary.spilled.runs;
        seen.mostRuns = Math.max(seen.mostRuns, phase2.summary.spilled.runs);
        if (seen.bordered < 1000) seen.bordered += countBordered(urls);
      }),
      { numRuns: amount(400, 7) },
    );
    expect(seen.pairs).toBeGreaterThan(amount(3000, 20));
    expect(seen.eliminated).toBeGreaterThan(amount(300, 20));
    expect(seen.mostRuns).toBeGreaterThan(amount(24, 8));
    expect(seen.bordered).toBeGreaterThan(amount(500, 20));
  });

  test('also with URLs longer than S tokens with repeated parts', () => {
    // Some repeat so much that they are a crawler trap, and others, behind a long first part, do not.
    const head = Array.from({ length: 20 }, (_, k) => `c${k}/`).join('');
    const urls = Array.from({ length: 24 }, (_, k) => [
      { url: `${'a/'.repeat(10 + k)}${k % 3 === 0 ? 'b' : ''}` },
      { url: `${head}${'a/'.repeat(k % 8)}${['', 'b', 'c'][k % 3]}` },
    ]).flat();
    const options = { ...defaults, MS: 1 };
    expect(minedPairs(minerOf(urls, options, 4000)).toSorted()).toEqual(twinPairs(urls, options).map(shown).toSorted());
    expect(countBordered(urls)).toBeGreaterThan(100);
  });
});

describe('what counts once', () => {
  test('inserting `a.` into `a.a.` at three places is one instance of one pair of URLs', () => {
    const urls = ['x', 'y', 'z'].flatMap((page) => [{ url: `/${page}/a.a.` }, { url: `/${page}/a.a.a.` }]);
    const pairs = minedPairs(minerOf(urls, { ...defaults, MS: 3 }, 1 << 20));
    expect(pairs).toContain('none a. →  3/3/0');
    expect(pairs).toEqual(expect.arrayContaining(twinPairs(urls, defaults).map(shown)));
  });
});

/** The URL list of one real log for the twin, read by the program. */
async function urlsOfLog(path: string): Promise<Map<string, TwinUrl[]>> {
  const raw = readFileSync(path);
  const bytes = path.endsWith('.gz') ? gunzipSync(raw) : raw;
  const report = createReadReport();
  const options = { base: null, scheme: 'http', normalize: 'safe', maxUrlLength: 2048 } as const;
  const input = { name: path, open: () => [bytes] as unknown as AsyncIterable<Buffer> };
  const siteOf = createSiteOf('domain');
  const sites = new Map<string, Map<string, { url: string; min?: number; max?: number; sketch?: string }>>();
  for await (const batch of readRecords([input], options, report)) {
    for (let row = 0; row < batch.rows; row++) {
      const [start, end] = [batch.urlStart[row]!, batch.urlEnd[row]!];
      const site = siteOf(batch.bytes, start, end);
      const list = sites.get(site) ?? new Map<string, TwinUrl>();
      sites.set(site, list);
      const url = Buffer.from(batch.bytes.subarray(start, end)).toString('latin1');
      const entry = list.get(url) ?? { url };
      list.set(url, entry);
      const size = batch.size[row]!;
      if (size >= 0)
        Object.assign(entry, { min: Math.min(entry.min ?? size, size), max: Math.max(entry.max ?? size, size) });
      const sketch = Buffer.from(batch.bytes.subarray(batch.sketchStart[row], batch.sketchEnd[row]));
      if (sketch.length > 0) Object.assign(entry, { sketch: sketch.toString('latin1') });
    }
  }
  return new Map(Array.from(sites, ([site, list]) => [site, [...list.values()]]));
}

const root = new URL('../../', import.meta.url).pathname;
const logs = [
  'fixtures/access.log',
  ...[
    'elastic-apache/access.log.gz',
    'erddap/access.log.gz',
    'farmwork-multi/apache_vhost.log.gz',
    'farmwork-multi/nginx_combined.log.gz',
    'heritrix-dev/crawl-2007-9.log',
    'heritrix-dev/crawl-2008-kaarefc.log',
    'heritrix-dev/crawl-2009-carlsencards.log',
    'keykos-autoindex/crawl.tsv',
  ].map((name) => `../shared/data/${name}`),
];

describe('on real logs', () => {
  // The logs of shared/data are not part of the project: a clone without them has only the fixture.
  test.for(logs.filter((name) => existsSync(root + name)))(
    '%s gives the pairs and rules of the twin, on disk',
    { timeout: 120_000 },
    async (name) => {
      let pairs = 0;
      for (const all of (await urlsOfLog(root + name)).values()) {
        const urls = all.slice(0, isAll ? all.length : 500);
        const expected = twinPairs(urls, defaults);
        expect(minedPairs(minerOf(urls, defaults, 60_000)).toSorted()).toEqual(expected.map(shown).toSorted());
        const phase2 = minerOf(urls, defaults, 60_000);
        expect(minedRules(phase2)).toEqual(twinRules(urls, twinLikely(expected, defaults), defaults));
        pairs += expected.length;
        if (urls.length > 1000) expect(phase2.summary.spilled.runs).toBeGreaterThan(10);
      }
      if (name === 'fixtures/access.log') expect(pairs).toBeGreaterThan(amount(2000, 20));
    },
  );
});
