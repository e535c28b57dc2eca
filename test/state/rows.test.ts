// Rows survive being written to runs.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { mergeSorted } from '../../src/base/merge.js';
import type { Row } from '../../src/base/row.js';
import { joined, RowBytes, rowsOfSites } from '../../src/state/rows.js';
import { sketchStart } from '../../src/state/visits.js';
import { UrlListBuilder } from '../../src/table/url-list.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { amount } from '../amount.js';
import { batchOf, type TestRecord } from '../url-list.js';

interface PlainRow {
  readonly key: string;
  readonly numbers: readonly number[];
  readonly sketch: string;
}

function plain(row: Row): PlainRow {
  const { bytes, keyStart, keyEnd, end } = row;
  const [hits, ...sizes] = new Float64Array(bytes.slice(keyEnd, keyEnd + 24).buffer);
  const sketch = decodeText(bytes, sketchStart(row), end);
  return { key: decodeText(bytes, keyStart, keyEnd), numbers: [Math.abs(hits!), ...sizes], sketch };
}

function sitesOf(records: readonly TestRecord[], memoryBytes = 1 << 20) {
  const limits = { memoryBytes, tmpdir: tmpdir() };
  const list = new UrlListBuilder(createSiteOf('domain'), limits, { runs: 0, bytes: 0 });
  list.add(batchOf(records));
  return list.finish();
}

function runOf(records: readonly TestRecord[]) {
  const rows = new RowBytes();
  for (const row of rowsOfSites(sitesOf(records))) rows.add(row);
  const bytes = Buffer.from(rows.toBase64(), 'base64');
  const read = (target: Uint8Array, position: number) => {
    const part = bytes.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  };
  return { file: { read }, start: 0, end: bytes.length };
}

const record = fc.record({
  url: fc.constantFrom(
    'http://a.de/',
    'http://a.de/x',
    'https://b.c.de/?y=1',
    '/p',
    'http://\xff.de/',
    'http://\xfe.de/',
  ),
  size: fc.constantFrom(-1, 0, 5, 7),
  sketch: fc.constantFrom('', 's', 'sketch', 't'.repeat(100)),
});

test('the rows of several lists, joined, are those of one list of all records', () => {
  fc.assert(
    fc.property(fc.array(fc.array(record, { maxLength: 12 }), { minLength: 1, maxLength: 5 }), (nights) => {
      const whole = Array.from(rowsOfSites(sitesOf(nights.flat())), plain);
      const rows = mergeSorted(nights.map(runOf), 1 << 16);
      const days = nights.map((_, night) => 20_000 + night);
      expect(Array.from(joined({ rows, days }, days.at(-1)!), plain)).toEqual(whole);
      rows.close();
    }),
    { numRuns: amount(100, 3) },
  );
});

test('rows come in the order of their keys, also for hosts that are not text, in any memory', () => {
  const urls = ['\xff.de', '\xfe.de', '\xc3\xa4.de', 'z.de', '\xef\xbf\xbf.de', '\xf0\x9f\x98\x80.de'].flatMap((host) =>
    Array.from({ length: 40 }, (_, k) => ({ url: `http://${host}/${k * 7}`, size: k })),
  );
  const few = Array.from(rowsOfSites(sitesOf(urls)), plain);
  expect(few.length).toBe(urls.length);
  const keys = few.map(({ key }) => Buffer.from(encodeText(key)));
  expect(keys.toSorted((a, b) => Buffer.compare(a, b))).toEqual(keys);
  expect(Array.from(rowsOfSites(sitesOf(urls, 1 << 13)), plain)).toEqual(few);
});
