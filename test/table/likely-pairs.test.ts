// The pairs of a large site are the same on any number of threads. Threads run the output of `npm run build`, and so
// does this test.
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import type { TableCrew } from '../../src/table/crew.js';
import type { Pair } from '../../src/table/pair.js';
import { eachPairOf } from '../pair-bytes.js';
import { seeded } from '../bench/input/random.js';
import { urlsOf } from '../large-site.js';
import { batchOf } from '../url-list.js';
import { rows, isFew } from '../amount.js';

const dist = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;
const { UrlListBuilder } = (await import(dist('table/url-list.js'))) as typeof import('../../src/table/url-list.js');
const { eachLikelyPair } = (await import(
  dist('table/likely-pairs.js')
)) as typeof import('../../src/table/likely-pairs.js');
const heap = (await import(dist('base/heap.js'))) as typeof import('../../src/base/heap.js');
const { createMineCrew } = (await import(dist('mine/crew.js'))) as typeof import('../../src/mine/crew.js');

const options = { S: 35, T_low: 6, T_high: 11, MS: 3, similarity: true };

type Line = { readonly url: string; readonly size: number };

function records(): readonly Line[] {
  const random = seeded(4);
  const list: Line[] = Array.from(urlsOf(60_000, 9), ({ path, size }) => ({ url: path, size }));
  for (let k = 0; k < 2000; k++) {
    list.push({ url: `/${k % 5}/${'a/'.repeat(Math.floor(random() * 30))}${k % 7}`, size: k % 3 });
    list.push({ url: `/y${k % 5}/${'b/c/'.repeat(Math.floor(random() * 5))}${k % 7}`, size: k % 3 });
  }
  // One substitution that occurs everywhere.
  for (let k = 0; k < 22_000; k++)
    for (const name of ['', 'index.html']) list.push({ url: `/x/${k}/${name}`, size: k % 9 });
  return list;
}

const crews: TableCrew[] = [];
afterAll(() => crews.forEach((crew) => crew.stop()));

function mined(
  lines: readonly Line[],
  threads: number,
  memoryBytes: number,
  listBytes = 1 << 28,
  spareBytes = 0,
): { pairs: string[]; tasks: Set<string>; runs: number } {
  const crew = createMineCrew(threads);
  const tasks = new Set<string>();
  if (crew !== undefined) {
    crews.push(crew);
    const run = crew.run.bind(crew);
    function* watched<Task extends { readonly kind: string }>(given: Iterable<Task | undefined>) {
      for (const task of given) {
        if (task !== undefined) tasks.add(task.kind);
        yield task;
      }
    }
    crew.run = (given, onPart) => run(watched(given), onPart);
  }
  const stats = { runs: 0, bytes: 0 };
  const room = { memoryBytes, tmpdir: tmpdir(), crew, stats, spareBytes };
  const builder = new UrlListBuilder(() => 'site', { ...room, memoryBytes: listBytes }, stats);
  builder.add(batchOf(lines));
  const sites = builder.finish();
  const pairs: string[] = [];
  eachLikelyPair(sites.next()!, options, room, (found) => {
    for (const pair of eachPairOf(found)) pairs.push(shown(pair));
  });
  sites.close();
  return { pairs: pairs.toSorted(), tasks, runs: stats.runs };
}

/** Finds the pairs of one site, repeatedly, and returns their number. */
function finder(list: readonly Line[], threads: number, memoryBytes: number) {
  const crew = createMineCrew(threads);
  if (crew !== undefined) crews.push(crew);
  const stats = { runs: 0, bytes: 0 };
  const room = { memoryBytes, tmpdir: tmpdir(), crew, stats };
  const builder = new UrlListBuilder(() => 'site', { ...room, memoryBytes: 1 << 28 }, stats);
  builder.add(batchOf(list));
  const urls = builder.finish().next()!;
  const find = () => {
    let pairs = 0;
    eachLikelyPair(urls, options, room, (found) => (pairs += [...eachPairOf(found)].length));
    return pairs;
  };
  return { find, stats };
}

const heapBytes = () => heap.kernel().heapBytes();

/** Bytes of the heap below its top that are not in a free block (kernel/memory/heap). */
function usedBytes(): number {
  const HEAP_START = 65536;
  const [free, top] = heap.u32At(20, 2) as unknown as [number, number];
  let used = top - HEAP_START;
  for (let block = free; block !== 0;) {
    const [bytes, next] = heap.u32At(block, 2) as unknown as [number, number];
    used -= bytes;
    block = next;
  }
  return used;
}

const shown = ({ from, to, anchor, low, high, against, examples }: Pair) =>
  [
    Buffer.from(from).toString('latin1'),
    Buffer.from(to).toString('latin1'),
    anchor,
    low,
    high,
    against,
    examples.join(),
  ].join(' ');

describe('pairs of a large site', { timeout: 30_000 }, () => {
  const lines = records();
  const alone = mined(lines, 1, 1 << 26);

  test.for(rows([2, 3, 5], 3))('are the same from %i threads', (threads) => {
    const { pairs, tasks, runs } = mined(lines, threads, 1 << 26);
    expect(pairs).toEqual(alone.pairs);
    expect(pairs.length).toBeGreaterThan(400);
    expect([...tasks].filter((kind) => kind !== 'branches').toSorted()).toEqual([
      'backward',
      'count',
      'deal',
      'find-stretches',
      'scatter',
      'sort-stretches',
      'walk',
    ]);
    expect(runs).toBe(0);
  });

  test.skipIf(isFew)('are the same if the list of all sites does not fit beside the table', () => {
    const { pairs, tasks } = mined(lines, 3, 1 << 26, 28 << 20);
    expect(pairs).toEqual(alone.pairs);
    expect(tasks.has('forward')).toBe(true);
    expect(tasks.has('scatter')).toBe(false);
  });

  // With 1 MiB, the rows of one core do not fit either: they are sorted on disk.
  test.for([
    { threads: 1, memoryBytes: 1 << 22 },
    { threads: 3, memoryBytes: 1 << 22 },
    { threads: 1, memoryBytes: 1 << 20 },
    { threads: 3, memoryBytes: 1 << 20 },
  ])('are the same if instances do not fit: $threads threads, $memoryBytes bytes', ({ threads, memoryBytes }) => {
    const { pairs, tasks, runs } = mined(lines, threads, memoryBytes);
    expect(pairs).toEqual(alone.pairs);
    expect(tasks.has('count')).toBe(threads > 1);
    expect(runs).toBeGreaterThan(1);
  });

  test('stay in memory if the list leaves enough of its share', () => {
    const { pairs, runs } = mined(lines, 1, 1 << 20, 1 << 28, 1 << 28);
    expect(pairs).toEqual(alone.pairs);
    expect(runs).toBe(0);
  });
});

// Instances of one core that differ in the text on one or both sides of it.
const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const oneCore: Record<string, (k: number, gap: string) => string> = {
  'to the left of it': (k, gap) => `/${k}/${WORDS[k % 10]}/${WORDS[(k >> 4) % 10]}${gap}/end`,
  'to the right of it': (k, gap) => `/begin${gap}/${WORDS[k % 10]}/${WORDS[(k >> 4) % 10]}/${k}`,
  'on both sides': (k, gap) => `/${k % 7}/${WORDS[k % 3]}${gap}/${WORDS[k % 5]}/${k}`,
  'mostly a few tokens away': (k, gap) => `/${k}/${k % 50 === 0 ? WORDS[k % 9] : 'a-b-c-d'}${gap}/${k % 97}`,
};

describe('pairs of a core with nearly all instances', { timeout: 30_000 }, () => {
  test.for(rows(Object.entries(oneCore), isFew ? 4 : 2))(
    'are the same from threads that share it, where it differs %s',
    ([, urlOf]) => {
      const lines = Array.from({ length: 50_000 }, (_, k) => ({
        url: urlOf(k >> 1, k % 2 === 0 ? '' : '/index'),
        size: (k >> 1) % 7,
      }));
      const alone = mined(lines, 1, 1 << 26);
      expect(alone.pairs.length).toBeGreaterThan(10);
      for (const threads of [2, 4]) {
        const { pairs, tasks } = mined(lines, threads, 1 << 26);
        expect(tasks.has('branches')).toBe(true);
        expect(pairs).toEqual(alone.pairs);
      }
    },
  );
});

const FOLDERS = 'aaa/bbb/ccc/ddd/eee/fff/ggg/hhh/iii/';

test('pairs of nodes nearly as large as their parents are the same', { timeout: 30_000 }, () => {
  // Nested folders, ten deep, with as many pages in each, all of them again in another folder.
  const lines = Array.from({ length: 50_000 }, (_, k) => {
    const page = k >> 1;
    return { url: `/${FOLDERS.slice(0, 4 * (page % 10))}${k % 2 === 0 ? '' : 'en/'}p${page}`, size: page % 11 };
  });
  const alone = mined(lines, 1, 1 << 26);
  expect(alone.pairs.length).toBeGreaterThan(20);
  expect(mined(lines, 4, 1 << 26).pairs).toEqual(alone.pairs);
});

describe('blocks of the heap', { timeout: 60_000 }, () => {
  const lines = records().slice(-50_000);
  const few = lines.filter((_, k) => k % 5000 < 100);
  test.for([
    { kind: 'small sites', lines: few, threads: 1, memoryBytes: 1 << 26, sites: 200 },
    { kind: 'small sites on disk', lines: few, threads: 1, memoryBytes: 1 << 15, sites: 30 },
    { kind: 'a site of one thread', lines, threads: 1, memoryBytes: 1 << 26, sites: 2 },
    { kind: 'a site that threads share', lines, threads: 3, memoryBytes: 1 << 26, sites: 3 },
    { kind: 'the same on disk', lines, threads: 3, memoryBytes: 1 << 20, sites: 1 },
  ])('are freed once the pairs are found: $kind', ({ lines: list, threads, memoryBytes, sites }) => {
    const { find, stats } = finder(list, threads, memoryBytes);
    for (let k = 0; k < sites; k++) find();
    const before = usedBytes();
    const bytes = heapBytes();
    for (let k = 0; k < sites; k++) expect(find()).toBeGreaterThan(5);
    expect(stats.runs > 0).toBe(memoryBytes <= 1 << 20);
    // A thread may get a large part late, and keep some of its memory.
    expect(usedBytes() - before).toBeLessThan(threads === 1 ? 1 : 2 << 20);
    expect(heapBytes() - bytes).toBeLessThan(threads === 1 ? 1 : 16 << 20);
  });
});
