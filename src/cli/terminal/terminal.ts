// What people see of a run: messages, coloured or not, and progress. All messages pass through this file, so that no
// control character from a log reaches the terminal, and nothing is printed into the progress line.
import { Writable } from 'node:stream';
import { ReadAccess } from '../../base/access.js';
import { formatSize } from '../../base/amounts.js';
import { printableLines } from '../../base/bytes.js';
import type { Effects, Messages } from '../../base/effects.js';
import { type Paint, PLAIN } from '../../base/paint.js';
import { scratchUse } from '../../base/scratch.js';
import type { TerminalFlags } from '../flags/terminal.js';
import { packageVersion } from '../version.js';
import { ShownProgress, StatusLine } from './progress.js';
import { paintFor } from './stream.js';

export class Terminal {
  /** The effects of the run, with stderr and stdout replaced by guarded ones. Flags are applied once they are known. */
  readonly effects: Effects;
  readonly #stderr: Messages;
  readonly #line: StatusLine;
  #stdout: Effects['stdout'] | undefined;
  #flags: TerminalFlags = {};
  #paint: Paint = PLAIN;
  #progress: ShownProgress | undefined;

  constructor(given: Effects) {
    const stderr = given.stderr;
    this.#stderr = stderr;
    this.#line = new StatusLine(stderr);
    this.effects = Object.create(given, {
      stdout: { get: () => (this.#stdout ??= guardedStdout(given.stdout, this.#line)) },
      stderr: { value: guardedStderr(stderr, this.#line) },
      progress: { get: () => this.#progress },
      paint: { get: () => this.#paint },
      access: { value: new ReadAccess() },
    }) as Effects;
  }

  configure(flags: TerminalFlags & { readonly threads?: number; readonly memory?: string }): void {
    const { env, stdout } = this.effects;
    this.#flags = flags;
    this.#paint = paintFor(stdout, env, flags.color);
    const { quiet = false, verbose = false, progress } = flags;
    const isShown = progress ?? !quiet;
    const isDrawn = isShown && this.#stderr.isTTY === true && env['TERM'] !== 'dumb';
    if (isDrawn || verbose || progress === true) this.#progress = new ShownProgress(isDrawn ? this.#line : undefined);
    if (verbose) this.effects.stderr.write(`${versions()}${settings(flags)}\n`);
  }

  /** Prints the error that ends the command, with its first word in colour. */
  fail(message: string): void {
    const paint = paintFor(this.#stderr, this.effects.env, this.#flags.color);
    const [, head, rest] = /^(\w+:)?([^]*)$/.exec(printableLines(message))!;
    this.#line.giveWay(message);
    this.#stderr.write(`${paint.bad(head ?? '')}${rest}`);
  }

  /** Ends the progress line, and prints the report of the run if the flags ask for it. */
  async finish(): Promise<void> {
    const progress = this.#progress;
    await progress?.finish();
    const { verbose = false, progress: isAsked = false } = this.#flags;
    const isDrawn = this.#stderr.isTTY === true && this.effects.env['TERM'] !== 'dumb';
    if (progress !== undefined && (verbose || (isAsked && !isDrawn))) this.effects.stderr.write(progress.report());
    if (verbose) this.effects.stderr.write(costs());
  }
}

/** Erases the progress line before results are written to the same terminal. */
function guardedStdout(stdout: Effects['stdout'], line: StatusLine): Effects['stdout'] {
  if (stdout.isTTY !== true) return stdout;
  const write = (chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void) => {
    line.giveWay(chunk);
    stdout.write(chunk, done);
  };
  return Object.assign(new Writable({ write }), { isTTY: true });
}

/** Writes control characters as escapes, and erases the progress line first. */
function guardedStderr(stderr: Messages, line: StatusLine): Messages {
  return {
    get isTTY() {
      return stderr.isTTY === true;
    },
    get columns() {
      return stderr.columns ?? 0;
    },
    write(text) {
      line.giveWay(text);
      return stderr.write(printableLines(text));
    },
    on: (event, listener) => stderr.on(event, listener),
  };
}

/** Such as `dustbuster 0.1.0, node 20.20.2, linux x64`. */
export function versions(): string {
  return `dustbuster ${packageVersion()}, node ${process.versions.node}, ${process.platform} ${process.arch}`;
}

function settings({ threads, memory }: { readonly threads?: number; readonly memory?: string }): string {
  const parts = [
    ...(threads === undefined ? [] : [`--threads ${threads}`]),
    ...(memory === undefined ? [] : [`--memory ${memory}`]),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(' ')}`;
}

function costs(): string {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const { written, peak } = scratchUse();
  const disk =
    written === 0
      ? 'no scratch files'
      : `${formatSize(written)} of scratch files, at most ${formatSize(peak)} at a time`;
  const seconds = (performance.now() / 1000).toFixed(2);
  const cpu = ((userCPUTime + systemCPUTime) / 1e6).toFixed(2);
  return `in all ${seconds} s, ${cpu} s of CPU, at most ${formatSize(maxRSS * 1024)} of memory, ${disk}\n`;
}
