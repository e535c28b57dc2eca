// The flags of `dustbuster mine`, with their defaults, each checked as it is read.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { PARAM_MIN_URLS, type RankOrder } from '../../mine/rank.js';
import type { Normalization, SitePolicy } from '../../rule/rule.js';
import { MAX_URL_BYTES } from '../../url/token.js';
import { DEFAULT_RULES_FILE } from '../context.js';
import { addFilterOptions, type FilterFlags } from './filter.js';
import { addHistoryOptions, type HistoryFlags } from './history.js';
import { addLocalOptions, type LocalFlags } from './local.js';
import { choice, defaultMemory, numberOption } from './parse.js';
import { addValidationOptions, type ValidationFlags } from './validation.js';
import type { TerminalFlags } from './terminal.js';
import { addFormatOptions, type FormatFlags } from '../run/input/reading.js';

export interface MineFlags extends FormatFlags, FilterFlags, ValidationFlags, LocalFlags, HistoryFlags, TerminalFlags {
  readonly fetch?: boolean;
  readonly test?: readonly string[];
  readonly base?: string;
  readonly scheme: 'http' | 'https';
  readonly normalize: Normalization;
  readonly maxUrlLength: number;
  readonly rejects?: string;
  readonly S: number;
  readonly T_low: number;
  readonly T_high: number;
  readonly MRD: number;
  readonly MAD: number;
  readonly MW: number;
  readonly MS: number;
  readonly rank: RankOrder;
  readonly similarity: boolean;
  readonly parameters: boolean;
  readonly paramMinUrls: number;
  readonly site: SitePolicy;
  readonly minSiteUrls: number;
  readonly memory: string;
  readonly tmpdir: string;
  readonly threads: number;
  readonly state?: string;
  readonly keep?: string;
  readonly output?: string;
  readonly stage?: 'pairs' | 'likely';
  readonly tsv?: boolean;
  readonly stamp?: boolean;
  readonly top: number;
  readonly json?: boolean;
}

export function addMineOptions(command: Command, effects: Effects): void {
  addReadingOptions(command);
  addMiningOptions(command);
  addStateOptions(command);
  addOutputOptions(command, effects);
  command
    .optionsGroup('Validating:')
    .option('--fetch', 'validate the rules by fetching a sample of pages')
    .option('--test <file...>', 'with --fetch: URLs to draw samples from (default: those of the log)');
  addValidationOptions(command);
  addHistoryOptions(command);
  addLocalOptions(command);
}

function addReadingOptions(command: Command): void {
  addFormatOptions(command);
  command
    .optionsGroup('Reading:')
    .option('--base <url>', 'scheme and host of logs that have none, as in https://www.example.com')
    .addOption(choice('--scheme <scheme>', 'scheme where the log has a host and no port', ['http', 'https'], 'http'))
    .addOption(choice('--normalize <how>', 'RFC 3986 normalisation of URLs', ['safe', 'none'], 'safe'))
    .option(
      '--max-url-length <bytes>',
      'longer URLs are rejected',
      numberOption('--max-url-length', { min: 1, max: MAX_URL_BYTES }),
      2048,
    )
    .option('--rejects <file>', 'write every rejected line with input, number and reason');
  addFilterOptions(command);
}

function addMiningOptions(command: Command): void {
  const count = (name: string, min: number, max?: number) =>
    numberOption(name, max === undefined ? { min } : { min, max });
  command
    .optionsGroup('Mining:')
    .option('--S <tokens>', 'longest substring', count('--S', 1, MAX_URL_BYTES), 35)
    .option('--T_low <n>', 'largest bucket that counts for support', count('--T_low', 2, 1000), 6)
    .option('--T_high <n>', 'largest bucket that counts for elimination', count('--T_high', 2, 1000), 11)
    .option('--MS <n>', 'least support', count('--MS', 1), 3)
    .option(
      '--MRD <share>',
      'maximum relative deficiency',
      numberOption('--MRD', { min: 0, max: 1, integer: false }),
      0.05,
    )
    .option('--MAD <n>', 'maximum absolute deficiency', numberOption('--MAD', { min: 0, integer: false }), 1)
    .option('--MW <n>', 'maximum window size', count('--MW', 0), 1100)
    .addOption(choice('--rank <by>', 'order of the rules', ['likeliness', 'confidence', 'support'], 'likeliness'))
    .option('--no-similarity', 'count every instance, whatever sizes and sketches say')
    .option('--no-parameters', 'substring rules only, as the paper reports')
    .option('--param-min-urls <n>', 'least URLs that have a parameter', count('--param-min-urls', 1), PARAM_MIN_URLS)
    .addOption(
      choice(
        '--site <policy>',
        'what rules belong to: registrable domain, host, or everything',
        ['domain', 'host', 'all'],
        'domain',
      ),
    )
    .option('--min-site-urls <n>', 'skip sites with fewer URLs', count('--min-site-urls', 0), 20);
}

function addStateOptions(command: Command): void {
  command
    .optionsGroup('Night after night:')
    .option('--state <folder>', 'add the logs to the URLs kept there from the nights before, and mine all of them')
    .option('--keep <time>', 'with --state: drop nights older than this, as 30d or 8w (default: keep all)');
}

function addOutputOptions(command: Command, effects: Effects): void {
  command
    .optionsGroup('Result:')
    .option('-o, --output <file>', `where the rules go, - for standard output (default: "${DEFAULT_RULES_FILE}")`)
    .addOption(
      choice('--stage <stage>', 'print the pairs of phase 1, or what elimination leaves, instead', ['pairs', 'likely']),
    )
    .option('--tsv', 'with --stage: site, anchor, from, to, low, high, against, one pair a line')
    .option('--stamp', 'write the time into the rules file')
    .option('--top <n>', 'rules shown at the end', numberOption('--top', { min: 0 }), 10)
    .option('--json', 'print the counts as one JSON document instead of the table')
    .optionsGroup('Memory, disk and threads:')
    .option('--memory <size>', 'memory for tables and buffers; the rest goes to disk', defaultMemory(effects))
    .option('--threads <n>', 'threads for large inputs', numberOption('--threads', { min: 1, max: 256 }), effects.cores)
    .option('--tmpdir <folder>', 'where sorted runs go', effects.env['TMPDIR'] || effects.tmpdir);
}
