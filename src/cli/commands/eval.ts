// `dustbuster eval`: its help and flags. What it runs is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { addRuleOptions, type RuleOptions } from './canonize.js';
import type { Outcome } from '../context.js';
import { choice, defaultMemory, numberOption } from '../flags/parse.js';
import { addFilterOptions, type FilterFlags } from '../flags/filter.js';
import { addFormatOptions, type FormatFlags } from '../run/input/reading.js';
import type { TerminalFlags } from '../flags/terminal.js';

export interface EvalFlags extends RuleOptions, FormatFlags, FilterFlags, TerminalFlags {
  readonly urls: readonly string[];
  readonly truth?: string;
  readonly base?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly per: 'site' | 'rule';
  readonly top: number;
  readonly output: string;
  readonly maxFalseMerges?: number;
  readonly minCoverage?: number;
  readonly memory: string;
  readonly threads: number;
  readonly tmpdir: string;
}

export function registerEval(program: Command, effects: Effects, outcome: Outcome): void {
  const share = (name: string) => numberOption(name, { min: 0, max: 1, integer: false });
  const command = program
    .command('eval')
    .summary('measure rules on a list of URLs: redundancy, coverage, precision@k, false merges')
    .description(
      'Measures what rules make of a list of URLs, for each site and for each rule.\n\n' +
        'Whether two URLs name one page is said by their labels: the sketches or digests of the list, or the file ' +
        'given with --truth. Without labels there is only the discovered redundancy.',
    )
    .optionsGroup('The list:')
    .requiredOption('--urls <input...>', 'the URL list: any input of mine; - is standard input')
    .option(
      '--truth <file>',
      'labels in place of those of the list: lines of URL, tab, label, and tab, near duplicates; packed too',
    )
    .option('--base <url>', 'scheme and host of a list that has none (default: what the rules were mined with)');
  addRuleOptions(command);
  addFormatOptions(command);
  addFilterOptions(command);
  command
    .optionsGroup('Result:')
    .option('--json', 'print JSON, with all sites and rules')
    .option('--csv', 'print CSV')
    .addOption(choice('--per <what>', 'with --csv: a line for each', ['site', 'rule'], 'site'))
    .option('--top <n>', 'sites and rules in the table', numberOption('--top', { min: 0 }), 10)
    .option('-o, --output <file>', 'write to FILE, complete or not at all', '-')
    .option('--max-false-merges <share>', 'end with 1 if more URLs are merged falsely', share('--max-false-merges'))
    .option('--min-coverage <share>', 'end with 1 if coverage is less', share('--min-coverage'))
    .optionsGroup('Memory, disk and threads:')
    .option('--memory <size>', 'memory for tables and buffers; the rest goes to disk', defaultMemory(effects))
    .option('--threads <n>', 'threads for reading', numberOption('--threads', { min: 1, max: 256 }), effects.cores)
    .option('--tmpdir <folder>', 'where sorted runs go', effects.env['TMPDIR'] || effects.tmpdir);
  command.action(async (flags: EvalFlags) => {
    const { evaluate } = await import('../run/eval.js');
    outcome.exitCode = await evaluate(flags, effects);
  });
}
