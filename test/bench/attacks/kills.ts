// What is left of a state whose nights are killed, at random moments and at any call that changes a file? Several nights
// in a row are killed; the next one has to succeed, and to give the bytes of a night that nobody disturbed.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { seeded } from '../input/random.js';

export interface Kills {
  /** Processes that were killed before they ended, by moment and by call. */
  readonly atMoments: number;
  readonly atCalls: number;
  /** Nights that were run to their end after some of these, and gave the bytes of an undisturbed one. */
  readonly recoveries: number;
  /** Calls of an undisturbed night. */
  readonly calls: number;
}

export interface KillOptions {
  readonly bin: string;
  /** `kill-at` as JavaScript. */
  readonly preload: string;
  readonly log: string;
  /** A new folder. */
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
}

/** Nights that are killed on one state before one may end. */
const IN_A_ROW = 4;
const ARGS = ['mine', '--state', 'S', 'a.log', 'b.log', '-q', '--threads', '1', '-o', 'rules.json'];

/** Throws if a state does not survive. */
export async function killNights({ bin, preload, log, folder, kills, seed }: KillOptions): Promise<Kills> {
  const at = (...names: string[]) => join(folder, ...names);
  const random = seeded(seed);
  mkdirSync(at('before'), { recursive: true });
  const lines = readFileSync(log, 'latin1').split(/(?<=\n)/);
  const half = lines.length >> 1;
  writeFileSync(at('before/a.log'), lines.slice(0, half).join(''), 'latin1');
  writeFileSync(at('before/b.log'), '');
  finish(bin, at('before'), ['mine', '--state', 'S', 'a.log', '-q']);
  writeFileSync(at('before/b.log'), lines.slice(half).join(''), 'latin1');
  cpSync(at('before'), at('undisturbed'), { recursive: true });
  const begin = performance.now();
  const child = spawnSync(process.execPath, ['--import', preload, bin, ...ARGS], {
    cwd: at('undisturbed'),
    env: { ...process.env, KILL_CALLS: at('calls') },
  });
  const tookMs = performance.now() - begin;
  if (child.status !== 0) throw new Error(`the undisturbed night ended with ${child.status}: ${String(child.stderr)}`);
  const calls = Number(readFileSync(at('calls'), 'utf8'));
  const expected = readFileSync(at('undisturbed/rules.json'));
  let [atMoments, atCalls, recoveries] = [0, 0, 0];
  for (let done = 0; done < kills;) {
    const cwd = at('killed');
    rmSync(cwd, { recursive: true, force: true });
    cpSync(at('before'), cwd, { recursive: true });
    for (let k = 0; k < IN_A_ROW && done < kills; k++, done++) {
      if (done % 2 === 0) atCalls += Number(killedAtCall(bin, preload, cwd, 1 + Math.floor(random() * calls)));
      else atMoments += Number(await killedAfter(bin, cwd, random() * tookMs));
      const isThere = existsSync(join(cwd, 'rules.json'));
      if (isThere && !readFileSync(join(cwd, 'rules.json')).equals(expected)) throw new Error('half a file of rules');
    }
    finish(bin, cwd, ARGS);
    if (!readFileSync(join(cwd, 'rules.json')).equals(expected)) throw new Error('other rules than undisturbed');
    const [left, expectedLeft] = [filesIn(cwd), filesIn(at('undisturbed'))];
    if (left !== expectedLeft) throw new Error(`${left} after kills, ${expectedLeft} undisturbed`);
    recoveries++;
  }
  return { atMoments, atCalls, recoveries, calls };
}

/** Names of the working folder and of all in it. */
function filesIn(folder: string): string {
  return (readdirSync(folder, { recursive: true }) as string[]).sort().join(' ');
}

function finish(bin: string, cwd: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd });
  if (status !== 0) throw new Error(`a night after kills ended with ${status}: ${String(stderr)}`);
}

function killedAtCall(bin: string, preload: string, cwd: string, call: number): boolean {
  const env = { ...process.env, KILL_AT: String(call) };
  const { signal, status, stderr } = spawnSync(process.execPath, ['--import', preload, bin, ...ARGS], { cwd, env });
  return wasKilled(signal, status, String(stderr));
}

async function killedAfter(bin: string, cwd: string, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [bin, ...ARGS], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  const ended = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('close', (status, signal) => resolve([status, signal]));
  });
  clearTimeout(timer);
  return wasKilled(ended[1], ended[0], stderr);
}

/** False if the night had ended before; what it says then must be that all is well. */
function wasKilled(signal: string | null, status: number | null, stderr: string): boolean {
  if (signal === 'SIGKILL') return true;
  if (status !== 0) throw new Error(`a night after kills ended with ${status}: ${stderr}`);
  return false;
}
