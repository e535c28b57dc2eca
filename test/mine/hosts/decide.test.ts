// Sites that several machines decide on: do their decisions add up to those of one?
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decisions, type DecidedPart } from '../../../src/mine/hosts/decide.js';
import { learnedOfText, learnFrom, textOfLearned, type LearnedText } from '../../../src/mine/hosts/learn.js';
import { pooledBy } from '../../../src/mine/hosts/pool.js';
import { HostSample } from '../../../src/mine/hosts/sample.js';
import { Miner } from '../../../src/mine/mine.js';
import type { SiteReader } from '../../../src/table/url-list.js';
import { createSiteOf } from '../../../src/url/public-suffix.js';
import { amount } from '../../amount.js';
import { batchOf, siteReaderOf, type TestRecord } from '../../url-list.js';
import { mineOptions } from '../options.js';

const sizeOf = (...page: readonly number[]) => 2000 + (page.reduce((sum, n) => sum * 31 + n * 7919, 17) % 60_011);

/** Hosts of two kinds of software. Of shops some, of wikis none mean another page by `token`, which is why they differ. */
function urlsOf(host: number): TestRecord[] {
  const isShop = host % 2 === 0;
  const isOwn = isShop && host % 3 === 0;
  const at = (page: number) =>
    `http://h${host}.test/${isShop ? `shop/item?id=${page}` : `wiki/index.php?title=${page}`}`;
  return [1, 2, 3, 4].flatMap((page) => [
    { url: at(page), size: sizeOf(host, page) },
    ...[1, 2].map((k) => ({
      url: `${at(page)}&token=${host}x${page}${k}`,
      size: sizeOf(host, page, ...(isOwn ? [k] : [])),
    })),
    ...(page === 2 ? [{ url: `${at(page)}&from=home`, size: sizeOf(host, page) }] : []),
  ]);
}

const HOSTS = Array.from({ length: 90 }, (_, host) => urlsOf(host));
const ALL = HOSTS.flat();

function eachSite(records: readonly TestRecord[], visit: (urls: NonNullable<ReturnType<SiteReader['next']>>) => void) {
  const sites = siteReaderOf(records, 1 << 24, (url) => url.split('/')[2]!);
  for (let urls = sites.next(); urls !== undefined; urls = sites.next()) visit(urls);
  sites.close();
}

/** What is sent between machines. */
const sent = <T>(content: T): T => JSON.parse(JSON.stringify(content)) as T;

function learnedText(): LearnedText {
  const sample = new HostSample();
  eachSite(ALL, (urls) => sample.add(urls));
  const learned = learnFrom(sample.finish())!;
  sample.close();
  return sent(textOfLearned(learned));
}

function decidedBy(text: LearnedText, records: readonly TestRecord[]): DecidedPart {
  const decisions = new Decisions(learnedOfText(text));
  eachSite(records, (urls) => decisions.decide(urls));
  return sent(decisions.part());
}

function pooled(text: LearnedText, parts: readonly DecidedPart[]) {
  const learned = learnedOfText(text);
  const decisions = new Decisions(learned);
  for (const part of parts) decisions.add(part);
  return pooledBy(learned, decisions, { isPart: false });
}

test('parts of the sites, decided apart and added in any order, give the rules of one run', () => {
  const miner = new Miner({ ...mineOptions, minSiteUrls: 20 }, createSiteOf('host'), {
    memoryBytes: 1 << 24,
    tmpdir: tmpdir(),
  });
  miner.add(batchOf(ALL));
  expect([...miner.eachRule()]).toEqual([]);
  const rules = sent(miner.classRules);
  const names = rules.map(({ kind, hosts, ...rule }) => [kind, 'name' in rule && rule.name, hosts?.software]);
  expect(names.filter(([, name]) => name === 'token')).toHaveLength(2);
  expect(names.length).toBeGreaterThan(2);
  expect(rules.some(({ only = [] }) => only.length < 40)).toBe(true);
  const text = learnedText();
  const parts = fc.array(fc.nat({ max: 4 }), { minLength: HOSTS.length, maxLength: HOSTS.length });
  fc.assert(
    fc.property(parts, (partOf) => {
      const decided = [3, 0, 4, 2, 1].map((part) =>
        decidedBy(text, HOSTS.filter((_, host) => partOf[host] === part).flat()),
      );
      expect(sent(pooled(text, decided).rules)).toEqual(rules);
    }),
    { numRuns: amount(6, 2) },
  );
});
