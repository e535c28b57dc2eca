// What crawlers leave behind is a log with digests, read as the page for their engineers says.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RulesFile } from '../../../../src/rule/rule.js';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
});
afterAll(() => folder.remove());

/** 31 pages, 30 of them also with a session. */
const PAGES = Array.from({ length: 31 }, (_, k) => k).flatMap((k) => {
  const digest = createHash('sha1').update(`${k}`).digest('hex');
  const url = `http://shop.example/show?id=${k}`;
  return [url, ...(k === 0 ? [] : [`${url}&sid=x${k}`])].map((one) => ({ url: one, digest }));
});

const NUTCH =
  'Url,Status code,Status name,Fetch Time,Modified Time,Retries since fetch,Retry interval seconds,Retry interval days,Score,Signature,Metadata\n';
const nutchLine = ({ url, digest }: (typeof PAGES)[number]) =>
  `"${url}",2,"db_fetched",Thu Nov 26 06:00:00 UTC 2026,Thu Jan 01 00:00:00 UTC 1970,0,2592000.0,30.0,1.0,"${digest}","_pst_:success(1), lastModified=0|||"\n`;

it.each([
  ['a feed of Scrapy', PAGES.map((page) => `${JSON.stringify({ ...page, status: 200 })}\n`).join(''), []],
  ['a dump of the crawldb of Nutch', NUTCH + PAGES.map(nutchLine).join(''), ['--columns', 'url=1,sketch=10']],
])('%s proves rules by its digests, and is not said to lack sizes', async (_, text, options) => {
  writeFileSync(join(folder.path, 'crawl'), text);
  const args = ['mine', 'crawl', '--by-sketch', ...options, '-o', 'rules.json'];
  const { code, stderr } = await run(args, { cwd: folder.path });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/ 1 of \d+ valid, 0 invalid/)]);
  expect(stderr).not.toContain('no record has a size');
  const { rules } = JSON.parse(readFileSync(join(folder.path, 'rules.json'), 'utf8')) as RulesFile;
  expect(rules).toMatchObject([{ kind: 'parameter', name: 'sid', status: 'valid' }]);
});

it('an index with redirects proves rules toward the pages that answer', async () => {
  const lines = Array.from(
    { length: 60 },
    (_, k) => `/${['river', 'stone', 'hill'][k % 3]!}/p${(k * 7919).toString(36)}`,
  );
  const rows = lines.flatMap((path, k) => [
    `https://x.example${path},2024-01-02T00:00:00Z,200,,${k}new`,
    `https://x.example${path},2023-01-02T00:00:00Z,200,,${k}old`,
    `http://x.example${path},2024-01-03T00:00:00Z,301,${k % 2 === 0 ? `//x.example${path}` : `https://x.example${path}`},0`,
  ]);
  // Half of the targets keep the scheme: they lead to the URL itself, and say nothing.
  const header = 'url,fetch_time,fetch_status,fetch_redirect,checked\n';
  writeFileSync(join(folder.path, 'index.csv'), header + rows.join('\n'));
  const mining = ['mine', 'index.csv', '--columns', 'digest=checked', '-o', 'rules.json'];
  const { code, stderr } = await run(mining, { cwd: folder.path });
  expect([code, stderr]).toEqual([0, expect.stringContaining('sure by the log alone')]);
  const canonize = ['canonize', '--accept', 'confident', '-r', 'rules.json', 'http://x.example/river/new'];
  expect(String((await run(canonize, { cwd: folder.path })).stdout)).toBe('https://x.example/river/new\n');
});
