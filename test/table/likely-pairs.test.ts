// The pairs of a large site are the same whoever finds them. Threads run what `npm run build` made, and so does this test.
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import type { TableCrew } from '../../src/table/crew.js';
import type { Pair } from '../../src/table/pair.js';
import { seeded } from '../bench/input/random.js';
import { urlsOf } from '../large-site.js';
import { batchOf } from '../url-list.js';

const dist = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;
const { UrlListBuilder } = (await import(dist('table/url-list.js'))) as typeof import('../../src/table/url-list.js');
const { eachLikelyPair } = (await import(
  dist('table/likely-pairs.js')
)) as typeof import('../../src/table/likely-pairs.js');
const { createMineCrew } = (await import(dist('mine/crew.js'))) as typeof import('../../src/mine/crew.js');

const options = { S: 35, T_low: 6, T_high: 11, MS: 3, similarity: true };

function records(): { url: string; size: number }[] {
  const random = seeded(4);
  const list = Array.from(urlsOf(60_000, 9), ({ path, size }) => ({ url: path, size }));
  for (let k = 0; k < 2000; k++)
    list.push({ url: `/${k % 5}/${'a/'.repeat(Math.floor(random() * 30))}${k % 7}`, size: k % 3 });
  // One substitution that is everywhere.
  for (let k = 0; k < 22_000; k++)
    for (const name of ['', 'index.html']) list.push({ url: `/x/${k}/${name}`, size: k % 9 });
  return list;
}

const batch = batchOf(records());
const crews: TableCrew[] = [];
afterAll(() => crews.forEach((crew) => crew.stop()));

function mined(
  threads: number,
  memoryBytes: number,
  listBytes = 1 << 28,
): { pairs: string[]; tasks: Set<string>; runs: number } {
  const crew = createMineCrew(threads);
  const tasks = new Set<string>();
  if (crew !== undefined) {
    crews.push(crew);
    const run = crew.run.bind(crew);
    function* watched<Task extends { readonly kind: string }>(given: Iterable<Task>) {
      for (const task of given) {
        tasks.add(task.kind);
        yield task;
      }
    }
    crew.run = (given, onPart) => run(watched(given), onPart);
  }
  const stats = { runs: 0, bytes: 0 };
  const room = { memoryBytes, tmpdir: tmpdir(), crew, stats };
  const builder = new UrlListBuilder(() => 'site', { ...room, memoryBytes: listBytes }, stats);
  builder.add(batch);
  const sites = builder.finish();
  const pairs: string[] = [];
  eachLikelyPair(sites.next()!, options, room, (pair) => pairs.push(shown(pair)));
  sites.close();
  return { pairs: pairs.toSorted(), tasks, runs: stats.runs };
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
  const alone = mined(1, 1 << 26);

  test.for([2, 3, 5])('are the same from %i threads', (threads) => {
    const { pairs, tasks, runs } = mined(threads, 1 << 26);
    expect(pairs).toEqual(alone.pairs);
    expect(pairs.length).toBeGreaterThan(400);
    expect([...tasks].toSorted()).toEqual([
      'backward',
      'buckets',
      'count',
      'find-stretches',
      'scatter',
      'sort-stretches',
      'walk',
    ]);
    expect(runs).toBe(0);
  });

  test('are the same where the list of all sites has no room beside the table', () => {
    const { pairs, tasks } = mined(3, 1 << 26, 22 << 20);
    expect(pairs).toEqual(alone.pairs);
    expect(tasks.has('forward')).toBe(true);
    expect(tasks.has('scatter')).toBe(false);
  });

  test('are the same where instances do not fit and go to sorted runs', () => {
    const { pairs, tasks, runs } = mined(3, 1 << 20);
    expect(pairs).toEqual(alone.pairs);
    expect(tasks.has('count')).toBe(false);
    expect(runs).toBeGreaterThan(1);
  });
});
