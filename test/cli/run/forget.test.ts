// `dustbuster forget`: what a state holds of one visitor is gone, and of no other; the state is used on.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { StateFolder } from '../../../src/state/folder.js';
import { uncollate } from '../../../src/url/token.js';
import { run, scratchFolder } from '../process.js';

const folder = scratchFolder();
afterAll(() => folder.remove());
let cwd: string;
let state: string;
let states = 0;

const SID = 'q2v8ksd0f9a7s6d5f4g3h2j1k0';

beforeEach(async () => {
  cwd = folder.path;
  state = `state-${states++}`;
  const pages = Array.from({ length: 30 }, (_, page) => `/page-${page}.html`);
  const visits = [
    `/a?PHPSESSID=${SID}&id=1`,
    `/b?PHPSESSID=${SID}`,
    '/a?PHPSESSID=u71mmx03pab5c6d7e8f9g0h1i2&id=1',
    '/u/ann%40example.org/x',
    '/u/joe%40example.org/x',
    '/users/ann-from-berlin',
  ];
  const nights = [[...pages, ...visits.slice(0, 3)], visits.slice(3)];
  for (const [at, urls] of nights.entries()) {
    const log = `${state}-${at}.txt`;
    // The last line is incomplete, and is kept elsewhere.
    writeFileSync(join(cwd, log), urls.join('\n'));
    const args = ['mine', '--state', state, '--now', `2026-11-0${at + 1}`, '-q', '-o', `${state}.json`, log];
    expect((await run(args, { cwd })).stderr).toBe('');
  }
});

/** The URLs of the state, sorted. */
async function urlsIn(): Promise<string[]> {
  const open = await StateFolder.openMade(join(cwd, state), new Date(), 'test');
  const urls = Array.from(open.visited(1 << 22), ({ bytes, urlStart, urlEnd }) =>
    Buffer.from(uncollate(bytes, urlStart, urlEnd)).toString(),
  );
  open.close();
  return urls.sort();
}

describe('dustbuster forget', { timeout: 60_000 }, () => {
  it.each([
    ['a session', SID, 2],
    ['a session with its name', `PHPSESSID=${SID}`, 2],
    ['an address', 'ann@example.org', 1],
    ['an escaped address', 'ann%40example.org', 1],
    ['a URL', `/b?PHPSESSID=${SID}`, 1],
    ['text that is no value of a visitor', 'ann-from-berlin', 1],
    ['text that is nowhere', 'nowhere', 0],
  ])('takes the URLs with %s out of the state, and no others', async (_, text, count) => {
    const before = await urlsIn();
    expect(before).toHaveLength(36);
    const { code, stdout, stderr } = await run(['forget', '--state', state, text], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.toString()).toBe(`${state}: ${count} URL${count === 1 ? '' : 's'} and 0 rules removed\n`);
    const after = await urlsIn();
    expect(after).toHaveLength(36 - count);
    expect(before).toEqual(expect.arrayContaining(after));
  });

  it('takes texts from standard input, and the last line of a log too', async () => {
    const { stdout } = await run(['forget', '--state', state, '-'], { cwd, input: `ann-from-berlin\n${SID}\n` });
    expect(stdout.toString()).toBe(`${state}: 3 URLs and 0 rules removed\n`);
    expect((await urlsIn()).filter((url) => url.includes('berlin'))).toEqual([]);
  });

  it('takes rules of the state that hold the text', async () => {
    expect(readdirSync(join(cwd, state))).toContain('sites.run');
    const { stdout } = await run(['forget', '--state', state, 'page-1'], { cwd });
    expect(stdout.toString()).toMatch(/: 11 URLs and \d+ rules? removed\n$/);
    expect(readFileSync(join(cwd, state, 'rules.json'), 'utf8')).not.toContain('page-1');
    expect(readdirSync(join(cwd, state))).not.toContain('sites.run');
  });

  it('leaves a state that the next night uses, and that does not read again what it has read', async () => {
    await run(['forget', '--state', state, SID], { cwd });
    const again = await run(['mine', '--state', state, '--now', '2026-11-03', '-o', 'x.json', `${state}-0.txt`], {
      cwd,
    });
    expect(again.stderr).toContain('not read again');
    expect(await urlsIn()).toHaveLength(34);
    for (const name of ['', 'runs']) expect(statSync(join(cwd, state, name)).mode & 0o777).toBe(0o700);
    for (const name of ['state.json', 'values.json', 'rules.json']) {
      expect(statSync(join(cwd, state, name)).mode & 0o777).toBe(0o600);
    }
  });

  it.each([
    [['--state', 'nowhere', 'text'], 'has no state.json'],
    [['text'], 'got no state'],
    [['--state', 'S', 'abc'], 'fewer than 4 characters'],
    [['--state', 'S', '-'], 'no text on standard input'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(['forget', ...args], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
