// A log read in two ranges gives the same as in one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileInput } from '../../src/log/inputs.js';
import { createReadReport } from '../../src/log/read.js';
import { scratchFolder } from '../cli/process.js';
import { memoryInput, plainOptions, readInput, type Reading } from './reading.js';

// Threads run compiled files.
const dist = new URL('../../dist/src/log/parallel.js', import.meta.url).href;
const { readRecordsParallel } = (await import(dist)) as typeof import('../../src/log/parallel.js');

const time = '[10/Feb/2012:16:42:07 -0500]';
const logs: Record<string, string> = {
  vhost: Array.from(
    { length: 9 },
    (_, k) => `h.de:443 1.2.3.4 - - ${time} "GET /${k} HTTP/1.1" 200 ${k} "-" "x"\n`,
  ).join(''),
  urls: 'http://h/a\r\n\n  /b \nHTTP://h/\nnothing\n/ö\n',
  csv: 'note,url,status\nx,/a,200\n"x\r\ny ""z"" ",/b,200\nx,/c,404\nx,/d,200\n',
  tsv: '\ufeffsize\turl\r\n5\t/a\r\n\t/b"\r\n\r\nx\t/c\n7\t/d\n',
  jsonl: '{"url":"/ä","size":5}\r\n{"url":\n{"url":"/b"}\n',
};

/** The combined counts of two readings of one input. */
function together(readings: readonly Reading[]): unknown {
  const rows = readings.flatMap((reading) => reading.rows);
  const sum = { lines: 0, records: 0 };
  for (const { summary } of readings) {
    sum.lines += summary.lines;
    sum.records += summary.records;
  }
  const causes = readings.flatMap(({ rejects }) => rejects.map(([, cause, line]) => [cause, line]));
  return { rows, ...sum, causes };
}

describe.each(Object.entries(logs))('%s', (format, log) => {
  const text = Buffer.from(log).subarray(log.startsWith('\ufeff') ? 3 : 0);
  const cuts = Array.from(text.keys()).filter((at) => at > 0 && text[at - 1] === 0x0a);

  test('reads the same in two ranges, wherever a record begins', async () => {
    const whole = await readInput(memoryInput(Buffer.from(log)));
    expect(whole.summary.format).toBe(format);
    let checked = 0;
    for (const cut of cuts) {
      if (text.subarray(0, cut).filter((byte) => byte === 0x22).length % 2 === 1) continue; // inside quotes
      for (const packed of [Buffer.from(log), gzipSync(log)]) {
        const input = memoryInput(packed, 7);
        const first = await readInput({ ...input, range: { start: 0, end: cut } });
        const second = await readInput({ ...input, range: { start: cut, end: text.length } });
        expect(together([first, second])).toEqual(together([whole]));
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(3);
  });
});

describe('by threads', { timeout: 60_000 }, () => {
  let folder: ReturnType<typeof scratchFolder>;
  beforeAll(() => (folder = scratchFolder()));
  afterAll(() => folder.remove());

  const lines = Array.from({ length: 120_000 }, (_, k) => `http://h.de/${'x'.repeat(90)}/${k}\t${k}\n`);
  const log = Buffer.from(`url\tsize\n${lines.join('')}`);

  async function sizesIn(path: string, start: number, end: number): Promise<number[]> {
    const input = { ...fileInput('log', path), range: { start, end } };
    const sizes: number[] = [];
    for await (const batch of readRecordsParallel([input], plainOptions, createReadReport(), 3)) {
      for (let row = 0; row < batch.rows; row++) sizes.push(batch.size[row]!);
    }
    return sizes;
  }

  test.each(['plain', 'packed'])('a %s file is read from where the range begins to where it ends', async (how) => {
    const path = join(folder.path, how);
    writeFileSync(path, how === 'plain' ? log : gzipSync(log));
    const random = fc.sample(fc.integer({ min: 1, max: 20_000 }), { numRuns: 2, seed: 7 });
    for (const line of [1, random[0]!]) {
      const start = log.indexOf(lines[line]!);
      const end = log.indexOf(lines[line + 90_000]!);
      const sizes = await sizesIn(path, start, end);
      expect(sizes).toEqual(Array.from({ length: 90_000 }, (_, k) => line + k));
    }
  });
});
