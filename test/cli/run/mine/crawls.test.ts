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
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 valid, 0 invalid')]);
  expect(stderr).not.toContain('no record has a size');
  const { rules } = JSON.parse(readFileSync(join(folder.path, 'rules.json'), 'utf8')) as RulesFile;
  expect(rules).toMatchObject([{ kind: 'parameter', name: 'sid', status: 'valid' }]);
});
