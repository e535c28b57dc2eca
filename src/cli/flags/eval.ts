// Which options does `eval` have?
import type { Command } from 'commander';
import { UserError } from '../../base/error.js';
import { FILTER_OPTIONS, PART_OPTIONS } from './filter.js';
import { baseOption, FORMAT_OPTIONS } from './format.js';
import { machineOptions } from './machine.js';
import { refuseIdle } from './mistakes.js';
import { type FlagsOf, group } from './option.js';
import { RULE_OPTIONS } from './rules.js';
import type { TerminalFlags } from './terminal.js';
import { VALIDATION_OPTIONS } from './validation.js';

export const EVAL_OPTIONS = {
  ...group('The list:', {
    urls: {
      kind: 'list',
      flags: '--urls <input...>',
      text: 'the URL list: any input of mine; - is standard input',
      isRequired: true,
    },
    truth: {
      kind: 'text',
      flags: '--truth <file>',
      text: 'labels to use instead of those of the list: lines of URL, tab, label, and tab, near duplicates; may be compressed',
    },
    map: {
      kind: 'text',
      flags: '--map <file>',
      text: 'measure this table instead of rules: lines of URL, tab, form (or a key that URLs of one page share); may be compressed',
    },
    base: {
      kind: 'parsed',
      flags: '--base <url>',
      text: 'scheme and host for a list without them (default: what the rules were mined with)',
      parse: baseOption,
    },
  }),
  ...RULE_OPTIONS,
  ...FORMAT_OPTIONS,
  ...FILTER_OPTIONS,
  ...PART_OPTIONS,
  ...group('Precision by samples:', {
    sweep: {
      kind: 'word',
      flags: '--sweep <what>',
      text: 'also validate by labels with 1 to N samples a rule, fetching nothing: how many are enough?',
      words: ['samples'],
    },
    N: { ...VALIDATION_OPTIONS.N, text: 'with --sweep: most samples per rule' },
    epsilon: { ...VALIDATION_OPTIONS.epsilon, text: 'with --sweep: refutation threshold' },
    seed: { ...VALIDATION_OPTIONS.seed, text: 'with --sweep: seed for drawing samples' },
  }),
  ...group('Result:', {
    leftover: {
      kind: 'switch',
      flags: '--leftover',
      text: 'also report which duplicates are left: images, other queries, replicated documents, error pages',
    },
    json: { kind: 'switch', flags: '--json', text: 'print JSON, with all sites and rules' },
    csv: { kind: 'switch', flags: '--csv', text: 'print CSV' },
    per: {
      kind: 'word',
      flags: '--per <what>',
      text: 'with --csv: print one line for each site, rule or number of samples',
      words: ['site', 'rule', 'samples'],
      standard: 'site',
    },
    top: {
      kind: 'number',
      flags: '--top <n>',
      text: 'sites and rules in the table',
      min: 0,
      standard: 10,
      isHarmless: true,
    },
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: 'write to FILE, complete or not at all',
      standard: '-',
    },
    maxFalseMerges: {
      kind: 'number',
      flags: '--max-false-merges <share>',
      text: 'exit with 1 if more URLs are merged falsely',
      min: 0,
      max: 1,
      fraction: true,
    },
    minCoverage: {
      kind: 'number',
      flags: '--min-coverage <share>',
      text: 'exit with 1 if coverage is lower',
      min: 0,
      max: 1,
      fraction: true,
    },
  }),
  ...machineOptions('threads for reading'),
};

export type EvalFlags = FlagsOf<typeof EVAL_OPTIONS> & TerminalFlags;

/** Throws a UserError for an option on the command line that has no effect in this run. */
export function refuseIdleEval(command: Command, { csv, sweep, map }: EvalFlags): void {
  if (map !== undefined) refuseBesideMap(command);
  if (csv !== true) refuseIdle(command, ['per'], '--csv');
  if (sweep === undefined) refuseIdle(command, ['N', 'epsilon'], '--sweep');
}

/** Refuses options that only affect rules: `--map` measures a table, without rules. */
function refuseBesideMap(command: Command): void {
  const ofRules = ['rules', 'accept', 'maxIterations', 'local', 'sweep'];
  for (const option of command.options) {
    if (!ofRules.includes(option.attributeName())) continue;
    if (command.getOptionValueSource(option.attributeName()) !== 'cli') continue;
    throw new UserError(`eval: got ${option.long} and --map; expected one of them: a table is measured without rules`);
  }
}
