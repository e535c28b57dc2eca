// Input that breaks is counted, with a reason and a line number: it is never fatal, and never read as something else.
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/log/format/explain.js';
import { FORMAT_NAMES } from '../../src/log/format/format.js';
import { MAX_LINE_BYTES } from '../../src/log/lines.js';
import { amount } from '../amount.js';
import { read, total } from './reading.js';

const combined = (path: string) =>
  `192.0.2.1 - - [02/Mar/2026:06:00:00 +0000] "GET ${path} HTTP/1.1" 200 9000 "-" "curl/8"`;
const w3c = ['#Fields: date time cs-method cs-uri-stem sc-status', '2026-03-02 06:00:01 GET /w 200'];
const json = '{"method":"GET","path":"/j","status":200}';

async function counted(...lines: readonly string[]) {
  const { rows, summary } = await read(lines.join('\n'));
  expect(summary.lines).toBe(summary.records + total(summary.dropped) + total(summary.rejected));
  return { urls: rows.map(({ url }) => url), ...summary };
}

describe('lines that break', () => {
  it.each([
    ['cut off', [combined('/a'), combined('/b').slice(0, 60), combined('/c')], ['/a', '/c']],
    ['begun in the middle, after a rotation', [combined('/a').slice(50), combined('/b')], ['/b']],
    ['two in one', [combined('/a'), combined('/b').slice(0, 60) + combined('/c'), combined('/d')], ['/a', '/d']],
    ['a hole of zeros', [combined('/a'), '\0'.repeat(5000), combined('/b')], ['/a', '/b']],
  ])('%s are rejected, those around them are read', async (_, lines, urls) => {
    const found = await counted(...lines);
    const bad = lines.findIndex((line) => !/ \[.*\] "GET \/\w HTTP\/1\.1" 200/.test(line) || line.length > 110);
    expect(found).toMatchObject({ format: 'combined', urls, rejected: { 'not-in-format': 1 } });
    expect(found.firsts).toEqual({ 'not-in-format': bad + 1 });
  });

  it('one without an end is too long, whatever comes of it', async () => {
    const long = 'a'.repeat(3 * MAX_LINE_BYTES);
    expect(await counted(combined('/a'), long, combined('/b'))).toMatchObject({
      urls: ['/a', '/b'],
      rejected: { 'line-too-long': 1 },
      firsts: { 'line-too-long': 2 },
    });
    expect(await counted(long)).toMatchObject({ lines: 1, records: 0 });
  });
});

it('of three formats in one pipe the one that reads most is read, and the first line of the others is named', async () => {
  const found = await counted(...Array.from({ length: 5 }, () => combined('/c')), ...w3c, json, json);
  expect(found).toMatchObject({ format: 'combined', records: 5, rejected: { 'not-in-format': 4 } });
  expect(found.misread).toMatchObject({ 'not-in-format': { lines: 4, line: 6, text: w3c[0] } });
});

it('a table that turns into another is not read on as the first', async () => {
  const found = await counted('url,status', '/a,200', 'url,status', '/b,200', 'status,url', '200,/c', '404,/d');
  expect(found).toMatchObject({ format: 'csv', urls: ['/a', '/b'], rejected: { 'bad-status': 4 } });
  expect(found.firsts).toEqual({ 'bad-status': 3 });
});

it('any bytes are counted in any format, and can be explained', { timeout: 120_000 }, async () => {
  const piece = fc.constantFrom(
    ...'" [ ] { } | , ; \\ = / + % # - . : ? & 200 GET HTTP/1.1 2026-03-02 06:00:00 www.h.de 10.0.0.7 /a "log": "entries":'.split(
      ' ',
    ),
    ' ',
    '\t',
    '\0',
    '\xff',
    combined('/a'),
    ...w3c,
    json,
  );
  const text = fc.array(fc.array(piece, { maxLength: 30 }), { maxLength: 8 });
  const options = [{}, ...FORMAT_NAMES.filter((name) => !['csv', 'tsv'].includes(name)).map((format) => ({ format }))];
  let records = 0;
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(...options), async (lines, option) => {
      const bytes = Buffer.from(lines.map((line) => line.join(' ')).join('\n'), 'latin1');
      const { summary } = await read(bytes, option);
      expect(summary.lines).toBe(summary.records + total(summary.dropped) + total(summary.rejected));
      records += summary.records;
      const { lines: all, read: some } = explain(bytes, option);
      expect(some).toBeLessThanOrEqual(all);
    }),
    { numRuns: amount(2000), seed: 42 },
  );
  expect(records).toBeGreaterThan(amount(100));
});
