// What is left of an output whose command is killed in a system call (strace injects the signal)? The file is the old
// one or the new one, whole; the next run gives the bytes of one that nobody disturbed, and leaves no draft behind.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../input/random.js';

export interface SyscallKills {
  readonly command: string;
  /** Runs that were killed, and that had ended before the call. */
  readonly killed: number;
  readonly ended: number;
  /** Of those killed, how many had left the new file already. */
  readonly after: number;
  readonly drafts: number;
}

export interface SyscallOptions {
  readonly bin: string;
  readonly log: string;
  /** A new folder. */
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
}

/** Calls that change files, and about how many a run makes of each in one thread. */
const CALLS: readonly (readonly [name: string, most: number])[] = [
  ['rename', 1],
  ['fsync', 2],
  ['unlink', 1],
  ['write', 40],
  ['openat', 150],
  ['close', 150],
  ['futex', 400],
];

/** Commands with the file that each writes. All read what `prepare` has made. */
export const COMMANDS: Readonly<Record<string, { readonly args: readonly string[]; readonly output: string }>> = {
  mine: { args: ['mine', 'a.log', '-q', '-o', 'new.json'], output: 'new.json' },
  'mine, 2 threads': { args: ['mine', 'a.log', '-q', '--threads', '2', '-o', 'new.json'], output: 'new.json' },
  canonize: { args: ['canonize', '-i', 'urls.txt', '--accept', 'likely', '-o', 'out.txt'], output: 'out.txt' },
  'canonize --unique': {
    args: ['canonize', '--unique', '-i', 'urls.txt', '--accept', 'likely', '-o', 'out.txt'],
    output: 'out.txt',
  },
  validate: {
    args: ['validate', 'sketched.json', '--test', 'sketches.csv', '--by-sketch', '-q', '-o', 'validated.json'],
    output: 'validated.json',
  },
};

const OLD = 'what was there before\n';

/** Whether there is strace, and may trace: not every container lets it. */
export function hasStrace(): boolean {
  return spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0;
}

/** Throws if an output does not survive. */
export function killInSyscalls(name: string, options: SyscallOptions): SyscallKills {
  const { bin, log, folder, kills, seed } = options;
  const { args, output } = COMMANDS[name]!;
  const random = seeded(seed);
  const before = join(folder, 'before');
  prepare(before, bin, log);
  const command = [process.execPath, bin, ...args];
  finish(command, before);
  const expected = readFileSync(join(before, output));
  const isOld = args[0] !== 'validate' && args[0] !== 'mine';
  if (isOld) writeFileSync(join(before, output), OLD);
  else rmSync(join(before, output));
  let [killed, ended, after, drafts] = [0, 0, 0, 0];
  for (let done = 0; done < kills; done++) {
    const cwd = join(folder, 'killed');
    rmSync(cwd, { recursive: true, force: true });
    cpSync(before, cwd, { recursive: true });
    const [call, most] = CALLS[Math.floor(random() * CALLS.length)]!;
    const inject = `inject=${call}:signal=SIGKILL:when=${1 + Math.floor(random() * most)}`;
    const strace = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject, ...command];
    const { status, signal, stderr } = spawnSync('strace', strace, { cwd });
    const isKilled = signal === 'SIGKILL' || status === 137;
    if (!isKilled && status !== 0) throw new Error(`${name} ended with ${status}, ${inject}: ${String(stderr)}`);
    if (isKilled) killed++;
    else ended++;
    const left = existsSync(join(cwd, output)) ? readFileSync(join(cwd, output)) : undefined;
    const isNew = left?.equals(expected) === true;
    const isBefore = isOld ? left?.toString() === OLD : left === undefined;
    if (!isNew && !isBefore) throw new Error(`${name}: half a file after ${inject}`);
    if (isKilled && isNew) after++;
    drafts += draftsIn(cwd).length;
    finish(command, cwd);
    if (!readFileSync(join(cwd, output)).equals(expected)) throw new Error(`${name}: other bytes after ${inject}`);
    const kept = draftsIn(cwd);
    if (kept.length > 0) throw new Error(`${name}: ${kept.join(', ')} stays after ${inject}`);
  }
  return { command: name, killed, ended, after, drafts };
}

function prepare(folder: string, bin: string, log: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(log, join(folder, 'a.log'));
  finish([process.execPath, bin, 'mine', 'a.log', '-q'], folder);
  writeFileSync(join(folder, 'sketches.csv'), sketchedList());
  finish([process.execPath, bin, 'mine', 'sketches.csv', '-q', '-o', 'sketched.json'], folder);
  const paths = [...readFileSync(log, 'latin1').matchAll(/"GET (\/\S*)/g)].map(([, path]) => path!);
  writeFileSync(join(folder, 'urls.txt'), paths.map((path) => `http://www.example.test${path}\n`).join(''), 'latin1');
}

/** A list of pages under three names, one of which is another page. */
function sketchedList(): string {
  const rows = Array.from({ length: 60 }, (_, k) => [`a/${k}.html,${k}`, `a/${k},${k}`, `b/${k},x${k}`]);
  return `url,sketch\n${rows
    .flat()
    .map((row) => `http://h.example/${row}\n`)
    .join('')}`;
}

function draftsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('.dustbuster-'));
}

function finish([program, ...args]: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(program!, args, { cwd });
  if (status !== 0) throw new Error(`${args.slice(1).join(' ')} ended with ${status}: ${String(stderr)}`);
}
