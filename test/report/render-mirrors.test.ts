// What people read of mirrors: nouns and verbs agree with their counts.
import { expect, test } from 'vitest';
import type { Cluster } from '../../src/mirrors/copies.js';
import { mirrorsSummary, mirrorsTable } from '../../src/report/render-mirrors.js';
import { clustersChart } from '../../src/report/chart-mirrors.js';
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
1 chunk is in very many pages that have little else; at most 1 pair of those was not looked at
1 link between pages, and 1 to none of them; 1 pair of clusters can be joined, 1 more has no partner for each page; 1 mapping contradicts others; 1 cluster was taken out, as pages have other parents in other copies
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
