// A validation that would ask for nothing says why, and what to do; so does a log that gives no rules.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRules } from '../../../../src/rule/file.js';
import { pack, record } from '../../../log/warc/compose.js';
import { sampleFile, sampleRule } from '../../../rule/sample.js';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
const urls = (origin: string, count: number) =>
  Array.from({ length: count }, (_, k) => `${origin}/${k % 2 === 0 ? 'old' : 'new'}/${k >> 1}\n`).join('');

beforeAll(async () => {
  folder = scratchFolder();
  writeFileSync(at('a.urls'), urls('http://www.example.com', 60));
  const mined = await run(['mine', at('a.urls'), '-o', at('a.json')]);
  expect(mined.code, mined.stderr).toBe(0);
  expect(mined.stderr).toMatch(/no record has a size, .*mine --fetch.*mine --pages.*mine --by-sketch/);
});
afterAll(() => folder.remove());

const validate = (...args: readonly string[]) => run(['validate', at('a.json'), '--dry-run', ...args]);

test('the base is of another site', async () => {
  const { code, stderr } = await validate('--base', 'https://www.example.org');
  expect(code).toBe(2);
  expect(stderr).toMatch(/nothing to ask: .* --base https:\/\/www\.example\.org, but of example\.com\. .*--base/);
});

test('the list is of another site', async () => {
  writeFileSync(at('b.urls'), urls('http://www.example.org', 20));
  const { code, stderr } = await validate('--test', at('b.urls'));
  expect(code).toBe(2);
  expect(stderr).toMatch(/nothing to ask: .*sites of the rules \(example\.com\)\. .*--test/);
});

test('too few URLs were read for any site: the rules are written, and the way out is said', async () => {
  writeFileSync(at('c.urls'), urls('http://www.example.com', 6));
  const { code, stderr } = await run(['mine', at('c.urls'), '-o', at('c.json'), '--fetch', '--dry-run']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/no site has the (\d+) URLs that mine --min-site-urls \1 asks for: .*more days/);
  expect(stderr).toMatch(/nothing to ask: no site has \d+ URLs.*more days.*--min-site-urls/);
});

test('no rule has enough witnesses: more days are wanted', async () => {
  writeFileSync(at('d.log'), Array.from({ length: 40 }, (_, k) => `http://h/${(k * 7919) ** 2}x${k}\n`).join(''));
  expect((await run(['mine', at('d.log'), '-o', at('d.json')])).stderr).toContain('logs of more days have more');
});

test('no line became a URL: filters and formats are named', async () => {
  writeFileSync(at('post.log'), '1.2.3.4 - - [25/Nov/2026:10:24:46 +0000] "POST / HTTP/1.1" 200 14\n');
  const { code, stderr } = await run(['mine', at('post.log'), '-o', at('post.json')]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/no line became a URL, as the counts say: .*--bots, .*--format/);
});

test('no canonical form is in the archive: URLs that are their own forms are no audit of the others', async () => {
  const rule = sampleRule('/old/', '/new/', { site: 'example.com' });
  writeFileSync(at('valid.json'), [...writeRules(sampleFile([rule]))].join(''));
  writeFileSync(at('other.warc'), pack([record({ url: 'http://www.example.org/', body: 'of another site' })], 'plain'));
  const flags = ['--pages', at('other.warc'), '--test', at('a.urls')];
  const { code, stderr } = await run(['validate', at('valid.json'), '--audit', '20', '--max-dead', '0.01', ...flags]);
  expect(stderr).toContain('audit: no URL could be judged with its canonical form; 60 URLs have 30 forms');
  expect(stderr).toMatch(/^not compared, not-archived [1-9]\d*: /m);
  expect([code, stderr]).toEqual([1, expect.stringContaining('forms are not known, as none could be judged')]);
});
