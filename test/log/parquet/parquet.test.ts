// Parquet files compared with CSV of the same rows, as they are, cut, and changed.
import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileInput } from '../../../src/log/inputs.js';
import { endOfStruct } from '../../../src/log/parquet/footer.js';
import { BadParquet } from '../../../src/log/parquet/magic.js';
import { createReadReport, type ReadOptions } from '../../../src/log/read.js';
import type { InputSummary } from '../../../src/log/record.js';
import { amount } from '../../amount.js';
import { FIXTURES, run, scratchFolder } from '../../cli/process.js';
import { memoryInput, plainOptions, read, type Reading, readInput, rowsOf, total } from '../reading.js';
import { csvOf, parquetOf, type Row } from './tables.js';

const dist = new URL('../../../dist/src/log/parallel.js', import.meta.url).href;
const { readRecordsParallel } = (await import(dist)) as typeof import('../../../src/log/parallel.js');

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => void (folder = scratchFolder()));
afterAll(() => folder.remove());

let files = 0;
function write(bytes: Uint8Array): string {
  const path = join(folder.path, `${files++}.parquet`);
  writeFileSync(path, bytes);
  return path;
}

function readFile(path: string, options: Partial<ReadOptions> = {}): Promise<Reading> {
  return readInput(fileInput('memory', path), options);
}

/** By the kernel, or in threads. */
async function readParallel(path: string, threads = 1, options: Partial<ReadOptions> = {}): Promise<Reading> {
  const report = createReadReport();
  const rows = [];
  const rejects: (readonly [number, string, string])[] = [];
  for await (const batch of readRecordsParallel(
    [fileInput('memory', path)],
    { ...plainOptions, ...options },
    report,
    threads,
  )) {
    rows.push(...rowsOf(batch));
  }
  return { rows, summary: report.inputs[0]!, urlForm: report.urlForm, rejects };
}

const withoutFormat = ({ rows, summary, urlForm }: Reading) => ({
  rows,
  summary: { ...summary, format: '', misread: undefined },
  urlForm,
});

/** As a table without its header: the first rows that were rejected are counted from 1, not the lines where they begin. */
function withoutHeader(csv: Reading, lineEnds: readonly number[] = []): Reading {
  const { firsts, misread: _misread, ...summary } = csv.summary; // the text of a row differs
  if (firsts === undefined) return { ...csv, summary };
  const rows = Object.entries(firsts).map(([cause, line]) => [cause, rowAt(line, lineEnds)]);
  return { ...csv, summary: { ...summary, firsts: Object.fromEntries(rows) } };
}

/** The row that begins in this line; `lineEnds` are those within each row. */
function rowAt(line: number, lineEnds: readonly number[]): number {
  let row = 1;
  for (let at = 2; at < line; row++) at += 1 + (lineEnds[row - 1] ?? 0);
  return row;
}

/** A row of nothing is an empty line of Parquet, and commas without a URL in CSV. */
function asCommas({ empty, ...others }: Readonly<Record<string, number>>, join: (a: number, b: number) => number) {
  if (empty === undefined) return others;
  const noUrl = others['no-url'];
  return { ...others, 'no-url': noUrl === undefined ? empty : join(noUrl, empty) };
}

function withCommas({ rejected, firsts, misread: _misread, ...summary }: InputSummary): InputSummary {
  const counts = asCommas(rejected, (a, b) => a + b);
  return {
    ...summary,
    rejected: counts,
    ...(firsts !== undefined && { firsts: asCommas(firsts, Math.min) }),
  };
}

const names = readdirSync(join(FIXTURES, 'parquet')).filter((name) => name.endsWith('.parquet'));

test.each(names)('%s has the rows of the CSV that it was made from', async (name) => {
  const path = join(FIXTURES, 'parquet', name);
  const csv = readFileSync(join(FIXTURES, 'small/table.csv'));
  for (const options of [{}, { filters: { since: Date.parse('2025-03-04T09:00:05Z') } }]) {
    const [expected, got] = [await read(csv, options), await readFile(path, options)];
    expect(withoutFormat(got)).toEqual(withoutFormat(withoutHeader(expected)));
    expect(got.rejects.map(([line, cause]) => [line, cause])).toEqual(
      expected.rejects.map(([line, cause]) => [line - 1, cause]),
    );
    expect(got.rows.length).toBeGreaterThan(2);
  }
  expect(withoutFormat(await readParallel(path))).toEqual(withoutFormat(withoutHeader(await read(csv))));
});

const url = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constantFrom('a', 'b'), fc.nat(30)).map(([h, n]) => Buffer.from(`http://${h}/p?id=${n}`)),
  },
  {
    weight: 2,
    arbitrary: fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.concat([Buffer.from('http://c/'), bytes])),
  },
  { weight: 1, arbitrary: fc.constantFrom(Buffer.from('/"quoted",'), Buffer.from('http://h/a\tb'), Buffer.from('-')) },
);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6 });
const row: fc.Arbitrary<Row> = fc.record({
  url: orNull(url),
  status: orNull(fc.constantFrom(200, 200, 200, 301, 404, -6)),
  size: orNull(fc.oneof(fc.nat(5000), fc.constantFrom(2 ** 31, 2 ** 52, 0))),
  digest: orNull(fc.constantFrom('sha1:A', 'sha1:B', '-')),
});
const writing = fc.record({
  codec: fc.constantFrom('UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI'),
  texts: fc.constantFrom('PLAIN', 'RLE_DICTIONARY', 'DELTA_BYTE_ARRAY', 'DELTA_LENGTH_BYTE_ARRAY'),
  numbers: fc.constantFrom('PLAIN', 'RLE_DICTIONARY', 'DELTA_BINARY_PACKED'),
  groupRows: fc.constantFrom(7, 40, 1000),
  pageBytes: fc.constantFrom(64, 1 << 20),
} as const);

test(
  'any table is read as the CSV of the same rows, by JavaScript and by the kernel',
  { timeout: 60_000 },
  async () => {
    const seen = new Set<string>();
    let records = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 120, size: 'max' }), writing, async (rows, how) => {
        // A line end within a CSV cell is a character of it; those that end a URL are trimmed with the line.
        const table = rows.map((one) => ({
          ...one,
          url: one.url && Buffer.from(one.url.map((b) => (b === 13 ? 10 : b))),
        }));
        const path = write(parquetOf(table, how));
        const lineEnds = table.map((one) => one.url?.filter((byte) => byte === 10).length ?? 0);
        const expected = withoutHeader(await read(csvOf(table)), lineEnds);
        for (const got of [await readFile(path), await readParallel(path)]) {
          expect(got.rows).toEqual(expected.rows);
          expect(withCommas(got.summary)).toEqual({ ...expected.summary, format: 'parquet' });
        }
        for (const way of [how.codec, how.texts, how.numbers]) seen.add(way);
        records += expected.rows.length;
      }),
      { numRuns: amount(80), seed: 19 },
    );
    expect(seen.size).toBe(4 + 4 + 1);
    expect(records).toBeGreaterThan(amount(1000));
  },
);

let state = 19;
/** Numbers from 0 to 1, the same in every run. */
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const rowsOfSites = Array.from({ length: 20_000 }, (): Row => {
  const page = Math.floor(random() * 400);
  const [host, form] = [Math.floor(random() * 3), Math.floor(random() * 2)];
  const path = form === 0 ? `story?id=${page}` : `story_${page}`;
  const digest = `sha1:${host}.${page}`;
  return {
    url: Buffer.from(`http://h${host}.example/${path}`),
    status: random() < 0.9 ? 200 : 404,
    size: page,
    digest,
  };
});
const plainly = {
  codec: 'UNCOMPRESSED',
  texts: 'PLAIN',
  numbers: 'PLAIN',
  groupRows: 6000,
  pageBytes: 1 << 16,
} as const;

test('mine writes the same rules as for the CSV, with any number of threads and little memory', async () => {
  const parquet = write(parquetOf(rowsOfSites, plainly));
  writeFileSync(`${parquet}.csv`, csvOf(rowsOfSites));
  const rulesOf = async (path: string, ...flags: string[]) => {
    const { code, stderr } = await run(['mine', path, '-o', `${path}.json`, '-q', ...flags]);
    expect([code, stderr]).toEqual([0, '']);
    return readFileSync(`${path}.json`, 'utf8')
      .replaceAll(path, 'log')
      .replace(/"format": ?"\w+"/, '');
  };
  const expected = await rulesOf(`${parquet}.csv`);
  expect(JSON.parse(expected.replace(/, *,/g, ',')).rules.length).toBeGreaterThan(0);
  for (const flags of [
    ['--threads', '1'],
    ['--threads', '2'],
    ['--threads', '2', '--memory', '16M'],
  ]) {
    expect(await rulesOf(parquet, ...flags)).toBe(expected);
  }
  const urls = await run(['canonize', '-r', `${parquet}.json`, '--accept', 'likely', '-i', parquet]);
  const list = rowsOfSites.map((one) => `${one.url!.toString()}\n`).join('');
  writeFileSync(`${parquet}.txt`, list);
  const asText = await run(['canonize', '-r', `${parquet}.json`, '--accept', 'likely', '-i', `${parquet}.txt`]);
  expect([urls.code, urls.stdout]).toEqual([0, asText.stdout]);
});

test(
  'a damaged file is read up to the damage and says where it is, whatever the damage',
  { timeout: 60_000 },
  async () => {
    const reasons = new Map<string, number>();
    const rows = rowsOfSites.slice(0, 500);
    const codecs = ['UNCOMPRESSED', 'SNAPPY', 'GZIP'] as const;
    for (let k = 0; k < amount(300); k++) {
      const how = { ...plainly, codec: codecs[k % 3]!, groupRows: 200 };
      const texts = k % 2 === 0 ? 'DELTA_BYTE_ARRAY' : 'RLE_DICTIONARY';
      const bytes = parquetOf(rows, { ...how, texts, numbers: k % 4 < 2 ? 'DELTA_BINARY_PACKED' : 'PLAIN' });
      for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) {
        const at = random() < 0.5 ? bytes.length - 1 - Math.floor(random() * 900) : Math.floor(random() * bytes.length);
        bytes[at] = random() < 0.3 ? 0xff : Math.floor(random() * 256);
      }
      if (!bytes.subarray(0, 3).equals(Buffer.from('PAR'))) continue;
      const path = write(random() < 0.1 ? bytes.subarray(0, Math.floor(random() * bytes.length) + 4) : bytes);
      const readings = [await readFile(path), await readParallel(path)];
      for (const { summary, rows: got } of readings) {
        expect(got).toHaveLength(summary.records);
        expect(summary.records + total(summary.dropped) + total(summary.rejected)).toBe(summary.lines);
        expect(summary.lines).toBeLessThanOrEqual(rows.length * (summary.truncated ? 1 : 3));
      }
      expect(withoutFormat(readings[0]!).rows).toEqual(readings[1]!.rows);
      expect(readings[0]!.summary).toEqual(readings[1]!.summary);
      const kind = (readings[0]!.summary.reason ?? 'whole').replace(/\d+/g, 'N').slice(0, 60);
      reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
    }
    expect(reasons.size).toBeGreaterThan(5);
  },
);

const good = () => parquetOf(rowsOfSites.slice(0, 20), plainly);
const table = (name: string, data: readonly unknown[], type: 'JSON' | 'BOOLEAN' | 'STRING') =>
  Buffer.from(parquetWriteBuffer({ columnData: [{ name, data: data as never, type }], codec: 'UNCOMPRESSED' }));

test.each([
  ['a footer that claims 4 GB', () => withTail(0xffffffff, 'PAR1'), /claims 4294967295 bytes/],
  ['an encrypted one', () => withTail(100, 'PARE'), /encrypted/],
  ['one that was cut', () => good().subarray(0, 500), /ends too early/],
  ['four bytes', () => Buffer.from('PAR1'), /ends too early/],
  ['one without a URL', () => table('colour', ['red'], 'STRING'), /columns \["colour"\].*--columns url=NAME/],
  ['one whose URL is no text', () => table('url', [true], 'BOOLEAN'), /"url" \(url\) is BOOLEAN/],
])('%s is refused, and says why', async (_, make, reason) => {
  const path = write(make());
  for (const { summary } of [await readFile(path), await readParallel(path)]) {
    expect(summary).toMatchObject({ lines: 0, truncated: true, format: 'parquet' });
    expect(summary.reason).toMatch(reason);
  }
});

function withTail(length: number, magic: string): Buffer {
  const bytes = good();
  bytes.writeUInt32LE(length, bytes.length - 8);
  bytes.write(magic, bytes.length - 4);
  return bytes;
}

test('a Parquet file in a pipe, or with a format that is another one, is not read as text', async () => {
  expect((await readInput(memoryInput(good()))).summary.reason).toMatch(/in a pipe or compressed as a whole/);
  expect((await readFile(write(good()), { format: 'csv' })).summary.reason).toMatch(/got --format csv/);
});

test('columns are found by the names of crawl indexes and load balancers, or as the user says', async () => {
  const one = async (cells: Readonly<Record<string, string>>, options: Partial<ReadOptions> = {}) => {
    const columnData = Object.entries(cells).map(([name, cell]) => ({ name, data: [cell], type: 'STRING' as const }));
    const bytes = Buffer.from(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED' }));
    const { rows, summary } = await readFile(write(bytes), options);
    return rows[0] ?? Object.keys({ ...summary.dropped, ...summary.rejected })[0] ?? summary.reason;
  };
  const captured = {
    url_surtkey: 'h)/a',
    url: 'http://h/a',
    fetch_status: '200',
    content_digest: 'ABC',
    warc_record_length: '99',
  };
  expect(await one(captured)).toEqual({ url: 'http://h/a', size: -1, sketch: 'ABC' });
  expect(await one({ ...captured, fetch_status: '404' })).toBe('client-error');
  const front = {
    'cs-uri-stem': '/a',
    'cs-uri-query': 'b=1',
    'x-host-header': 'h',
    'cs-protocol': 'https',
    'sc-status': '200',
  };
  expect(await one(front)).toMatchObject({ url: 'https://h/a?b=1' });
  expect(await one({ request_verb: 'POST', request_url: 'http://h:80/a', elb_status_code: '200' })).toBe('method');
  expect(await one({ u: '/x', n: '7' }, { columns: { url: 'u', size: 'n' } })).toMatchObject({ url: '/x', size: 7 });
  expect(await one({ n: '7', u: '/x' }, { columns: { url: '2', size: '1' } })).toMatchObject({ url: '/x', size: 7 });
});

test(
  'row groups in several threads, or taken back by this one, are the rows in order, up to damage',
  { timeout: 120_000 },
  async () => {
    const rows = Array.from({ length: 8 }, () => rowsOfSites).flat();
    const whole = write(parquetOf(rows, plainly));
    const bytes = parquetOf(rows, plainly);
    expect(bytes.length).toBeGreaterThan(8 << 20); // or threads are not worth it
    bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 5000);
    const damaged = write(bytes);
    for (const path of [whole, damaged]) {
      const expected = await readFile(path);
      expect(expected.rows.length).toBeGreaterThan(30_000);
      expect(expected.summary.truncated).toBe(path === damaged);
      for (const threads of [2, 3]) {
        const got = await readParallel(path, threads);
        expect(got.summary).toEqual(expected.summary);
        expect(got.rows).toEqual(expected.rows);
      }
    }
  },
);

test('a date and a time of day in two columns are one time', async () => {
  const rowsAt = (times: readonly (readonly [date: string | null, time: string | null])[]) => {
    const column = (name: string, data: readonly (string | null)[]) => ({
      name,
      data: [...data],
      type: 'STRING' as const,
    });
    const columnData = [
      column(
        'time',
        times.map(([, time]) => time),
      ),
      column(
        'cs-uri-stem',
        times.map((_, at) => `/${at}`),
      ),
      column(
        'date',
        times.map(([date]) => date),
      ),
    ];
    return write(Buffer.from(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED', rowGroupSize: 3 })));
  };
  const path = rowsAt([
    ['2025-03-04', '09:00:06'],
    ['2025-03-04', '09:00:05'],
    ['2025-03-03', '09:00:06'],
    ['2025-03-04', '2025-03-04T09:00:07Z'],
    [null, '09:00:06'],
    ['2025-03-04', null],
    ['2025-03-04', '23:59:59'],
  ]);
  const filters = { since: Date.parse('2025-03-04T09:00:06Z') };
  for (const got of [await readFile(path, { filters }), await readParallel(path, 1, { filters })]) {
    expect(got.rows.map((one) => one.url)).toEqual(['/0', '/3', '/6']);
    expect(got.summary.dropped).toEqual({ 'no-time': 2, time: 2 });
  }
  expect((await readFile(path)).rows).toHaveLength(7);
});

test('columns that are no text are left alone, and another of the usual names is found', async () => {
  const column = (name: string, data: readonly unknown[], type: 'STRING' | 'BOOLEAN' | 'INT32') => ({
    name,
    data: data as never,
    type,
  });
  const columnData = [
    column('url', [true, false], 'BOOLEAN'),
    column('uri', ['/a', '/b'], 'STRING'),
    column('size', [false, true], 'BOOLEAN'),
    column('bytes', [7, 8], 'INT32'),
    column('status', [true, true], 'BOOLEAN'),
    column('cache_hit', [true, false], 'BOOLEAN'),
    column('cost', [1, 2], 'INT32'),
  ];
  const schema = [
    { name: 'root', num_children: columnData.length },
    ...columnData.map(({ name, type }) => ({
      name,
      repetition_type: 'REQUIRED' as const,
      type: type === 'STRING' ? ('BYTE_ARRAY' as const) : type,
      ...(type === 'STRING' && { converted_type: 'UTF8' as const }),
      ...(name === 'cost' && { converted_type: 'DECIMAL' as const, scale: 2, precision: 5 }),
    })),
  ];
  const untyped = columnData.map(({ name, data }) => ({ name, data }));
  const path = write(Buffer.from(parquetWriteBuffer({ columnData: untyped, schema, codec: 'UNCOMPRESSED' })));
  for (const got of [await readFile(path), await readParallel(path)]) {
    expect(got.rows).toMatchObject([
      { url: '/a', size: 7 },
      { url: '/b', size: 8 },
    ]);
  }
  expect((await readFile(path, { columns: { url: 'uri', size: 'cost' } })).summary.reason).toMatch(
    /"cost" \(size\) is DECIMAL/,
  );
});

test('row groups whose times are all outside are counted without being read, by any way of reading', async () => {
  const bytes = readFileSync(join(FIXTURES, 'parquet/arrow-lz4-plain.parquet'));
  const filters = { since: Date.parse('2025-03-04T09:00:06Z'), until: Date.parse('2025-03-04T09:00:08Z') };
  const [all, some] = [await readFile(write(bytes)), await readFile(write(bytes), { filters })];
  expect(some.summary.lines).toBe(all.summary.lines);
  // Rows 1 to 5 and 11 to 13 are row groups of their own; of the others, 8 is outside, 9 and 10 are dropped before.
  expect(some.summary.dropped).toEqual({ 'client-error': 1, method: 1, time: 9 });
  expect(some.rows).toEqual(all.rows.slice(5, 7));
  // Where the first row group is damaged, that is not noticed.
  bytes.fill(0xff, 4, 200);
  expect((await readFile(write(bytes))).summary.reason).toMatch(/row group 1 of 3/);
  for (const got of [await readFile(write(bytes), { filters }), await readParallel(write(bytes), 1, { filters })]) {
    expect([got.rows, got.summary]).toEqual([some.rows, some.summary]);
  }
});

test('the bytes of a struct are walked before anything is made of them', () => {
  const list = (length: number[]) => Uint8Array.of(0x19, 0xf8, ...length, 0, 0);
  expect(endOfStruct(Uint8Array.of(0x15, 0x02, 0x00, 0x77), 0, 5)).toBe(3);
  expect(() => endOfStruct(list([0xff, 0xff, 0xff, 0xff, 0x07]), 0, 5)).toThrow(BadParquet);
  expect(() => endOfStruct(Uint8Array.of(0x16, ...new Uint8Array(99).fill(0xff), 0, 0), 0, 5)).toThrow(/64 bits/);
  expect(() => endOfStruct(new Uint8Array(99).fill(0x1c), 0, 500)).toThrow(/inside of each other/);
  expect(() => endOfStruct(new Uint8Array(99).fill(0x19), 0, 500)).toThrow(/lists/);
  expect(() => endOfStruct(Uint8Array.of(0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0), 0, 5)).toThrow(/too many/);
});
