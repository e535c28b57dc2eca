// A crawl of everything that is wrong with crawls: every record is a page or is counted with a reason, and the good page
// at its end is still found.
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { emptyCrawlCounts, recordsOf } from '../../src/pages/crawl.js';
import type { PageRecord } from '../../src/pages/record.js';
import { createContentMaker } from '../../src/pages/sketching.js';
import { isFew } from '../amount.js';
import { scratchFolder } from '../cli/process.js';
import { OK, pack, record, shelfIn } from '../log/warc/compose.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());

const COPIES = 500;
const HUGE = 200 << 20;
const url = (name: string) => `http://h.example/${name}`;
const deep = '<div><b><svg><template>'.repeat(50_000);
const packed = gzipSync('<p>a page in chunks and packed');
const chunked = Buffer.concat([Buffer.from(`${packed.length.toString(16)}\r\n`), packed, Buffer.from('\r\n0\r\n\r\n')]);
const coded = [...OK, 'Transfer-Encoding: chunked', 'Content-Encoding: gzip'];

const BAD = [
  record({ url: url('longer'), body: 'x', lie: 50 }),
  record({ url: url('shorter'), body: '<p>a page that is longer than it says', lie: -5 }),
  record({ url: url('chunked'), http: coded, body: chunked }),
  record({ url: url('cut'), http: coded, body: chunked.subarray(0, 20) }),
  record({ url: url('lie'), http: ['HTTP/1.1 200 OK', 'Content-Type: text/html; charset=utf-16'], body: 'På dansk.' }),
  record({ url: url('no-charset'), http: ['HTTP/1.1 200 OK', 'Content-Type: text/html; charset=\u0000'], body: 'odd' }),
  record({
    url: url('huge'),
    http: [...OK, 'Content-Encoding: gzip'],
    body: gzipSync(Buffer.alloc(HUGE, 'a '), { level: 1 }),
  }),
  record({ url: url('word'), body: 'word' }),
  record({ url: url('deep'), body: deep }),
  record({ url: url('open'), body: '<a href="'.repeat(100_000) }),
  record({ url: url('junk'), body: Buffer.from(Array.from({ length: 5000 }, (_, k) => (k * 7919) % 251)) }),
  ...Array.from({ length: COPIES }, (_, k) => record({ url: url(`copy/${k}`), body: '<p>the same page again' })),
  record({ url: url('good'), body: '<p>a page as it should be' }),
];

test.skipIf(isFew)('a crawl of bad records is read to its end, and everything is counted', async () => {
  const whole = pack(BAD, 'by record');
  const archive = await shelfIn(scratch.path).open([Buffer.concat([whole, whole.subarray(0, 60)])]);
  const counts = emptyCrawlCounts();
  const sizes = { words: 4, minima: 128, hasLinks: true, chunkLines: 4 };
  const records = new Map<string, PageRecord>();
  const sketch = async (pages: readonly Parameters<ReturnType<typeof createContentMaker>>[0][]) =>
    pages.map(createContentMaker(sizes));
  for await (const one of recordsOf(archive.each(), sketch, 2, counts)) records.set(one.url, one);
  await archive.close();

  expect(archive.damages.map(({ reason }) => reason)).toEqual([
    'the record is shorter than its Content-Length',
    'the gzip data ends too early',
  ]);
  expect(counts.unusable).toEqual({ 'too-large': 1, decoding: 1, 'cut-short': 0, 'no-original': 0 });
  expect(records.size).toBe(COPIES + 8);
  const sketchOf = (name: string) => records.get(url(name))?.page?.sketch;
  expect(new Set(Array.from({ length: COPIES }, (_, k) => sketchOf(`copy/${k}`))).size).toBe(1);
  expect(sketchOf('word')).toMatch(/^db1-4-128-1-/);
  expect(sketchOf('deep')).toBeUndefined();
  expect(sketchOf('chunked')).toBeDefined();
  expect(sketchOf('good')).toBeDefined();
});
