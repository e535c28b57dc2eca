// Compressed files and sitemaps read with threads, compared with one thread. Threads run compiled files: those of dist.
import { Buffer } from 'node:buffer';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '../../src/log/bytes.js';
import { hashBytes } from '../../src/base/hash.js';
import { fileInput } from '../../src/log/inputs.js';
import { createReadReport } from '../../src/log/read.js';
import { scratchFolder } from '../cli/process.js';
import { PACKED, TEXT } from './packed.js';
import { plainOptions, rowsOf } from './reading.js';
import { rows as some } from '../amount.js';

const dist = new URL('../../dist/src/log/parallel.js', import.meta.url).href;
const { readRecordsParallel } = (await import(dist)) as typeof import('../../src/log/parallel.js');

let folder: ReturnType<typeof scratchFolder>;
const inputs: Input[] = [];
const TIMES = 120;

beforeAll(() => {
  folder = scratchFolder();
  // Large enough to be read with threads.
  write('plain', Buffer.concat(Array.from({ length: 3000 }, () => TEXT)));
  for (const [kind, packed] of Object.entries(PACKED)) {
    const many = Buffer.concat(Array.from({ length: TIMES }, () => packed));
    write(kind, many);
    write(`${kind}-cut`, many.subarray(0, -10));
    write(`${kind}-damaged`, Buffer.from(many).fill(0xff, 10_000, 10_040));
  }
  const entries = Array.from({ length: 30_000 }, (_, k) => `<url><loc>http://h/${k}</loc></url>\n`);
  write('sitemap.xml', Buffer.from(`<urlset>${entries.join('')}</urlset>`));
  write('sitemap', gzipSync(`<urlset>${entries.join('')}`));
});
afterAll(() => folder.remove());

function write(name: string, bytes: Buffer): void {
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  inputs.push(fileInput(name, path));
}

async function readAll(threads: number) {
  const report = createReadReport();
  let rows = 0;
  let hash = 0;
  for await (const batch of readRecordsParallel(inputs, plainOptions, report, threads)) {
    rows += batch.rows;
    const { bytes, urlStart, urlEnd } = batch;
    for (let row = 0; row < batch.rows; row++) hash = hashBytes(bytes, urlStart[row]!, urlEnd[row]!, hash);
    if (rows < 10_000) rowsOf(batch);
  }
  return { rows, hash, inputs: report.inputs };
}

test('any number of threads gives the records and the problems of one', { timeout: 30_000 }, async () => {
  expect(inputs.reduce((sum, { name }) => sum + statSync(join(folder.path, name)).size, 0)).toBeGreaterThan(8 << 20);
  const one = await readAll(1);
  for (const { name, records, truncated, reason } of one.inputs) {
    const isBad = /-cut|-damaged|sitemap$/.test(name);
    expect([name, truncated, reason !== undefined]).toEqual([name, isBad, isBad]);
    if (name in PACKED) expect(records).toBe(TIMES * 40);
    if (name.endsWith('-cut')) expect(records).toBeGreaterThanOrEqual((TIMES - 1) * 40);
    if (name.startsWith('sitemap')) expect(records).toBe(30_000);
  }
  for (const threads of some([2, 3, 4], 3)) expect(await readAll(threads)).toEqual(one);
});
