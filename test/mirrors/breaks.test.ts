// Clusters that a break point splits are joined over it.
import { expect, test } from 'vitest';
import { byText } from '../../src/base/bytes.js';
import type { CrawledPage } from '../../src/mirrors/intake.js';
import { amount } from '../amount.js';
import { chunk, mirrorsOf, plantedCrawl, randomCrawl } from './graph.js';
import { naiveClusters } from './verify.js';

const range = (count: number) => Array.from({ length: count }, (_, k) => k);
const page = (name: string, text: number, links: readonly string[]): CrawledPage => ({
  url: `http://h.example/${name}`,
  chunks: [chunk(text)],
  links: links.map((link) => `http://h.example/${link}`),
});

test('Figure 3c of the paper: p, r and s are one collection, without the pages between them', () => {
  const crawl = [
    page('p1', 1, ['q1']),
    page('p2', 1, ['t2']),
    page('q1', 2, ['r1', 's1']),
    page('t2', 3, ['r2', 's2']),
    ...['r1', 'r2'].map((name) => page(name, 4, [])),
    ...['s1', 's2'].map((name) => page(name, 5, [])),
  ];
  expect(mirrorsOf(crawl, {}).clusters).toEqual([]);
  const { clusters, mirrors } = mirrorsOf(crawl, { overBreaks: true });
  expect(clusters.map((copies) => copies.map((own) => own.map((url) => url.slice(-2)).sort(byText)))).toEqual([
    [
      ['p1', 'r1', 's1'],
      ['p2', 'r2', 's2'],
    ],
  ]);
  expect(mirrors.counts).toMatchObject({ joined: 3, hubs: 0 });
});

test('copies that are linked over one page in one of them only stay apart', () => {
  const crawl = [
    page('p1', 1, ['q1']),
    page('p2', 1, ['t2']),
    page('q1', 2, ['r1']),
    page('t2', 3, []),
    page('r1', 4, []),
    page('r2', 4, []),
  ];
  expect(mirrorsOf(crawl, { overBreaks: true }).clusters).toEqual([]);
});

test('a collection with an index of its own in each copy is whole again', () => {
  // Without the links back to the index, by which other ways lead around the page.
  const crawl = plantedCrawl(3, 4, 40).map(({ url, chunks, links }, k) => ({
    url,
    chunks: url.endsWith('/p1.html') ? [chunk(5e6 + k)] : chunks!,
    links: links.filter((link) => !link.endsWith('/') || !url.includes('/docs')),
  }));
  const sizes = (overBreaks: boolean) =>
    mirrorsOf(crawl, { overBreaks }).clusters.map((copies) => [copies.length, copies[0]!.length]);
  expect(sizes(false)).not.toEqual([[4, 39]]);
  expect(sizes(true)).toEqual([[4, 39]]);
});

test('of random crawls, collections are similar page by page, apart, and connected over one page at most', () => {
  let joined = 0;
  for (const seed of range(amount(150, 3))) {
    const shape = { pages: 12 + (seed % 40), texts: 3 + (seed % 12), links: 1 + (seed % 3), hosts: 1 + (seed % 4) };
    const crawl = randomCrawl(seed, shape);
    const { clusters, mirrors } = mirrorsOf(crawl, { overBreaks: true }, seed % 2 === 0 ? 20_000 : 1 << 20);
    joined += mirrors.counts.joined;
    const nameOf = naiveClusters(crawl, 15);
    const linksOf = new Map(crawl.map(({ url, links }) => [url, new Set(links)]));
    const isWay = (a: string, b: string) =>
      linksOf.get(a)!.has(b) || crawl.some(({ url }) => linksOf.get(a)!.has(url) && linksOf.get(url)!.has(b));
    const all = clusters.flat(2);
    expect(new Set(all).size).toBe(all.length);
    for (const copies of clusters) {
      for (const copy of copies) {
        expect(copy.map((url) => nameOf.get(url))).toEqual(copies[0]!.map((url) => nameOf.get(url)));
        const reached = new Set([copy[0]!]);
        for (const one of reached)
          for (const other of copy) if (isWay(one, other) || isWay(other, one)) reached.add(other);
        expect(reached.size).toBe(copy.length);
      }
    }
    // What is not joined is as it was.
    const before = mirrorsOf(crawl, {}).clusters.map((copies) => copies.flat());
    for (const own of before) {
      const holders = clusters.filter((copies) => copies.flat().some((url) => own.includes(url)));
      expect(holders).toHaveLength(1);
    }
  }
  expect(joined).toBeGreaterThan(amount(30, 3));
});
