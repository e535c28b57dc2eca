// Rows as a Parquet file, read back by our reader, by hyparquet and by DuckDB.
import { Buffer, isUtf8 } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parquetOf } from '../../src/canonize/parquet.js';
import { readUrls } from '../../src/log/parquet/open.js';
import type { Condition } from '../../src/log/record.js';
import { amount, isFew } from '../amount.js';
import { scratchFolder } from '../cli/process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => void (folder = scratchFolder()));
afterAll(() => folder.remove());

interface Row {
  readonly url: Buffer | null;
  readonly canonical: Buffer | null;
}

const textOf = (rows: readonly Row[]) =>
  Buffer.concat(
    rows.flatMap(({ url, canonical }) =>
      url === null ? [Buffer.from('\n')] : [url, Buffer.from('\t'), canonical ?? Buffer.alloc(0), Buffer.from('\n')],
    ),
  );

async function* cut(text: Uint8Array, step: number): AsyncGenerator<Uint8Array> {
  const room = new Uint8Array(step);
  for (let at = 0; at < text.length; at += step) {
    const piece = text.subarray(at, at + step);
    room.set(piece); // overwritten by the next, as the contract allows
    yield room.subarray(0, piece.length);
  }
}

async function write(text: Uint8Array, step = 1 << 18): Promise<{ bytes: Buffer; isBytes: boolean; largest: number }> {
  const output = { isBytes: false };
  const pieces: Buffer[] = [];
  for await (const piece of parquetOf(cut(text, step), output)) pieces.push(Buffer.from(piece));
  return { bytes: Buffer.concat(pieces), ...output, largest: Math.max(...pieces.map(({ length }) => length)) };
}

const toArrayBuffer = (bytes: Buffer) => new Uint8Array(bytes).buffer;

let files = 0;
function save(bytes: Buffer): string {
  const path = join(folder.path, `${files++}.parquet`);
  writeFileSync(path, bytes);
  return path;
}

async function byDuckDb(path: string): Promise<Row[]> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const reader = await connection.runAndReadAll(
    `SELECT hex(url) AS url, hex(canonical) AS canonical FROM read_parquet('${path}')`,
  );
  const bytesOf = (hex: unknown) => (typeof hex === 'string' ? Buffer.from(hex, 'hex') : null);
  return reader.getRows().map(([url, canonical]) => ({ url: bytesOf(url), canonical: bytesOf(canonical) }));
}

/** Bytes of a URL or of a line: anything but line ends; a form has no tab. */
const bytes = (without: readonly number[]) =>
  fc.uint8Array({ maxLength: 12 }).map((all) => Buffer.from(all.filter((byte) => !without.includes(byte))));
const cell = fc.oneof(
  { weight: 5, arbitrary: fc.nat(40).map((n) => Buffer.from(`http://h/é?id=${n}`)) },
  { weight: 1, arbitrary: bytes([10]) },
);
const row: fc.Arbitrary<Row> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ url: cell, canonical: fc.option(form()) }) },
  { weight: 1, arbitrary: fc.constant({ url: null, canonical: null }) },
);

function form(): fc.Arbitrary<Buffer> {
  const texts = fc.nat(9).map((n) => Buffer.from(`http://h/${n}`));
  return fc.oneof(
    texts,
    bytes([9, 10]).filter(({ length }) => length > 0),
  );
}

test('rows come back byte for byte, and the columns are texts if all of them are', { timeout: 60_000 }, async () => {
  const kinds = new Set<string>();
  let nulls = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 90 }),
      async (rows, step) => {
        const text = textOf(rows);
        const { bytes: file, isBytes } = await write(text, step);
        expect(file.equals((await write(text)).bytes)).toBe(true);
        const expectedBytes = !isUtf8(text);
        expect(isBytes).toBe(expectedBytes);
        const { schema } = parquetMetadata(toArrayBuffer(file));
        expect(schema.slice(1).map(({ converted_type: type }) => type)).toEqual(
          expectedBytes ? [undefined, undefined] : ['UTF8', 'UTF8'],
        );
        const path = save(file);
        expect(await byDuckDb(path)).toEqual(rows);
        const raw = await parquetReadObjects({ file: toArrayBuffer(file), utf8: false });
        const text8 = (value: Buffer | null) =>
          expectedBytes ? value && new Uint8Array(value) : (value?.toString() ?? null);
        expect(raw).toEqual(rows.map(({ url, canonical }) => ({ url: text8(url), canonical: text8(canonical) })));
        const condition: Condition = { reason: null };
        const own: Buffer[] = [];
        for await (const piece of readUrls(path, condition)) own.push(Buffer.from(piece));
        const lines = rows.map(
          ({ url }) => `${(url ?? Buffer.alloc(0)).toString('latin1').replace(/[\t\r]/g, '\x01')}\n`,
        );
        expect([condition.reason, Buffer.concat(own).toString('latin1')]).toEqual([null, lines.join('')]);
        kinds.add(rows.length === 0 ? 'none' : expectedBytes ? 'bytes' : 'texts');
        nulls += rows.filter(({ canonical }) => canonical === null).length;
      },
    ),
    { numRuns: amount(60), seed: 19 },
  );
  expect([...kinds].sort()).toEqual(expect.arrayContaining(['bytes', 'texts']));
  expect(nulls).toBeGreaterThan(amount(40));
});

test.skipIf(isFew)(
  'many rows are many row groups, the same wherever the text is cut, and one of them is held at a time',
  async () => {
    const rows = Array.from(
      { length: 250_000 },
      (_, n) => `http://h.example/story?id=${n}\thttp://h.example/${n % 1000}\n`,
    );
    const text = Buffer.from(rows.join(''));
    const { bytes: file, largest } = await write(text);
    expect(file.equals((await write(text, 70_001)).bytes)).toBe(true);
    const { row_groups: groups } = parquetMetadata(toArrayBuffer(file));
    expect(groups.map(({ num_rows: count }) => Number(count))).toEqual([122_880, 122_880, 250_000 - 2 * 122_880]);
    expect(largest).toBeLessThan(file.length / 2);
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const reader = await connection.runAndReadAll(
      `SELECT count(DISTINCT url), count(DISTINCT canonical), max(url) FROM '${save(file)}'`,
    );
    expect(reader.getRows()).toEqual([[250_000n, 1000n, 'http://h.example/story?id=99999']]);

    const long = Buffer.from(`${'http://h/'.padEnd(600_000, 'x')}\t/\n`.repeat(60));
    const { row_groups: few } = parquetMetadata(toArrayBuffer((await write(long)).bytes));
    expect(few.map(({ num_rows: count }) => Number(count))).toEqual([28, 28, 4]);
  },
);
