// A crawl whose columns say what the site calls its pages leads rules to these names.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, scratchFolder } from './process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

/** Of 200 pages under two names; the pages of the host `ownHost` are what the site calls its own. */
function crawlOf(ownHost: string | undefined): string {
  const lines = Array.from({ length: 200 }, (_, n) =>
    ['h.example', 'www.h.example'].map((host) => {
      const own = ownHost === undefined ? '' : `http://${ownHost}/p/${n}`;
      return `http://${host}/p/${n},200,${5000 + 37 * ((n * 91) % 200)},${own}\n`;
    }),
  );
  return `Address,Status Code,Size (bytes),Canonical Link Element 1\n${lines.flat().join('')}`;
}

test.each([
  [undefined, 'http://h.example/p/1'],
  ['h.example', 'http://h.example/p/1'],
  ['www.h.example', 'http://www.h.example/p/1'],
])('canonical links to %s', async (ownHost, form) => {
  const [crawl, rules] = ['crawl.csv', 'rules.json'].map((name) => join(folder.path, name));
  writeFileSync(crawl!, crawlOf(ownHost));
  expect((await run(['mine', crawl!, '-q', '-o', rules!])).code).toBe(0);
  const input = 'http://www.h.example/p/1\nhttp://h.example/p/1\n';
  const { stdout } = await run(['canonize', '--accept', 'confident', '-r', rules!], { input });
  expect(String(stdout)).toBe(`${form}\n${form}\n`);
});
