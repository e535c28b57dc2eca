// Formats and filters of the user, read with threads. Threads run compiled files, so this tests those of dist.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeText } from '../../src/base/bytes.js';
import { fileInput } from '../../src/log/inputs.js';
import { createReadReport, type ReadOptions } from '../../src/log/read.js';
import { FIXTURES, scratchFolder } from '../cli/process.js';
import { plainOptions } from './reading.js';

const dist = new URL('../../dist/src/log/parallel.js', import.meta.url).href;
const { readRecordsParallel } = (await import(dist)) as typeof import('../../src/log/parallel.js');

let folder: ReturnType<typeof scratchFolder>;
/** Large enough to be read with threads. */
const text = readFileSync(join(FIXTURES, 'access.log'), 'utf8').repeat(18);
beforeAll(() => {
  folder = scratchFolder();
  writeFileSync(join(folder.path, 'large.log'), text);
  writeFileSync(join(folder.path, 'packed.log.gz'), gzipSync(text.slice(0, text.length >> 2), { level: 1 }));
});
afterAll(() => folder.remove());

async function readAll(threads: number, options: Partial<ReadOptions>, name = 'large.log') {
  const report = createReadReport();
  const inputs = [fileInput(name, join(folder.path, name)), fileInput('packed', join(folder.path, 'packed.log.gz'))];
  const bytes = createHash('sha256');
  let first = '';
  const visitors = createHash('sha256');
  const seen = Array<number>(256).fill(0);
  for await (const batch of readRecordsParallel(inputs, { ...plainOptions, ...options }, report, threads)) {
    if (batch.rows === 0) continue;
    if (first === '') first = decodeText(batch.bytes, batch.urlStart[0], batch.urlEnd[0]);
    bytes.update(batch.bytes.subarray(batch.urlStart[0], batch.urlEnd[batch.rows - 1]));
    if (batch.visitor === null) continue;
    visitors.update(batch.visitor.subarray(0, batch.rows));
    for (let row = 0; row < batch.rows; row++) seen[batch.visitor[row]!]!++;
  }
  const records = report.inputs.reduce((sum, input) => sum + input.records, 0);
  const counts = report.inputs.map((input) => ({ ...input, format: '' }));
  return {
    records,
    first,
    bytes: bytes.digest('hex'),
    seen,
    visitors: visitors.digest('hex'),
    counts,
    urlForm: report.urlForm,
  };
}

/** Only a format string says where a line does not fit: the last one here, which is cut off. */
function withoutMisfits(read: Awaited<ReturnType<typeof readAll>>) {
  return { ...read, counts: read.counts.map((counts) => ({ ...counts, misfit: undefined })) };
}

const logFormat = '%V:%p %h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"';

// Each starts threads, on a machine that may be busy.
const patience = { timeout: 30_000 };

test('a format string gives the records of the named format, with any number of threads', patience, async () => {
  const named = await readAll(1, { format: 'vhost' });
  expect(named.records).toBeGreaterThan(60_000);
  const one = await readAll(1, { logFormat });
  expect(withoutMisfits(one)).toEqual(named);
  expect(one.counts.map(({ misfit }) => misfit?.line)).toEqual([undefined, named.counts[1]!.lines]);
  expect(await readAll(3, { logFormat })).toEqual(one);
});

test('filters leave the same records, and count the same, with any number of threads', patience, async () => {
  const filters = { since: 0, hosts: ['www.*'], exclude: ['*.gif'], onlyDocuments: true, bots: 'only' } as const;
  const one = await readAll(1, { filters });
  expect(one.records).toBeGreaterThan(1000);
  expect(Object.keys(one.counts[0]!.dropped)).toEqual(expect.arrayContaining(['host', 'path', 'not-a-document']));
  for (const threads of [2, 4]) expect(await readAll(threads, { filters })).toEqual(one);
  expect(withoutMisfits(await readAll(4, { filters, logFormat }))).toEqual(one);
});

test('statuses are the same with any number of threads', patience, async () => {
  const readStatuses = async (threads: number) => {
    const inputs = [fileInput('large.log', join(folder.path, 'large.log'))];
    const seen = createHash('sha256');
    const report = createReadReport();
    let others = 0;
    for await (const { rows, status } of readRecordsParallel(
      inputs,
      { ...plainOptions, statuses: true },
      report,
      threads,
    )) {
      if (rows === 0) continue;
      seen.update(new Uint8Array(status!.slice(0, rows).buffer));
      others += status!.subarray(0, rows).filter((one) => one >= 400).length;
    }
    return { seen: seen.digest('hex'), others, dropped: report.inputs[0]!.dropped };
  };
  const one = await readStatuses(1);
  expect(one.others).toBeGreaterThan(100);
  expect(await readStatuses(3)).toEqual(one);
});

test('people and bots are counted the same with any number of threads, and only on request', patience, async () => {
  const one = await readAll(1, { visitors: true });
  expect(one.seen.reduce((sum, count) => sum + count)).toBe(one.records);
  expect(one.seen.slice(2).reduce((sum, count) => sum + count)).toBeGreaterThan(1000);
  for (const threads of [2, 4]) expect(await readAll(threads, { visitors: true })).toEqual(one);
  const plain = await readAll(2, {});
  expect(plain).toMatchObject({ records: one.records, bytes: one.bytes, seen: Array<number>(256).fill(0) });
});

test('a table without header is read with threads from its first line on', patience, async () => {
  const folderOf = (k: number) => `${'a/long/folder/'.repeat(12)}${k}`;
  const lines = Array.from({ length: 48_000 }, (_, k) => `x\t/${folderOf(k)}\t${k}\n`);
  writeFileSync(join(folder.path, 'bare.tsv'), lines.join(''));
  const options = { columns: { url: '2', size: '3' }, format: 'tsv' } as const;
  const [one, three] = [await readAll(1, options, 'bare.tsv'), await readAll(3, options, 'bare.tsv')];
  expect(one.first).toBe(`/${folderOf(0)}`);
  expect(one.counts[0]).toMatchObject({ lines: 48_000, records: 48_000 });
  expect(three).toEqual(one);
});
