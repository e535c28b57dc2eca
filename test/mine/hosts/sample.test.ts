// The hosts that others learn from.
import { expect, test } from 'vitest';
import { HostSample } from '../../../src/mine/hosts/sample.js';
import type { SiteUrls } from '../../../src/table/site-urls.js';
import { labelOf } from '../../facts.js';
import { siteReaderOf, urlAt, type TestRecord } from '../../url-list.js';

const hostIn = (url: string) => url.split('/')[2]!;

function sampleOf(records: readonly TestRecord[]): HostSample {
  const sample = new HostSample();
  const sites = siteReaderOf(records, 1 << 24, hostIn);
  for (let urls = sites.next(); urls !== undefined; urls = sites.next()) sample.add(urls);
  sites.close();
  return sample;
}

/** All that a list has of its URLs. */
function contentOf(urls: SiteUrls) {
  return Array.from({ length: urls.count }, (_, row) => {
    const at = urls.at(row);
    const labelEnd = urls.sketchEndAt(at);
    const label = Buffer.from(urls.bytes.slice(labelEnd - urls.labelLengthAt(at), labelEnd)).toString('latin1');
    return [urlAt(urls, row), urls.hitsAt(at), urls.minSizeAt(at), urls.maxSizeAt(at), label];
  });
}

const contents = (hosts: readonly SiteUrls[]) => hosts.map((urls) => ({ site: urls.site, urls: contentOf(urls) }));

const recordsOf = (hosts: number, urls: number, label: (host: number, url: number) => string): TestRecord[] =>
  Array.from({ length: hosts * urls }, (_, k) => {
    const [host, url] = [Math.floor(k / urls), k % urls];
    return { url: `http://h${host}.test/${url}`, size: 1000 + k, sketch: label(host, url) };
  });

test('have the URLs, sizes, sketches and facts of their lists', () => {
  const label = (host: number, url: number) =>
    url === 0
      ? `${host}abc`
      : labelOf({ name: `http://h${host}.test/0`, time: 20261128000000, sketch: 'x'.repeat(url) });
  const records = recordsOf(20, 4, label);
  const sites = siteReaderOf(records, 1 << 24, hostIn);
  const lists: ReturnType<typeof contents>[number][] = [];
  for (let urls = sites.next(); urls !== undefined; urls = sites.next()) lists.push(...contents([urls]));
  const sample = sampleOf(records);
  const bySite = (a: { site: string }, b: { site: string }) => (a.site < b.site ? -1 : 1);
  expect(contents(sample.finish()).sort(bySite)).toEqual(lists.sort(bySite));
  sample.close();
});

test('are the same whether all sites were seen at once, or parts of them, in any order', () => {
  // More bytes than a sample has, so that hosts are left out.
  const long = 'x'.repeat(4000);
  const records = Array.from({ length: 3600 }, (_, k) => ({ url: `http://h${k % 360}.test/${k}${long}` }));
  const all = sampleOf(records);
  const whole = all.finish().map(({ site, count }) => ({ site, count }));
  expect(whole.length).toBeGreaterThan(100);
  expect(whole.length).toBeLessThan(350);
  const merged = new HostSample();
  for (const k of [2, 0, 1]) {
    const part = sampleOf(records.filter((_, at) => (at % 360) % 3 === k));
    for (const urls of part.hosts()) merged.add(urls);
    part.close();
  }
  expect(merged.finish().map(({ site, count }) => ({ site, count }))).toEqual(whole);
  for (const sample of [all, merged]) sample.close();
});

test('of a domain at most three hosts are heard, and the others are counted', () => {
  const own = Array.from({ length: 20 }, (_, k) => `h${k % 10}.test/${k}`);
  const made = Array.from({ length: 80 }, (_, k) => `h${k % 40}.wild.test/${k}`);
  const sample = sampleOf([...own, ...made].map((url) => ({ url: `http://${url}` })));
  const heard = sample.finish().map(({ site }) => site);
  expect(heard.filter((site) => site.endsWith('.wild.test')).length).toBe(3);
  expect([heard.length, sample.crowd]).toEqual([13, { unheard: 37, of: 50 }]);
  sample.close();
});
