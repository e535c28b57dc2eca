// The list of all sites, made from the table, compared with a naive one.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inArena, takeU16, u32At } from '../../src/base/heap.js';
import { STRETCH_ROW, STRETCHES } from '../../src/kernel/layout/list-job.js';
import type { TableCrew, TableTask } from '../../src/table/crew.js';
import { fillForward, orderUrls } from '../../src/table/order.js';
import type { SiteUrls } from '../../src/table/site-urls.js';
import { perform } from '../../src/table/perform.js';
import { JOB_WORDS } from '../../src/table/tasks.js';
import { UrlListBuilder } from '../../src/table/url-list.js';
import { collate } from '../../src/url/token.js';
import { isFew } from '../amount.js';
import { batchOf, type TestRecord } from '../url-list.js';

interface Site {
  readonly name: string;
  readonly rows: string[];
}

const siteOfUrl = (url: string): string => url.slice(0, 1);

/** Hits, sizes and the last sketch of every URL, sites and URLs in order. */
function expected(records: readonly TestRecord[]): Site[] {
  const entries = new Map<string, { key: Buffer; hits: number; min: number; max: number; sketch: string }>();
  for (const { url, size = -1, sketch = '' } of records) {
    const key = Buffer.from(collate(Buffer.from(url, 'latin1')));
    const entry = entries.get(url) ?? { key, hits: 0, min: -1, max: -1, sketch: '' };
    entries.set(url, entry);
    entry.hits++;
    if (size >= 0) entry.min = entry.min < 0 ? size : Math.min(entry.min, size);
    entry.max = Math.max(entry.max, size);
    if (sketch !== '') entry.sketch = sketch;
  }
  const sites = new Map<string, Site>();
  const inOrder = [...entries].toSorted(([, a], [, b]) => Buffer.compare(a.key, b.key));
  for (const [url, { key, hits, min, max, sketch }] of inOrder) {
    const name = siteOfUrl(url);
    const site = sites.get(name) ?? { name, rows: [] };
    sites.set(name, site);
    site.rows.push([key.toString('latin1'), hits, min, max, sketch].join(' '));
  }
  return [...sites.values()].toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

function rowsOf(urls: SiteUrls): string[] {
  return Array.from({ length: urls.count }, (_, row) => {
    const at = urls.at(row);
    const sketchEnd = urls.sketchEndAt(at);
    const url = urls.bytes.subarray(at, at + urls.lengthOf(row));
    const sketch = urls.bytes.subarray(sketchEnd - urls.sketchLengthAt(at), sketchEnd);
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
    return [text(url), urls.hitsAt(at), urls.minSizeAt(at), urls.maxSizeAt(at), text(sketch)].join(' ');
  });
}

/** The contents of the list; checks that its columns equal those computed from every URL again. */
function listed(records: readonly TestRecord[], stretchBytes: number, crew?: TableCrew): Site[] {
  const siteOf = (bytes: Uint8Array, start: number) => siteOfUrl(String.fromCharCode(bytes[start]!));
  const stats = { runs: 0, bytes: 0 };
  const options = { memoryBytes: 1 << 27, tmpdir: tmpdir(), stretchBytes, crew };
  const builder = new UrlListBuilder(siteOf, options, stats);
  for (let k = 0; k < records.length; k += 1000) builder.add(batchOf(records.slice(k, k + 1000)));
  const reader = builder.finish();
  const sites: Site[] = [];
  for (let urls = reader.next(); urls !== undefined; urls = reader.next()) {
    sites.push({ name: urls.site, rows: rowsOf(urls) });
    inArena(() => {
      const again = { tokens: takeU16(urls.count), sharedFirst: takeU16(urls.count) };
      fillForward(urls, again, 0, urls.count);
      expect(urls.forward).toEqual(again);
    });
  }
  reader.close();
  expect(stats.runs).toBe(0);
  return sites;
}

/** How many rows went to each stretch. */
function rowsOfStretches(job: number): number[] {
  const words = u32At(job, JOB_WORDS);
  const stretches = words[STRETCHES / 4]!;
  const row = u32At(words[STRETCH_ROW / 4]!, stretches + 1);
  return Array.from({ length: stretches }, (_, k) => row[k + 1]! - row[k]!);
}

const piece = fc.constantFrom('a', 'b', 'ab', '/', '\0', '\0\0', '\xff', '/index.html', '0123456789');
const url = fc
  .tuple(fc.constantFrom('a', 'a', 'a', 'b', 'c', '\xe9'), fc.array(piece, { maxLength: 12, size: 'max' }))
  .map(([site, pieces]) => site + pieces.join(''));
const record = fc.record(
  { url, size: fc.nat(9), sketch: fc.string({ unit: fc.constantFrom('s', 't'), minLength: 1, maxLength: 20 }) },
  { requiredKeys: ['url'] },
);

test.each([1, 64, 500, 1 << 18])('sites and URLs are sorted, in stretches of %d bytes', (stretchBytes) => {
  let most = 0;
  fc.assert(
    fc.property(fc.array(record, { maxLength: 300, size: 'max' }), (records) => {
      expect(listed(records, stretchBytes)).toEqual(expected(records));
      most = Math.max(most, records.length);
    }),
    { numRuns: 60 },
  );
  expect(most).toBeGreaterThan(200);
});

test.each([300, 1 << 20])('URLs with long common prefixes are sorted, in stretches of %d bytes', (stretchBytes) => {
  const records: TestRecord[] = [];
  const long = '0123456789/'.repeat(30);
  for (let k = 0; k < 100; k++) {
    records.push({ url: `a${long}${(k * 37) % 100}` });
    records.push({ url: `a${long.slice(0, k)}` });
    // One is the other padded with zeros.
    records.push({ url: `a${'\0'.repeat((k * 37) % 100)}` });
    records.push({ url: `b${long}${'\0'.repeat((k * 37) % 100)}` });
    records.push({ url: `b${long}${'\0'.repeat(40)}${k}` });
  }
  expect(listed(records, stretchBytes)).toEqual(expected(records));
});

test.skipIf(isFew)('more URLs than fit into a key can be sorted together', { timeout: 30_000 }, () => {
  const records = Array.from({ length: 70_000 }, (_, k) => ({
    url: `${k % 3 === 0 ? 'b' : 'a'}${(k * 7919) % 70_000}`,
  }));
  expect(listed(records, 1 << 26)).toEqual(expected(records));
});

test.each([1000, 1 << 18, 1 << 26])(
  'URLs of up to 65,000 bytes are sorted, in stretches of %d bytes',
  (stretchBytes) => {
    const records: TestRecord[] = ['a', 'a0', 'a\0', 'b'].map((url) => ({ url }));
    for (let k = 0; k < 60; k++) {
      const length = 65_000 - ((k * 7) % 60);
      records.push({ url: `a${'0/'.repeat(33_000)}`.slice(0, length - 1) + String.fromCharCode(48 + (k % 3)) });
      records.push({ url: `${'ab'[k % 2]}${k}`.padEnd(k * 100, '\0') });
    }
    expect(listed(records, stretchBytes)).toEqual(expected(records));
  },
);

test.skipIf(isFew)('many threads give the same list as one', { timeout: 30_000 }, () => {
  const records = Array.from({ length: 41_000 }, (_, k) => ({
    url: `${'abc'[k % 3]}/${(k * 7919) % 41_000}/${k % 5}`,
    size: k % 1000,
    ...(k % 100 === 0 && { sketch: `${k}` }),
  }));
  const tasks = new Set<string>();
  let stretchRows: number[] = [];
  // Does what threads do, in this thread and in another order, on copies of everything that is not shared.
  const crew = {
    threads: 3,
    start: () => undefined,
    release: () => undefined,
    run: (given: Iterable<TableTask>, onPart: (value: unknown, task: TableTask) => void) => {
      for (const task of [...given].toReversed()) {
        tasks.add(task.kind);
        if (task.kind === 'sort-stretches' && stretchRows.length === 0) stretchRows = rowsOfStretches(task.job);
        perform(task, (value) => onPart(value, task));
      }
    },
  } as unknown as TableCrew;
  expect(listed(records, 10_000, crew)).toEqual(expected(records));
  expect([...tasks]).toEqual(['find-stretches', 'scatter', 'sort-stretches']);
  // Every URL takes some 50 bytes.
  expect(stretchRows.length).toBeGreaterThan(150);
  expect(Math.max(...stretchRows)).toBeLessThan(3 * (41_000 / stretchRows.length));
});

test('the order of a walk takes over the columns of the list', () => {
  const builder = new UrlListBuilder(() => 'site', { memoryBytes: 1 << 24, tmpdir: tmpdir() }, { runs: 0, bytes: 0 });
  builder.add(batchOf(['/a/b', '/a', '/a/c'].map((path) => ({ url: path }))));
  const urls = builder.finish().next()!;
  const order = orderUrls(urls, { memoryBytes: 500, tmpdir: tmpdir() }, { runs: 0, bytes: 0 });
  expect(order.tokens).toBe(urls.forward!.tokens);
  expect([...order.sharedFirst]).toEqual([0, 3, 4]);
});
