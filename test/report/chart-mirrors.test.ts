// The chart of clusters: where points are, and that names of strangers are text.
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../src/mirrors/copies.js';
import { clustersChart } from '../../src/report/chart-mirrors.js';

const cluster = (size: number, cardinality: number, folder = 'http://a.example/docs/'): Cluster => ({
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
    const svg = clustersChart([cluster(1000, 2), cluster(100, 20), cluster(10, 2), cluster(10, 2)]);
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
    const crowded = Array.from({ length: 5 }, (_, k) => cluster(100 + k, 5, `http://h${k}.example/a/long/folder/`));
    const svg = clustersChart([...crowded, cluster(20, 90, 'http://far.example/')]);
    expect(svg.match(/>h\d\.example/g)).toEqual(['>h0.example', '>h1.example']);
    expect(svg).toContain('>far.example/<');
    expect(svg).toContain('<title>http://h3.example/a/long/folder/: 5 copies of 103 pages</title>');
  });

  test('has names of strangers as text, and is a picture without any cluster', () => {
    const svg = clustersChart([cluster(10, 2, 'http://h/<script>&"\u001b[31m/')]);
    expect(svg).toContain('&lt;script&gt;&amp;&quot;');
    for (const raw of ['<script', '\u001b']) expect(svg).not.toContain(raw);
    expect(clustersChart([])).toMatch(/^<svg [^]*0 clusters[^]*<\/svg>\n$/);
    expect(clustersChart([])).not.toContain('NaN');
  });
});
