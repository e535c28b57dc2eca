// What need not be fetched has a copy that is.
import { expect, test } from 'vitest';
import { Describer } from '../../src/mirrors/copies.js';
import type { CrawledPage } from '../../src/mirrors/intake.js';
import { chunk, mirrorsOf } from './graph.js';

test('of a page near two collections with principal copies on different hosts one is left', () => {
  const hosts = ['x', 'y'];
  const names = ['1', '2', '3'];
  // Collection a has its principal copy on x, and b on y, by links from z; the page n is in none.
  const crawl = hosts.flatMap((host): CrawledPage[] => {
    const url = (name: string) => `http://${host}.example/d/${name}`;
    const collection = (root: string, text: number): CrawledPage[] => [
      { url: url(root), chunks: [chunk(text)], links: names.map((name) => url(root + name)) },
      ...names.map((name) => ({ url: url(root + name), chunks: [chunk(text + Number(name))], links: [] })),
    ];
    return [...collection('a', 10), ...collection('b', 20), { url: url('n'), chunks: [chunk(30)], links: [] }];
  });
  const links = ['http://x.example/d/a', 'http://y.example/d/b'];
  const { mirrors, grown } = mirrorsOf([...crawl, { url: 'http://z.example/', chunks: [chunk(40)], links }], {});
  const describer = new Describer(mirrors, { memoryBytes: 1 << 20, tmpdir: '/tmp' });
  const clusters = grown.map((one) => describer.describe(one));
  expect(clusters.map(({ copies }) => copies[0]!.root)).toEqual(links);
  const nearby = clusters.flatMap((cluster) => [...describer.nearby(cluster)]);
  expect(nearby).toHaveLength(1);
  const pages = Array.from(mirrors.clusterOf.each(), (_, page) => page);
  for (const page of pages.filter((one) => describer.isSaved(one))) {
    const copies = pages.filter((other) => mirrors.clusterOf.get(other) === mirrors.clusterOf.get(page));
    expect(copies.some((other) => !describer.isSaved(other))).toBe(true);
  }
});
