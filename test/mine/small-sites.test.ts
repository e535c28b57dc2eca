// Rules of many sites are the same on any thread. Threads run the output of `npm run build`, and so does this test.
import { isCandidate } from '../../src/rule/standing.js';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import type { MineCrew } from '../../src/mine/crew.js';
import type { MostRules } from '../../src/mine/most-rules.js';
import type { SitesTask } from '../../src/mine/sites-task.js';
import { urlsOf } from '../large-site.js';
import { mineOptions } from './options.js';
import { batchOf } from '../url-list.js';
import { rows } from '../amount.js';

const dist = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;
const { Miner } = (await import(dist('mine/mine.js'))) as typeof import('../../src/mine/mine.js');
const { createMineCrew } = (await import(dist('mine/crew.js'))) as typeof import('../../src/mine/crew.js');
const { createSiteOf } = (await import(
  dist('url/public-suffix.js')
)) as typeof import('../../src/url/public-suffix.js');

/** Sites of all sizes in random order; with one of `many` URLs that all threads share. */
function batchesOf(sizes: readonly number[]) {
  return sizes.map((count, site) =>
    batchOf(
      Array.from(urlsOf(count, site + 1)).flatMap(({ path, size }, k) => {
        const url = `http://h${(site * 7919) % 1000}.test${path}`;
        const again = `${url}${path.includes('?') ? '&' : '?'}sid=${k}`;
        return k % 3 === 0 ? [url, again].map((each) => ({ url: each, size })) : [{ url, size }];
      }),
    ),
  );
}

const crews: MineCrew[] = [];
afterAll(() => crews.forEach((crew) => crew.stop()));

type Way = 'as objects' | 'as a list';

function mined(
  batches: ReturnType<typeof batchesOf>,
  threads: number,
  memoryBytes: number,
  most?: MostRules,
  way: Way = 'as objects',
) {
  const crew = createMineCrew(threads);
  const packs: SitesTask[] = [];
  const others = new Set<string>();
  if (crew !== undefined) {
    crews.push(crew);
    const run = crew.run.bind(crew);
    function* watched<Task extends { readonly kind: string }>(given: Iterable<Task | undefined>) {
      for (const task of given) {
        if (task?.kind === 'sites') packs.push(task as unknown as SitesTask);
        else if (task !== undefined) others.add(task.kind);
        yield task;
      }
    }
    crew.run = (given, onPart) => run(watched(given), onPart);
  }
  const miner = new Miner(mineOptions, createSiteOf('host'), { memoryBytes, tmpdir: tmpdir(), crew });
  for (const batch of batches) miner.add(batch);
  const rules = way === 'as objects' ? Array.from(miner.eachRule(undefined, most)) : listed(miner, most);
  const { spilled, largestSites, ...counts } = miner.summary;
  const summary = { ...counts, largest: largestSites.list() };
  return { rules, summary, spilled, packs, others };
}

/** All of them, without ranks. */
function listed(miner: InstanceType<typeof Miner>, most?: MostRules) {
  const list = miner.listRules(most);
  const rules = Array.from(list, ({ rank, ...rule }, at) => {
    expect(rank).toBe(at + 1);
    return rule;
  });
  list.close();
  return rules;
}

describe('rules of many sites', { timeout: 60_000 }, () => {
  const sizes = Array.from({ length: 60 }, (_, k) => [1500, 3, 40, 700][k % 4]!);
  const batches = batchesOf([...sizes.slice(0, 30), 45_000, ...sizes.slice(30)]);
  const alone = mined(batches, 1, 1 << 28);
  const half = batchesOf(sizes.slice(0, 30));

  test('are those of the highest rank if there are too many, from any number of threads and sorted runs', () => {
    const all = mined(half, 1, 1 << 28);
    const some = all.rules.slice(0, 100);
    const bytes = some.reduce((sum, rule) => sum + Buffer.byteLength(JSON.stringify(rule)), 0);
    const unlisted = all.rules.length - some.length;
    expect(unlisted).toBeGreaterThan(100);
    const mosts = [
      { rules: 100, bytes: Infinity },
      { rules: Infinity, bytes },
      { rules: Infinity, bytes: bytes + 1 },
    ];
    for (const [at, most] of mosts.entries()) {
      const way = at === 1 ? 'as a list' : 'as objects';
      const { rules, summary, spilled } = mined(half, 1 + at, 1 << 20, most, way);
      expect(rules).toEqual(some);
      expect(summary).toEqual({ ...all.summary, unlisted, candidates: some.filter(isCandidate).length });
      expect(spilled.runs).toBeGreaterThan(0);
    }
    expect(all.summary.unlisted).toBe(0);
  });

  test.for(rows([3, 2], 2))(
    'are the same from %i threads, which have small sites in packs and a large one together',
    (threads) => {
      const { rules, summary, packs, others } = mined(batches, threads, 1 << 28);
      expect(rules).toEqual(alone.rules);
      expect(summary).toEqual(alone.summary);
      expect(new Set(rules.map(({ site }) => site)).size).toBeGreaterThan(20);
      expect(new Set(rules.map(({ kind }) => kind)).size).toBe(2);
      expect(packs.length).toBeGreaterThan(1);
      expect([...others]).toContain('count');
      const inPacks = packs.flatMap(({ pack }) => pack.names);
      expect(new Set(inPacks).size).toBe(inPacks.length);
    },
  );

  test('are the same with little memory, and spilling is reported', () => {
    const { rules, summary, spilled } = mined(batches, 2, 1 << 21);
    expect(rules).toEqual(alone.rules);
    expect(summary).toEqual(alone.summary);
    expect(spilled.runs).toBeGreaterThan(alone.spilled.runs);
  });

  test('threads are not used for too few sites', () => {
    const few = batchesOf(sizes.slice(0, 4));
    const { rules, packs } = mined(few, 2, 1 << 28);
    expect(packs).toEqual([]);
    expect(rules).toEqual(mined(few, 1, 1 << 28).rules);
    expect(rules.length).toBeGreaterThan(0);
  });
});
