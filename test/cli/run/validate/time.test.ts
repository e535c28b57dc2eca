// How long a validation takes, in words.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slowLine } from '../../../../src/cli/run/validate/pace.js';
import { lengthWords, requestsFor, timeWords } from '../../../../src/cli/run/validate/time.js';
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

test('a site that is slower than its pace is said, with what is left by what it took', () => {
  expect(slowLine({ expected: 180, most: 180 }, 1, 10, 63)).toBe(
    'The site is slower than that: 10 requests took 63 seconds; at most 18 minutes are left\n',
  );
  expect(slowLine({ expected: 60, most: 180 }, 1, 20, 63)).toMatch(/about 3 minutes are left, at most 9 minutes\n$/);
  expect(slowLine({ expected: 180, most: 180 }, 1, 10, 14)).toBeUndefined();
  expect(slowLine({ expected: 180, most: 180 }, 1, 9, 63)).toBeUndefined();
});

test('and while the site is asked', { timeout: 60_000 }, async () => {
  const folder = scratchFolder();
  const server = createServer((_, response) => setTimeout(() => response.end('<p>page</p>'), 300));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://www.example.com:${(server.address() as AddressInfo).port}`;
  const urls = Array.from({ length: 80 }, (_, k) => `${origin}/${k % 2 === 0 ? 'old' : 'new'}/${k >> 1}\n`);
  writeFileSync(join(folder.path, 'list.urls'), urls.join(''));
  const place = ['--allow-private', '--resolve', 'www.example.com=127.0.0.1', '--fetch-cache', 'none'];
  const pace = ['--rate', '20', '--max-fetches', '20'];
  const { stderr } = await run(['mine', 'list.urls', '--fetch', ...place, ...pace], { cwd: folder.path });
  server.close();
  folder.remove();
  expect(stderr).toMatch(/at 20 requests a second, if the site answers within 50 ms \(20 requests\); Ctrl-C/);
  expect(stderr).toMatch(
    /\nThe site is slower than that: 1\d requests took \d seconds; at most \d seconds? are left\n/,
  );
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
