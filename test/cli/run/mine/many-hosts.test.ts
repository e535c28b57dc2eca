// A log of thousands of hosts: every URL stays with its site, however the log is read.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, scratchFolder } from '../../process.js';

let scratch: ReturnType<typeof scratchFolder>;
beforeAll(() => (scratch = scratchFolder()));
afterAll(() => scratch.remove());

const SITES = 3000;

/** Each site under two names, which are far apart in the log. */
function* lines(): Generator<string> {
  for (let page = 0; page < 3; page++) {
    for (const www of ['www.', '']) {
      for (let site = 0; site < SITES; site++) yield `http://${www}s${(site * 7919) % SITES}.test/${page}/a`;
    }
  }
}

test.each(['1', '3'])('with %s threads each has its pair, and no other', { timeout: 60_000 }, async (threads) => {
  const cwd = scratch.path;
  writeFileSync(join(cwd, 'many.txt'), `${[...lines()].join('\n')}\n`);
  const options = ['--stage', 'pairs', '--tsv', '--min-site-urls', '1', '--threads', threads];
  expect((await run(['mine', 'many.txt', ...options, '-q', '-o', 'pairs.tsv'], { cwd })).code).toBe(0);
  const rows = readFileSync(join(cwd, 'pairs.tsv'), 'utf8').trimEnd().split('\n');
  const bySite = new Map<string, string[]>();
  for (const row of rows) {
    const [site, ...pair] = row.split('\t') as [string, ...string[]];
    const said = pair.join(' ').replaceAll(site.slice(0, -'.test'.length), 'SITE');
    bySite.set(site, [...(bySite.get(site) ?? []), said]);
  }
  const expected = bySite.get('s0.test')!.toSorted();
  expect(expected).toContainEqual(expect.stringMatching(/www\.SITE.*SITE.* 3 3 0$/));
  expect(bySite.size).toBe(SITES);
  for (const said of bySite.values()) expect(said.toSorted()).toEqual(expected);
});
