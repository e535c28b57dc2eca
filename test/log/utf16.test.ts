import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { fileInput } from '../../src/log/inputs.js';
import { readRecordsParallel } from '../../src/log/parallel.js';
import { createReadReport } from '../../src/log/read.js';
import { utf16Of } from '../../src/log/utf16.js';
import { scratchFolder } from '../cli/process.js';
import { plainOptions, read, rowsOf, type Row } from './reading.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());

const line = (path: string) => `::1 - - [10/Feb/2026:16:42:07 +0000] "GET ${path} HTTP/1.1" 200 368 "-" "x"`;
const text = ['/a?b=1', '/kód', '/日本', '/😀?c', '/%20'].map(line).join('\r\n') + '\r\n';
const little = Buffer.from(text, 'utf16le');
const big = Buffer.from(little).swap16();
const withMark = (bytes: Buffer) =>
  Buffer.concat([bytes === little ? Buffer.of(0xff, 0xfe) : Buffer.of(0xfe, 0xff), bytes]);

const forms: readonly (readonly [string, Buffer])[] = [
  ['little-endian', little],
  ['big-endian', big],
  ['little-endian with a mark', withMark(little)],
  ['big-endian with a mark', withMark(big)],
];

test.each(forms)('UTF-16, %s, is read as UTF-8, wherever it is cut', async (_, bytes) => {
  const { rows } = await read(text);
  expect(rows).toHaveLength(5);
  for (const pieceBytes of [1, 2, 3, 5, 7, 64, Infinity]) {
    const reading = await read(bytes, {}, pieceBytes);
    expect(reading.rows).toEqual(rows);
    expect(reading.summary).toMatchObject({ format: 'combined', lines: 5, records: 5, truncated: false });
  }
  expect((await read(gzipSync(bytes))).rows).toEqual(rows);
});

test.each(forms)('a file in UTF-16, %s, is not read in parts', async (_, bytes) => {
  const path = join(scratch.path, 'access.log');
  writeFileSync(path, bytes);
  const report = createReadReport();
  const rows: Row[] = [];
  for await (const batch of readRecordsParallel([fileInput(path, path)], plainOptions, report, 1))
    rows.push(...rowsOf(batch));
  expect(rows).toEqual((await read(text)).rows);
});

test('half a character at the end, or half a pair, costs that character only', async () => {
  const [urls] = [Buffer.from('/a\n/b😀\n/c\n', 'utf16le')];
  expect((await read(urls.subarray(0, urls.length - 1))).rows.map(({ url }) => url)).toEqual([
    '/a',
    '/b😀',
    '/c\ufffd',
  ]);
  const halved = Buffer.concat([urls.subarray(0, 12), urls.subarray(14)]);
  expect((await read(halved)).rows.map(({ url }) => url)).toEqual(['/a', '/b\ufffd', '/c']);
});

test('text with NUL bytes is not UTF-16', () => {
  for (const head of ['/a\n\0', '\0\0\0\0', 'ab\0c', 'a\0', '', '\0a\0\0', 'http'])
    expect(utf16Of(Buffer.from(head, 'latin1'))).toBeNull();
});
