// Files read with threads, compared with one thread. Threads run compiled files, so this tests those of dist.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeText } from '../../src/base/bytes.js';
import type { Input } from '../../src/log/bytes.js';
import { fileInput } from '../../src/log/inputs.js';
import { createReadReport, type ReadOptions } from '../../src/log/read.js';
import { FIXTURES, scratchFolder } from '../cli/process.js';
import { memoryInput, plainOptions, rowsOf } from './reading.js';
import { rows } from '../amount.js';

const dist = new URL('../../dist/src/log/parallel.js', import.meta.url).href;
const { readRecordsParallel } = (await import(dist)) as typeof import('../../src/log/parallel.js');

let folder: ReturnType<typeof scratchFolder>;
const text = readFileSync(join(FIXTURES, 'access.log'), 'utf8');
/** Large enough to be read with threads. */
let large: Input;

beforeAll(() => {
  folder = scratchFolder();
  large = write('large.log', `${text.repeat(18)}broken\n\n${text}`);
});
afterAll(() => folder.remove());

function write(name: string, bytes: string | Buffer): Input {
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  return fileInput(name, path);
}

/** `pauseMs`: before the second batch, so that the threads, and not the caller, have read the next parts by then. */
async function readAll(
  inputs: readonly Input[],
  threads: number,
  options: Partial<ReadOptions> = {},
  pauseMs: number = 0,
) {
  const report = createReadReport();
  const rejects: string[] = [];
  const onReject: ReadOptions['onReject'] = (input, number, cause, line) =>
    rejects.push(`${input}:${number} ${cause} ${decodeText(line).slice(0, 50)}`);
  const rows = createHash('sha256');
  let batches = 0;
  for await (const batch of readRecordsParallel(inputs, { ...plainOptions, onReject, ...options }, report, threads)) {
    rows.update(
      rowsOf(batch)
        .map(({ url, size, sketch }) => `${url} ${size} ${sketch}\n`)
        .join(''),
    );
    if (batches++ === 0) await setTimeout(pauseMs);
  }
  return { rows: rows.digest('hex'), rejects, inputs: report.inputs, urlForm: report.urlForm };
}

test('any number of threads gives the rows, rejects and counts of one, in order', { timeout: 60_000 }, async () => {
  const csv = `url,size,note\n${Array.from({ length: 9000 }, (_, k) => `/c${k},${k},"a\nb ""${k}"""\n`).join('')}"open\n/x\n`;
  const tsv = `url\tsize\n${Array.from({ length: 200_000 }, (_, k) => `/t${k}\t${k % 7 === 0 ? 'x' : k}\n`).join('')}`;
  const packed = gzipSync(text.repeat(2));
  const inputs = [
    write('small.log', text),
    large,
    write('packed.log.gz', packed),
    memoryInput(Buffer.from('/from/memory\n')),
    write('table.csv', csv),
    write('table.tsv', tsv),
    write('empty.log', ''),
    write('cut.log.gz', packed.subarray(0, packed.length >> 1)),
    fileInput('gone.log', join(folder.path, 'gone.log')),
    write('last.log', text),
  ];
  const one = await readAll(inputs, 1);
  expect(one.inputs.map(({ format }) => format).join(' ')).toBe(
    'vhost vhost vhost urls csv tsv unknown vhost unknown vhost',
  );
  expect(
    one.inputs
      .map(({ truncated }) => truncated)
      .map(Number)
      .join(''),
  ).toBe('0000000110');
  expect(one.rejects).toContain('large.log:60985 not-in-format broken');
  expect(one.rejects.some((line) => line.startsWith('table.tsv:199999 '))).toBe(true);
  expect(one.urlForm).toBe('mixed');
  expect(await readAll(inputs, 2)).toEqual(one);
  for (const threads of rows([2, 4], 2)) expect(await readAll(inputs, threads, {}, 500)).toEqual(one);
});

test('an error that concerns the whole file is an error for the user, from whichever thread it comes', async () => {
  const csv = write('no-url.csv', 'a,b\n1,2\n');
  await expect(readAll([large, csv], 3, { format: 'csv' })).rejects.toThrow(/none of which is known to be the URL/);
  await expect(readAll([large], 3, { columns: { no: 'x' } })).rejects.toThrow(/is no column/);
});

test('threads read a few parts ahead, not the whole file', async () => {
  const line = (at: number) => `http://h/page-${String(at).padStart(7, '0')}\n`;
  const lines = 1_200_000; // of 22 bytes: 26 parts
  const input = write('ahead.urls', Array.from({ length: lines }, (_, at) => line(at)).join(''));
  const reading = readRecordsParallel([input], plainOptions, createReadReport(), 3);
  await reading.next();
  // A consumer that is so slow makes threads wait, so the end, which is written now, has not been read yet.
  await setTimeout(1000);
  const fd = openSync(join(folder.path, 'ahead.urls'), 'r+');
  writeSync(fd, line(9_999_999), (lines - 1) * 22);
  closeSync(fd);
  let last = '';
  for await (const batch of reading) last = rowsOf(batch).at(-1)!.url;
  expect(`${last}\n`).toBe(line(9_999_999));
});

test('reading can be aborted, and leaves no thread and no open file', async () => {
  const controller = new AbortController();
  const report = createReadReport();
  const reading = readRecordsParallel([large, large], { ...plainOptions, signal: controller.signal }, report, 4);
  await reading.next();
  controller.abort(new Error('enough'));
  await expect(async () => {
    for await (const _ of reading);
  }).rejects.toThrow('enough');
  const half = readRecordsParallel([large], plainOptions, report, 4);
  await half.next();
  await half.return(undefined);
  // The lowest free descriptor: it would be higher if files had stayed open.
  const fd = openSync(join(folder.path, 'large.log'), 'r');
  closeSync(fd);
  expect(fd).toBeLessThan(60);
  expect(report.inputs).toEqual([]);
});
