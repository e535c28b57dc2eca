// Commands, exit codes, and what happens to every error (SPEC 13).
import { Command, CommanderError } from 'commander';
import { realEffects, type Effects } from '../base/effects.js';
import { systemCode, UserError } from '../base/error.js';
import { ClosedPipe } from '../base/output.js';
import type { Outcome } from './context.js';
import { packageVersion } from './version.js';

type Register = (program: Command, effects: Effects, outcome: Outcome) => void;

/** By name, in the order of the help. Each is loaded when it is needed. */
const commands: ReadonlyMap<string, () => Promise<Register>> = new Map([
  ['mine', async () => (await import('./mine.js')).registerMine],
  ['validate', async () => (await import('./validate.js')).registerValidate],
  ['canonize', async () => (await import('./canonize.js')).registerCanonize],
  ['explain', async () => (await import('./explain.js')).registerExplain],
  ['eval', async () => (await import('./eval.js')).registerEval],
  ['diff', async () => (await import('./diff.js')).registerDiff],
  ['export', async () => (await import('./export.js')).registerExport],
]);

/** Runs one command line; gives the exit code. */
export async function run(args: readonly string[], effects: Effects = realEffects()): Promise<number> {
  const outcome: Outcome = { exitCode: 0 };
  const ignoreClosed = () => undefined;
  effects.stderr.on('error', ignoreClosed);
  try {
    const program = await createProgram(args[0], effects, outcome);
    await program.parseAsync(args, { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    return exitCodeOf(error, effects);
  }
}

/** With the command that `first` names; with all of them where it names none, so that help and errors know them. */
async function createProgram(first: string | undefined, effects: Effects, outcome: Outcome): Promise<Command> {
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
  const named = commands.get(first ?? '');
  for (const load of named === undefined ? commands.values() : [named]) (await load())(program, effects, outcome);
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
