// Which way each line of a log went: every line that counts has one, and it is the same for any number of threads.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { Input } from '../../src/log/bytes.js';
import { fileInput } from '../../src/log/inputs.js';
import { createReadReport, type ReadOptions, readRecords } from '../../src/log/read.js';
import type { LineWays } from '../../src/log/record.js';
import { FIXTURES, scratchFolder } from '../cli/process.js';
import { SAMPLES } from './format/samples.js';
import { memoryInput, plainOptions } from './reading.js';

const dist = new URL('../../dist/src/log/parallel.js', import.meta.url).href;
const { readRecordsParallel } = (await import(dist)) as typeof import('../../src/log/parallel.js');

const folder = scratchFolder();
afterAll(() => folder.remove());

function write(name: string, bytes: string | Buffer): Input {
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  return fileInput(name, path);
}

/** The ways of each input, and its lines by the counts. */
async function waysOf(inputs: readonly Input[], threads: number, options: Partial<ReadOptions> = {}) {
  const ways = new Map<string, LineWays>();
  const report = createReadReport();
  const listening = { ...plainOptions, ...options, onWays: (name: string, of: LineWays) => ways.set(name, of) };
  for await (const _ of readRecordsParallel(inputs, listening, report, threads));
  return report.inputs.map(({ name, lines }) => ({ name, lines, ...ways.get(name)! }));
}

const sum = (causes: Readonly<Record<string, number>>) => Object.values(causes).reduce((all, more) => all + more, 0);

describe('the ways of the lines of an input', () => {
  test('add up to its lines, in every format', async () => {
    const inputs = SAMPLES.map(({ name, text }) => write(name, text));
    const ways = await waysOf(inputs, 1);
    for (const { kernel, slow, lines } of ways) expect(kernel + sum(slow)).toBe(lines);
    expect(ways.filter(({ kernel }) => kernel > 0).length).toBeGreaterThan(10);
    expect(ways.filter(({ kernel }) => kernel === 0).length).toBeGreaterThan(8);
  });

  test('are told for streams too, all through JavaScript', async () => {
    const found: unknown[] = [];
    const onWays: ReadOptions['onWays'] = (name, ways) => found.push([name, ways]);
    const input = memoryInput(Buffer.from('/a\n/b\n\n'));
    for await (const _ of readRecords([input], { ...plainOptions, onWays }, createReadReport()));
    expect(found).toEqual([['memory', { kernel: 0, slow: { 'read as a stream': 3 }, firsts: [] }]]);
  });

  test('are the same for any number of threads, with the numbers of lines in the whole file', async () => {
    const plain = '1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "GET /a HTTP/1.1" 200 5\n';
    const head = '1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "HEAD /a HTTP/1.1" 200 5\n';
    const text = `${plain.repeat(70_000)}${head}`.repeat(2) + plain.repeat(10_000);
    const packed = readFileSync(join(FIXTURES, 'small/urls.txt'));
    const inputs = [write('large.log', text), write('urls.txt.gz', gzipSync(packed)), write('urls.txt', packed)];
    const one = await waysOf(inputs, 1);
    expect(one[0]).toMatchObject({
      kernel: 150_000,
      slow: { 'not a GET': 2 },
      firsts: [
        { line: 70_001, reason: 'not a GET' },
        { line: 140_002, reason: 'not a GET' },
      ],
    });
    expect(one[1]).toMatchObject({ kernel: 0, slow: { 'read as a stream': one[1]!.lines } });
    expect(one[2]!.kernel).toBeGreaterThan(3);
    for (const threads of [2, 4]) expect(await waysOf(inputs, threads)).toEqual(one);
  });

  test('have a reason for inputs that the kernel does not read at all', async () => {
    const list = write('list.txt', '/a\n');
    const log = write('vhost.log', SAMPLES.find(({ name }) => name === 'vhost.log')!.text);
    const slow = async (input: Input, options: Partial<ReadOptions> = {}) =>
      Object.keys((await waysOf([input], 1, options))[0]!.slow);
    expect(await slow(list)).toEqual([]);
    expect(await slow(list, { filters: { include: ['/a'] } })).toEqual(['options that select records']);
    expect(await slow(list, { base: 'HTTP://X.test:80', normalize: 'safe' })).toEqual(['--base not in normal form']);
    expect(await slow(list, { visitors: true })).toEqual(['visitors in urls']);
    expect(await slow(log)).toEqual(['format vhost']);
  });

  test('are nobody’s business if nobody asks', async () => {
    const report = createReadReport();
    for await (const _ of readRecordsParallel([write('a.txt', '/a\n')], plainOptions, report, 1));
    expect(Object.keys(report.inputs[0]!)).not.toContain('ways');
  });
});
