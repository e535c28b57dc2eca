// Runs `mine --state` night after night, each on its own date, in this process.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { Effects } from '../../../../src/base/effects.js';
import { FIXTURES } from '../../process.js';

// The program finds its package.json from where it was compiled to.
const dist = new URL('../../../../dist/src/cli/program.js', import.meta.url).href;
const { run } = (await import(dist)) as typeof import('../../../../src/cli/program.js');

export interface NightOutcome {
  readonly code: number;
  readonly stderr: string;
}

/** One run of the program in `cwd`, so many days after 2026-01-01. */
export async function night(
  cwd: string,
  args: readonly string[],
  day = 0,
  input?: string | Buffer,
): Promise<NightOutcome> {
  const chunks: Buffer[] = [];
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const stdin = new PassThrough();
  if (input !== undefined) stdin.end(input);
  const effects: Effects = {
    env: {},
    cwd,
    stdin,
    stdout: sink(),
    stderr,
    cores: 1,
    memoryBytes: 1 << 30,
    tmpdir: cwd,
    now: () => new Date(Date.UTC(2026, 0, 1 + day, 3)),
  };
  const code = await run(['mine', ...args, '--threads', '1'], effects);
  return { code, stderr: Buffer.concat(chunks).toString() };
}

/** A rules file without its inputs, and without what only nights have: their state and date, and histories of rules. */
export function rulesText(path: string): string {
  const text = readFileSync(path, 'utf8');
  return text
    .replace(/ {2}"inputs": \[.*?\n {2}\],\n/s, '')
    .replace(/ {2}"state": "[^"]*",\n/, '')
    .replace(/ {2}"night": "[\d-]+",\n/, '')
    .replaceAll(/,"history":\{[^{}]*(\{[^{}]*\}[^{}]*)?\}/g, '');
}

/** Some lines of the fixture, each with its newline. */
export function fixtureLines(count: number): string[] {
  const lines = readFileSync(join(FIXTURES, 'access.log'), 'latin1').split(/(?<=\n)/);
  const step = lines.length / count;
  return Array.from({ length: count }, (_, k) => lines[Math.floor(k * step)]!);
}
