// URL tables cut into blocks by lot of sites, and the blocks of all tables merged again: as one table.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BatchBuilder } from '../../src/log/batch.js';
import { rowsOfSites } from '../../src/state/rows.js';
import { blocksOf, SitesOfLots, type TableBlock } from '../../src/state/shuffled.js';
import type { SiteReader } from '../../src/table/merged-sites.js';
import { UrlListBuilder } from '../../src/table/url-list.js';
import { createSiteOf } from '../../src/url/public-suffix.js';

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

const room = { ...limits, stats: { runs: 0, bytes: 0 } };
const sitesOf = (blocks: TableBlock[]) => new SitesOfLots(() => blocks.shift(), room);

it('has the rows of one table with all records, each site in one lot', () => {
  let merged = 0;
  let several = 0;
  fc.assert(
    fc.property(
      fc.array(fc.array(visit, { maxLength: 12 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      (tables, lots, shares) => {
        const blocks: TableBlock[][] = Array.from({ length: lots }, () => []);
        for (const [table, visits] of tables.entries()) {
          for (const { lot, bytes } of blocksOf(rowsOfSites(listOf(visits)), lots)) {
            blocks[lot]!.push({ lot, table, bytes: bytes.slice() });
          }
        }
        // A share has several lots, one after the other.
        const found = Array.from({ length: shares }, (_, share) => {
          const own = blocks.filter((_ofLot, lot) => lot % shares === share);
          if (own.filter(({ length }) => length > 0).length > 1) several++;
          return rowsOf(sitesOf(own.flat()));
        });
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
  expect(several).toBeGreaterThan(20);
});

it('refuses blocks of an earlier table or lot: sketches of later tables count', () => {
  const bytes = new Uint8Array(0);
  const block = (lot: number, table: number): TableBlock => ({ lot, table, bytes });
  expect(() => rowsOf(sitesOf([block(0, 1), block(0, 0)]))).toThrow('a block of table 0 came after one of table 1');
  expect(() => rowsOf(sitesOf([block(1, 0), block(0, 0)]))).toThrow('lot 0 came after lot 1');
});

it('has no sites of no blocks', () => {
  expect(rowsOf(sitesOf([]))).toEqual([]);
});
