// Does the program withstand a little of `npm run bench:attacks`?
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BIN, FIXTURES, scratchFolder } from '../../cli/process.js';
import { amount } from '../../amount.js';
import { damage, FILES } from './damage.js';
import { fuzz } from './fuzz.js';
import { killNights } from './kills.js';
import { changeNames } from './names.js';
import { attackRobots, ROBOTS_ATTACKS } from './robots.js';
import { hasStrace, killInSyscalls } from './syscalls.js';

const small = join(FIXTURES, 'small');
const samples = readdirSync(small).filter((file) => file !== 'README.md');

describe('fuzzed lines are read or rejected, and counted', () => {
  test.each(samples)('%s', async (name) => {
    const found = await fuzz(readFileSync(join(small, name)), amount(1000, 5), 1);
    expect(found.lines).toBeGreaterThan(amount(800, 5));
    // Some are still lines of the format, and some are not.
    expect(found.records).toBeGreaterThan(found.lines / 50);
    expect(found.rejected).toBeGreaterThan(0);
  });
});

describe('damaged files are read to where they break off', () => {
  test.each(Object.keys(FILES))('%s', async (kind) => {
    const { read, slowestMs } = await damage(kind, amount(150, 5), 1);
    expect(read).toBeGreaterThan(0);
    expect(slowestMs).toBeLessThan(10_000);
  });
});

describe('robots.txt takes little time, whatever it says', () => {
  test.each(Object.keys(ROBOTS_ATTACKS))('%s', (name) => {
    const { parseMs, urlMs } = attackRobots(name);
    expect(parseMs).toBeLessThan(5000);
    expect(urlMs).toBeLessThan(1000);
  });
});

/** Processes that are killed take their time on a busy machine. */
const slow = { timeout: 180_000 };

/** Every fourth is followed by a night that nothing kills. */
const KILLS = 4;

test('nights that are killed at moments and calls leave a state that the next one can use', slow, async () => {
  const scratch = scratchFolder();
  const preload = new URL('../../../dist/test/bench/attacks/kill-at.js', import.meta.url).href;
  const log = join(FIXTURES, 'access.log');
  const folder = join(scratch.path, 'kills');
  const found = await killNights({ bin: BIN, preload, log, folder, kills: KILLS, seed: 1 });
  scratch.remove();
  expect(found.atCalls).toBeGreaterThan(0);
  expect(found.recoveries).toBe(KILLS / 4);
  expect(found.calls).toBeGreaterThan(20);
});

test.runIf(hasStrace())('an output whose command is killed in system calls is old or new, and whole', slow, () => {
  const scratch = scratchFolder();
  const options = { bin: BIN, log: join(FIXTURES, 'access.log'), folder: scratch.path, kills: 2, seed: 39 };
  const { killed, ended } = killInSyscalls('canonize', options);
  scratch.remove();
  expect(killed).toBeGreaterThan(0);
  expect(killed + ended).toBe(2);
});

test('a name server that changes its mind leads to no private address', async () => {
  const { connected, refused } = await changeNames(amount(300), 1);
  expect(connected).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});
