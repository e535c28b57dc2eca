// Which options does `mine` have? A row has everything about an option, for every place that mentions it
// (flags/option). An option that decides what is mined also has a line in rule/mine-options, so that rules files record
// it.
import type { Command } from 'commander';
import { ALIGN_DEFAULTS } from '../../mine/align-options.js';
import { PARAM_MIN_URLS } from '../../mine/rank.js';
import { RECORDED } from '../../rule/mine-options.js';
import { MAX_URL_BYTES } from '../../url/token.js';
import { DEFAULT_RULES_FILE } from '../context.js';
import { FILTER_OPTIONS, parsePart, PART_OPTIONS } from './filter.js';
import { baseOption, FORMAT_OPTIONS } from './format.js';
import { HISTORY_OPTIONS } from './history.js';
import { machineOptions } from './machine.js';
import { refuseIdle } from './mistakes.js';
import { type FlagsOf, group } from './option.js';
import { LOCAL_OPTIONS } from './rules.js';
import { sparkOptions } from './spark.js';
import type { TerminalFlags } from './terminal.js';
import { VALIDATION_OPTIONS } from './validation.js';
import { PREFER_OPTIONS, WRITE_OPTIONS } from './wishes.js';

const READING = group('Reading:', {
  base: {
    kind: 'parsed',
    flags: '--base <url>',
    text: 'scheme and host for logs without them, such as https://www.example.com',
    parse: baseOption,
    inLibrary: true,
  },
  scheme: {
    kind: 'word',
    words: RECORDED.scheme.enum,
    flags: '--scheme <scheme>',
    text: 'scheme of URLs if the log has a host but no port',
    standard: 'http',
    inLibrary: true,
  },
  normalize: {
    kind: 'word',
    flags: '--normalize <how>',
    text: 'normalization of URLs, as RFC 3986 and browsers do it',
    words: ['safe', 'none'],
    standard: 'safe',
    isHarmless: true,
    inLibrary: true,
  },
  /** In bytes. */
  maxUrlLength: {
    kind: 'number',
    flags: '--max-url-length <bytes>',
    text: 'longer URLs are rejected',
    min: 1,
    max: MAX_URL_BYTES,
    standard: 2048,
    isHarmless: true,
    inLibrary: true,
  },
  rejects: {
    kind: 'text',
    flags: '--rejects <file>',
    isOutput: true,
    text: 'write every rejected line with input, line number and reason; secrets are masked',
  },
  debug: {
    kind: 'switch',
    flags: '--debug',
    text: 'report on standard error how many lines of each input the kernel and JavaScript read, with the reason for each of the first 20 lines read by JavaScript',
  },
});

/** A folder with more is slow to list. */
const MOST_FILES = 10_000;

/** Options with a capital letter are the parameters of the paper. */
const MINING = group('Mining:', {
  partOfSites: {
    kind: 'parsed',
    flags: '--part-of-sites <k/n>',
    text: 'mine only part k of n of the sites, such as 2/4; merge-rules makes one file of all parts',
    parse: parsePart,
  },
  parts: {
    kind: 'number',
    flags: '--parts <n>',
    text: 'write a file for each of n parts of the sites, into the folder that -o names; canonize -r takes the folder',
    min: 1,
    max: MOST_FILES,
  },
  S: {
    kind: 'number',
    flags: '--S <tokens>',
    text: 'longest substring',
    min: 1,
    max: MAX_URL_BYTES,
    standard: 35,
    isHarmless: { atMost: 140 },
    inLibrary: true,
  },
  T_low: {
    kind: 'number',
    flags: '--T_low <n>',
    text: 'largest bucket that counts for support',
    min: 2,
    max: 1000,
    standard: 6,
    isHarmless: { atMost: 24 },
    inLibrary: true,
  },
  T_high: {
    kind: 'number',
    flags: '--T_high <n>',
    text: 'largest bucket that counts for elimination',
    min: 2,
    max: 1000,
    standard: 11,
    isHarmless: { atMost: 44 },
    inLibrary: true,
  },
  MS: {
    kind: 'number',
    flags: '--MS <n>',
    text: 'minimum support',
    min: 1,
    standard: 3,
    isHarmless: { atLeast: 2 },
    inLibrary: true,
  },
  MRD: {
    kind: 'number',
    fraction: true,
    flags: '--MRD <share>',
    text: 'maximum relative deficiency',
    min: 0,
    max: 1,
    standard: 0.05,
    isHarmless: true,
    inLibrary: true,
  },
  MAD: {
    kind: 'number',
    fraction: true,
    flags: '--MAD <n>',
    text: 'maximum absolute deficiency',
    min: 0,
    standard: 1,
    isHarmless: true,
    inLibrary: true,
  },
  MW: {
    kind: 'number',
    flags: '--MW <n>',
    text: 'maximum window size',
    min: 0,
    standard: 1100,
    isHarmless: { atMost: 11_000 },
    inLibrary: true,
  },
  rank: {
    kind: 'word',
    words: RECORDED.rank.enum,
    flags: '--rank <by>',
    text: 'order of the rules',
    standard: 'likeliness',
    isHarmless: true,
    inLibrary: true,
  },
  similarity: {
    kind: 'unless',
    flags: '--no-similarity',
    text: 'count every instance, even if sizes or sketches differ',
    isHarmless: true,
    inLibrary: true,
  },
  parameters: {
    kind: 'unless',
    flags: '--no-parameters',
    text: 'substring rules only, as the paper reports',
    isHarmless: true,
    inLibrary: true,
  },
  paramMinUrls: {
    kind: 'number',
    flags: '--param-min-urls <n>',
    text: 'minimum number of URLs with a parameter',
    min: 1,
    standard: PARAM_MIN_URLS,
    isHarmless: true,
    inLibrary: true,
  },
  site: {
    kind: 'word',
    words: RECORDED.site.enum,
    flags: '--site <policy>',
    text: 'what rules belong to: registrable domain, host, or everything',
    standard: 'domain',
    inLibrary: true,
  },
  minSiteUrls: {
    kind: 'number',
    flags: '--min-site-urls <n>',
    text: 'skip sites with fewer URLs',
    min: 0,
    standard: 20,
    isHarmless: true,
    inLibrary: true,
  },
});

const CLUSTERS = group('Rules by alignment:', {
  fromClusters: {
    kind: 'text',
    flags: '--from-clusters <file>',
    text: 'learn patterns too, from duplicates: lines of URL, tab, label, as dups writes them, or page records of sketch',
  },
  K: {
    kind: 'number',
    flags: '--K <urls>',
    text: 'maximum number of URLs aligned in a cluster',
    min: 2,
    max: 100,
    standard: ALIGN_DEFAULTS.K,
    isHarmless: true,
  },
  minFreq: {
    kind: 'number',
    flags: '--min-freq <clusters>',
    text: 'minimum number of clusters that suggest a pattern',
    min: 1,
    standard: ALIGN_DEFAULTS.minFreq,
    isHarmless: true,
  },
  fprMax: {
    kind: 'number',
    fraction: true,
    flags: '--fpr-max <share>',
    text: 'maximum number of URLs that a rule merges with other clusters',
    min: 0,
    max: 1,
    standard: ALIGN_DEFAULTS.maxFpr,
  },
  minsupp: {
    kind: 'number',
    flags: '--minsupp <urls>',
    text: 'minimum number of URLs that a rule merges',
    min: 1,
    standard: ALIGN_DEFAULTS.minSupport,
  },
});

const STATE = group('Night after night:', {
  state: {
    kind: 'text',
    flags: '--state <folder>',
    text: 'add the logs to the URLs that this folder keeps from earlier nights, and mine all of them',
  },
  keep: {
    kind: 'text',
    flags: '--keep <time>',
    text: 'with --state: drop nights older than this, such as 30d or 8w (default: keep all)',
  },
});

const RESULT = group('Result:', {
  output: {
    kind: 'text',
    flags: '-o, --output <file>',
    isOutput: true,
    text: `where to write the rules, - for standard output (default: "${DEFAULT_RULES_FILE}")`,
  },
  stage: {
    kind: 'word',
    flags: '--stage <stage>',
    text: 'instead of rules, print the pairs of phase 1, or those left after elimination',
    words: ['pairs', 'likely'],
  },
  tsv: {
    kind: 'switch',
    flags: '--tsv',
    text: 'with --stage: site, anchor, from, to, low, high, against, one pair per line',
  },
  all: {
    kind: 'switch',
    flags: '--all',
    text: 'write all likely rules, also the many of a site of which nothing but a small number of URLs is known',
    inLibrary: true,
  },
  /** The only part of a rules file that is not determined by input and options. */
  stamp: { kind: 'switch', flags: '--stamp', text: 'write the time into the rules file', inLibrary: true },
  top: {
    kind: 'number',
    flags: '--top <n>',
    text: 'likely rules shown at the end, below all that are in use (default: 10 if none is)',
    min: 0,
    isHarmless: true,
  },
  json: { kind: 'switch', flags: '--json', text: 'print the counts as one JSON document instead of the table' },
});

const VALIDATING = group('Validating:', {
  fetch: { kind: 'switch', flags: '--fetch', text: 'validate the rules by fetching a sample of pages' },
  test: {
    kind: 'list',
    flags: '--test <file...>',
    text: 'with --fetch: URLs to draw samples from (default: those of the log)',
  },
});

export const MINE_OPTIONS = {
  ...FORMAT_OPTIONS,
  ...READING,
  ...FILTER_OPTIONS,
  ...PART_OPTIONS,
  ...MINING,
  ...CLUSTERS,
  ...STATE,
  ...sparkOptions('mine'),
  ...RESULT,
  ...machineOptions('threads for large inputs'),
  ...VALIDATING,
  ...VALIDATION_OPTIONS,
  ...HISTORY_OPTIONS,
  ...LOCAL_OPTIONS,
  ...PREFER_OPTIONS,
  ...WRITE_OPTIONS,
} satisfies Readonly<Record<keyof typeof RECORDED, unknown>>;

export type MineFlags = FlagsOf<typeof MINE_OPTIONS> & TerminalFlags;

/** True if the run validates its rules too. */
export function isValidating({ fetch, pages, bySketch, dryRun }: MineFlags): boolean {
  return fetch === true || pages !== undefined || bySketch === true || dryRun === true;
}

/** Throws a UserError for an option on the command line that has no effect in this run. */
export function refuseIdleMine(command: Command, flags: MineFlags): void {
  const { stage, fromClusters } = flags;
  if (stage === undefined) refuseIdle(command, ['tsv'], '--stage');
  if (fromClusters === undefined) refuseIdle(command, Object.keys(CLUSTERS), '--from-clusters');
  if (isValidating(flags)) return;
  // --seed is allowed, as an experiment gives it to all of its runs. Other code refuses --budget, with another message.
  const { seed: _seed, budget: _budget, ...onlyValidating } = VALIDATION_OPTIONS;
  refuseIdle(command, Object.keys(onlyValidating), '--fetch, --pages or --by-sketch');
}
