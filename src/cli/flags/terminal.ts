// The flags that say what is told to people, of every command.
import type { Command } from 'commander';
import { UserError } from '../../base/error.js';
import { COLOUR_CHOICES, type ColourChoice } from '../terminal/colour.js';
import { choice } from './parse.js';

export interface TerminalFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: ColourChoice;
  /** Undefined: on a terminal. */
  readonly progress?: boolean;
}

/** Those that the command does not have already. */
export function addTerminalOptions(command: Command): void {
  command.optionsGroup('What is said:');
  const has = (long: string) => command.options.some((option) => option.long === long);
  if (!has('--quiet')) command.option('-q, --quiet', 'say nothing but errors: no counts, no table, no progress');
  if (!has('--verbose')) command.option('-v, --verbose', 'say what ran, and the time and memory it took');
  if (!has('--color')) {
    const when = 'colour in tables and messages; auto: on a terminal, but heed NO_COLOR, FORCE_COLOR and TERM';
    command.addOption(choice('--color <when>', when, COLOUR_CHOICES, 'auto'));
  }
  if (has('--progress')) return;
  command
    .option('--progress', 'show how far it is, as on a terminal after a second; elsewhere a line for each phase')
    .option('--no-progress', 'do not');
}

/** Throws a UserError for flags that contradict each other. What was typed wins over what a file or a variable sets. */
export function checkTerminalFlags(command: Command): void {
  const { quiet, verbose } = command.opts<TerminalFlags>();
  if (quiet !== true || verbose !== true) return;
  const [typed, ...others] = (['quiet', 'verbose'] as const).filter((name) => isTyped(command, name));
  if (typed === undefined || others.length > 0) {
    throw new UserError('got --quiet and --verbose; expected one of them');
  }
  command.setOptionValue(typed === 'quiet' ? 'verbose' : 'quiet', undefined);
}

function isTyped(command: Command, name: string): boolean {
  return command.getOptionValueSource(name) === 'cli';
}
