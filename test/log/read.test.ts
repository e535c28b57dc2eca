import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../../src/base/error.js';
import { FORMAT_NAMES } from '../../src/log/format/format.js';
import { MAX_LINE_BYTES } from '../../src/log/lines.js';
import { createReadReport, readRecords } from '../../src/log/read.js';
import { memoryInput, plainOptions, read, total } from './reading.js';

const scraps = [
  '\n1.2.3.4 - - [10/Feb/2012:16:42:07 -0500] "GET /a HTTP/1.1" 200 5\n',
  '\nh.de 1.2.3.4 - - [10/Feb/2012:16:42:07 -0500] "GET /a HTTP/1.1" 200 5\n',
  '\n20090514142101026 200 5 http://h/ P - text/html #1 2 sha1:A - -\n',
  '\n/a,5,200\n',
  '\n/a\t5\n',
  '"GET /a HTTP/1.1" 200 5',
  '[10/Feb/2012:16:42:07 -0500] ',
  '{"url":"/a"}',
  '\r\n',
  '\n',
  '\t',
  ' ',
].concat('1.2.3.4 h.de:80 - " \\" \\x16 404 200 , { } http://h/ /a'.split(' '), [' - ', ' 404 -']);

function anyLog(): fc.Arbitrary<Buffer> {
  const pieces = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...scraps).map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }) },
    ),
    { size: 'medium' },
  );
  return pieces.map((parts) => Buffer.concat(parts));
}

test(
  'every line is a record, dropped or rejected, whatever the input and however it is cut',
  { timeout: 30_000 },
  async () => {
    let records = 0;
    let lines = 0;
    await fc.assert(
      fc.asyncProperty(anyLog(), fc.constantFrom(...FORMAT_NAMES, undefined), fc.nat(40), async (log, format, cut) => {
        const header = format === 'csv' ? 'url,size,status\n' : format === 'tsv' ? 'url\tsize\tstatus\n' : '';
        const bytes = Buffer.concat([Buffer.from(header), log]);
        const whole = await read(bytes, { ...(format && { format }), normalize: 'safe' });
        const { summary, rows, rejects } = whole;
        expect(rows).toHaveLength(summary.records);
        expect(rejects).toHaveLength(total(summary.rejected));
        expect(summary.records + total(summary.dropped) + total(summary.rejected)).toBe(summary.lines);
        expect(await read(bytes, { ...(format && { format }), normalize: 'safe' }, cut + 1)).toEqual(whole);
        records += summary.records;
        lines += summary.lines;
      }),
      { numRuns: 1000 },
    );
    expect(records).toBeGreaterThan(50);
    expect(lines).toBeGreaterThan(10 * 50);
  },
);

test('an empty target is not a URL, even after a longer one was written and withdrawn', async () => {
  const log = Buffer.from(`url,status\n/${'x'.repeat(3000)},200\n,200\n#top,200\n/kept,200\n`);
  const { summary, rows } = await read(log, { format: 'csv', normalize: 'none' });
  expect(rows.map(({ url }) => url)).toEqual(['/kept']);
  expect(summary.rejected).toEqual({ 'no-url': 2, 'url-too-long': 1 });
});

test('a line of many megabytes is rejected without being buffered, those around it are read', async () => {
  const long = Buffer.alloc(5 << 20, 'x');
  const log = Buffer.concat([Buffer.from('/a\n/'), long, Buffer.from('\n/b\n/'), long]);
  for (const pieceBytes of [Infinity, 100_000]) {
    const { rows, summary, rejects } = await read(log, { format: 'urls' }, pieceBytes);
    expect(rows.map((row) => row.url)).toEqual(['/a', '/b']);
    expect(summary.rejected).toEqual({ 'line-too-long': 2 });
    expect(rejects.map(([number, , line]) => [number, line.length])).toEqual([
      [2, MAX_LINE_BYTES + 1],
      [4, MAX_LINE_BYTES + 1],
    ]);
  }
});

test('a line of exactly the maximum length is read', async () => {
  const longest = `/${'x'.repeat(MAX_LINE_BYTES - 1)}`;
  for (const [line, records] of [
    [longest, 1],
    [`${longest}\r`, 1],
    [`${longest}x\r`, 0],
  ] as const) {
    const options = { format: 'urls', maxUrlLength: MAX_LINE_BYTES } as const;
    expect((await read(`${line}\n/b`, options, 65_536)).summary.records).toBe(records + 1);
    expect((await read(`${line}\n/b`, options)).summary.records).toBe(records + 1);
  }
});

test('the length of a URL is checked after composition and normalization', async () => {
  const options = { format: 'urls', maxUrlLength: 21, base: 'http://h.de', normalize: 'safe' } as const;
  expect((await read('/123456789', options)).rows[0]?.url).toBe('http://h.de/123456789');
  expect((await read('/1234567890', options)).summary.rejected).toEqual({ 'url-too-long': 1 });
  expect((await read('/12345678%39', options)).summary.records).toBe(1);
});

test('a base completes paths and leaves full URLs and hosts alone', async () => {
  const { rows, urlForm } = await read('/a\nhttp://x.de/b', { base: 'https://www.h.de/' });
  expect(rows.map((row) => row.url)).toEqual(['https://www.h.de/a', 'http://x.de/b']);
  expect(urlForm).toBe('absolute');
});

test.each(['h.de', 'ftp://h.de', 'http://', 'http://h.de/path', 'http://u:p@h.de', 'http://h.de?x', '/x'])(
  'the base %s is refused',
  async (base) => {
    await expect(read('/a', { base })).rejects.toThrow(UserError);
  },
);

test('the form of the URLs, full or path, is that of all inputs together', async () => {
  expect((await read('/a\n/b')).urlForm).toBe('path');
  expect((await read('http://h/')).urlForm).toBe('absolute');
  expect((await read('/a\nhttp://h/')).urlForm).toBe('mixed');
  expect((await read('')).urlForm).toBe('absolute');
});

test('batches are bounded, and inputs of different formats follow each other', async () => {
  const urls = Buffer.from(Array.from({ length: 10_000 }, (_, k) => `/${k}`).join('\n'));
  const json = Buffer.from('{"url":"http://h/x","size":3}');
  const report = createReadReport();
  const sizes: number[] = [];
  for await (const batch of readRecords([memoryInput(urls), memoryInput(json)], plainOptions, report)) {
    sizes.push(batch.rows);
  }
  expect(sizes).toEqual([4096, 4096, 1808, 1]);
  expect(report.inputs.map((input) => [input.format, input.records])).toEqual([
    ['urls', 10_000],
    ['jsonl', 1],
  ]);
  expect(report.urlForm).toBe('mixed');
});

test('reading can be aborted', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(read('/a', { signal })).rejects.toThrow('enough');
});
