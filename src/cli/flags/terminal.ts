// What is printed besides the result? For every command.
import type { Command } from 'commander';
import { UserError } from '../../base/error.js';
import { group, type FlagsOf } from './option.js';

const COLOUR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColourChoice = (typeof COLOUR_CHOICES)[number];

export const TERMINAL_OPTIONS = group('Output:', {
  quiet: { kind: 'switch', flags: '-q, --quiet', text: 'print errors only: no counts, no table, no progress' },
  verbose: {
    kind: 'switch',
    flags: '-v, --verbose',
    text: 'also report every reason and every input separately, and the time and memory of each phase',
  },
  color: {
    kind: 'word',
    flags: '--color <when>',
    text: 'colour in tables and messages; auto: on a terminal, subject to NO_COLOR, FORCE_COLOR and TERM',
    words: COLOUR_CHOICES,
    standard: 'auto',
  },
  progress: {
    kind: 'switch',
    flags: '--progress',
    text: 'show progress, on a terminal after a second; elsewhere one line per phase',
    no: 'show no progress',
  },
});

/** For commands that canonize. */
export const DEBUG_OPTION = {
  debug: {
    kind: 'switch',
    flags: '--debug',
    text: 'report on standard error how each of the first 100 URLs was canonized (kernel or JavaScript) and by which rules, then totals for all URLs',
  },
} as const;

/** If `progress` is undefined, progress is shown on a terminal. Internal callers may leave out all of these. */
export type TerminalFlags = Partial<FlagsOf<typeof TERMINAL_OPTIONS>>;

/** Throws a UserError for flags that contradict each other. A flag wins over what a file or a variable sets. */
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
