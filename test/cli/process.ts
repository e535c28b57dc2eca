// Runs the program as a shell does: as a process, or in one that has it loaded already (warm.ts).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAll } from '../amount.js';
import { runWarm } from './warm.js';

export const BIN = new URL('../../bin/dustbuster.js', import.meta.url).pathname;
export const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname;

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * If everything runs (amount.ts), the first command line of all workers with this command and these options is a new
 * process: whether it ends, keeps something open or loads what it needs depends on them. If a test runs several at once,
 * a warm process runs one after another.
 */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const folder = process.env['TEST_WARM']!;
  if (isAll && isNew(args, folder)) return runProcess(args, options);
  const { cwd = tmpdir(), input = '', env } = options;
  const path = join(folder, process.env['VITEST_POOL_ID']!);
  return { signal: null, ...(await runWarm(path, { args, cwd, input, env: { ...process.env, ...env } })) };
}

/** Workers share what has been run: a folder for each command with names of options. */
function isNew(args: readonly string[], folder: string): boolean {
  const names = args.slice(1).flatMap((arg) => /^-[^=]+/.exec(arg) ?? []);
  const key = JSON.stringify([args[0], ...new Set(names.toSorted())]);
  const name = createHash('sha256').update(key).digest('hex');
  return mkdirSync(join(folder, 'begun', name), { recursive: true }) !== undefined;
}

/** In a new process, for laws about processes. */
export function runProcess(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: options.cwd ?? tmpdir(),
      env: { ...process.env, ...options.env },
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() });
    });
    child.stdin.end(options.input ?? '');
  });
}

/** A new folder for a test, and its removal. */
export function scratchFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'dustbuster-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
