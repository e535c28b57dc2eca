// Every format read with threads, compared with one thread. Threads run compiled files, so this tests those of dist.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '../../../src/log/bytes.js';
import { PART_BYTES } from '../../../src/log/parts.js';
import { fileInput } from '../../../src/log/inputs.js';
import { createReadReport } from '../../../src/log/read.js';
import { scratchFolder } from '../../cli/process.js';
import { plainOptions } from '../reading.js';
import { NAMED } from './samples.js';

const dist = new URL('../../../dist/src/log/parallel.js', import.meta.url).href;
const { readRecordsParallel } = (await import(dist)) as typeof import('../../../src/log/parallel.js');

let folder: ReturnType<typeof scratchFolder>;
let inputs: readonly Input[];
beforeAll(() => {
  folder = scratchFolder();
  inputs = NAMED.map(({ name, text }) => {
    const path = join(folder.path, name);
    writeFileSync(path, text.repeat(Math.ceil((PART_BYTES * 1.2) / text.length)));
    return fileInput(name, path);
  });
});
afterAll(() => folder.remove());

async function readAll(threads: number) {
  const report = createReadReport();
  const rejects = createHash('sha256');
  const rows = createHash('sha256');
  const onReject = (name: string, line: number, cause: string) => void rejects.update(`${name}:${line} ${cause}\n`);
  let count = 0;
  for await (const batch of readRecordsParallel(inputs, { ...plainOptions, onReject }, report, threads)) {
    for (let row = 0; row < batch.rows; row++) {
      rows.update(batch.bytes.subarray(batch.urlStart[row], batch.urlEnd[row]));
      rows.update(`${batch.size[row]}`);
      rows.update(batch.bytes.subarray(batch.sketchStart[row], batch.sketchEnd[row]));
    }
    count += batch.rows;
  }
  return { rows: rows.digest('hex'), rejects: rejects.digest('hex'), inputs: report.inputs, count };
}

test('any number of threads gives the rows, rejects and counts of one', { timeout: 60_000 }, async () => {
  const one = await readAll(1);
  expect(one.inputs.map(({ format }) => format)).toEqual(NAMED.map(({ format }) => format));
  expect(one.count).toBeGreaterThan(50_000);
  for (const threads of [2, 3, 4]) expect(await readAll(threads)).toEqual(one);
});
