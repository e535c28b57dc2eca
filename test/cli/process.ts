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
 * If everything runs (amount.ts), a command line is a new process if no worker has run this command, or one of these
 * options of it, in one yet: whether a process ends, keeps something open or loads what it needs depends on them. If a
 * test runs several at once, a warm process runs one after another.
 */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const folder = process.env['TEST_WARM']!;
  if (isAll && isNew(args, folder)) return runProcess(args, options);
  const { cwd = tmpdir(), input = '', env } = options;
  const path = join(folder, process.env['VITEST_POOL_ID']!);
  return { signal: null, ...(await runWarm(path, { args, cwd, input, env: { ...process.env, ...env } })) };
}

/** Workers share what has been run: a folder for each command, and for each option of a command. */
function isNew([command, ...rest]: readonly string[], folder: string): boolean {
  const options = new Set(rest.flatMap((arg) => /^-[^=]+/.exec(arg) ?? []));
  const begun = [[command], ...[...options].map((option) => [command, option])].map((key) => {
    const name = createHash('sha256').update(JSON.stringify(key)).digest('hex');
    return mkdirSync(join(folder, 'begun', name), { recursive: true }) !== undefined;
  });
  return begun.includes(true);
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
