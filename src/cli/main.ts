// The way in. Only what every start needs is loaded here: `--version` is often asked by scripts and package managers, and
// commander alone would take it a fifth longer.
import type { Effects } from '../base/effects.js';
import { packageVersion } from './version.js';

/** Runs one command line and sets the exit code of the process. Never calls process.exit, so that all output is written. */
export async function main(args: readonly string[], effects?: Effects): Promise<void> {
  if (args.length === 1 && VERSION.has(args[0]!)) {
    (effects ?? process).stdout.write(`dustbuster ${packageVersion()}\n`);
    process.exitCode = 0;
    return;
  }
  if (args.length === 2 && args.some((arg) => VERSION.has(arg)) && args.some((arg) => VERBOSE.has(arg))) {
    const { versions } = await import('./terminal.js');
    (effects ?? process).stdout.write(`${versions()}\n`);
    process.exitCode = 0;
    return;
  }
  const { run } = await import('./program.js');
  process.exitCode = await run(args, effects);
}

const VERSION: ReadonlySet<string> = new Set(['--version', '-V']);
const VERBOSE: ReadonlySet<string> = new Set(['--verbose', '-v']);
