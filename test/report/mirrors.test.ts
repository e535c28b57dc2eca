// What people read of mirrors: nouns and verbs agree with their counts.
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../src/mirrors/copies.js';
import { clustersChart, mirrorsSummary, mirrorsTable } from '../../src/report/mirrors.js';
import { mirrorsOf } from '../mirrors/graph.js';

const { mirrors } = mirrorsOf([{ url: 'http://h.example/', chunks: ['a'], links: [] }], {});

const summaryOf = (count: number, clusters: readonly Cluster[]) => {
  const counts = { ...mirrors.counts };
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = count;
  const saving = { pages: count, saved: 0, nearby: 0, similar: 0, similarLeft: 0 };
  return mirrorsSummary({ ...mirrors, counts }, clusters, saving);
};

const cluster: Cluster = {
  id: 1,
  cardinality: 2,
  size: 10,
  saved: 10,
  copies: ['a', 'b'].map((host) => {
    const folder = `http://${host}.example/docs/`;
    return { root: folder, host: `${host}.example`, folder, links: 0 };
  }),
};

test('of one thing each', () => {
  expect(summaryOf(1, [cluster])).toBe(
    `1 page (1 further record of one) with 1 different text, 1 without any; 1 page is similar to another, in 1 trivial cluster
1 chunk is on many pages of one host and on few others, so not compared
1 chunk is in very many pages that have little else; at most 1 pair of those was not looked at
1 link between pages, and 1 to none of them; 1 pair of clusters can be joined, 1 more has no partner for each page; 1 mapping contradicts others; 1 cluster was taken out, as pages have other parents in other copies
1 page set aside: it is similar to linked pages, but has none or few of their links
2 collections in 1 cluster; 1 cluster is below --min-pages (pages of one copy), with 1 page in all copies
A crawl without the copies saves 0 of 1 page (0.0 %): 0.0 % of all pages are similar to another one, and 0.0 % of those that are left
`,
  );
  expect(clustersChart([cluster])).toContain('>1 cluster of replicated collections<');
});

test('of none and of several', () => {
  for (const count of [0, 2]) {
    const said = summaryOf(count, []);
    expect(said).toContain(`${count} pages (${count} further records of one)`);
    expect(said).toContain(`${count} pages are similar to another, in ${count} trivial clusters`);
    expect(said).toContain(`${count} mappings contradict others; ${count} clusters were taken out`);
    const all = count === 0 ? '' : ` (pages of one copy), with ${count} pages in all copies`;
    expect(said).toContain(`0 collections in 0 clusters; ${count} clusters are below --min-pages${all}\n`);
  }
  expect(mirrorsTable([], 10)).toBe('No collection is replicated.\n');
  expect(mirrorsTable([cluster, cluster], 1)).toContain('… and 1 more\n');
});

// The chart of clusters: where points are, and that names of strangers are text.

const clusterOf = (size: number, cardinality: number, folder = 'http://a.example/docs/'): Cluster => ({
  id: 1,
  cardinality,
  size,
  saved: size * (cardinality - 1),
  copies: Array.from({ length: cardinality }, () => ({ root: folder, host: 'a.example', folder, links: 0 })),
});

const numbers = (svg: string, pattern: RegExp) =>
  Array.from(svg.matchAll(pattern), (found) => found.slice(1).map(Number));
const pointsOf = (svg: string) => numbers(svg, /<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g);

describe('the chart of clusters', () => {
  test('has a point for each size and cardinality, by powers of ten on both axes', () => {
    const svg = clustersChart([clusterOf(1000, 2), clusterOf(100, 20), clusterOf(10, 2), clusterOf(10, 2)]);
    const [thousand, hundred, ten, ...more] = pointsOf(svg);
    expect(more).toEqual([]);
    expect(hundred![0]! - ten![0]!).toBeCloseTo(thousand![0]! - hundred![0]!, 1);
    expect(thousand![1]).toBe(ten![1]);
    // From 2 to 20 is half of the axis from 1 to 100.
    const [bottom, top] = [480 - 56, 40];
    expect(ten![1]! - hundred![1]!).toBeCloseTo((bottom - top) / 2, 1);
    expect(ten![2]).toBeGreaterThan(hundred![2]!);
    const ticks = numbers(svg, /<text x="([\d.]+)" y="442" text-anchor="middle">(\d+)</g);
    expect(ticks.map(([, value]) => value)).toEqual([1, 10, 100, 1000]);
    expect(ticks.find(([, value]) => value === 100)![0]).toBe(hundred![0]);
  });

  test('names the first clusters right or left of their points where there is room, and says what each point is', () => {
    const crowded = Array.from({ length: 5 }, (_, k) => clusterOf(100 + k, 5, `http://h${k}.example/a/long/folder/`));
    const svg = clustersChart([...crowded, clusterOf(20, 90, 'http://far.example/')]);
    expect(svg.match(/>h\d\.example/g)).toEqual(['>h0.example', '>h1.example']);
    expect(svg).toContain('>far.example/<');
    expect(svg).toContain('<title>http://h3.example/a/long/folder/: 5 copies of 103 pages</title>');
  });

  test('has names of strangers as text, and is a picture without any cluster', () => {
    const svg = clustersChart([clusterOf(10, 2, 'http://h/<script>&"\u001b[31m/')]);
    expect(svg).toContain('&lt;script&gt;&amp;&quot;');
    for (const raw of ['<script', '\u001b']) expect(svg).not.toContain(raw);
    expect(clustersChart([])).toMatch(/^<svg [^]*0 clusters[^]*<\/svg>\n$/);
    expect(clustersChart([])).not.toContain('NaN');
  });
});
