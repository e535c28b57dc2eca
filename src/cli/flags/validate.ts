// Which options does `validate` have?
import { FILTER_OPTIONS, PART_OPTIONS } from './filter.js';
import { baseOption, FORMAT_OPTIONS } from './format.js';
import { NIGHT_OPTIONS } from './history.js';
import { machineOptions } from './machine.js';
import { type FlagsOf, group } from './option.js';
import { LOCAL_OPTIONS } from './rules.js';
import type { TerminalFlags } from './terminal.js';
import { VALIDATION_OPTIONS, type ValidationFlags } from './validation.js';
import { PREFER_OPTIONS, WRITE_OPTIONS } from './wishes.js';

export const VALIDATE_OPTIONS = {
  ...group('Validating:', {
    test: {
      kind: 'list',
      flags: '--test <file...>',
      text: 'URLs to draw samples from: any input of mine (default: the state or the logs that were mined)',
    },
    state: {
      kind: 'text',
      flags: '--state <folder>',
      text: 'draw samples from all URLs of a state (default: that of mine --state, if it made the rules)',
    },
    base: {
      kind: 'parsed',
      flags: '--base <url>',
      text: 'scheme and host for a log without them, such as https://www.example.com',
      parse: baseOption,
    },
    again: { kind: 'switch', flags: '--again', text: 'discard the verdicts of the rules' },
  }),
  ...group('Result:', {
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: 'where to write the rules (default: back into RULES)',
    },
  }),
  ...VALIDATION_OPTIONS,
  ...FORMAT_OPTIONS,
  ...group('Which lines count:', { since: FILTER_OPTIONS.since, until: FILTER_OPTIONS.until }),
  ...PART_OPTIONS,
  ...LOCAL_OPTIONS,
  ...PREFER_OPTIONS,
  ...WRITE_OPTIONS,
  ...NIGHT_OPTIONS,
  ...group('Result:', {
    top: {
      kind: 'number',
      flags: '--top <n>',
      text: 'likely rules shown at the end, below all that are in use (default: 10 if none is)',
      min: 0,
      isHarmless: true,
    },
    /** A limit for the audit. */
    maxDead: {
      kind: 'number',
      flags: '--max-dead <share>',
      text: "exit with 1 if the audit's share of dead or redirecting forms is larger",
      min: 0,
      max: 1,
      fraction: true,
    },
    json: {
      kind: 'switch',
      flags: '--json',
      text: 'print the counts as one JSON document instead of the table; with --dry-run, the URLs',
    },
  }),
  ...machineOptions('threads for reading'),
};

export type ValidateFlags = FlagsOf<typeof VALIDATE_OPTIONS> & ValidationFlags & TerminalFlags;
