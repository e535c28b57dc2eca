// The way in. Only what every start needs is loaded here: `--version` is often asked by scripts and package managers, and
// commander alone would take it a fifth longer.
import { writeSync } from 'node:fs';
import type { Effects } from '../base/effects.js';
import { packageVersion } from './version.js';

/** Runs one command line and sets the exit code of the process. Never calls process.exit, so that all output is written. */
export async function main(args: readonly string[], effects?: Effects): Promise<void> {
  const version = await versionAsked(args);
  if (version !== undefined && effects === undefined && isWritten(`${version}\n`)) {
    process.exitCode = 0;
    return;
  }
  const { run } = await import('./program.js');
  process.exitCode = await run(args, effects);
}

const VERSION: ReadonlySet<string> = new Set(['--version', '-V']);
const VERBOSE: ReadonlySet<string> = new Set(['--verbose', '-v']);

/** What to print where nothing but the version is asked for; undefined elsewhere. */
async function versionAsked(args: readonly string[]): Promise<string | undefined> {
  if (!args.some((arg) => VERSION.has(arg)) || args.length > 2) return undefined;
  if (args.length === 1) return `dustbuster ${packageVersion()}`;
  if (!args.some((arg) => VERBOSE.has(arg))) return undefined;
  return (await import('./terminal/terminal.js')).versions();
}

/** At once, as making a stream of standard output takes longer than all the rest. False where that fails: others know why. */
function isWritten(text: string): boolean {
  try {
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}
