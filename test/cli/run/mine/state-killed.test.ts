// Real processes on one state: two at the same time, and one that is killed at any moment. Run it by hand with more
// kills and a larger log: DUSTBUSTER_KILLS=100 DUSTBUSTER_KILLS_LOG=FILE.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, FIXTURES, run, scratchFolder } from '../../process.js';
import { rows } from '../../../amount.js';

const KILLS = Number(process.env['DUSTBUSTER_KILLS'] ?? 5);
const LOG = process.env['DUSTBUSTER_KILLS_LOG'] ?? join(FIXTURES, 'access.log');

const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

let scratch: ReturnType<typeof scratchFolder>;
beforeAll(() => (scratch = scratchFolder()));
afterAll(() => scratch.remove());
const at = (...names: string[]) => join(scratch.path, ...names);

function start(
  cwd: string,
  args: readonly string[],
): ChildProcess & { readonly ended: Promise<[number | null, string]> } {
  const child = spawn(process.execPath, [BIN, 'mine', '--state', 'S', ...args], {
    cwd,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<[number | null, string]>((resolve) => child.on('close', (code) => resolve([code, stderr])));
  return Object.assign(child, { ended });
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !condition(); await sleep(5)) if (Date.now() > end) throw new Error('in vain');
}

const isLocked = (cwd: string) =>
  existsSync(join(cwd, 'S')) && readdirSync(join(cwd, 'S')).some((name) => /^lock.*[^t]$/.test(name));

describe('two runs at once', { timeout: 60_000 }, () => {
  test('the second learns who holds the lock, and harms nothing', async () => {
    const cwd = at('two');
    mkdirSync(cwd);
    const first = start(cwd, ['-']);
    await until(() => isLocked(cwd));
    const [code, stderr] = await start(cwd, [LOG]).ended;
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/S is in use by "dustbuster mine --state S -", process \d+, since 20/),
    ]);
    expect(stderr).toContain(`process ${first.pid}`);
    first.stdin!.end(readFileSync(join(FIXTURES, 'access.log')));
    expect((await first.ended)[0]).toBe(0);
    expect(isLocked(cwd)).toBe(false);
  });

  test.runIf(canUnshare)(
    'a run in another container of the same host name is noticed, and its lock outlives it as a lease',
    async () => {
      const cwd = at('container');
      mkdirSync(cwd);
      const command = ['--pid', '--fork', '--kill-child', process.execPath, BIN, 'mine', '--state', 'S', '-', '-q'];
      const first = spawn('unshare', command, { cwd, stdio: ['pipe', 'ignore', 'ignore'] });
      const ended = new Promise((resolve) => first.on('close', resolve));
      await until(() => isLocked(cwd));
      const second = () => run(['mine', '--state', 'S', LOG, '-q'], { cwd });
      expect(await second()).toMatchObject({ code: 2, stderr: expect.stringContaining('in another container') });
      first.kill('SIGKILL');
      await ended;
      const [lock] = readdirSync(join(cwd, 'S')).filter((name) => name.startsWith('lock.'));
      expect(await second()).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('its lock is void 2 minutes after'),
      });
      const past = Date.now() / 1000 - 130;
      utimesSync(join(cwd, 'S', lock!), past, past);
      expect((await second()).code).toBe(0);
    },
  );

  test.each(['SIGTERM', 'SIGINT'] as const)('%s releases the folder', async (signal) => {
    const cwd = at(signal);
    mkdirSync(cwd);
    const first = start(cwd, ['-']);
    await until(() => isLocked(cwd));
    first.kill(signal);
    expect(await first.ended).toEqual([null, '']);
    expect(isLocked(cwd)).toBe(false);
  });
});

test.runIf(existsSync('/proc/self/stat'))(
  'a run that was killed, and whose parent never asks how it ended, holds no lock',
  async () => {
    const cwd = at('zombie');
    mkdirSync(cwd);
    const command = `exec 3<&0; "$0" "$1" mine - --state S <&3 & echo $!; exec sleep 60`;
    const parent = spawn('sh', ['-c', command, process.execPath, BIN], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    try {
      await until(() => isLocked(cwd));
      process.kill(pid, 'SIGKILL');
      await until(() => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
      const { code, stderr } = await run(['mine', '--state', 'S', LOG, '-q'], { cwd });
      expect([code, stderr]).toEqual([0, expect.stringMatching(`process ${pid}, begun .* did not finish`)]);
    } finally {
      parent.kill();
    }
  },
);

describe('a killed run', { timeout: KILLS * 60_000 }, () => {
  /** The killed night folds the eighth log, after which eight runs are merged. */
  const NIGHTS = 8;
  const last = ['night7.log', '-o', 'rules.json', '--min-site-urls', '1', '--threads', '1'];
  let undisturbed: Buffer;
  let tookMs: number;

  beforeAll(async () => {
    mkdirSync(at('before'));
    const lines = readFileSync(LOG, 'latin1').split(/(?<=\n)/);
    const share = Math.ceil(lines.length / NIGHTS);
    for (let k = 0; k < NIGHTS; k++) {
      writeFileSync(at('before', `night${k}.log`), lines.slice(k * share, (k + 1) * share).join(''), 'latin1');
      if (k === NIGHTS - 1) break;
      const { code } = await run(['mine', '--state', 'S', `night${k}.log`, '-q'], { cwd: at('before') });
      expect(code).toBe(0);
    }
    cpSync(at('before'), at('undisturbed'), { recursive: true });
    const begin = performance.now();
    expect((await start(at('undisturbed'), last).ended)[0]).toBe(0);
    tookMs = performance.now() - begin;
    undisturbed = readFileSync(at('undisturbed', 'rules.json'));
    expect(readdirSync(at('undisturbed/S/runs'))).toEqual(['9.run']);
  }, 120_000);

  async function check(kill: (child: ChildProcess, cwd: string) => Promise<void>): Promise<string> {
    const cwd = at('killed');
    rmSync(cwd, { recursive: true, force: true });
    cpSync(at('before'), cwd, { recursive: true });
    const child = start(cwd, last);
    await kill(child, cwd);
    child.kill('SIGKILL');
    await child.ended;
    const runs = readdirSync(join(cwd, 'S/runs')).join(' ');
    const hasRules = existsSync(join(cwd, 'rules.json'));
    // The file is complete or missing.
    if (hasRules) expect(readFileSync(join(cwd, 'rules.json')).equals(undisturbed)).toBe(true);
    const [code, stderr] = await start(cwd, last).ended;
    expect([code, stderr]).toEqual([0, stderr]);
    expect(readFileSync(join(cwd, 'rules.json')).equals(undisturbed)).toBe(true);
    const kept = JSON.parse(readFileSync(join(cwd, 'S/rules.json'), 'utf8')) as { content: unknown };
    expect(kept.content).toEqual(JSON.parse(undisturbed.toString('utf8')));
    expect(readdirSync(join(cwd, 'S')).sort()).toEqual([
      'rules.json',
      'runs',
      'sites.run',
      'state.json',
      'values.json',
    ]);
    expect(readdirSync(join(cwd, 'S/runs'))).toEqual(['9.run']);
    return `${runs}${hasRules ? ', rules' : ''}`;
  }

  test('at any time: the next run gives the bytes of an undisturbed one', async () => {
    const seen = new Map<string, number>();
    // On a busy machine a run takes longer than the undisturbed one did, so that it may not have written anything yet.
    for (let k = 0; k < KILLS || (seen.size === 1 && k < 5 * KILLS); k++) {
      const afterMs = ((k + Math.random()) / KILLS) * tookMs;
      const left = await check((child) =>
        Promise.race([sleep(afterMs), new Promise<void>((ended) => child.on('exit', () => ended()))]),
      );
      seen.set(left, (seen.get(left) ?? 0) + 1);
    }
    if (KILLS > 5) console.log([...seen].map(([left, count]) => `${count} x ${left}`).join('\n'));
    expect(seen.size).toBeGreaterThan(1);
  });

  const moments: [when: string, name: string][] = [
    ['the new run is begun', 'S/runs/8.run.part'],
    ['the new run is sealed', 'S/runs/8.run'],
    ['a state.json is written', 'S/state.json.part'],
    ['runs are merged', 'S/runs/9.run.part'],
    ['the merged run is sealed', 'S/runs/9.run'],
    ['what was found in sites is written', 'S/sites.run.part'],
  ];
  test.each(rows(moments, 3))('as soon as %s, as well', async (_, name) => {
    await check(async (child, cwd) => {
      // No sleeping between checks: some of these files exist for less than a millisecond.
      while (child.exitCode === null && !existsSync(join(cwd, name))) {
        for (let look = 0; look < 200 && !existsSync(join(cwd, name)); look++);
        await sleep(0);
      }
    });
  });
});

test('a full disk is reported, and the state is as before', { timeout: 60_000 }, async () => {
  const cwd = at('full');
  mkdirSync(cwd);
  const lines = readFileSync(join(FIXTURES, 'access.log'), 'latin1').split(/(?<=\n)/);
  writeFileSync(join(cwd, 'a.log'), lines.slice(0, 100).join(''), 'latin1');
  writeFileSync(join(cwd, 'b.log'), lines.slice(100).join(''), 'latin1');
  expect((await run(['mine', '--state', 'S', 'a.log', '-q'], { cwd })).code).toBe(0);
  const before = readFileSync(join(cwd, 'S/state.json'));
  // A file size limit of 64 KiB is as near to a full disk as one gets without being root.
  const command = `ulimit -f 64; trap '' XFSZ; exec ${process.execPath} ${BIN} mine --state S b.log`;
  const child = spawn('bash', ['--norc', '-c', command], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/cannot use .*runs\/2\.run\.part: a file may not be so large here \(EFBIG\)/),
  ]);
  expect(readFileSync(join(cwd, 'S/state.json'))).toEqual(before);
  expect(readdirSync(join(cwd, 'S/runs'))).toEqual(['1.run']);
  expect(isLocked(cwd)).toBe(false);
  expect((await run(['mine', '--state', 'S', 'b.log', '-q'], { cwd })).code).toBe(0);
});
