// URL tables cut into blocks by share of the sites, and the blocks of all tables merged again: as one table.
import fc from 'fast-check';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { BatchBuilder } from '../../src/log/batch.js';
import { rowsOfSites } from '../../src/state/rows.js';
import { blocksOf, SharedRuns } from '../../src/state/shuffled.js';
import type { SiteReader } from '../../src/table/merged-sites.js';
import { UrlListBuilder } from '../../src/table/url-list.js';
import { createSiteOf } from '../../src/url/site.js';

interface Visit {
  readonly url: string;
  readonly size: number;
  readonly sketch: string;
}

const limits = { memoryBytes: 1 << 22, tmpdir: tmpdir() };
const siteOf = createSiteOf('host');
/** Bytes of two, four and more: no URL here is UTF-8 unless it is ASCII. */
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

function listOf(visits: readonly Visit[]): SiteReader {
  const builder = new UrlListBuilder(siteOf, limits, { runs: 0, bytes: 0 });
  const batch = new BatchBuilder();
  for (const { url, size, sketch } of visits) {
    const start = batch.used;
    const bytes = bytesOf(url);
    batch.reserve(bytes.length);
    batch.bytes.set(bytes, start);
    batch.used += bytes.length;
    const said = bytesOf(sketch);
    batch.add(start, size, { bytes: said, start: 0, end: said.length });
  }
  builder.add(batch);
  return builder.finish();
}

/** Keys and payloads of all rows, in order. */
function rowsOf(sites: SiteReader): string[] {
  const rows: string[] = [];
  for (const { bytes, keyStart, keyEnd, end } of rowsOfSites(sites)) {
    const [key, payload] = [bytes.subarray(keyStart, keyEnd), bytes.subarray(keyEnd, end)];
    rows.push(`${Buffer.from(key).toString('hex')} ${Buffer.from(payload).toString('hex')}`);
  }
  sites.close();
  return rows;
}

const visit = fc.record({
  url: fc
    .tuple(
      fc.constantFrom('a.example', 'b.example', 'ab.example', 'c.test'),
      fc.constantFrom('x', 'xy', 'x\xff', '\xe9', 'y'),
    )
    .map(([host, path]) => `http://${host}/${path}`),
  size: fc.integer({ min: -1, max: 9 }),
  sketch: fc.constantFrom('', 'p', 'qq'),
});

it('has the rows of one table with all records, each site in one share', () => {
  let merged = 0;
  fc.assert(
    fc.property(
      fc.array(fc.array(visit, { maxLength: 12 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      (tables, shares) => {
        const runs = Array.from({ length: shares }, () => new SharedRuns({ ...limits, stats: { runs: 0, bytes: 0 } }));
        for (const [table, visits] of tables.entries()) {
          for (const { share, bytes } of blocksOf(rowsOfSites(listOf(visits)), shares)) runs[share]!.add(table, bytes);
        }
        const found = runs.map((run) => rowsOf(run.sites()));
        const sites = found.map((rows) => new Set(rows.map((row) => row.slice(0, row.indexOf('00')))));
        expect(new Set(sites.flatMap((names) => [...names])).size).toBe(
          sites.reduce((sum, names) => sum + names.size, 0),
        );
        const all = rowsOf(listOf(tables.flat()));
        if (tables.flat().length > all.length && tables.length > 1) merged++;
        expect(found.flat().sort()).toEqual([...all].sort());
      },
    ),
    { seed: 19 },
  );
  expect(merged).toBeGreaterThan(20);
});

it('refuses blocks of an earlier table: sketches of later ones count', () => {
  const runs = new SharedRuns({ ...limits, stats: { runs: 0, bytes: 0 } });
  runs.add(1, new Uint8Array(0));
  expect(() => runs.add(0, new Uint8Array(0))).toThrow('a block of table 0 came after one of table 1');
});
