// The report's inventory and the miner agree: the groups and URLs of each mined parameter, on one list.
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { localEngine } from '../../../../src/mine/engine.js';
import { Miner } from '../../../../src/mine/mine.js';
import { batchOf } from '../../../url-list.js';
import { seeded } from '../../../bench/input/random.js';
import { sampleFile } from '../../../rule/sample.js';
import { lineOf, reportOf } from '../visited.js';

interface Page {
  readonly url: string;
  readonly size: number;
}

/** What is in a page besides its text, by its size and its address. */
const PAGES = {
  'that are always equal': () => 0,
  'that show a counter': (size: number, _url: string, random: () => number) => Math.floor(0.002 * size * random()),
  'that hold their address three times': (_size: number, url: string) => 3 * url.length,
} as const;

/**
 * Pages with sessions, campaigns, or both; some are random, so that their sizes differ; and lists, which sorting
 * changes.
 */
function shop(seed: number, besides: (typeof PAGES)[keyof typeof PAGES]): Page[] {
  const random = seeded(seed);
  const some = (most: number) => Math.floor(random() * most);
  const pages: Page[] = [];
  for (let page = 0; page < 60; page++) {
    const size = 5000 + some(60_000);
    const ask = (query: string) => {
      const isDrawnAnew = page % 12 === 0;
      const url = `http://shop.test/product?id=${page}${query}`;
      pages.push({ url, size: (isDrawnAnew ? size + some(9000) : size) + besides(size, url, random) });
    };
    ask('');
    for (let visit = 0; visit < 3; visit++) ask(`&session=${some(1e9).toString(36)}`);
    for (const from of ['news', 'mail']) if (random() < 0.7) ask(`&from=${from}`);
    if (random() < 0.3) ask('&from=news&session=zz');
    for (const way of ['up', 'down'])
      pages.push({ url: `http://shop.test/list?cat=${page}&way=${way}`, size: 3000 + some(40_000) });
  }
  return pages;
}

const cases = Object.entries(PAGES).flatMap(([what, besides]) =>
  [1, 2, 3].map((seed) => [what, seed, besides] as const),
);

it.each(cases)('of a shop with pages %s (seed %i)', async (_, seed, besides) => {
  const pages = shop(seed, besides);
  const room = { memoryBytes: 1 << 24, tmpdir: tmpdir() };
  const { options } = sampleFile([]);
  const miner = new Miner({ ...options, minSiteUrls: 0 }, () => 'shop.test', localEngine, room);
  miner.add(batchOf(pages));
  const mined = [...miner.eachRule()].filter((rule) => rule.kind === 'parameter');
  const log = pages.map(({ url, size }) => lineOf({ url, size })).join('');
  const { parameters } = (await reportOf(log, sampleFile([]), { memoryBytes: 1 << 22, top: 100 })).log!;
  const counted = parameters.map(({ name, urls, groups }) => [name, { ...groups, urls }] as const);
  const figures = mined.map(
    ({ name, support, against }) =>
      [name, { same: support.groups, different: against, silent: 0, urls: support.urls }] as const,
  );
  expect(figures.map(([name]) => name).sort()).toEqual(['from', 'session']);
  expect(new Map(counted)).toEqual(new Map([...counted, ...figures]));
  for (const [, { same, different }] of figures) expect(Math.min(same, different)).toBeGreaterThan(0);
});
