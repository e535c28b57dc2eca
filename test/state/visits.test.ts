// Visits of a URL, however its nights were merged, are those of a naive twin that has all nights in a list.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeSorted } from '../../src/base/merge.js';
import { joined, RowBytes, rowsOfSites } from '../../src/state/rows.js';
import { type VisitCounts, Visits } from '../../src/state/visits.js';
import { MergedSites } from '../../src/table/merged-sites.js';
import { SiteUrls } from '../../src/table/site-urls.js';
import { UrlListBuilder } from '../../src/table/url-list.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { amount } from '../amount.js';
import { batchOf } from '../url-list.js';

interface Night {
  readonly day: number;
  readonly hits: readonly { readonly size: number; readonly sketch: string }[];
}

interface Run {
  readonly day: number;
  readonly bytes: Uint8Array;
}

function runOf({ day, hits }: Night): Run {
  const limits = { memoryBytes: 1 << 16, tmpdir: tmpdir() };
  const list = new UrlListBuilder(createSiteOf('domain'), limits, { runs: 0, bytes: 0 });
  list.add(batchOf(hits.map((hit) => ({ url: 'http://a.de/x', ...hit }))));
  const rows = new RowBytes();
  for (const row of rowsOfSites(list.finish())) rows.add(row);
  return { day, bytes: Buffer.from(rows.toBase64(), 'base64') };
}

function sorted({ bytes }: Run) {
  const read = (target: Uint8Array, position: number) => {
    const part = bytes.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  };
  return { file: { read }, start: 0, end: bytes.length };
}

function merged(runs: readonly Run[]): Run {
  const reader = mergeSorted(runs.map(sorted), 1 << 14);
  const day = runs.at(-1)!.day;
  const rows = new RowBytes();
  for (const row of joined({ rows: reader, days: runs.map((run) => run.day) }, day)) rows.add(row);
  reader.close();
  return { day, bytes: Buffer.from(rows.toBase64(), 'base64') };
}

function visitsOf(run: Run): VisitCounts & { readonly firstDay: number; readonly lastDay: number } {
  const reader = mergeSorted([sorted(run)], 1 << 14);
  const visits = new Visits().read(reader.next()!, run.day);
  reader.close();
  const { comparisons, changes, daysCompared, daysChanged, firstDay, lastDay } = visits;
  return { comparisons, changes, daysCompared, daysChanged, firstDay, lastDay };
}

function naive(nights: readonly Night[]) {
  const visits = nights.flatMap(({ day, hits }) => {
    const sketch = hits.findLast((hit) => hit.sketch !== '')?.sketch;
    const sizes = hits.flatMap(({ size }) => (size < 0 ? [] : [size]));
    const seen = sketch === undefined ? [Math.min(...sizes), Math.max(...sizes)] : sketch;
    return sketch === undefined && sizes.length === 0 ? [] : [{ day, seen }];
  });
  const twin = { comparisons: 0, changes: 0, daysCompared: 0, daysChanged: 0 };
  for (const [k, { day, seen }] of visits.slice(1).entries()) {
    const before = visits[k]!;
    if (day === before.day || typeof seen !== typeof before.seen) continue;
    twin.comparisons++;
    twin.daysCompared += day - before.day;
    const isSame =
      typeof seen === 'string' ? seen === before.seen : seen.every((size) => before.seen.includes(size as never));
    if (isSame) continue;
    twin.changes++;
    twin.daysChanged += day - before.day;
  }
  return { ...twin, firstDay: visits[0]?.day ?? -1, lastDay: visits.at(-1)?.day ?? -1 };
}

const hit = fc.record({
  size: fc.constantFrom(-1, 0, 7, 9, 2 ** 40),
  sketch: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom('s', 'sketch') }),
});
const nights = fc
  .array(fc.record({ gap: fc.constantFrom(0, 1, 1, 2, 200), hits: fc.array(hit, { minLength: 1, maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 9,
  })
  .map((list) => {
    let day = 20_000;
    return list.map(({ gap, hits }): Night => ({ day: (day += gap), hits }));
  });

test('the visits of a URL are those of the naive twin, however its nights are merged', () => {
  let changes = 0;
  fc.assert(
    fc.property(nights, fc.infiniteStream(fc.nat()), (list, choices) => {
      let runs = list.map(runOf);
      const next = () => choices.next().value!;
      while (runs.length > 1) {
        const from = next() % (runs.length - 1);
        const to = from + 2 + (next() % (runs.length - from - 1));
        runs = [...runs.slice(0, from), merged(runs.slice(from, to)), ...runs.slice(to)];
      }
      const twin = naive(list);
      expect(visitsOf(runs[0]!)).toEqual(twin);
      changes += twin.changes;
    }),
    { numRuns: amount(300, 5) },
  );
  expect(changes).toBeGreaterThan(20);
});

test('a row with visits is mined like one without', () => {
  const list = [7, 7, 9].map((size, k) => ({ day: 20_000 + k, hits: [{ size, sketch: k === 1 ? 'sketch' : '' }] }));
  const run = merged(list.map(runOf));
  const limits = { memoryBytes: 1 << 16, tmpdir: tmpdir() };
  const urls = new SiteUrls({ ...limits, pageBytes: 1 << 16, stats: { runs: 0, bytes: 0 } });
  const sites = new MergedSites(mergeSorted([sorted(run)], 1 << 14), urls);
  const site = sites.next()!;
  const at = site.at(0);
  const [hits, min, max] = [site.hitsAt(at), site.minSizeAt(at), site.maxSizeAt(at)];
  expect([site.count, hits, min, max, site.sketchLengthAt(at)]).toEqual([1, 3, 7, 9, 'sketch'.length]);
  sites.close();
});
