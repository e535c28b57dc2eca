// Which capture of a URL is its page: a 200 before a redirect, the newest first, in whatever order lines come and
// however often the list is spilled.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factsBytes, readFacts } from '../../src/table/facts.js';
import { type Capture, labelOf } from '../facts.js';
import { siteReaderOf, type TestRecord, urlAt } from '../url-list.js';

interface Captured extends Capture {
  readonly url: string;
  readonly size?: number;
}

const recordOf = ({ url, size, ...capture }: Captured): TestRecord => ({
  url,
  sketch: labelOf(capture),
  ...(size !== undefined && { size }),
});

/** The list in one line a URL. */
function listed(records: readonly TestRecord[], memoryBytes?: number) {
  const reader = siteReaderOf(records, memoryBytes);
  const lines: string[] = [];
  for (let urls = reader.next(); urls !== undefined; urls = reader.next()) {
    for (let row = 0; row < urls.count; row++) {
      const url = urlAt(urls, row);
      const at = urls.at(row);
      const { name, hasChanged, isPage } = urls.factsAt(at) ?? {};
      const end = urls.sketchEndAt(at);
      const sketch = Buffer.from(urls.bytes.subarray(end - urls.sketchLengthAt(at), end)).toString('latin1');
      const numbers = [urls.hitsAt(at), urls.minSizeAt(at), urls.maxSizeAt(at)];
      lines.push(JSON.stringify([url, ...numbers, isPage, Buffer.from(name ?? []).toString(), sketch, hasChanged]));
    }
  }
  reader.close();
  return { lines, runs: reader.stats.runs };
}

const only = (...captures: readonly Omit<Captured, 'url'>[]) =>
  JSON.parse(listed(captures.map((capture) => recordOf({ url: '/a', ...capture }))).lines[0]!) as unknown[];

const OLD = { time: 20240101, sketch: 'old', size: 10 };
const NEW = { time: 20240202, sketch: 'new', size: 99 };
const MOVED = { isPage: false, time: 20250101, name: '/b' };

test.each([
  ['the newest page', [OLD, NEW], ['/a', 2, 99, 99, true, '', 'new', true]],
  ['the newest page, if an older one comes later', [NEW, OLD], ['/a', 2, 99, 99, true, '', 'new', true]],
  ['a page before a redirect', [OLD, MOVED], ['/a', 2, 10, 10, true, '', 'old', null]],
  ['a page behind a redirect', [MOVED, OLD], ['/a', 2, 10, 10, true, '', 'old', null]],
  ['of the same time all sizes', [OLD, { ...OLD, size: 12 }], ['/a', 2, 10, 12, true, '', 'old', null]],
  ['a page that did not change', [OLD, { ...OLD, time: 20240303 }], ['/a', 2, 10, 10, true, '', 'old', false]],
  [
    'without a time the last',
    [
      { sketch: 'x', size: 1 },
      { sketch: 'y', size: 2 },
    ],
    ['/a', 2, 1, 2, undefined, '', 'y'],
  ],
])('the page is %s', (_, captures, expected) => {
  const found = only(...(captures as Omit<Captured, 'url'>[]));
  if (captures.every((capture) => !('time' in capture))) expect(found[6]).toBe('y');
  else expect(found).toEqual(expected);
});

test('a line of a log beside captures widens the sizes, and changes nothing else', () => {
  const records = [recordOf({ url: '/a', ...NEW }), { url: '/a', size: 120 }];
  expect(listed(records).lines).toEqual([JSON.stringify(['/a', 2, 99, 120, true, '', 'new', undefined])]);
});

const captures = fc.array(
  fc.record({
    url: fc.integer({ min: 0, max: 40 }).map((k) => `/p/${k}/${'x'.repeat(80)}`),
    isPage: fc.boolean(),
    time: fc.integer({ min: 1, max: 6 }),
    name: fc.constantFrom('', '/n', '/m'),
    sketch: fc.constantFrom('a', 'b'),
    size: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 100, maxLength: 300 },
);

test('captures of different times give one list in any order, and in any memory', { timeout: 60_000 }, () => {
  let spilled = 0;
  fc.assert(
    fc.property(captures, fc.integer({ min: 1, max: 1000 }), (some, seed) => {
      const byUrl = new Map<string, number>();
      // One capture a time: of two at once, the last counts.
      const apart = some.map((one) => {
        const time = (byUrl.get(one.url) ?? 0) + 1;
        byUrl.set(one.url, time);
        return { ...one, time, ...(one.isPage ? {} : { sketch: '', size: undefined }) };
      });
      const records = apart.map(({ size, ...rest }) => recordOf(size === undefined ? rest : { ...rest, size }));
      const shuffled = records.map((one, k) => [Math.imul(k + 1, seed * 2654435761) >>> 0, one] as const);
      const other = shuffled.sort(([a], [b]) => a - b).map(([, one]) => one);
      const { lines } = listed(records);
      expect(listed(other).lines).toEqual(lines);
      const small = listed(other, 1 << 13);
      spilled += small.runs;
      expect(small.lines).toEqual(lines);
    }),
    { numRuns: 20, seed: 43, endOnFailure: true },
  );
  expect(spilled).toBeGreaterThan(20);
});

test('bytes that begin like facts and are none are a sketch', () => {
  const lengthOf = (text: string) => factsBytes(Buffer.from(text, 'latin1'), 0, text.length);
  expect(lengthOf(labelOf({ name: '/b', sketch: 'x' }))).toBe(18);
  for (const text of ['', '\x01', '\x01\x00\x00', `\x01\xff${'x'.repeat(40)}`, `\x01\x01\xff\xff${'x'.repeat(40)}`])
    expect(lengthOf(text)).toBe(0);
  const hostile = `\x01\x01\x00\x03${'x'.repeat(2000)}`;
  const { lines } = listed([
    { url: '/a', sketch: hostile, size: 5 },
    { url: '/b', sketch: `\x01${'\xff'.repeat(20)}` },
  ]);
  expect(lines.length).toBe(2);
  expect(readFacts(Buffer.from(hostile, 'latin1'), 0, hostile.length)!.name.length).toBe(0x300);
});
