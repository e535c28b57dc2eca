// What a crawl says of its URLs beside size and sketch is in front of the sketch, whoever read the line.
import { expect, test } from 'vitest';
import { languagesIn, timeIn } from '../../src/log/facts.js';
import { PartParser, sourceOf } from '../../src/log/part-parser.js';
import { readFacts } from '../../src/table/facts.js';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { labelOf, type Capture } from '../facts.js';
import { plainOptions, read, rowsOf } from './reading.js';

/** The label as the rows of a batch show it. */
const shown = (capture: Capture) => decodeText(Buffer.from(labelOf(capture), 'latin1'));

const span = (text: string) => ({ bytes: Buffer.from(text), start: 0, end: Buffer.byteLength(text) });

test.each([
  ['20140126200624', 20140126200624],
  ['2014-01-26T20:06:24.123Z', 20140126200624],
  ['2014-01-26 20:06:24+02:00', 20140126200624],
  ['1700000000', 1700000000],
  ['1700000000.5', 1700000000],
  ['20140126200624999', 20140126200624],
  ['-', 0],
  ['', 0],
  ['null', 0],
])('the time %j is %d', (text, time) => expect(timeIn(span(text))).toBe(time));

test.each([
  ['eng', 'eng,deu', true],
  ['en-US', 'en_GB', true],
  ['["eng"]', 'ENG', true],
  ['eng', 'deu', false],
  ['zh-Hant-TW', 'de', false],
])('%s and %s have a common language: %s', (a, b, isCommon) => {
  expect((languagesIn(span(a)) & languagesIn(span(b))) !== 0).toBe(isCommon);
});

test.each(['', '-', 'und', 'unknown', 'null', '12', 'x-y-z', '\xff\xfe', 'a'.repeat(300)])(
  '%j is no language',
  (text) => expect(languagesIn(span(text.replace('x-y-z', 'x-y-z'))) & ~0).toBe(0),
);

const CDXJ =
  'h)/a 20240102030405 {"url": "http://h/a", "status": "200", "digest": "AAA"}\n' +
  'h)/b 20240102030405 {"url": "http://h/b", "status": "301", "digest": "BBB"}\n' +
  'h)/c 20240102030405 {"url": "http://h/c", "status": "200"}\n';
const TSV =
  'url\tfetch_time\tfetch_status\tcontent_digest\nhttp://h/a\t2024-01-02 03:04:05.000\t200\tAAA\n' +
  'http://h/b\t2024-01-02 03:04:05.000\t301\tBBB\nhttp://h/c\t2024-01-02 03:04:05.000\t200\t-\n';
const JSONL =
  '{"url":"http://h/a","time":"2024-01-02T03:04:05Z","status":200,"digest":"AAA"}\n' +
  '{"url":"http://h/b","time":"2024-01-02T03:04:05Z","status":301,"digest":"BBB"}\n' +
  '{"url":"http://h/c","time":"2024-01-02T03:04:05Z","status":200}\n';

test.each([
  ['CDXJ', CDXJ],
  ['tabs', TSV],
  ['JSON', JSONL],
])('the kernel and JavaScript write the time of a capture, and only for its sketch: %s', async (_, text) => {
  const label = shown({ time: 20240102030405, sketch: 'AAA' });
  const expected = [
    ['http://h/a', label],
    ['http://h/b', ''],
    ['http://h/c', ''],
  ];
  const pairs = (rows: readonly { url: string; sketch: string }[]) => rows.map(({ url, sketch }) => [url, sketch]);
  expect(pairs((await read(text, { facts: true })).rows)).toEqual(expected);
  const head = Buffer.from(text);
  const parser = new PartParser({ ...plainOptions, facts: true, memory: 'heap', wantsRejects: false, wantsWays: true });
  const source = sourceOf(0, { path: '', head, start: 0, size: head.length }, plainOptions)!;
  const body = head.subarray(source.header === null ? 0 : text.indexOf('\n') + 1);
  const { batches, counts } = parser.parseText(
    { ...source, header: source.header && { ...source.header, start: -1 } },
    body,
    0,
  );
  expect(pairs(batches.flatMap(rowsOf))).toEqual(expected);
  expect(counts.ways?.kernel).toBe(3);
  // Without facts, sketches are bare.
  expect(pairs((await read(text)).rows)[0]).toEqual(['http://h/a', 'AAA']);
});

test('names, languages and time of a table', async () => {
  const text =
    'url,fetch_status,fetch_redirect,canonical,content_languages,digest,time\n' +
    'http://h/a?x,200,,/a,"eng,deu",AAA,20240102\nhttp://h/b,301,http://i/c,,,BBB,20240103\nhttp://h/d,200,,http://h/d,,,\n' +
    'http://h/e,404,http://h/f,,,,\n';
  const { rows } = await read(text, { facts: true });
  const facts = rows.map(({ url, sketch }) => {
    const bytes = encodeText(sketch);
    const found = readFacts(bytes, 0, bytes.length);
    return [
      url,
      found && Buffer.from(found.name).toString(),
      found?.isPage,
      (found?.languages ?? 0) > 0,
      sketch.slice(-3),
    ];
  });
  expect(facts).toEqual([
    ['http://h/a?x', 'http://h/a', true, true, 'AAA'],
    ['http://h/a', undefined, undefined, false, ''],
    ['http://h/b', 'http://i/c', false, false, 'i/c'],
    ['http://i/c', undefined, undefined, false, ''],
    ['http://h/d', 'http://h/d', true, false, 'h/d'],
  ]);
});

test('a name of many bytes is not kept, and a sketch of many is', async () => {
  const [long, sketch] = ['a'.repeat(1500), 's'.repeat(9000)];
  const text = `url\tcanonical\tsketch\ttime\nhttp://h/a\thttp://h/${long}\t${sketch}\t2024\n`;
  const { rows } = await read(text, { facts: true });
  expect(rows[0]!.sketch).toBe(shown({ time: 2024, sketch }));
  expect(rows[1]!.url).toBe(`http://h/${long}`);
});
