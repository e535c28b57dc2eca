// The backward order compared with naive sorting, alone and with threads. Threads run the output of `npm run build`,
// and so does this test.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Backward, BackwardOptions } from '../../src/table/backward.js';
import type { SiteUrls } from '../../src/table/site-urls.js';
import { collate, ESCAPE_BYTE, FIRST_RUN_BYTE, uncollate } from '../../src/url/token.js';
import { isFew } from '../amount.js';
import { seeded } from '../bench/input/random.js';

const dist = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;
const { orderBackward } = (await import(dist('table/backward.js'))) as typeof import('../../src/table/backward.js');
const { SiteUrls: Urls } = (await import(dist('table/site-urls.js'))) as typeof import('../../src/table/site-urls.js');
const { createMineCrew } = (await import(dist('mine/crew.js'))) as typeof import('../../src/mine/crew.js');
const heap = (await import(dist('base/heap.js'))) as typeof import('../../src/base/heap.js');

const crew = createMineCrew(3)!;
afterAll(() => crew.stop());

const exports = heap.kernel();

/** A list of URLs in collation bytes, and columns for its order filled with garbage. */
function listed(urls: readonly Uint8Array[]): { list: SiteUrls; order: Backward } {
  const stats = { runs: 0, bytes: 0 };
  const list = new Urls({ memoryBytes: 1 << 26, tmpdir: tmpdir(), pageBytes: 1 << 17, stats, crew });
  for (const url of urls) list.add(url, 1, -1, -1, new Uint8Array(0));
  const order = { backward: heap.newI32(urls.length).fill(-7), sharedLast: heap.newU16(urls.length).fill(777) };
  return { list: list.freeze(), order };
}

interface Found {
  readonly rows: readonly number[];
  readonly shared: readonly number[];
}

function ordered(urls: readonly Uint8Array[], options: BackwardOptions, by: 'caller' | 'threads' = 'caller'): Found {
  const { list, order } = listed(urls);
  const shared = by === 'caller' ? undefined : { crew, site: list.share()! };
  orderBackward(list, order, options, shared);
  const found = { rows: Array.from(order.backward), shared: Array.from(order.sharedLast) };
  list.close();
  heap.giveBack(order.backward);
  heap.giveBack(order.sharedLast);
  return found;
}

const char = (byte: number): string => String.fromCharCode(byte);
const escape = `${char(ESCAPE_BYTE)}[\u0001-${char(ESCAPE_BYTE - 1)}]{2}`;
const runs = new RegExp(`${escape}|[${char(FIRST_RUN_BYTE)}-\u00ff]+|[^]`, 'g');

function tokensOf(url: Uint8Array): string[] {
  return Buffer.from(url).toString('latin1').match(runs) ?? [];
}

/** Rows, and the last tokens that each shares with the one before it, END included. */
function expected(urls: readonly Uint8Array[]): Found {
  const reversed = urls.map((url) => Buffer.from(url).reverse());
  const rows = Array.from(urls.keys()).toSorted((a, b) => Buffer.compare(reversed[a]!, reversed[b]!));
  const tokens = urls.map((url) => tokensOf(url).toReversed());
  const shared = rows.map((row, k) => {
    if (k === 0) return 0;
    const [a, b] = [tokens[rows[k - 1]!]!, tokens[row]!];
    const differing = a.findIndex((token, at) => token !== b[at]);
    return 1 + (differing < 0 ? a.length : differing);
  });
  return { rows, shared };
}

function distinct(urls: readonly (readonly number[])[]): Uint8Array[] {
  const all = new Map(urls.map((url) => [url.join(), Uint8Array.from(url)]));
  return [...all.values()].toSorted((a, b) => Buffer.compare(a, b));
}

// Bytes around the first run byte, the first after those of escapes, the highest; and escapes, whole and broken.
const escapes = ['%41', '%4f', '%A1', '%4', '%'].map((text) => [...collate(Buffer.from(text))]);
const alphabets = [
  [[24]],
  [[24], [FIRST_RUN_BYTE]],
  [[24], [25], [FIRST_RUN_BYTE], [FIRST_RUN_BYTE + 1]],
  [[FIRST_RUN_BYTE - 1], [FIRST_RUN_BYTE], [127], [128], [255]],
  [[FIRST_RUN_BYTE], [200]],
  escapes,
  [...escapes, ...escapes, [24], [...collate(Buffer.from('4'))], [...collate(Buffer.from('A'))]],
];

/** A `%` and digits that came together are an escape. */
function numbered(bytes: readonly number[]): number[] {
  return [...collate(uncollate(Uint8Array.from(bytes)))];
}

/**
 * Lists whose URLs have a common suffix of none, some or all of the bytes in words, once or several times, plus or
 * minus one.
 */
const lists = fc
  .constantFrom(...alphabets)
  .chain((alphabet) => {
    const bytes = (lengths: fc.ArrayConstraints) =>
      fc.array(fc.constantFrom(...alphabet), lengths).map((all) => numbered(all.flat()));
    const lengths = fc.constantFrom(0, 3, 4, 7, 8, 20, 31, 32, 33, 63, 64, 65, 97, 300);
    const ends = lengths.chain((n) => bytes({ minLength: n, maxLength: n }));
    const firsts = fc
      .constantFrom(2, 6, 33, 70)
      .chain((maxLength) => fc.array(bytes({ maxLength }), { maxLength: 90, size: 'max' }));
    return fc.tuple(
      firsts,
      fc.array(ends, { minLength: 1, maxLength: 3 }),
      fc.array(bytes({ maxLength: 34 }), { maxLength: 2 }),
    );
  })
  .map(([firsts, ends, others]) =>
    distinct([...firsts.map((first, k) => numbered([...first, ...ends[k % ends.length]!])), ...others]),
  );

const sizes = fc.constantFrom(
  { memoryBytes: 1 << 20 },
  { memoryBytes: 1 << 20, bucketRows: 64 },
  { memoryBytes: 1 << 20, bucketRows: 4 },
  { memoryBytes: 0, bucketRows: 8, maxBucketRows: 16 },
  { memoryBytes: 0, bucketRows: 3, maxBucketRows: 3 },
  { memoryBytes: 0, bucketRows: 1, maxBucketRows: 1 },
);

test('rows and shared tokens are those of URLs sorted and compared from their ends', () => {
  let [withWords, neighbours] = [0, 0];
  fc.assert(
    fc.property(lists, sizes, (urls, options) => {
      const book = expected(urls);
      expect(ordered(urls, options)).toEqual(book);
      neighbours += book.shared.filter((shared) => shared > 1).length;
      withWords += urls.filter(({ length }) => length >= 32).length;
    }),
    { numRuns: 400 },
  );
  expect(neighbours).toBeGreaterThan(2_500);
  expect(withWords).toBeGreaterThan(2_500);
});

test('threads give the same', () => {
  fc.assert(
    fc.property(lists, sizes, (urls, options) => {
      expect(ordered(urls, options, 'threads')).toEqual(expected(urls));
    }),
    { numRuns: 60 },
  );
});

/** Numbers of a few digits before suffixes that most of them share, and some with other suffixes. */
function manyUrls(count: number, ends: readonly string[]): Uint8Array[] {
  const random = seeded(5);
  const pick = (below: number) => Math.floor(random() * below);
  const urls = Array.from({ length: count }, () =>
    Buffer.from(pick(50) === 0 ? `${pick(1e9)}` : `${pick(40)}/${pick(20_000)}${ends[pick(ends.length)]!}`),
  );
  return distinct(urls.map((url) => [...url]));
}

test('parts, turns and buckets of usual sizes make no difference', () => {
  const long = '/and/so/on/until/words/do/not/tell/any/more.html';
  const urls = manyUrls(30_000, ['/index.html', '/of/20/to/30/bytes.html', '.htm', '', long, `/a${long}`]);
  const book = expected(urls);
  const options = [
    { memoryBytes: 0, bucketRows: 512, maxBucketRows: 2048 },
    { memoryBytes: 1 << 24 },
    { memoryBytes: 1 << 24, bucketRows: 1 << 16 },
  ];
  for (const option of options) {
    expect(ordered(urls, option)).toEqual(book);
    expect(ordered(urls, option, 'threads')).toEqual(book);
  }
});

test('a bucket that is too large has rounds of its own, even if all its URLs have the same last words', () => {
  const end = '/the/same/last/bytes/of/very/many/of/them/index.html';
  const urls = manyUrls(12_000, [end]);
  const book = expected(urls);
  expect(ordered(urls, { memoryBytes: 0, bucketRows: 64, maxBucketRows: 100 })).toEqual(book);
  expect(ordered(urls, { memoryBytes: 0, bucketRows: 64, maxBucketRows: 100 }, 'threads')).toEqual(book);
});

test('URLs of only one byte are sorted by length', () => {
  const urls = Array.from({ length: 300 }, (_, k) => new Uint8Array(k).fill(24));
  for (const bucketRows of [3, 50, 1000]) {
    expect(ordered(urls, { memoryBytes: 0, bucketRows, maxBucketRows: bucketRows })).toEqual(expected(urls));
  }
});

test.skipIf(isFew)('URLs of tens of thousands of bytes with a common suffix are sorted', () => {
  const end = Array.from({ length: 60_000 }, (_, k) => (k % 3 === 0 ? 24 : 70));
  const urls = Array.from({ length: 50 }, (_, k) => Uint8Array.from([80 + k, 24, ...end]));
  expect(ordered(urls, { memoryBytes: 0 })).toEqual(expected(urls));
  expect(ordered(urls, { memoryBytes: 0, bucketRows: 4, maxBucketRows: 4 })).toEqual(expected(urls));
});

test('its memory is freed', () => {
  const urls = manyUrls(5_000, ['/index.html']);
  const before = heap.alloc(1 << 20);
  heap.giveBack({ byteOffset: before });
  for (let k = 0; k < 3; k++) ordered(urls, { memoryBytes: 1 << 20, bucketRows: 64, maxBucketRows: 65 });
  const after = heap.alloc(1 << 20);
  heap.giveBack({ byteOffset: after });
  expect(after).toBe(before);
});

test('threads that wait for a failing one return when it gives up', () => {
  const { list, order } = listed(manyUrls(1_000, ['.html']));
  list.use();
  const job = exports.openBackward(order.backward.byteOffset, order.sharedLast.byteOffset, 64, 64, 64) >>> 0;
  // All items of the step were taken, and are not done.
  heap.i32At(job, 1)[0] = 0;
  const task = { kind: 'backward' as const, site: list.share()!, job };
  const waiting = crew.begin(task as never);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  exports.giveUpBackward(job);
  expect(waiting.finish()).toEqual([]);
  exports.closeBackward(job);
});
