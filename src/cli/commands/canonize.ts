// `dustbuster canonize`: its help and flags. What it runs is loaded when it runs.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { defaultMaxIterations } from '../../canonize/limits.js';
import type { LineOptions } from '../../canonize/lines.js';
import { ACCEPTS, type Accept } from '../../rule/standing.js';
import { DEFAULT_RULES_FILE, type Outcome } from '../context.js';
import { addLocalOptions, type LocalFlags } from '../flags/local.js';
import { choice, defaultMemory, numberOption } from '../flags/parse.js';
import type { TerminalFlags } from '../flags/terminal.js';

export interface RuleOptions extends LocalFlags, TerminalFlags {
  readonly rules: string;
  readonly accept: Accept;
  readonly maxIterations: number;
}

export interface CanonizeOptions extends RuleOptions, LineOptions {
  readonly input: readonly string[];
  readonly output: string;
  readonly json?: boolean;
  readonly lineBuffered?: boolean;
  readonly memory: string;
  readonly threads?: number;
  readonly tmpdir: string;
}

export function registerCanonize(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('canonize')
    .description('Give each URL its canonical form: line in, line out, in order.')
    .argument('[url...]', 'URLs; without any, and without -i, lines of standard input')
    .optionsGroup('Lines in and out:')
    .option(
      '-i, --input <file>',
      'read lines of FILE, plain or packed (gzip, bzip2, xz, zstd); - is standard input; may be repeated',
      collect,
      [],
    )
    .option('-o, --output <file>', 'write to FILE, complete or not at all', '-')
    .option('--pairs', 'print the URL, a tab, and its canonical form')
    .option('--unique', 'print each canonical form once')
    .option('--changed', 'print only URLs that are not canonical already')
    .option('--json', 'with -o: print the counts as one JSON document')
    .option('--line-buffered', 'hand over every line at once, for a reader that waits')
    .optionsGroup('Memory, disk and threads:')
    .option(
      '--threads <n>',
      `threads for files of more than 8 MiB (default: one for each 16 MiB, at most ${effects.cores}); a pipe has one`,
      numberOption('--threads', { min: 1, max: 256 }),
    )
    .option(
      '--memory <size>',
      'for the forms of --unique; what is beyond waits on disk for the end',
      defaultMemory(effects),
    )
    .option('--tmpdir <folder>', 'where it waits', effects.env['TMPDIR'] || effects.tmpdir);
  addRuleOptions(command);
  command.action(async (urls: string[], options: CanonizeOptions) => {
    if (urls.length === 0 && options.input.length === 0 && effects.stdin.isTTY === true) {
      effects.stderr.write(`Usage: ${command.createHelp().commandUsage(command)}\n${nothingGiven}\n`);
      outcome.exitCode = 2;
      return;
    }
    const { canonize } = await import('../run/canonize/canonize.js');
    outcome.exitCode = await canonize(urls, options, effects);
  });
}

const nothingGiven = `Got no URL, expected URLs as arguments, in files (-i FILE) or on standard input:
  dustbuster canonize < urls.txt`;

export function addRuleOptions(command: Command): void {
  command.optionsGroup('Rules:').option('-r, --rules <file>', 'the rules file', DEFAULT_RULES_FILE);
  addApplyOptions(command);
}

/** How rules are applied, whichever file they come from. */
export function addApplyOptions(command: Command): void {
  command
    .optionsGroup('Rules:')
    .addOption(
      choice(
        '--accept <status>',
        'valid: use validated rules only; confident: those too that nobody has validated, of confidence .95 or more; likely: all that were not refuted',
        ACCEPTS,
        'valid',
      ),
    )
    .option(
      '--max-iterations <n>',
      'rounds through the rules before a URL is left as it came in',
      numberOption('--max-iterations', { min: 1, max: 1000 }),
      defaultMaxIterations,
    );
  addLocalOptions(command);
}

function collect(file: string, files: readonly string[]): readonly string[] {
  return [...files, file];
}
