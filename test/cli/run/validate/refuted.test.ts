// A law of nights with a state: no night asks what an earlier one has asked in vain, until that has rested.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nightAfter } from '../../../../src/rule/night.js';
import { isFew } from '../../../amount.js';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
let base: string;
let close: () => void;
const at = (name: string) => join(folder.path, name);

/** Every URL is a page of its own, but for `utm_source`. */
beforeAll(async () => {
  folder = scratchFolder();
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    const name = request.url!.replace(/[?&]utm_source=\w+/, '').replaceAll(/\W/g, 'x');
    const words = Array.from({ length: 80 }, (_, k) => `${name}w${k}`).join(' ');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><body><p>${words}</p></body></html>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const urls: string[] = [];
  for (let k = 100; k < 130; k++) {
    urls.push(`/news/${k}`, `/news/${k}?page=2`, `/news/${k}?sort=up`, `/old/news/${k}`, `/news/${k}/index.html`);
    urls.push(`/news/${k}?utm_source=s${k % 7}`, `/news//${k}`, `/News/${k}`, `/news/${k}/`);
  }
  writeFileSync(at('site.urls'), urls.map((path) => `${base}${path}\n`).join(''));
});
afterAll(() => {
  close();
  folder.remove();
});

/** What `--trace` says of each question: what it asks, and what was decided. */
function asked(stderr: string): { readonly question: string; readonly decision: string }[] {
  const lines = stderr.matchAll(/^asked: (\w+), requests \d+, saves \d+ of \d+ forms: (.*)$/gm);
  return Array.from(lines, ([, decision, question]) => ({ decision: decision!, question: question! }));
}

const flags = (day: number) => [
  '--budget=300',
  `--now=${nightAfter('2100-01-01', day)}`,
  '--trace',
  '--allow-private',
  '--rate=10000',
  '--fetch-cache=none',
];

describe.each(isFew ? ['validate'] : ['validate', 'mine'])(
  '%s with a state and without a cache',
  { timeout: 60_000 },
  (command) => {
    const [state, rules] = [`${command}.state`, `${command}.json`];
    const nightly = async (day: number) => {
      // Each night has a new line.
      const tonight = at(`${command}-${day}.urls`);
      writeFileSync(tonight, day === 1 ? readFileSync(at('site.urls')) : `${base}/news/${100 + day}\n`);
      const args =
        command === 'mine'
          ? ['mine', tonight, '--state', at(state), '--fetch', '-o', at(rules)]
          : ['validate', at(rules), '--state', at(state)];
      const { code, stderr } = await run([...args, ...flags(day)]);
      expect(code, stderr).toBe(0);
      return asked(stderr);
    };

    test('asks no refuted question twice, and once more when it has rested for a week', async () => {
      if (command === 'validate') await run(['mine', at('site.urls'), '--state', at(state), '-o', at(rules)]);
      const nights = [await nightly(1), await nightly(2), await nightly(3)];
      const refuted = nights[0]!.filter(({ decision }) => decision === 'refuted').map(({ question }) => question);
      expect(refuted.length).toBeGreaterThan(3);
      for (const later of nights.slice(1)) {
        const again = later.map(({ question }) => question).filter((question) => refuted.includes(question));
        expect(again).toEqual([]);
      }
      const week = (await nightly(10)).map(({ question }) => question);
      expect(week.some((question) => refuted.includes(question))).toBe(true);
    });

    test('keeps no text of a question', () => {
      const path = join(at(state), 'questions.json');
      expect(existsSync(path)).toBe(true);
      expect(readFileSync(path, 'utf8')).not.toMatch(/news|sort|index/);
    });
  },
);
