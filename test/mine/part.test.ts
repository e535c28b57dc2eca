// Parts of the sites: each site is in one part, the same everywhere.
import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { hasSite, PartOfSites } from '../../src/mine/part.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { BatchBuilder } from '../../src/log/batch.js';

function partOf(site: string, n: number): number {
  const parts = Array.from({ length: n }, (_, at) => at + 1).filter((k) => hasSite({ k, n }, site));
  expect(parts).toHaveLength(1);
  return parts[0]!;
}

test('a site is in one part, which is the same in every version', () => {
  const sites = ['', '*', 'example.com', 'example.org', 'münchen.example', '\udc80.example'];
  expect(sites.map((site) => partOf(site, 7))).toEqual([5, 1, 7, 7, 2, 4]);
  const counts = new Map<number, number>();
  for (let k = 0; k < 7000; k++) {
    const part = partOf(`site${k}.example`, 7);
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  expect(Math.min(...counts.values())).toBeGreaterThan(900);
  expect(counts.size).toBe(7);
});

test('the rows of the parts of a batch are its rows, with all their columns', () => {
  const rows = Array.from({ length: 100 }, (_, k) => `http://h${k % 9}.s${k % 31}.example/p${k} ${k} d${k}`);
  const seen: string[] = [];
  for (const k of [1, 2, 3]) {
    const builder = new BatchBuilder();
    for (const [size, row] of rows.entries()) {
      const [url, , digest] = row.split(' ') as [string, string, string];
      const start = builder.used;
      builder.used += builder.bytes.write(url, start);
      const bytes = Buffer.from(digest);
      builder.add(start, size, { bytes, start: 0, end: bytes.length });
    }
    const batch = new PartOfSites({ k, n: 3 }, createSiteOf('host')).of(builder);
    for (let row = 0; row < batch.rows; row++) {
      const text = (from: Int32Array, to: Int32Array) =>
        Buffer.from(batch.bytes).toString('latin1', from[row], to[row]);
      const url = text(batch.urlStart, batch.urlEnd);
      expect(hasSite({ k, n: 3 }, new URL(url).host)).toBe(true);
      seen.push(`${url} ${batch.size[row]} ${text(batch.sketchStart, batch.sketchEnd)}`);
    }
    expect(batch.rows).toBeGreaterThan(10);
  }
  expect(seen.sort()).toEqual([...rows].sort());
});
