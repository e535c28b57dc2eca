// Commands, exit codes, and what happens to every error (SPEC 13).
import { Command, CommanderError } from 'commander';
import { realEffects, type Effects } from '../base/effects.js';
import { systemCode, UserError } from '../base/error.js';
import { ClosedPipe, createSink, pour } from '../base/output.js';
import type { Outcome } from './context.js';
import { endInterrupted, Interrupted } from './signals.js';
import { Terminal } from './terminal.js';
import { addTerminalOptions } from './terminal-flags.js';
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
]);

/** Runs one command line; gives the exit code. */
export async function run(args: readonly string[], given: Effects = realEffects()): Promise<number> {
  const outcome: Outcome = { exitCode: 0 };
  const ignoreClosed = () => undefined;
  given.stderr.on('error', ignoreClosed);
  const terminal = new Terminal(given);
  const help: string[] = [];
  try {
    const program = await createProgram(args[0], terminal, outcome, help);
    if (args.length === 0) return shortHelp(program, terminal);
    await program.parseAsync(args, { from: 'user' });
    await terminal.finish();
    return outcome.exitCode;
  } catch (error) {
    await terminal.finish();
    if (!(error instanceof CommanderError)) return exitCodeOf(error, terminal);
    // Help and version end so too.
    return pour(help, createSink(given.stdout, { isSafe: true })).then(
      () => (error.exitCode === 0 ? 0 : 2),
      (failure: unknown) => exitCodeOf(failure, terminal),
    );
  }
}

/**
 * With the command that `first` names; with all of them where it names none, so that help and errors know them. What commander
 * prints goes to `help`.
 */
async function createProgram(
  first: string | undefined,
  terminal: Terminal,
  outcome: Outcome,
  help: string[],
): Promise<Command> {
  const { effects } = terminal;
  const program = new Command('dustbuster')
    .description('Learns rewrite rules between URLs of the same page from logs, and applies them.')
    .version(`dustbuster ${packageVersion()}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('(dustbuster --help shows the commands and options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void help.push(text),
      writeErr: (text) => void effects.stderr.write(text),
      outputError: (text) => terminal.fail(text),
    })
    .hook('preAction', (_program, command) => terminal.configure(command.opts()))
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
  for (const command of program.commands) {
    command.exitOverride().copyInheritedSettings(program);
    addTerminalOptions(command);
  }
  return program;
}

/** For who types the name alone: what there is, in a screen's half. */
function shortHelp(program: Command, { effects }: Terminal): number {
  const width = Math.max(...program.commands.map((command) => command.name().length));
  const lines = program.commands.map(
    (command) => `  ${command.name().padEnd(width)}  ${command.summary() || command.description()}\n`,
  );
  const more = 'dustbuster help COMMAND tells more of one, dustbuster --help of all';
  effects.stderr.write(`Usage: dustbuster COMMAND [options]\n\n${lines.join('')}\n${more}\n`);
  return 2;
}

function exitCodeOf(error: unknown, terminal: Terminal): number {
  if (error instanceof ClosedPipe || systemCode(error) === 'EPIPE') return 0;
  if (error instanceof Interrupted) {
    endInterrupted();
    return 130;
  }
  if (!(error instanceof UserError)) throw error;
  terminal.fail(`dustbuster: ${error.message}\n`);
  return 2;
}
