// Keys group URLs in a report; what only they find is said apart.
import { expect, it } from 'vitest';
import { decodeText, encodeText } from '../../../../src/base/bytes.js';
import { createCanonizer } from '../../../../src/canonize/canonizer.js';
import { groupsTable } from '../../../../src/report/page/render/sites.js';
import { renderPage } from '../../../../src/report/page/render/render.js';
import type { Rule } from '../../../../src/rule/rule.js';
import { sampleFile, sampleParameter } from '../../../rule/sample.js';
import { BOT, type Hit, lineOf, PERSON, reportOf } from '../visited.js';

const sid = sampleParameter('sid', { rank: 1, status: 'valid' });
const tab = sampleParameter('tab', { rank: 2, status: 'valid', use: 'key' });

const HOW = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'absolute',
  sitePolicy: 'domain',
} as const;

const VALID = { accept: 'valid' } as const;

const hits: readonly Hit[] = [
  ...[1, 2].map(() => ({ url: 'http://a.test/p?tab=info', size: 100, agent: PERSON })),
  { url: 'http://a.test/p', size: 90, agent: BOT },
  { url: 'http://a.test/p?sid=7', size: 90, agent: PERSON },
  { url: 'http://a.test/q?sid=7', size: 10, agent: PERSON },
  { url: 'http://a.test/q?sid=8', size: 10, agent: PERSON },
  { url: 'http://a.test/alone', size: 5, agent: PERSON },
];
const log = hits.map(lineOf).join('');

it('counts duplicates of keys, and says how many only keys find', async () => {
  const model = await reportOf(log, sampleFile([sid, tab]));
  const facts = model.log!;
  // Written: /p and /p?sid=7, /q?sid=7 and 8. The key adds /p?tab=info, which has the most hits and names its group.
  expect(facts.all).toMatchObject({ urlsBefore: 6, urlsAfter: 3, hits: 7, duplicateHits: 3, duplicateBytes: 190 });
  expect(facts.byKeys).toEqual({ urls: 1, hits: 1, bytes: 90, botHits: 1 });
  expect(facts.groups.map(({ canonical, urls, isOfKey }) => [canonical, urls, isOfKey])).toEqual([
    ['http://a.test/p?tab=info', 3, true],
    ['http://a.test/q', 2, undefined],
  ]);
  expect(facts.bots.map(({ hits: all, duplicateHits }) => [all, duplicateHits])).toEqual([[1, 1]]);
  // What servers get is as without the key.
  expect(facts.reduction).toEqual([{ k: 1, urlsAfter: 4 }]);
  expect(facts.fixes.flatMap(({ rules }) => rules)).toEqual([1]);
  const page = renderPage(model);
  expect(page).toContain('(3 of 7)');
  expect(page).toContain(
    '3 of 6 URLs are a second name of a page, 1 of them only by keys, which no server gets (1 hit).',
  );
  expect(groupsTable(facts).more.map((blocks) => blocks?.[0]?.head)).toEqual([
    'Its URLs, one page by a key, which no server gets',
    'Its URLs',
  ]);
});

it('says nothing of keys that are not in use', async () => {
  const without = (await reportOf(log, sampleFile([sid]), VALID)).log!;
  for (const key of [
    { ...tab, veto: true },
    { ...tab, status: 'likely' as const },
    { ...tab, status: 'invalid' as const },
  ])
    expect((await reportOf(log, sampleFile([sid, key]), VALID)).log!).toEqual(without);
  expect(without).not.toHaveProperty('byKeys');
});

it('counts the duplicates of a file that has only keys, as proven ones', async () => {
  const model = await reportOf(log, sampleFile([{ ...tab, rank: 1 }]));
  expect(model.log!.byKeys).toEqual({ urls: 1, hits: 1, bytes: 90, botHits: 1 });
  expect(renderPage(model)).toContain('1 of 6 URLs are a second name of a page, 1 of them only by keys');
});

it('groups as `canonize --unique` does, on planted lists', async () => {
  const rules: readonly Rule[] = [sid, tab, sampleParameter('v', { rank: 3, status: 'valid', use: 'key' })];
  let seed = 7;
  const random = (below: number) => (seed = (Math.imul(seed, 48271) >>> 0) % 0x7fffffff) % below;
  const urls = Array.from({ length: 300 }, () => {
    const fields = ['sid', 'tab', 'v', 'id'].filter(() => random(2) === 1).map((name) => `${name}=${random(3)}`);
    return `http://a.test/p${random(8)}${fields.length === 0 ? '' : `?${fields.join('&')}`}`;
  });
  const facts = (await reportOf(urls.map((url) => lineOf({ url, size: 1 })).join(''), sampleFile(rules))).log!;
  const counted = (use: 'write' | 'key') => {
    const canonizer = createCanonizer(rules, { ...HOW, use });
    return new Set(urls.map((url) => decodeText(canonizer.canonize(encodeText(url))))).size;
  };
  expect(facts.all.urlsAfter).toBe(counted('key'));
  expect(facts.byKeys!.urls).toBe(counted('write') - counted('key'));
  expect(facts.byKeys!.urls).toBeGreaterThan(20);
});
