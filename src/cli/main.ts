// The way in: commands, exit codes, and what happens to every error (SPEC 13).
import { Command, CommanderError } from 'commander';
import { realEffects, type Effects } from '../base/effects.js';
import { systemCode, UserError } from '../base/error.js';
import { ClosedPipe } from '../base/output.js';
import { registerCanonize } from './canonize.js';
import type { Outcome } from './context.js';
import { registerEval } from './eval.js';
import { registerExplain } from './explain.js';
import { registerMine } from './mine.js';
import { registerValidate } from './validate.js';
import { packageVersion } from './version.js';

/** Runs one command line and sets the exit code of the process. Never calls process.exit, so that all output is written. */
export async function main(args: readonly string[], effects: Effects = realEffects()): Promise<void> {
  process.exitCode = await run(args, effects);
}

async function run(args: readonly string[], effects: Effects): Promise<number> {
  const outcome: Outcome = { exitCode: 0 };
  const ignoreClosed = () => undefined;
  effects.stderr.on('error', ignoreClosed);
  try {
    await createProgram(effects, outcome).parseAsync(args, { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    return exitCodeOf(error, effects);
  }
}

function createProgram(effects: Effects, outcome: Outcome): Command {
  const program = new Command('dustbuster')
    .description('Learns rewrite rules between URLs of the same page from logs, and applies them.')
    .version(`dustbuster ${packageVersion()}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('(dustbuster --help shows the commands and options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void effects.stdout.write(text),
      writeErr: (text) => void effects.stderr.write(text),
    })
    .addHelpText(
      'after',
      `
Examples:
  dustbuster mine access.log                         learn rules, write dustbuster-rules.json
  zcat access.log.*.gz | dustbuster mine -o - -      the same from a pipe, rules on stdout
  dustbuster canonize --accept likely < urls.txt     one canonical URL a line
  dustbuster explain --accept likely URL             which rules touched it, and why

Exit codes: 0 done, 1 a negative finding that an option asked for, 2 wrong usage, unreadable input or unwritable
output, 3 done but some input was unreadable, truncated or mostly rejected, 128 + signal.`,
    );
  registerMine(program, effects, outcome);
  registerValidate(program, effects, outcome);
  registerCanonize(program, effects, outcome);
  registerExplain(program, effects, outcome);
  registerEval(program, effects, outcome);
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  return program;
}

function exitCodeOf(error: unknown, effects: Effects): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ClosedPipe || systemCode(error) === 'EPIPE') return 0;
  if (!(error instanceof UserError)) throw error;
  effects.stderr.write(`dustbuster: ${error.message}\n`);
  return 2;
}
