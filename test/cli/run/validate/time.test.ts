// How long a validation takes, in words.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPace, requestsFor, timeWords } from '../../../../src/cli/run/validate/time.js';
import { lengthWords } from '../../../../src/report/validation.js';
import { run, scratchFolder } from '../../process.js';

const flags = { maxFetches: 10_000, audit: 300 };

test.each([
  [1, '1 second'],
  [0.2, '1 second'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [1740, '29 minutes'],
  [10_000, '2 h 47 min'],
  [7200, '2 h'],
  [200_000, '3 days'],
])('%i seconds are %s', (seconds, words) => expect(lengthWords(seconds)).toBe(words));

test('both ends are given, at the rate of one host', () => {
  const words = 'about 29 minutes at 1 request a second, at most 2 h 47 min, if the site answers within a second';
  expect(timeWords({ expected: 1740, most: 10_000 }, 1)).toBe(words);
  expect(timeWords({ expected: 500, most: 500 }, 0.5)).toBe(
    'at most 17 minutes at 0.5 requests a second, if the site answers within 2 seconds',
  );
  expect(timeWords({ expected: 3, most: 3 }, 30)).toMatch(/within 33 ms$/);
});

/** What is said while pages come after so many seconds each, and how far each is from what is really left. */
function saidOf(seconds: readonly number[], { expected = seconds.length, rate = 1 } = {}) {
  const all = seconds.reduce((sum, one) => sum + one, 0);
  const said: { readonly pages: number; readonly line: string; readonly left: number }[] = [];
  let time = 0;
  const pace = createPace({ expected, most: 3 * expected }, rate, {
    now: () => new Date(1000 * time),
    say: (line) => said.push({ pages: pace.pages, line, left: all - time }),
  });
  for (const one of seconds) {
    time += one;
    pace.note(1);
  }
  return said;
}

const ENOUGH = 10;

const UNITS: Readonly<Record<string, number>> = { second: 1, minute: 60, h: 3600 };

/** `2 h 30 min` and the like, in seconds. */
function secondsOf(words: string): number {
  const parts = words.matchAll(/(\d+) (second|minute|min|h)/g);
  return Array.from(parts, ([, count, unit]) => Number(count) * (UNITS[unit!] ?? 60)).reduce((a, b) => a + b, 0);
}

const even = (pages: number, seconds: number) => Array<number>(pages).fill(seconds);

test.each([
  ['a site that answers as fast as it is asked', even(600, 1), 1],
  ['a slow one', even(600, 3), 1],
  ['one that is slow now and then', Array.from({ length: 600 }, (_, k) => (k % 20 === 7 ? 9 : 1)), 1],
  ['answers in twos', Array.from({ length: 600 }, (_, k) => 2 * (k % 2)), 1],
  ['a long silence before the first', [60, ...even(599, 1)], 1],
  ['a cache that has nearly all', Array.from({ length: 600 }, (_, k) => (k % 10 === 0 ? 1 : 0.004)), 1],
  ['a fast rate that the site does not keep up with', even(600, 0.25), 100],
])('from the tenth page on, what is said holds within a factor of two: %s', (_, seconds, rate) => {
  const said = saidOf(seconds, { rate });
  const all = seconds.reduce((sum, one) => sum + one, 0);
  let end = seconds.length / rate;
  let [pages, time] = [0, 0];
  for (const one of seconds) {
    time += one;
    pages++;
    for (const { line } of said.filter((one) => one.pages === pages)) {
      end = time + secondsOf(/; (?:about|at most) (.*?) left/.exec(line)![1]!);
    }
    // One page of ten says little of pages of two kinds.
    if (pages >= 2 * ENOUGH) expect(Math.abs(Math.log2(end / all)), `${pages} pages: ${end} of ${all}`).toBeLessThan(1);
  }
  expect(said.length).toBeLessThan(6);
});

test('a start that is slow, as of a site that wakes up or a cache that begins later, is no reason for hours', () => {
  const seconds = [...even(20, 20), ...even(2600, 0.004)];
  expect(saidOf(seconds).filter(({ line }) => / h /.test(line))).toEqual([]);
});

test('nothing is said where the site takes what was announced', () => {
  expect(saidOf(even(600, 1))).toEqual([]);
  expect(saidOf(even(600, 3))).toEqual([
    { pages: 12, left: 1764, line: '12 pages took 36 seconds; about 30 minutes left, at most 1 h 30 min\n' },
  ]);
  expect(saidOf(even(9, 60))).toEqual([]);
});

test('off a terminal too, of a site with a rate and a delay', { timeout: 60_000 }, async () => {
  const folder = scratchFolder();
  const server = createServer(({ url }, response) =>
    setTimeout(() => response.end(`<p>page ${/\d+$/.exec(url!)?.[0]} ${'of many words '.repeat(5)}</p>`), 100),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://www.example.com:${(server.address() as AddressInfo).port}`;
  const urls = Array.from({ length: 120 }, (_, k) => `${origin}/${k % 2 === 0 ? 'old' : 'new'}/${k >> 1}\n`);
  writeFileSync(join(folder.path, 'list.urls'), urls.join(''));
  const place = ['--allow-private', '--resolve', 'www.example.com=127.0.0.1', '--fetch-cache', 'none'];
  const flags = ['--rate', '40', '--max-fetches', '60'];
  const begin = Date.now();
  const { stderr } = await run(['mine', 'list.urls', '--fetch', ...place, ...flags], { cwd: folder.path });
  const took = (Date.now() - begin) / 1000;
  server.close();
  folder.remove();
  expect(stderr).toMatch(/at 40 requests a second, if the site answers within 25 ms \(60 requests\); Ctrl-C/);
  const [, pages, before, left] = /\n(1\d) pages took (\d+ seconds?); (?:about|at most) (\d+ seconds?) left/.exec(
    stderr,
  )!;
  expect(Number(pages)).toBeGreaterThanOrEqual(10);
  const said = secondsOf(before!) + secondsOf(left!);
  expect(said / took).toBeGreaterThan(0.5);
  expect(said / took).toBeLessThan(2);
});

test('what is expected of the live sites is within a fifth of what they took', () => {
  const took = [3113, 1342, 4576, 1626, 7414, 2349, 8740, 3600];
  for (let k = 0; k < took.length; k += 2) {
    const { expected, most } = requestsFor(took[k]!, flags);
    expect(Math.abs(expected - took[k + 1]!) / took[k + 1]!).toBeLessThan(0.2);
    expect(most).toBeGreaterThanOrEqual(took[k + 1]!);
  }
});

test('a small site takes little, an audit alone what it asks for, and no run more than it may', () => {
  expect(requestsFor(20, flags).expected).toBe(60);
  expect(requestsFor(5000, { ...flags, auditAlone: true }).expected).toBe(600);
  expect(requestsFor(5000, { ...flags, maxFetches: 100 })).toEqual({ expected: 100, most: 100 });
});
