import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { UrlListBuilder, type SiteReader } from '../../src/table/url-list.js';
import { amount } from '../amount.js';
import { batchOf, siteReaderOf, urlAt, type TestRecord } from '../url-list.js';

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function manyRecords(count: number): TestRecord[] {
  const next = random(7);
  return Array.from({ length: count }, () => {
    const url = `/${'abcde'[Math.floor(next() * 5)]}/${Math.floor(next() * 300)}`;
    const r = next();
    return {
      url,
      ...(r < 0.8 && { size: Math.floor(next() * 1000) }),
      ...(r < 0.1 && { sketch: `s${Math.floor(next() * 5)}` }),
    };
  });
}

const siteOf = (url: string) => url[1]!;

/** The same list by naive maps. */
function expected(records: readonly TestRecord[]) {
  const list = new Map<string, { hits: number; min: number; max: number; sketch: string }>();
  for (const { url, size, sketch } of records) {
    const entry = list.get(url) ?? { hits: 0, min: -1, max: -1, sketch: '' };
    entry.hits++;
    if (size !== undefined) {
      entry.min = entry.min < 0 ? size : Math.min(entry.min, size);
      entry.max = Math.max(entry.max, size);
    }
    if (sketch !== undefined) entry.sketch = sketch;
    list.set(url, entry);
  }
  return list;
}

/** The contents of a reader, and the names of the sites in order. */
function listOf(reader: SiteReader) {
  const seen = new Map<string, unknown>();
  const sites: string[] = [];
  for (let urls = reader.next(); urls !== undefined; urls = reader.next()) {
    sites.push(urls.site);
    for (let row = 0; row < urls.count; row++) {
      expect(siteOf(urlAt(urls, row))).toBe(urls.site);
      expect(seen.has(urlAt(urls, row))).toBe(false);
      const at = urls.at(row);
      const sketchEnd = urls.sketchEndAt(at);
      const sketch = urls.bytes.subarray(sketchEnd - urls.sketchLengthAt(at), sketchEnd);
      const [hits, min, max] = [urls.hitsAt(at), urls.minSizeAt(at), urls.maxSizeAt(at)];
      seen.set(urlAt(urls, row), { hits, min, max, sketch: Buffer.from(sketch).toString('latin1') });
    }
  }
  return { seen, sites };
}

test.each([2 ** 24, 30_000, 3_000])(
  'hits, size ranges and the last sketch are kept in %d bytes of memory',
  (memory) => {
    const records = manyRecords(20_000);
    const reader = siteReaderOf(records, memory, siteOf);
    const { seen, sites } = listOf(reader);
    expect(sites).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(seen).toEqual(expected(records));
    if (memory < 2 ** 20) expect(reader.stats.runs).toBeGreaterThan(24);
  },
);

/** The bits of the hash that count. */
const hashes: Record<string, number> = {
  'one for all': 0,
  'two bits': 3,
  'the highest bits': 0xc0000000,
};

const record = fc.record(
  {
    url: fc
      .tuple(fc.constantFrom('a', 'b'), fc.string({ unit: fc.constantFrom('x', 'y', '\0', '\xff'), maxLength: 4 }))
      .map(([site, rest]) => `/${site}${rest}`),
    size: fc.nat(3),
    sketch: fc.constantFrom('s', 't'),
  },
  { requiredKeys: ['url'] },
);

test.each(Object.entries(hashes))('whatever the hash is (%s), the bytes decide which URLs are one', (_, hashBits) => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 300 }), fc.constantFrom(2 ** 24, 2_000), (records, memory) => {
      expect(listOf(siteReaderOf(records, memory, siteOf, hashBits)).seen).toEqual(expected(records));
    }),
    { numRuns: 30 },
  );
});

test('sites are in the order of their bytes, whatever these are', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'z', '\x01', '\x7f', 'ä', '\uffee', '😀', '\udc80', '\udcff') });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), fc.constantFrom(2 ** 24, 2_000), (names, memory) => {
      const records = names.map((_, at) => ({ url: `/${at}` }));
      const reader = siteReaderOf(records, memory, (url) => names[Number(url.slice(1))]!);
      const sites: string[] = [];
      for (let list = reader.next(); list !== undefined; list = reader.next()) sites.push(list.site);
      const inOrder = [...new Set(names)].sort((a, b) => Buffer.compare(encodeText(a), encodeText(b)));
      expect(sites).toEqual(inOrder);
    }),
    { numRuns: amount(300) },
  );
});

test('a batch that fills the memory many times is folded in to its last record', () => {
  const records = manyRecords(3_000);
  const stats = { runs: 0, bytes: 0 };
  const siteOfRange = (bytes: Uint8Array, start: number) => String.fromCharCode(bytes[start + 1]!);
  const builder = new UrlListBuilder(siteOfRange, { memoryBytes: 3_000, tmpdir: tmpdir() }, stats);
  builder.add(batchOf(records));
  expect(listOf(builder.finish()).seen).toEqual(expected(records));
  expect(stats.runs).toBeGreaterThan(24);
});

test('a URL belongs to the site of its host, for any number of hosts', () => {
  // More than the kernel caches.
  const hosts = Array.from({ length: 40_000 }, (_, k) => `http://h${k}.de/`);
  const others = [
    'http://h1.de?q',
    'HTTP://h1.de/',
    'http://h1.de#/',
    '/path',
    'ftp://h1.de/',
    'https://h1.de/',
    'http:/',
    '',
  ];
  const urls = [...hosts, ...others, ...hosts.toReversed().map((host) => `${host}x`)];
  const asked: string[] = [];
  const reader = siteReaderOf(
    urls.map((url) => ({ url })),
    2 ** 28,
    (url) => {
      asked.push(url);
      return /\d+/.exec(url)?.[0] ?? '';
    },
  );
  const sites = new Map<string, string[]>();
  for (let list = reader.next(); list !== undefined; list = reader.next()) {
    const { site, count } = list;
    const ofSite = Array.from({ length: count }, (_, row) => urlAt(list!, row));
    sites.set(site, ofSite.toSorted());
  }
  expect(sites.size).toBe(40_001);
  expect(sites.get('')).toEqual(['', '/path', 'http:/']);
  expect(sites.get('1')).toEqual(
    [...others.filter((url) => url.includes('h1')), 'http://h1.de/', 'http://h1.de/x'].toSorted(),
  );
  expect(sites.get('39999')).toEqual(['http://h39999.de/', 'http://h39999.de/x']);
  expect(asked.length).toBeLessThan(2 * hosts.length + others.length);
  reader.close();
});

test('damaged sketches are left out and counted', () => {
  const builder = new UrlListBuilder(() => '', { memoryBytes: 1 << 20, tmpdir: tmpdir() }, { runs: 0, bytes: 0 });
  builder.add(
    batchOf([
      { url: '/a', sketch: 'db1-4-128-1-' },
      { url: '/b', sketch: 'sha1:B' },
      { url: '/c', sketch: 'sp1-spotsigs.1-1-0-A' },
      { url: '/d', sketch: 'sha1:D' },
      { url: '/d', sketch: 'db1-' },
    ]),
  );
  expect(builder.damagedSketches).toBe(3);
  const urls = builder.finish().next()!;
  const lengths = Array.from({ length: urls.count }, (_, row) => [urlAt(urls, row), urls.sketchLengthAt(urls.at(row))]);
  expect(Object.fromEntries(lengths)).toEqual({ '/a': 0, '/b': 6, '/c': 0, '/d': 6 });
});

test('long sketches are distinguished by their digests', () => {
  const sketch = (end: string) => `${'s'.repeat(3000)}${end}`;
  const records = [
    { url: '/a', sketch: sketch('1') },
    { url: '/b', sketch: 'short' },
    { url: '/c', sketch: sketch('2') },
  ];
  const { seen } = listOf(siteReaderOf(records, 2 ** 24, siteOf));
  const digest = (text: string) => createHash('sha256').update(text).digest().toString('latin1');
  expect([...seen.values()].map((entry) => (entry as { sketch: string }).sketch)).toEqual([
    digest(sketch('1')),
    'short',
    digest(sketch('2')),
  ]);
});

test('no records give no sites', () => {
  expect(siteReaderOf([]).next()).toBeUndefined();
});

test('URLs of any bytes but control characters keep their bytes, and escapes of any byte', () => {
  const bytes = Array.from({ length: 224 }, (_, byte) => String.fromCharCode(byte + 32)).join('');
  const digits = Array.from('0123456789ABCDEFabcdef');
  const all = bytes + digits.flatMap((high) => digits.map((low) => `%${high}${low}`)).join('');
  const urls = siteReaderOf([{ url: `/${all}` }, { url: '/' }]).next()!;
  expect([urlAt(urls, 0), urlAt(urls, 1)].toSorted()).toEqual(['/', `/${all}`].toSorted());
});
