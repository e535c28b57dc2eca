// Runs a command line: finds the command, sets its options, and turns every error into a message and an exit code (SPEC
// 13).
import { Command, CommanderError } from 'commander';
import { type Effects, realEffects } from '../base/effects.js';
import { systemCode, UserError } from '../base/error.js';
import { givenArguments } from '../base/file-name.js';
import { ClosedPipe, createSink, pour } from '../base/output.js';
import { addCommand, COMMANDS } from './commands.js';
import { helpAsked, type HelpAsked } from './help/asked.js';
import { configFlagOf, isAnythingSet } from './config/find.js';
import type { Outcome } from './context.js';
import { refuseSameFiles, takenWords } from './flags/mistakes.js';
import { addOptions, settleStandards } from './flags/option.js';
import { checkTerminalFlags, TERMINAL_OPTIONS } from './flags/terminal.js';
import { endInterrupted, Interrupted } from './terminal/signals.js';
import { Terminal } from './terminal/terminal.js';
import { packageVersion } from './version.js';

/** Commands that need to know all others. */
const OF_ALL: ReadonlySet<string> = new Set(['config', 'completion', 'man', 'help']);

/** Runs one command line and returns the exit code. */
export async function run(words: readonly string[], given: Effects = realEffects()): Promise<number> {
  const args = givenArguments(words);
  const outcome: Outcome = { exitCode: 0 };
  const settings: Settings = { originOf: () => undefined, takenWords: () => undefined };
  const ignoreClosed = () => undefined;
  given.stderr.on('error', ignoreClosed);
  const terminal = new Terminal(given);
  const { effects } = terminal;
  const printed: string[] = [];
  try {
    const help = helpAsked(args, (word) => COMMANDS.has(word));
    if (help !== undefined) return await showHelp(help, effects);
    if (args.length === 0) return await refuseEmpty(effects);
    const program = await createProgram(args[0], effects, outcome, { terminal, printed });
    applySettings(program, settings, effects);
    await program.parseAsync(args, { from: 'user' });
    await terminal.finish();
    return outcome.exitCode;
  } catch (error) {
    await terminal.finish();
    if (!(error instanceof CommanderError)) return exitCodeOf(error, settings, terminal);
    if (error.code === 'commander.missingArgument') sayTaken(settings, terminal);
    return pour(printed, createSink(given.stdout, { isSafe: true })).then(
      () => (error.exitCode === 0 ? 0 : 2),
      (failure: unknown) => exitCodeOf(failure, settings, terminal),
    );
  }
}

/** The program with all commands, for callers that describe it. */
export function wholeProgram(effects: Effects): Promise<Command> {
  return createProgram(undefined, effects, { exitCode: 0 });
}

/** The terminal, and a collector for text that commander prints itself: errors and the version. */
interface Speaking {
  readonly terminal: Terminal;
  readonly printed: string[];
}

/**
 * Creates the program with the one command that `first` names. If it names none, with all commands, so that help and
 * errors can list them.
 */
async function createProgram(
  first: string | undefined,
  effects: Effects,
  outcome: Outcome,
  speaking?: Speaking,
): Promise<Command> {
  const program = new Command('dustbuster')
    .description('Learns rewrite rules between URLs of the same page from logs, and applies them.')
    .optionsGroup('Anywhere:')
    .option('--config <file>', 'set options from FILE, and from no other file')
    .option('--no-config', 'set options from no file')
    .version(`dustbuster ${packageVersion()}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showHelpAfterError('(dustbuster --help shows the commands and options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void speaking?.printed.push(text),
      writeErr: (text) => void effects.stderr.write(text),
      outputError: (text) => speaking?.terminal.fail(text),
    })
    .hook('preAction', (_program, command) => {
      checkTerminalFlags(command);
      settleStandards(command);
      refuseSameFiles(command, effects);
      speaking?.terminal.configure(command.opts());
    });
  const isOne = first !== undefined && COMMANDS.has(first) && !OF_ALL.has(first);
  for (const name of isOne ? [first] : COMMANDS.keys()) await addCommand(program, name, effects, outcome);
  for (const command of program.commands) {
    command.exitOverride().copyInheritedSettings(program);
    command.showHelpAfterError(`(dustbuster ${command.name()} -h shows its options, --help all about it)`);
    addOptions(command, TERMINAL_OPTIONS, effects);
  }
  return program;
}

async function showHelp(asked: HelpAsked, effects: Effects): Promise<number> {
  const { helpText, helpWidth } = await import('./help/help.js');
  const program = await createProgram(asked.topic, effects, { exitCode: 0 });
  await pour([helpText(asked, program, helpWidth(effects))], createSink(effects.stdout));
  return 0;
}

/** Prints the short help on standard error if there are no arguments. */
async function refuseEmpty(effects: Effects): Promise<number> {
  const { helpText, helpWidth } = await import('./help/help.js');
  effects.stderr.write(helpText({ form: 'short' }, await wholeProgram(effects), helpWidth(effects)));
  return 2;
}

/** What error messages can say about the settings of a run. */
interface Settings {
  /** Where an option was set, if not by a flag. */
  originOf: (name: string) => string | undefined;
  /** Words that an option took as its values although they may have been meant as arguments. */
  takenWords: () => string | undefined;
}

function sayTaken({ takenWords: taken }: Settings, terminal: Terminal): void {
  const words = taken();
  if (words !== undefined) terminal.fail(`dustbuster: ${words}\n`);
}

/** Sets options from files and variables once the command is known, before its flags are parsed. */
function applySettings(program: Command, settings: Settings, effects: Effects): void {
  program.hook('preSubcommand', async (_, command) => {
    settings.takenWords = () => takenWords(command);
    const flag = configFlagOf(program);
    if (OF_ALL.has(command.name()) || !isAnythingSet(flag, effects)) return;
    const { applyConfig } = await import('./config/apply.js');
    settings.originOf = await applyConfig(command, flag, effects, () => wholeProgram(effects));
  });
}

function exitCodeOf(error: unknown, settings: Settings, terminal: Terminal): number {
  if (error instanceof ClosedPipe || systemCode(error) === 'EPIPE') return 0;
  if (error instanceof Interrupted) {
    endInterrupted();
    return 130;
  }
  if (systemCode(error) === 'EMFILE') {
    // Node opens all modules of a command at once, so this can fail before any code that would explain it better is
    // loaded.
    terminal.fail('dustbuster: too many files are open. Raise the limit (ulimit -n), or read with --threads 1\n');
    return 2;
  }
  if (!(error instanceof UserError)) throw error;
  const names = Array.from(error.message.matchAll(/--(?:no-)?([\w-]+)/g), ([, name]) => name!);
  const origin = names.map(settings.originOf).find((one) => one !== undefined);
  terminal.fail(`dustbuster: ${error.message}${origin === undefined ? '' : ` (${origin})`}\n`);
  sayTaken(settings, terminal);
  return 2;
}
