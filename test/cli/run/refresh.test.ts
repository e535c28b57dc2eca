// `dustbuster refresh`: nights of a planted log, whose pages change at known rates, to the list of what is due.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
const command = (...args: string[]) => run(args, { cwd: folder.path });
const lines = (text: Uint8Array | string) => text.toString().trim().split('\n');

const NIGHTS = 9;

beforeAll(async () => {
  folder = scratchFolder();
  mkdirSync(join(folder.path, 'other'));
  for (let night = 1; night <= NIGHTS; night++) {
    const day = `0${night}`.slice(-2);
    // Page k changes every k nights; /never stays; /once is there once; of /moved no size is known.
    const pages = [1, 2, 3, 4].map((k) => [`/page-${k}`, 100 + Math.floor(night / k)] as const);
    const all = [...pages, ['/never', 500] as const, ...(night === 3 ? [['/once', 7] as const] : [])];
    const log = all.map(([path, size]) => `${path} ${size} 200`).concat('/moved - 301');
    const text = log.map((line) => {
      const [path, size, status] = line.split(' ');
      return `10.0.0.1 - - [${day}/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" ${status} ${size} "-" "x"\n`;
    });
    writeFileSync(join(folder.path, `${day}.log`), text.join(''));
    const args = ['mine', '--state', 'www', '--now', `2026-11-${day}`, '-q', '-o', 'rules.json', `${day}.log`];
    expect((await command(...args)).stderr).toBe('');
  }
});
afterAll(() => folder.remove());

describe('dustbuster refresh', { timeout: 60_000 }, () => {
  it('lists what has waited longest for its rate first, with its visits and changes', async () => {
    const { code, stdout, stderr } = await command('refresh', 'www', '--tsv', '--now', '2026-11-10');
    expect(code, stderr).toBe(0);
    const rows = lines(stdout).map((line) => line.split('\t'));
    expect(rows.map(([url, ...rest]) => [url, ...rest.slice(0, 3).map(Number)])).toEqual([
      ['/once', 7, 0, 0],
      ['/page-1', 1, 8, 8],
      ['/page-2', 1, 8, 4],
      ['/page-3', 1, 8, 3],
      ['/page-4', 1, 8, 2],
      ['/never', 1, 8, 0],
    ]);
    expect(Number(rows[2]![4])).toBeCloseTo(Math.log(8.5 / 4.5), 2);
    expect(stderr).toContain(
      '7 URLs, 6 pages, 1 URL whose size or digest was never seen; 17 changes in 40 comparisons',
    );
  });

  it('prints as many as there are fetches, the same bytes in any memory, and by each policy', async () => {
    const due = (...args: string[]) => command('refresh', 'www', '--now', '2026-11-10', '-q', ...args);
    const two = await due('--budget', '2');
    expect([two.code, two.stderr, two.stdout.toString()]).toEqual([0, '', '/once\n/page-1\n']);
    expect((await due('--budget', '2', '--memory', '64m')).stdout).toEqual(two.stdout);
    expect(lines((await due('--policy', 'uniform', '--budget', '1')).stdout)).toEqual(['/once']);
    const today = await command('refresh', 'www', '--now', '2026-11-09');
    expect(today.stdout.toString()).toBe('/once\n');
    expect(today.stderr).toContain('5 visited tonight already');
    const before = await command('refresh', 'www', '--now', '2026-11-01');
    expect(before.stdout).toEqual(today.stdout);
    expect(before.stderr).toMatch(
      /www: got 2026-11-01 as the date of this night, .* has the night of 2026-11-09: days/,
    );
  });

  it('reads a state of the version before visits were counted', async () => {
    const state = join(folder.path, 'www', 'state.json');
    const text = readFileSync(state, 'utf8');
    expect(text).toContain('"version":3');
    writeFileSync(state, text.replace('"version":3', '"version":1'));
    const { code, stderr } = await command('refresh', 'www', '--now', '2026-11-10');
    expect(code, stderr).toBe(0);
    writeFileSync(state, text);
  });

  it('says what is wrong', async () => {
    const none = await command('refresh', 'other');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('has no state.json; expected the folder')]);
    const inside = await command('refresh', 'www', '-o', 'www/due.txt');
    expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('is in the folder of the state')]);
    writeFileSync(join(folder.path, 'urls.txt'), 'http://a.de/x\nhttp://a.de/y\n');
    await command('mine', '--state', 'plain', '-q', '-o', 'plain.json', 'urls.txt');
    const plain = await command('refresh', 'plain');
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('none of 2 URLs is known')]);
  });
});
