// Every format behind every prefix, and inside of JSON: the records are those of the bare lines.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveBackBatch } from '../../../src/log/batch.js';
import { HEAD_BYTES } from '../../../src/log/format/detect.js';
import { nameOfShape } from '../../../src/log/format/shape.js';
import { PartParser, sourceOf } from '../../../src/log/part-parser.js';
import { filePartsOf, plainFile } from '../../../src/log/parts.js';
import { scratchFolder } from '../../cli/process.js';
import { SAMPLES } from '../format/samples.js';
import { plainOptions, read, rowsOf } from '../reading.js';
import { WRAPPERS, WRITERS, type Writer } from './writers.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

const LINE_SAMPLES = SAMPLES.filter(({ format }) => !['csv', 'tsv', 'urls'].includes(format));

function written(text: string, { write }: Pick<Writer, 'write'>): string {
  const lines = text.trimEnd().split('\n');
  return lines.map((line, index) => `${write(line, index)}\n`).join('');
}

/** The rows of a file that the kernel reads as far as it can, and its share of the lines. */
function readByKernel(text: string) {
  const path = join(folder.path, 'log');
  rmSync(path, { force: true }); // to write over the last one can wait for the disk
  writeFileSync(path, text);
  const options = { ...plainOptions, memory: 'heap', wantsRejects: false, wantsWays: true } as const;
  const file = plainFile(path, HEAD_BYTES)!;
  const source = sourceOf(0, file, options);
  if (source === null) return null;
  const parser = new PartParser(options);
  let kernel = 0;
  const rows = [...filePartsOf(file, 700)].flatMap((part) => {
    const { batches, counts } = parser.parse(source, part);
    kernel += counts.ways!.kernel;
    const found = batches.flatMap(rowsOf);
    batches.forEach(giveBackBatch);
    return found;
  });
  parser.close();
  return { rows, kernel, name: source.shape === null ? null : nameOfShape(source.shape) };
}

/** What a sample is without a prefix, found once for all that write it. */
function once<T>(ask: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (!known.has(text)) known.set(text, ask(text));
    return known.get(text)!;
  };
}

const readBare = once((text) => read(text));
const kernelLinesOf = once((text) => readByKernel(text)!.kernel);

describe.each(WRITERS)('$name', (writer) => {
  test.each(LINE_SAMPLES)('$name', async ({ text, format }) => {
    const bare = await readBare(text);
    const { rows, summary } = await read(written(text, writer));
    expect(rows).toEqual(bare.rows);
    expect(summary.dropped).toEqual(bare.summary.dropped);
    expect(summary.records).toBeGreaterThan(4);
    // HAProxy's format looks for its own beginning, and that of S3 begins with a word that says nothing.
    const name =
      format === 'haproxy' || format === 's3' ? expect.any(String) : nameOfShape({ format, prefixes: writer.prefixes });
    expect(summary.format).toEqual(name);
    const fast = readByKernel(written(text, writer));
    if (fast === null) return;
    expect(fast.rows).toEqual(bare.rows);
    expect(fast.name).toBe(summary.format);
    // Of formats that it reads, the kernel takes as many lines behind a prefix as without one.
    if (format !== 'w3c' && writer.prefixes.length > 0) expect(fast.kernel).toBe(kernelLinesOf(text));
  });
});

describe.each(WRAPPERS)('inside of JSON: $name', (writer) => {
  test.each(LINE_SAMPLES)('$name', async ({ text }) => {
    const bare = await readBare(text);
    const { rows, summary } = await read(written(text, writer));
    expect(rows).toEqual(bare.rows);
    expect(summary.dropped).toEqual(bare.summary.dropped);
    expect(readByKernel(written(text, writer))?.rows ?? bare.rows).toEqual(bare.rows);
  });

  test.each(WRITERS)('a virtual host behind a prefix: $name', async (prefixed) => {
    const text = LINE_SAMPLES.find(({ format }) => format === 'vhost')!.text;
    const { rows } = await read(written(written(text, prefixed), writer));
    expect(rows).toEqual((await readBare(text)).rows);
  });
});
