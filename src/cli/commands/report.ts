// `dustbuster report`: its help and flags. What it runs is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { addApplyOptions, type RuleOptions } from './canonize.js';
import { DEFAULT_RULES_FILE, type Outcome } from '../context.js';
import { addFilterOptions, type FilterFlags } from '../flags/filter.js';
import { defaultMemory, numberOption } from '../flags/parse.js';
import { addFormatOptions, type FormatFlags } from '../run/input/reading.js';

export interface ReportFlags extends Omit<RuleOptions, 'rules'>, FormatFlags, FilterFlags {
  readonly log?: readonly string[];
  readonly base?: string;
  readonly json?: boolean;
  readonly output?: string;
  readonly stamp?: boolean;
  readonly top: number;
  readonly quiet?: boolean;
  readonly memory: string;
  readonly threads: number;
  readonly tmpdir: string;
}

/** Where the page goes unless told otherwise. */
export const DEFAULT_REPORT_FILE = 'dustbuster-report.html';

export function registerReport(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('report')
    .summary('write what rules make of a log as one HTML page')
    .description(
      'Writes one HTML page, which needs nothing else: what was read, the rules with their evidence and verdicts, and ' +
        'their precision.\n\n' +
        'With --log it says what the rules make of that log: URLs before and after, for each site; the reduction by the ' +
        'first k rules; what duplicates cost in hits, bytes and hits of bots; and what each parameter does to a page.',
    )
    .argument('[RULES]', 'the rules file', DEFAULT_RULES_FILE)
    .optionsGroup('The log:')
    .option('--log <input...>', 'what was asked for: any input of mine; - is standard input')
    .option('--base <url>', 'scheme and host of a log that has none (default: what the rules were mined with)');
  addApplyOptions(command);
  addFormatOptions(command);
  addFilterOptions(command);
  command
    .optionsGroup('Result:')
    .option(
      '-o, --output <file>',
      `write to FILE, complete or not at all (default: ${DEFAULT_REPORT_FILE}; - with --json)`,
    )
    .option('--json', 'write what the page shows as JSON instead')
    .option('--top <n>', 'sites, groups and parameters told one by one', numberOption('--top', { min: 0 }), 1000)
    .option('--stamp', 'write the time into the report')
    .optionsGroup('Memory, disk and threads:')
    .option('--memory <size>', 'memory for tables and buffers; the rest goes to disk', defaultMemory(effects))
    .option('--threads <n>', 'threads for reading', numberOption('--threads', { min: 1, max: 256 }), effects.cores)
    .option('--tmpdir <folder>', 'where sorted runs go', effects.env['TMPDIR'] || effects.tmpdir);
  command.action(async (rules: string, flags: ReportFlags) => {
    const { report } = await import('../run/report.js');
    const isTyped = (flag: string) => command.getOptionValueSource(flag) === 'cli';
    outcome.exitCode = await report(rules, flags, effects, isTyped);
  });
}
