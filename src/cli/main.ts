// The entry point. It loads only what every start needs: scripts and package managers often ask for `--version`, and
// commander alone would make that a fifth slower. It has no static imports of ours: Node opens all imports of a module
// at once, and a low limit on open files could make that fail before any code could print a message.
import { writeSync } from 'node:fs';
import type { Effects } from '../base/effects.js';

/**
 * Runs one command line and sets the exit code of the process. Never calls process.exit, so that all output is written.
 */
export async function main(args: readonly string[], effects?: Effects): Promise<void> {
  const version = await versionAsked(args);
  if (version !== undefined && effects === undefined && isWritten(`${version}\n`)) {
    process.exitCode = 0;
    return;
  }
  process.on('exit', setCrashCode);
  const program = await import('./program.js').catch(refuseTooFew);
  process.exitCode = program === undefined ? 2 : await program.run(args, effects);
  process.off('exit', setCrashCode);
}

/** EX_SOFTWARE of sysexits(3). Node uses 1 for uncaught errors, but here 1 is a requested finding. */
const CRASH = 70;

/** Sets the exit code for an uncaught error, until a command sets its own. */
function setCrashCode(code: number): void {
  if (code === 1) process.exitCode = CRASH;
}

/** Modules are files too: the limit on open files may be too low for the modules that are opened at once. */
function refuseTooFew(error: unknown): undefined {
  if (!(error instanceof Error) || !('code' in error) || (error.code !== 'EMFILE' && error.code !== 'ENFILE'))
    throw error;
  process.stderr.write('dustbuster: too many files are open. Raise the limit (ulimit -n)\n');
}

const VERSION: ReadonlySet<string> = new Set(['--version', '-V']);
const VERBOSE: ReadonlySet<string> = new Set(['--verbose', '-v']);

/** The text to print if a command line only asks for the version; otherwise undefined. */
async function versionAsked(args: readonly string[]): Promise<string | undefined> {
  if (!args.some((arg) => VERSION.has(arg)) || args.length > 2) return undefined;
  if (args.length === 1) return `dustbuster ${(await import('./version.js')).packageVersion()}`;
  if (!args.some((arg) => VERBOSE.has(arg))) return undefined;
  return (await import('./terminal/terminal.js')).versions();
}

/**
 * Writes directly, as creating a stream for standard output takes longer than everything else. Returns false if that
 * fails; the streams then report the error.
 */
function isWritten(text: string): boolean {
  try {
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}
