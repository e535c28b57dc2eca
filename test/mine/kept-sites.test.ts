// What was found in a site is used again exactly as long as nothing is different of which it was found.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addRows,
  CollectedRows,
  type FoundInSite,
  type KeptSites,
  packFound,
  SiteDigests,
  unpackFound,
} from '../../src/mine/kept-sites.js';
import { Miner, type MinerOptions } from '../../src/mine/mine.js';
import { NO_COUNTS } from '../../src/mine/sites-task.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { tmpdir } from 'node:os';
import { batchOf, siteReaderOf, type TestRecord } from '../url-list.js';
import { mineOptions } from './options.js';

const OPTIONS: MinerOptions = { ...mineOptions, minSiteUrls: 2 };

function digestOf(records: readonly TestRecord[], options: MinerOptions = OPTIONS, version = '1', site = 'site') {
  const sites = siteReaderOf(records, 1 << 24, () => site);
  const digest = new SiteDigests(version, options).of(sites.next()!);
  sites.close();
  return Buffer.from(digest).toString('hex');
}

const records: readonly TestRecord[] = [
  { url: 'http://a.de/x', size: 10 },
  { url: 'http://a.de/y', size: 10, sketch: 'abcdefgh' },
];

test('a digest is about the URLs, in any order', () => {
  expect(digestOf(records.toReversed())).toBe(digestOf(records));
});

test.each<[string, readonly TestRecord[]]>([
  ['one more URL', [...records, { url: 'http://a.de/z' }]],
  ['one URL less', records.slice(1)],
  ['another URL', [{ url: 'http://a.de/X', size: 10 }, records[1]!]],
  ['one more hit', [...records, records[0]!]],
  ['another size', [{ url: 'http://a.de/x', size: 11 }, records[1]!]],
  ['no size', [{ url: 'http://a.de/x' }, records[1]!]],
  ['another sketch', [records[0]!, { ...records[1]!, sketch: 'abcdefgi' }]],
])('%s is another list', (_, others) => {
  expect(digestOf(others)).not.toBe(digestOf(records));
});

test('another site, program or option is another digest, but not another time of what is read', () => {
  const known = digestOf(records);
  expect(digestOf(records, OPTIONS, '1', 'other')).not.toBe(known);
  expect(digestOf(records, OPTIONS, '2')).not.toBe(known);
  expect(digestOf(records, { ...OPTIONS, MS: OPTIONS.MS + 1 })).not.toBe(known);
  expect(digestOf(records, { ...OPTIONS, filters: { since: '2026-01-01' } })).toBe(known);
});

test('where one URL ends and the next begins counts', () => {
  const texts = fc.array(fc.stringMatching(/^[a/]{0,6}$/), { minLength: 1, maxLength: 4 });
  const digest = (paths: readonly string[]) => digestOf(paths.map((path) => ({ url: `http://a.de/${path}` })));
  const listOf = (paths: readonly string[]) => JSON.stringify(paths.toSorted());
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      expect(digest(one) === digest(other)).toBe(listOf(one) === listOf(other));
    }),
  );
});

test('what was found comes back as it was kept', () => {
  const rows = new CollectedRows();
  const given: string[] = [];
  for (const text of ['a1', 'bb22', 'a3']) {
    rows.add(Buffer.from(`${text} and more`), text.length, 1);
    given.push(`${text[0]} ${text}`);
  }
  const found: FoundInSite = { rows: rows.taken, counts: { ...NO_COUNTS, pairs: 3, trapExample: 'http://ü.de/' } };
  const again = unpackFound(packFound(found));
  expect(again.counts).toEqual(found.counts);
  const taken: string[] = [];
  const add = (bytes: Uint8Array, length: number, keyLength: number) => {
    const text = Buffer.from(bytes.subarray(0, length)).toString();
    taken.push(`${text.slice(0, keyLength)} ${text}`);
  };
  addRows(again.rows, { wants: () => true, add });
  expect(taken).toEqual(given);
});

class InMemory implements KeptSites {
  readonly before = new Map<string, Uint8Array>();
  readonly after = new Map<string, Uint8Array>();
  readonly found: string[] = [];

  constructor(before: ReadonlyMap<string, Uint8Array>) {
    this.before = new Map(before);
  }

  find(site: string, digest: Uint8Array): Uint8Array | undefined {
    const found = this.before.get(`${site} ${Buffer.from(digest).toString('hex')}`);
    if (found !== undefined) this.found.push(site);
    return found;
  }

  keep(site: string, digest: Uint8Array, found: Uint8Array): void {
    this.after.set(`${site} ${Buffer.from(digest).toString('hex')}`, found);
  }
}

/** Pages under three names. */
function pagesOf(site: string, seed: number): TestRecord[] {
  return Array.from({ length: 40 }, (_, k) => {
    const urls = [`http://${site}/p/${k}/`, `http://www.${site}/p/${k}/`, `http://${site}/p/${k}/index.html`];
    return urls.map((url) => ({ url, size: 1000 + 37 * k + seed }));
  }).flat();
}

function mined(lists: readonly (readonly TestRecord[])[], kept: KeptSites | undefined) {
  const miner = new Miner(OPTIONS, createSiteOf('domain'), { memoryBytes: 1 << 26, tmpdir: tmpdir() });
  for (const list of lists) miner.add(batchOf(list));
  if (kept !== undefined) miner.keepSites(kept, '1');
  const rules = miner.listRules();
  const texts = Array.from(rules, (rule) => JSON.stringify(rule));
  rules.close();
  return { texts, summary: miner.summary };
}

test('sites that stay as they were are not mined again, and all else is as if they were', () => {
  const sites = ['a.de', 'b.de', 'c.de', 'd.de'];
  const first = sites.map((site, k) => pagesOf(site, k));
  const whole = mined(first, undefined);
  expect(whole.texts.length).toBeGreaterThan(sites.length);
  const evening = new InMemory(new Map());
  expect(mined(first, evening)).toEqual(whole);
  expect([evening.found, evening.after.size]).toEqual([[], sites.length]);
  const changes = fc.array(
    fc.record({
      site: fc.nat({ max: sites.length }),
      page: fc.nat({ max: 60 }),
      size: fc.constantFrom(-1, 1000, 5000),
    }),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(changes, (night) => {
      const lists = [
        ...first,
        night.map(({ site, page, size }) => ({ url: `http://${sites[site] ?? 'new.de'}/p/${page}/`, size })),
      ];
      const kept = new InMemory(evening.after);
      expect(mined(lists, kept)).toEqual(mined(lists, undefined));
      const touched = new Set(night.map(({ site }) => sites[site]));
      expect(kept.found).toEqual(sites.filter((site) => !touched.has(site)));
    }),
    { numRuns: 20 },
  );
});
