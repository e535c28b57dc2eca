// Laws of replicated collections: what comes out fulfils the definitions of the paper, and is the same for any memory
// and order of input.
import { describe, expect, test } from 'vitest';
import { byText } from '../../src/base/bytes.js';
import type { CrawledPage } from '../../src/mirrors/intake.js';
import { mirrorsSummary } from '../../src/report/mirrors.js';
import { amount, isFew } from '../amount.js';
import { cascadingCrawl, chunk, framedCrawl, mirrorsOf, plantedCrawl, randomCrawl, shuffled } from './graph.js';
import { seeded } from '../sketch/sample.js';
import { faultsOf, naiveClusters, naiveFrames } from './verify.js';

const range = (count: number) => Array.from({ length: count }, (_, k) => k);

describe('collections', () => {
  test.each(range(amount(150, 3)))('fulfil Definitions 5 to 8 on random graphs, %i', (seed) => {
    const shape = { pages: 12 + (seed % 40), texts: 3 + (seed % 9), links: 1 + (seed % 5), hosts: 1 + (seed % 4) };
    const crawl = randomCrawl(seed, shape);
    const { clusters } = mirrorsOf(crawl, {});
    expect(faultsOf(crawl, clusters, 15)).toEqual([]);
  });

  test('are within a host where they are single-site, and fulfil the definitions by links within hosts', () => {
    let found = 0;
    for (const seed of range(amount(150, 3))) {
      const shape = { pages: 16 + (seed % 20), texts: 3 + (seed % 3), links: 2 + (seed % 4), hosts: 2 + (seed % 2) };
      const crawl = [...randomCrawl(seed, shape), ...(seed % 10 === 0 ? plantedCrawl(seed, 3, 12) : [])];
      const hostOf = (url: string) => new URL(url).host;
      const within = crawl.map((page) => ({
        ...page,
        links: page.links.filter((link) => hostOf(link) === hostOf(page.url)),
      }));
      const { clusters } = mirrorsOf(crawl, { singleSite: true });
      expect(faultsOf(within, clusters, 15)).toEqual([]);
      for (const copy of clusters.flat()) expect(new Set(copy.map(hostOf)).size).toBe(1);
      found += clusters.length;
    }
    expect(found).toBeGreaterThan(amount(10, 3));
  });

  test('with virtual links are similar page by page, of one size and connected', () => {
    let shared = 0;
    for (const seed of range(amount(300, 1))) {
      const shape = { pages: 12 + (seed % 30), texts: 4 + (seed % 9), links: 1 + (seed % 4), hosts: 1 + (seed % 4) };
      const crawl = randomCrawl(seed, shape);
      const { clusters } = mirrorsOf(crawl, { extended: true });
      // A page may be in several copies, and copies of a page need no parents of their own (the paper, 4).
      const faults = faultsOf(crawl, clusters, 15);
      expect(faults.filter((fault) => !/is in two collections|has other parents/.test(fault))).toEqual([]);
      shared += faults.length > 0 ? 1 : 0;
    }
    expect(shared).toBeGreaterThan(0);
  });

  test('of random graphs are not all empty', () => {
    let [found, unmatched, unlike] = [0, 0, 0];
    for (const seed of range(amount(600, 3))) {
      const shape = { pages: 12 + (seed % 8), texts: 3 + (seed % 3), links: 2 + (seed % 4), hosts: 2 };
      const { clusters, mirrors } = mirrorsOf(randomCrawl(seed, shape), {});
      found += clusters.length;
      unmatched += mirrors.counts.unmatched;
      unlike += mirrors.counts.unlike;
    }
    expect(found).toBeGreaterThan(amount(10, 3));
    for (const count of [unmatched, unlike]) expect(count).toBeGreaterThan(0);
  });

  test.each(range(10))('are found where they were planted, %i', (seed) => {
    const [copies, size] = [2 + (seed % 5), 10 + 7 * seed];
    const crawl = plantedCrawl(seed, copies, size);
    const { clusters } = mirrorsOf(crawl, {});
    expect(faultsOf(crawl, clusters, 15)).toEqual([]);
    expect(clusters.map((found) => [found.length, found[0]!.length])).toEqual([[copies, size]]);
    expect(clusters[0]!.map(([root]) => root!).sort(byText)).toEqual(
      range(copies).map((copy) => `http://mirror${copy}.example/docs${copy}/`),
    );
  });

  test.each([{}, { singleSite: true }, { extended: true }, { overBreaks: true }])(
    'are found beside a copy without links, which is set aside and named, %o',
    (options) => {
      const crawl = plantedCrawl(1, 4, 40);
      const isBare = ({ url }: CrawledPage) => url.startsWith('http://mirror3.example/');
      const bare = crawl.map((page) => (isBare(page) ? { ...page, links: [] } : page));
      const { clusters, mirrors } = mirrorsOf(bare, options);
      expect(faultsOf(bare, clusters, 15)).toEqual([]);
      expect(clusters.map((found) => [found.length, found[0]!.length])).toEqual([[3, 40]]);
      expect(clusters.flat(2).some((url) => url.startsWith('http://mirror3.example/'))).toBe(false);
      const saving = { pages: 0, saved: 0, nearby: 0, similar: 0, similarLeft: 0 };
      expect(mirrors.counts.setAside).toBe(40);
      expect(mirrorsSummary(mirrors, [], saving)).toContain('40 pages set aside (mirror3.example 40): ');
    },
  );

  test.each([{}, { singleSite: true }, { extended: true }, { overBreaks: true }])(
    'are found whole beside a copy that lacks most links, which is set aside, %o',
    (options) => {
      for (const share of [0.95, 0.8, 0.7]) {
        const random = seeded(9);
        const isPart = ({ url }: CrawledPage) => url.startsWith('http://mirror3.example/');
        const crawl = plantedCrawl(1, 4, 60).map((page) =>
          isPart(page) ? { ...page, links: page.links.filter(() => random() >= share) } : page,
        );
        const { clusters, mirrors } = mirrorsOf(crawl, options);
        expect(faultsOf(crawl, clusters, 15)).toEqual([]);
        expect(clusters.map((found) => [found.length, found[0]!.length])).toEqual([[3, 60]]);
        expect(mirrors.counts.setAside).toBe(60);
      }
    },
  );

  test('keep a copy that lacks pages, however many, but has the links between the others', () => {
    const random = seeded(9);
    const crawl = plantedCrawl(1, 4, 60).filter(
      ({ url }) => !url.startsWith('http://mirror3.example/docs3/p') || random() >= 0.5,
    );
    const { clusters } = mirrorsOf(crawl, {});
    expect(faultsOf(crawl, clusters, 15)).toEqual([]);
    expect(clusters.flat(2).filter((url) => url.startsWith('http://mirror3.example/')).length).toBeGreaterThan(15);
  });

  test('are the same for any memory and order of the records', () => {
    const crawl = [...plantedCrawl(1, 4, 60), ...randomCrawl(2, { pages: 80 })];
    const one = mirrorsOf(crawl, {});
    expect(mirrorsOf(shuffled(crawl, seeded(3)), {}, 20_000).clusters).toEqual(one.clusters);
    expect(mirrorsOf(shuffled(crawl, seeded(4)), {}).mirrors.counts).toEqual(one.mirrors.counts);
  });
});

test.skipIf(isFew).each([{}, { overBreaks: true }, { extended: true }, { maxList: 3 }])(
  'columns and components on disk give the same clusters, %o',
  (options) => {
    // Columns of three blocks, of which two are in memory.
    const crawl = [...plantedCrawl(1, 4, 550), ...randomCrawl(2, { pages: 200 })];
    const [memory, disk] = [mirrorsOf(crawl, options), mirrorsOf(crawl, options, 60_000)];
    expect([memory.mirrors.clusterOf.isInMemory, disk.mirrors.clusterOf.isInMemory]).toEqual([true, false]);
    expect([...disk.mirrors.clusterOf.each()]).toEqual([...memory.mirrors.clusterOf.each()]);
    expect([...disk.mirrors.foreign.each()]).toEqual([...memory.mirrors.foreign.each()]);
    expect(disk.clusters).toEqual(memory.clusters);
    expect(disk.mirrors.counts).toEqual(memory.mirrors.counts);
    expect(disk.mirrors.replicas).toEqual(memory.mirrors.replicas);
    expect(memory.mirrors.counts.longLists > 0).toBe('maxList' in options);
  },
);

describe('similar pages', () => {
  test.each(range(30))('are those of the naive way, %i', (seed) => {
    const random = seeded(seed);
    const texts = 6 + (seed % 12);
    const crawl = range(40).map((k): CrawledPage => ({
      url: `http://h.example/${k}`,
      chunks: range(Math.floor(random() * 8)).map(() => chunk(Math.floor(random() ** 2 * texts))),
      digest: `sha256:${Math.floor(random() * 5)}`,
      links: [],
    }));
    const threshold = 1 + (seed % 5);
    const names = naiveClusters(crawl, threshold);
    const { mirrors } = mirrorsOf(crawl, { threshold }, seed % 2 === 0 ? 4096 : 1 << 20);
    const sizes = new Map<string, number>();
    for (const name of names.values()) sizes.set(name, (sizes.get(name) ?? 0) + 1);
    const replicas = new Map<number, number>();
    for (const size of sizes.values()) replicas.set(size, (replicas.get(size) ?? 0) + size);
    expect([...mirrors.replicas].sort(([a], [b]) => a - b)).toEqual([...replicas].sort(([a], [b]) => a - b));
  });
});

describe('pages with other parents in each copy', () => {
  test.each(range(amount(200, 3)))('are taken out as by a walk for each round, %i', (seed) => {
    const random = seeded(seed);
    // Trees with links that one of the copies has alone.
    const crawl = plantedCrawl(seed, 2 + (seed % 3), 20 + (seed % 30)).map((page) => {
      if (random() < 0.6) return page;
      const other = page.url.replace(/[^/]*$/, `p${1 + Math.floor(random() * 20)}.html`);
      return { ...page, links: [...page.links.slice(random() < 0.3 ? 1 : 0), other] };
    });
    const [found, twin] = [mirrorsOf(crawl, {}), mirrorsOf(crawl, { mostSteps: 0 })];
    expect(found.clusters).toEqual(twin.clusters);
    expect(found.mirrors.counts).toEqual(twin.mirrors.counts);
    expect(faultsOf(crawl, found.clusters, 15)).toEqual([]);
  });

  test('are taken out of a chain of 8,000 in one walk: a walk for each took two minutes', { timeout: 30_000 }, () => {
    for (const isLinkedBack of [false, true]) {
      const small = cascadingCrawl(60, isLinkedBack);
      const [found, twin] = [mirrorsOf(small, {}), mirrorsOf(small, { mostSteps: 0 })];
      expect([found.clusters, found.mirrors.counts]).toEqual([twin.clusters, twin.mirrors.counts]);
      const { clusters, mirrors } = mirrorsOf(cascadingCrawl(8000, isLinkedBack), {}, 1 << 28);
      expect([clusters.flat().map((copy) => copy.length), mirrors.counts.unlike]).toEqual([[2, 2], 7998]);
    }
  });
});

describe('lines that a mirror adds to each page', () => {
  const modes = [{}, { singleSite: true }, { extended: true }, { overBreaks: true }];

  test.each(modes)('are its frame and are not compared, %o', (mode) => {
    for (const [above, below] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [2, 3],
    ] as const) {
      const crawl = framedCrawl(3, { size: 186, most: 30, lines: 1, above, below });
      const { clusters, mirrors } = mirrorsOf(crawl, { threshold: 40, ...mode });
      expect(clusters.map((found) => [found.length, found[0]!.length])).toEqual([[2, 186]]);
      expect(mirrors.counts.frameChunks).toBe(above + below);
    }
  });

  test.each(range(12))('are those of the naive way, and the collections fulfil the definitions, %i', (seed) => {
    const shape = {
      size: 25 + seed,
      most: 4 + 2 * seed,
      lines: 1 + (seed % 3),
      above: seed % 2,
      below: 1 + (seed % 4),
    };
    const crawl = framedCrawl(seed, shape);
    const { clusters, mirrors } = mirrorsOf(crawl, { threshold: 5 }, seed % 2 === 0 ? 4096 : 1 << 20);
    expect(mirrors.counts.frameChunks).toBe(naiveFrames(crawl).size);
    expect(faultsOf(crawl, clusters, 5)).toEqual([]);
    const byNaive = new Set(naiveClusters(crawl, 5).values()).size;
    expect(new Set(mirrors.clusterOf.each()).size).toBe(byNaive);
  });

  test('are not the common text of many copies of a page on one host', () => {
    const crawl = range(30).flatMap((copy) =>
      range(3).map((k): CrawledPage => {
        const own = range(20).map((line) => chunk(1_000_003 * (100 * k + line + 1)));
        const url = (page: number) => `http://h.example/${copy}/${page}`;
        return { url: url(k), chunks: [...own, chunk(9e9 + 3 * copy + k)], links: [0, 1, 2].map(url) };
      }),
    );
    const { clusters, mirrors } = mirrorsOf(crawl, {});
    expect(mirrors.counts.frameChunks).toBe(0);
    expect(clusters.map((found) => [found.length, found[0]!.length])).toEqual([[30, 3]]);
  });
});

const page = (name: string, text: number, links: readonly string[]): CrawledPage => ({
  url: `http://h.example/${name}`,
  chunks: [chunk(text)],
  links: links.map((link) => `http://h.example/${link}`),
});

test('a link to the index.html of a folder is one to the folder, unless that is a page of its own', () => {
  const copy = (host: string, own: readonly CrawledPage[]): CrawledPage[] => [
    { url: `http://${host}/docs/`, chunks: [chunk(1)], links: [`http://${host}/docs/a`] },
    { url: `http://${host}/docs/a`, chunks: [chunk(2)], links: [`http://${host}/docs/index.html`] },
    ...own,
  ];
  const index = (host: string, text: number): CrawledPage => ({
    url: `http://${host}/docs/index.html`,
    chunks: [chunk(text)],
    links: [],
  });
  const linksOf = (crawl: readonly CrawledPage[]) => mirrorsOf(crawl, {}).mirrors.counts;
  expect(linksOf([...copy('a', []), ...copy('b', [])])).toMatchObject({ links: 4, outside: 0, edges: 2 });
  const [a, b] = [index('a', 3), index('b', 4)];
  expect(linksOf([...copy('a', [a]), ...copy('b', [b])])).toMatchObject({ links: 4, outside: 0, edges: 1 });
  const stray = { url: 'http://c/', chunks: [chunk(9)], links: ['http://c/gone/index.html', 'http://c/xindex.html'] };
  expect(linksOf([...copy('a', []), stray])).toMatchObject({ links: 2, outside: 2 });
});

test('a mapping that contradicts one taken before is dropped', () => {
  const crawl = [
    page('a1', 1, ['b1', 'c2']),
    page('a2', 1, ['b2', 'c1']),
    page('b1', 2, ['c1']),
    page('b2', 2, ['c2']),
    page('c1', 3, []),
    page('c2', 3, []),
  ];
  const { clusters, mirrors } = mirrorsOf(crawl, {});
  expect(faultsOf(crawl, clusters, 15)).toEqual([]);
  expect(clusters.map((copies) => copies.map((copy) => copy.length))).toEqual([[3, 3]]);
  expect(mirrors.counts).toMatchObject({ edges: 3, contradictions: 1 });
});

test('pages of a partial mirror belong to several copies where virtual links count (4)', () => {
  const crawl = [
    page('a1', 1, ['b1', 'd']),
    page('a2', 1, ['b2', 'd']),
    page('b1', 2, []),
    page('b2', 2, []),
    page('d', 3, ['e']),
    page('e', 4, []),
  ];
  expect(mirrorsOf(crawl, {}).clusters.map((copies) => copies.map((copy) => copy.length))).toEqual([[2, 2]]);
  const [copies] = mirrorsOf(crawl, { extended: true }).clusters;
  expect(copies!.map((copy) => copy.map((url) => url.split('/').at(-1)!).sort(byText))).toEqual([
    ['a1', 'b1', 'd'],
    ['a2', 'b2', 'd'],
  ]);
});

test('the condition |Ri| = s = d = |Rj| is not enough: each page needs a partner of its own', () => {
  const crawl = [
    page('a1', 1, ['b1', 'b2', 'b3']),
    page('a2', 1, ['b1']),
    page('a3', 1, ['b1']),
    ...['b1', 'b2', 'b3'].map((name) => page(name, 2, [])),
  ];
  const { clusters, mirrors } = mirrorsOf(crawl, {});
  expect(clusters).toEqual([]);
  expect(mirrors.counts).toMatchObject({ pairs: 1, edges: 0, unmatched: 1 });
});
