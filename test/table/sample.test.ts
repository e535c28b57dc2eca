// A sample of a list keeps duplicates together, and its size has a bound, whatever the list is like.
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { type OnSample, UrlListBuilder } from '../../src/table/url-list.js';
import { sampledRows } from '../../src/table/sample.js';
import type { SiteUrls } from '../../src/table/site-urls.js';
import { batchOf, siteUrlsOf, urlAt, type TestRecord } from '../url-list.js';

const times = (count: number, url: (k: number) => string) =>
  Array.from({ length: count }, (_, k): TestRecord => ({ url: url(k) }));

const LISTS: Readonly<Record<string, readonly TestRecord[]>> = {
  'a session beside the key': times(12_000, (k) => `http://h/item?id=${k >> 1}&sid=${k}x`),
  'a session before the key': times(12_000, (k) => `http://h/item?sid=${k}x&id=${k >> 1}`),
  'a folder in front': times(12_000, (k) => `http://h/${k & 1 ? 'print/' : ''}story-${k >> 1}.html`),
  'www and case': times(12_000, (k) => `http://${k & 1 ? 'www.' : ''}h/${k & 1 ? 'P' : 'p'}${k >> 1}`),
  'another page of a folder': times(12_000, (k) => `http://h/user/${k >> 1}/${k & 1 ? 'home' : 'start'}`),
};

/** For each list: URLs k and k + 1 are duplicates, for even k. */
describe.each(Object.entries(LISTS))('%s', (_, records) => {
  const MOST = 1000;
  const urls = siteUrlsOf(records);
  const rows = sampledRows(urls, MOST);
  const sampled = new Set(rows.map((row) => urlAt(urls, row)));

  test('the sample is nearly as large as asked for', () => {
    expect(rows.length).toBeLessThanOrEqual(MOST);
    expect(rows.length).toBeGreaterThan(MOST / 2);
    expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
  });

  test('a fifth of its URLs at least are there with their duplicate, where a uniform sample has a twelfth', () => {
    const pairs = Array.from({ length: records.length / 2 }, (__, k) => [records[2 * k]!.url, records[2 * k + 1]!.url]);
    const whole = pairs.filter((pair) => pair.every((url) => sampled.has(url)));
    expect((2 * whole.length) / rows.length).toBeGreaterThan(1 / 5);
  });
});

test('URLs of common parts only are sampled too, one by one', () => {
  const records = times(
    20_000,
    (k) => `http://h/list?a=${k % 27}&b=${Math.floor(k / 27) % 28}&c=${Math.floor(k / 756)}`,
  );
  const rows = sampledRows(siteUrlsOf(records), 2000);
  expect(rows.length).toBeGreaterThan(1000);
  expect(rows.length).toBeLessThanOrEqual(2000);
});

test('a list that is not too long is its own sample', () => {
  const urls = siteUrlsOf(LISTS['www and case']!);
  expect(sampledRows(urls, urls.count)).toHaveLength(urls.count);
});

describe('a site that does not fit into memory', () => {
  const records = times(120_000, (k) => `http://h/item?id=${k >> 1}&sid=${k}x`);

  function built(memoryBytes: number, onSample?: OnSample): { readonly urls: SiteUrls; readonly bytes: number } {
    const stats = { runs: 0, bytes: 0 };
    const list = new UrlListBuilder(() => 'h', { memoryBytes, tmpdir: tmpdir(), onSample }, stats);
    for (let at = 0; at < records.length; at += 4000) list.add(batchOf(records.slice(at, at + 4000)));
    return { urls: list.finish().next()!, bytes: stats.bytes };
  }

  test('is sampled in one pass as a list in memory would be', () => {
    const said: unknown[] = [];
    const { urls } = built(300_000, (...args) => said.push(args));
    expect(urls.isResident).toBe(false);
    expect(said).toEqual([['h', 120_000, urls.count]]);
    expect(urls.count).toBeLessThanOrEqual(urls.mostUrls);
    const whole = siteUrlsOf(records);
    const expected = sampledRows(whole, urls.mostUrls).map((row) => urlAt(whole, row));
    expect(Array.from({ length: urls.count }, (_, row) => urlAt(urls, row))).toEqual(expected);
  });

  test('is read whole by those who do not ask for a sample', () => {
    expect(built(300_000).urls.count).toBe(120_000);
  });
});
