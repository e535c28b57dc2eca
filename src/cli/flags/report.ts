// Which options does `report` have?
import { DEFAULT_REPORT_FILE } from '../context.js';
import { FILTER_OPTIONS } from './filter.js';
import { baseOption, FORMAT_OPTIONS } from './format.js';
import { machineOptions } from './machine.js';
import { type FlagsOf, group } from './option.js';
import { APPLY_OPTIONS } from './rules.js';
import type { TerminalFlags } from './terminal.js';

export const REPORT_OPTIONS = {
  ...group('The log:', {
    log: {
      kind: 'list',
      flags: '--log <input...>',
      text: 'the requests: any input of mine; - is standard input',
    },
    base: {
      kind: 'parsed',
      flags: '--base <url>',
      text: 'scheme and host for a log without them (default: what the rules were mined with)',
      parse: baseOption,
    },
  }),
  ...APPLY_OPTIONS,
  accept: { ...APPLY_OPTIONS.accept, described: 'valid; of a log without rules confident' },
  ...FORMAT_OPTIONS,
  ...FILTER_OPTIONS,
  ...group('Result:', {
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: `write to FILE, complete or not at all (default: ${DEFAULT_REPORT_FILE}; - with --json and --summary)`,
    },
    json: { kind: 'switch', flags: '--json', text: 'write the contents of the page as JSON instead' },
    summary: { kind: 'switch', flags: '--summary', text: 'write one page of text to forward instead' },
    fixes: {
      kind: 'text',
      flags: '--fixes <file>',
      isOutput: true,
      text: 'write all fixes to FILE as CSV, besides: what each redirects and saves, and what is to be proved',
    },
    top: {
      kind: 'number',
      flags: '--top <n>',
      text: 'sites, groups and parameters listed one by one',
      min: 0,
      standard: 1000,
      isHarmless: true,
    },
    before: {
      kind: 'repeated',
      flags: '--before <file>',
      text: 'compare with an earlier report: FILE is what --json wrote of the log of then',
    },
    failBelow: {
      kind: 'number',
      flags: '--fail-below <share>',
      text: 'with --before: exit with 1 if less of what the fixes promised has come about',
      min: 0,
      max: 1,
      fraction: true,
    },
    botAddresses: {
      kind: 'repeated',
      flags: '--bot-addresses <file>',
      text: 'published addresses of a bot, for forged ones to be told: googlebot.json, or Googlebot=FILE',
    },
    stamp: { kind: 'switch', flags: '--stamp', text: 'write the time into the report' },
  }),
  ...machineOptions('threads for reading'),
};

export type ReportFlags = FlagsOf<typeof REPORT_OPTIONS> & TerminalFlags;
