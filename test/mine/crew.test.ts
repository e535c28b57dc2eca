// The parameter rules of a large site are the same on any thread. Threads run the output of `npm run build`, and so
// does this test.
import { tmpdir } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import type { MineCrew, ParameterTask } from '../../src/mine/crew.js';
import { seeded } from '../bench/input/random.js';
import { urlsOf } from '../large-site.js';
import { batchOf } from '../url-list.js';

const dist = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;
const { UrlListBuilder } = (await import(dist('table/url-list.js'))) as typeof import('../../src/table/url-list.js');
const { createMineCrew, searchParameters } = (await import(
  dist('mine/crew.js')
)) as typeof import('../../src/mine/crew.js');

const options = { paramMinUrls: 10, MS: 3, similarity: true };
const ROOMY = 1 << 28;

function records(count: number): { url: string; size: number }[] {
  const random = seeded(6);
  return Array.from(urlsOf(count, 3)).flatMap(({ path, size }) => {
    const url = `${path}${path.includes('?') ? '&' : '?'}sid=${Math.floor(random() * 1e9)}`;
    return random() < 0.3 ? [path, url].map((each) => ({ url: each, size })) : [{ url: path, size }];
  });
}

const large = batchOf(records(45_000));
const crews: MineCrew[] = [];
afterAll(() => crews.forEach((crew) => crew.stop()));

function searched(threads: number, memoryBytes: number, batch = large, listBytes = ROOMY, folder = tmpdir()) {
  const crew = createMineCrew(threads);
  const begun: ParameterTask[] = [];
  if (crew !== undefined) {
    crews.push(crew);
    const begin = crew.begin.bind(crew);
    crew.begin = (task) => {
      begun.push(task);
      return begin(task);
    };
  }
  const stats = { runs: 0, bytes: 0 };
  const limits = { tmpdir: tmpdir(), crew, stats };
  const builder = new UrlListBuilder(() => 'site', { ...limits, memoryBytes: listBytes }, stats);
  builder.add(batch);
  const sites = builder.finish();
  const before = stats.runs;
  const room = { ...limits, tmpdir: folder, memoryBytes };
  const search = searchParameters(sites.next()!, options, room, crew);
  const rules = search.finish().rules;
  sites.close();
  return { rules, begun, runs: stats.runs - before, leftBytes: search.room.memoryBytes };
}

const alone = searched(1, ROOMY);

test('a thread finds the same rules as without one', () => {
  const { rules, begun, runs } = searched(2, ROOMY);
  expect(rules).toEqual(alone.rules);
  expect(rules.map(({ site, name, scope }) => ({ site, name, scope }))).toContainEqual({
    site: 'site',
    name: 'sid',
    scope: 'site',
  });
  expect([begun.length, runs, alone.begun.length, alone.runs]).toEqual([1, 0, 0, 0]);
});

test('also if its rows spill to disk, which is reported', () => {
  // The list takes all of its budget except what the two others lack.
  const { rules, begun, runs } = searched(2, 1 << 20, large, 1 << 25);
  expect(rules).toEqual(alone.rules);
  expect(begun).toHaveLength(1);
  expect(runs).toBeGreaterThan(1);
});

test('both budgets together take one, and what a site leaves of the budget of the list', () => {
  const tight = searched(2, 1 << 22, large, 1 << 25);
  const [task] = tight.begun;
  expect(task!.memoryBytes).toBe(tight.leftBytes);
  const used = task!.site.bytes.length + 26 * task!.site.count;
  expect(2 * tight.leftBytes).toBeLessThanOrEqual((1 << 22) + Math.max(0, 0.45 * (1 << 25) - used));
  expect(searched(2, 1 << 22).leftBytes).toBe(1 << 22);
});

test('a small site is left to the caller', () => {
  expect(searched(2, ROOMY, batchOf(records(2000))).begun).toEqual([]);
});

test('a list on disk has the same rules, and a thread reads its pages', () => {
  const onDisk = searched(2, ROOMY, large, 1 << 22);
  expect(onDisk.begun.map(({ site }) => site.pages !== undefined)).toEqual([true]);
  expect(onDisk.rules).toEqual(alone.rules);
});

test('an unusable folder is refused in a thread as it is here', () => {
  expect(() => searched(2, 1 << 18, large, 1 << 24, '/no/such/folder')).toThrow(/no such folder \(ENOENT\)/);
});
