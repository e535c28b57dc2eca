import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inArena, kernel, takeU16, takeU8 } from '../../src/base/heap.js';
import { orderUrls } from '../../src/table/order.js';
import { pageBytesFor, SiteUrls, STAYING_BYTES, withSite } from '../../src/table/site-urls.js';
import { collate, FIRST_RUN_BYTE, uncollate } from '../../src/url/token.js';
import { amount } from '../amount.js';
import { labelOf } from '../facts.js';
import { tokenOffsets } from '../token-offsets.js';

interface Row {
  readonly url: Uint8Array;
  readonly hits: number;
  readonly min: number;
  readonly max: number;
  readonly sketch: Uint8Array;
}

/** A sketch, with what a crawl says of the URL before it or not. */
const label = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .record({ name: fc.stringMatching(/^[a-z]{0,9}$/), sketch: fc.stringMatching(/^[a-z]{0,9}$/) })
    .map((capture) => Uint8Array.from(Buffer.from(labelOf(capture), 'latin1'))),
);

const rows = fc.array(
  fc.record({
    url: fc.uint8Array({ maxLength: 300, size: 'max' }),
    hits: fc.nat(),
    min: fc.nat(),
    max: fc.nat(),
    sketch: label,
  }),
  { minLength: 1, maxLength: 200, size: 'max' },
);

function storeOf(list: readonly Row[], memoryBytes: number, threads = 0): SiteUrls {
  const crew = threads === 0 ? undefined : { threads };
  const urls = new SiteUrls({ memoryBytes, tmpdir: tmpdir(), pageBytes: 512, stats: { runs: 0, bytes: 0 }, crew });
  // The second site of a list: nothing of the first may be left.
  urls.clear('first');
  for (const row of list) urls.add(row.url.slice(1), 0, 0, 0, new Uint8Array(3));
  urls.clear('site');
  for (const { url, hits, min, max, sketch } of list) urls.add(url, hits, min, max, sketch);
  return urls.freeze();
}

/** Compared as text: a matcher on arrays of bytes would take a hundred times as long. */
function expectRow(urls: SiteUrls, row: number, expected: Row): void {
  const at = urls.at(row);
  const sketchEnd = urls.sketchEndAt(at);
  const url = urls.bytes.subarray(at, at + urls.lengthOf(row));
  const sketch = urls.bytes.subarray(sketchEnd - urls.labelLengthAt(at), sketchEnd);
  const found = [hex(url), urls.hitsAt(at), urls.minSizeAt(at), urls.maxSizeAt(at), hex(sketch)].join(' ');
  const { hits, min, max } = expected;
  expect(found).toBe([hex(expected.url), hits, min, max, hex(expected.sketch)].join(' '));
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('an empty URL at the very end of a page is found there', () => {
  const empty = { url: new Uint8Array(0), hits: 1, min: 2, max: 3, sketch: new Uint8Array(0) };
  for (let length = 0; length < 512 - 32; length++) {
    const full = { ...empty, url: new Uint8Array(450) };
    const list = [full, full, full, full, full, { ...empty, url: new Uint8Array(length).fill(65) }, empty, full];
    const urls = storeOf(list, 0);
    expect(urls.isResident).toBe(false);
    for (let look = 0; look < 40; look++) expectRow(urls, (look * 3) % 8, list[(look * 3) % 8]!);
    urls.close();
  }
});

test('every row comes back, in any order, with all pages in memory, some or four', () => {
  let paged = 0;
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom(0, 12_000, 20_000, 1 << 20),
      fc.infiniteStream(fc.nat()),
      (list, memoryBytes, numbers) => {
        const urls = storeOf(list, memoryBytes);
        if (!urls.isResident) paged++;
        for (let row = 0; row < list.length; row++) expectRow(urls, row, list[row]!);
        for (let look = 0; look < 200; look++) {
          const row = numbers.next().value! % list.length;
          expectRow(urls, row, list[row]!);
        }
        urls.close();
      },
    ),
    { numRuns: amount(200, 4) },
  );
  expect(paged).toBeGreaterThan(amount(50, 4));
});

test('pages leave room for the columns of the rows in memory', () => {
  const short = (rows: number) =>
    Array.from({ length: rows }, (_, k): Row => ({
      url: Buffer.from(`${k}`),
      hits: 1,
      min: 1,
      max: 1,
      sketch: new Uint8Array(0),
    }));
  let shrunk = 0;
  for (let rows = 50; rows < 1200; rows += 50) {
    const urls = storeOf(short(rows), 30_000);
    const pages = urls.bytes.length;
    if (!urls.isResident) shrunk++;
    if (!urls.isResident && pages > 4 * 512) expect(pages + rows * STAYING_BYTES).toBeLessThanOrEqual(30_000);
    for (let row = 0; row < rows; row += 7) expectRow(urls, row, short(rows)[row]!);
    urls.close();
  }
  expect(shrunk).toBeGreaterThan(5);
});

test('other threads read the same rows, in memory or from disk, and all caches fit into one', () => {
  let onDisk = 0;
  fc.assert(
    fc.property(rows, fc.constantFrom(0, 20_000, 1 << 20), fc.nat(), (list, memoryBytes, seed) => {
      const urls = storeOf(list, memoryBytes, 2);
      const site = urls.share()!;
      withSite(site, (first) => {
        withSite(site, (second) => {
          for (const each of [urls, first, second]) expect(each.isResident).toBe(urls.isResident);
          for (let k = 0; k < 3 * list.length; k++) {
            const row = (seed + 7919 * k) % list.length;
            expectRow([urls, first, second][k % 3]!, row, list[row]!);
          }
          const pages = [urls, first, second].reduce((sum, { bytes }) => sum + bytes.length, 0);
          if (!urls.isResident) expect(pages).toBeLessThanOrEqual(Math.max(memoryBytes, 3 * 4 * 512));
        });
      });
      if (!urls.isResident) onDisk++;
      urls.close();
    }),
    { numRuns: 50 },
  );
  expect(onDisk).toBeGreaterThan(10);
});

test('what a thread takes to read a list on disk is given back', () => {
  const row = { url: new Uint8Array(200), hits: 1, min: 2, max: 3, sketch: new Uint8Array(0) };
  const urls = storeOf(Array<Row>(4000).fill(row), 1 << 19, 1);
  expect(urls.isResident).toBe(false);
  const site = urls.share()!;
  const read = () => withSite(site, (lent) => lent.bytes.length + lent.at(0));
  expect(read()).toBeGreaterThan(100_000);
  const before = kernel().heapBytes();
  for (let k = 0; k < 100; k++) read();
  expect(kernel().heapBytes()).toBe(before);
  urls.close();
});

test('two rows fetched in succession are both valid', () => {
  const list = Array.from({ length: 300 }, (_, k): Row => {
    return { url: Buffer.from(`${k}`.padStart(200, 'x')), hits: k, min: k, max: k, sketch: new Uint8Array(0) };
  });
  const urls = storeOf(list, 0);
  expect(urls.isResident).toBe(false);
  for (let k = 0; k < 20_000; k++) {
    const [a, b] = [(k * 7919) % 300, (k * 104_729) % 300];
    const [atA, atB] = [urls.at(a), urls.at(b)];
    expect(urls.minSizeAt(atA)).toBe(a);
    expect(urls.minSizeAt(atB)).toBe(b);
  }
  urls.close();
});

test('the orders are the same whether the URLs are in memory or in pages', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.uint8Array({ min: 60, max: 70, maxLength: 30 }), {
        selector: String,
        size: 'max',
        maxLength: 150,
      }),
      (list) => {
        const sorted = list.toSorted((a, b) => Buffer.compare(a, b));
        const all = sorted.map((url): Row => ({ url, hits: 1, min: -1, max: -1, sketch: new Uint8Array(300) }));
        const stats = { runs: 0, bytes: 0 };
        const [inMemory, inPages] = [1 << 20, 0].map((memoryBytes) => {
          const urls = storeOf(all, memoryBytes);
          const order = orderUrls(urls, { memoryBytes: 500, tmpdir: tmpdir() }, stats);
          urls.close();
          return order;
        });
        expect(inPages).toEqual(inMemory);
        if (list.length > 100) expect(stats.runs).toBeGreaterThan(5);
      },
    ),
    { numRuns: 40 },
  );
});

test.each([
  [40, 1024, 1 << 12],
  [8000, 1024, 1 << 14],
  [65_000, 1024, 1 << 17],
])('URLs of %d bytes and sketches of %d make pages of %d bytes', (url, sketch, page) => {
  expect(pageBytesFor(url, sketch)).toBe(page);
});

const { setForward } = kernel();

/** Tokens of a URL in collation bytes, one text each. */
function tokensOf(url: Uint8Array): string[] {
  const offsets = tokenOffsets(uncollate(url));
  return offsets.slice(1).map((end, k) => Buffer.from(url.subarray(offsets[k], end)).toString('latin1'));
}

/** Two URLs in whole units, with other bytes of both kinds around them, none of which may count. */
function forwardOf(before: Uint8Array | undefined, url: Uint8Array): { tokens: number; shared: number } {
  return inArena(() => {
    const bytes = takeU8(1024).fill(200);
    for (let k = 0; k < bytes.length; k += 3) bytes[k] = 5;
    if (before !== undefined) bytes.set(before, 16);
    bytes.set(url, 512);
    const columns = takeU16(2).fill(9);
    const [tokens, shared, at] = [columns.byteOffset, columns.byteOffset + 2, bytes.byteOffset];
    setForward(tokens, shared, before === undefined ? 0 : at + 16, before?.length ?? 0, at + 512, url.length);
    return { tokens: columns[0]!, shared: columns[1]! };
  });
}

/**
 * Each byte is one of two adjacent values: the last that is a token of its own, and the first of runs; or the extremes;
 * or there are escapes, whole and broken.
 */
const byte = fc
  .constantFrom(24, FIRST_RUN_BYTE - 1, FIRST_RUN_BYTE, 127, 128, 255)
  .map((one) => uncollate(Uint8Array.of(one)));
const part = fc
  .array(
    fc.oneof(
      byte,
      byte,
      fc.constantFrom('%', '%4', '%41', '%4f', '1').map((text) => Buffer.from(text)),
    ),
    {
      maxLength: 24,
      size: 'max',
    },
  )
  .map((pieces) => Buffer.concat(pieces));

test('tokens are counted, and those of the common prefix of two URLs', () => {
  let [inTheMiddle, splitRuns] = [0, 0];
  fc.assert(
    fc.property(part, part, part, (head, a, b) => {
      const [before, url] = [
        [...head, ...a],
        [...head, ...b],
      ].map((raw) => collate(Uint8Array.from(raw))) as [Uint8Array, Uint8Array];
      const [ofBefore, ofUrl] = [tokensOf(before), tokensOf(url)];
      let shared = 0;
      while (shared < ofUrl.length && ofUrl[shared] === ofBefore[shared]) shared++;
      expect(forwardOf(before, url)).toEqual({ tokens: ofUrl.length + 2, shared: shared + 1 });
      if (shared > 0 && shared < ofUrl.length) inTheMiddle++;
      if (head.length > ofUrl.slice(0, shared).join('').length) splitRuns++;
    }),
    { numRuns: 2000 },
  );
  expect(inTheMiddle).toBeGreaterThan(200);
  expect(splitRuns).toBeGreaterThan(100);
});

test('the first URL of a list shares no token, not even START', () => {
  expect(forwardOf(undefined, collate(Buffer.from('/a/b1')))).toEqual({ tokens: 6, shared: 0 });
});

test('a list that keeps some of its rows goes on as if it had only had these', () => {
  let paged = 0;
  fc.assert(
    fc.property(
      rows,
      rows,
      fc.constantFrom(0, 12_000, 1 << 20),
      fc.integer({ min: 1, max: 5 }),
      (list, more, memoryBytes, n) => {
        const store = { memoryBytes, tmpdir: tmpdir(), pageBytes: 512, stats: { runs: 0, bytes: 0 } };
        const urls = new SiteUrls(store);
        urls.clear('site');
        const add = ({ url, hits, min, max, sketch }: Row) => urls.add(url, hits, min, max, sketch);
        const isKept = (row: number) => row % n !== 1;
        for (const row of list) add(row);
        urls.retain(isKept);
        const kept = list.filter((_, row) => isKept(row));
        for (const row of more) add(row);
        urls.retain(() => true);
        urls.freeze();
        if (!urls.isResident) paged++;
        const expected = [...kept, ...more];
        expect(urls.count).toBe(expected.length);
        for (const [row, one] of expected.entries()) expectRow(urls, row, one);
        urls.close();
      },
    ),
    { numRuns: amount(200, 4) },
  );
  expect(paged).toBeGreaterThan(amount(50, 4));
});
