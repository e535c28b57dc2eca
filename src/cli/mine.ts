// `dustbuster mine`: flags -> reading -> mining -> a rules file, or one of the stages on the way.
import { Option, type Command } from 'commander';
import { decodeText, encodeText, printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { createSink, writeFileWhole } from '../base/output.js';
import { parseSize } from '../base/size.js';
import { FORMAT_NAMES, type FormatName } from '../log/format/format.js';
import type { Input } from '../log/bytes.js';
import { findInputs } from '../log/inputs.js';
import { createReadReport, readRecords, type ReadOptions, type ReadReport } from '../log/read.js';
import { localEngine } from '../mine/local.js';
import { Miner, type UnrankedRule } from '../mine/mine.js';
import { countsReport, mineReport, rulesTable } from '../report/render.js';
import { stageLine, stageTsv, type StageRow } from '../report/stage.js';
import { writeRules } from '../rule/file.js';
import type { MineOptions, Normalization, Rule, RulesFile, SitePolicy } from '../rule/rule.js';
import type { Pair } from '../table/pair.js';
import { createSiteOf } from '../url/site.js';
import { MAX_URL_BYTES } from '../url/token.js';
import { DEFAULT_RULES_FILE, type Outcome } from './context.js';
import { numberOption, wordOption } from './options.js';
import { guardingOutput } from './signals.js';
import { packageVersion } from './version.js';

interface Flags {
  readonly format?: FormatName;
  readonly columns?: string;
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
  readonly rank: 'confidence' | 'support';
  readonly similarity: boolean;
  readonly site: SitePolicy;
  readonly minSiteUrls: number;
  readonly memory: string;
  readonly tmpdir: string;
  readonly output?: string;
  readonly stage?: 'pairs' | 'likely';
  readonly tsv?: boolean;
  readonly stamp?: boolean;
  readonly top: number;
  readonly quiet?: boolean;
}

export function registerMine(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('mine')
    .summary('learn rewrite rules from logs, without fetching a page')
    .description(
      'Reads logs and writes the likely DUST rules of each site, ranked.\n\n' +
        'INPUT is a file, a folder, a glob or - (standard input, also if none is named).\n' +
        `Formats: ${FORMAT_NAMES.join(', ')}; detected unless --format names one. gzip is recognised by content.`,
    )
    .argument('[INPUT...]', 'logs, URL lists, folders, globs, or -');
  addReadingOptions(command);
  addMiningOptions(command);
  addOutputOptions(command, effects);
  command.action(async (names: string[], flags: Flags) => {
    outcome.exitCode = await mine(names, flags, effects);
  });
}

function addReadingOptions(command: Command): void {
  command
    .addOption(choice('--format <name>', 'log format instead of detecting it', FORMAT_NAMES))
    .option('--columns <map>', 'columns of CSV, TSV and JSON lines by name, as in url=u,size=bytes')
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
}

function addMiningOptions(command: Command): void {
  const count = (name: string, min: number, max?: number) =>
    numberOption(name, max === undefined ? { min } : { min, max });
  command
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
    .addOption(choice('--rank <by>', 'order of the rules', ['confidence', 'support'], 'confidence'))
    .option('--no-similarity', 'count every instance, whatever sizes and sketches say')
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

function addOutputOptions(command: Command, effects: Effects): void {
  command
    .option('-o, --output <file>', `where the rules go, - for standard output (default: "${DEFAULT_RULES_FILE}")`)
    .addOption(
      choice('--stage <stage>', 'print the pairs of phase 1, or what elimination leaves, instead', ['pairs', 'likely']),
    )
    .option('--tsv', 'with --stage: site, anchor, from, to, low, high, against, one pair a line')
    .option('--stamp', 'write the time into the rules file')
    .option('--top <n>', 'rules shown at the end', numberOption('--top', { min: 0 }), 10)
    .option('-q, --quiet', 'no counts, no table')
    .option('--memory <size>', 'memory for tables and buffers; the rest goes to disk', defaultMemory(effects))
    .option('--tmpdir <folder>', 'where sorted runs go', effects.env['TMPDIR'] || effects.tmpdir);
}

function choice<Word extends string>(
  flags: string,
  description: string,
  words: readonly Word[],
  standard?: Word,
): Option {
  const name = flags.split(' ')[0]!;
  const option = new Option(flags, `${description} (${words.join(', ')})`).argParser(wordOption(name, words));
  return standard === undefined ? option : option.default(standard);
}

/** 1g, or a quarter of the machine if that is less. */
function defaultMemory(effects: Effects): string {
  const quarter = Math.floor(effects.memoryBytes / 4 / 2 ** 20);
  return quarter < 1024 ? `${quarter}m` : '1g';
}

async function mine(names: readonly string[], flags: Flags, effects: Effects): Promise<number> {
  const options = mineOptions(flags);
  const limits = { memoryBytes: parseSize(flags.memory, '--memory'), tmpdir: flags.tmpdir };
  if (names.length === 0 && effects.stdin.isTTY === true) {
    throw new UserError('mine: no input; name a log, or pipe one in: dustbuster mine access.log');
  }
  const inputs = await findInputs(names.length === 0 ? ['-'] : names, effects);
  const miner = new Miner(options, createSiteOf(options.site), localEngine, limits);
  const report = await readAll(inputs, flags, options, miner, effects);
  await (flags.stage === undefined
    ? writeRulesFile(miner, options, report, flags, effects)
    : writeStage(miner, flags.stage, flags, effects));
  if (flags.quiet !== true) effects.stderr.write(countsReport(report.inputs) + mineReport(miner.summary));
  return judge(report, effects);
}

function mineOptions(flags: Flags): MineOptions {
  const { S, T_low, T_high, MRD, MAD, MW, MS, rank, similarity, site, minSiteUrls, scheme, maxUrlLength } = flags;
  if (T_low > T_high)
    throw new UserError(`--T_low ${T_low} is larger than --T_high ${T_high}; expected at most as large`);
  const base = flags.base ?? null;
  return { S, T_low, T_high, MRD, MAD, MW, MS, rank, similarity, site, minSiteUrls, scheme, base, maxUrlLength };
}

/** Reads all inputs into the miner; rejected lines go to their file on the way. */
async function readAll(
  inputs: readonly Input[],
  flags: Flags,
  options: MineOptions,
  miner: Miner,
  effects: Effects,
): Promise<ReadReport> {
  const report = createReadReport();
  const waiting: Uint8Array[] = [];
  const onReject = (input: string, lineNumber: number, cause: string, line: Uint8Array) => {
    waiting.push(encodeText(`${input}:${lineNumber}\t${cause}\t`), line.slice(), NEWLINE);
  };
  const reading: ReadOptions = {
    base: options.base,
    scheme: options.scheme,
    normalize: flags.normalize,
    maxUrlLength: options.maxUrlLength,
    ...(flags.format !== undefined && { format: flags.format }),
    ...(flags.columns !== undefined && { columns: parseColumns(flags.columns) }),
    ...(flags.rejects !== undefined && { onReject }),
  };
  async function* rejectedLines(): AsyncGenerator<Uint8Array> {
    for await (const batch of readRecords(inputs, reading, report)) {
      miner.add(batch);
      yield* waiting.splice(0);
    }
    yield* waiting.splice(0);
  }
  const { rejects } = flags;
  if (rejects !== undefined) await guardingOutput(() => writeFileWhole(rejects, rejectedLines(), effects));
  else for await (const _ of rejectedLines());
  return report;
}

const NEWLINE = Buffer.from('\n');

/** `url=u,size=bytes` as a record. */
function parseColumns(text: string): Record<string, string> {
  const columns: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [column, name, ...rest] = part.split('=');
    if (!column || !name || rest.length > 0) {
      throw new UserError(`--columns: got "${part}", expected column=name as in url=u,size=bytes`);
    }
    columns[column.trim()] = name.trim();
  }
  return columns;
}

async function writeRulesFile(
  miner: Miner,
  options: MineOptions,
  report: ReadReport,
  flags: Flags,
  effects: Effects,
): Promise<void> {
  const rules: Rule[] = [];
  for (const rule of miner.eachRule()) rules.push({ rank: rules.length + 1, ...rule });
  const file: RulesFile = {
    format: 'dustbuster-rules',
    version: 1,
    generator: `dustbuster ${packageVersion()}`,
    ...(flags.stamp === true && { created: effects.now().toISOString() }),
    options,
    inputs: report.inputs,
    urls: miner.summary.urls,
    sites: miner.summary.sites,
    urlForm: report.urlForm,
    normalization: flags.normalize,
    rules,
  };
  const path = flags.output ?? DEFAULT_RULES_FILE;
  await guardingOutput(() => writeFileWhole(path, writeRules(file), effects));
  if (path === '-' || flags.quiet === true) return;
  const sink = createSink(effects.stdout);
  await sink.write(`${rulesTable(rules, flags.top)}Written to ${printable(path)}\n`);
  await sink.end();
}

async function writeStage(miner: Miner, stage: 'pairs' | 'likely', flags: Flags, effects: Effects): Promise<void> {
  const line = flags.tsv === true ? stageTsv : stageLine;
  function* lines(): Generator<string> {
    if (stage === 'pairs') for (const { site, pair } of miner.eachPair()) yield line(pairRow(site, pair));
    else for (const rule of miner.eachRule()) yield line(ruleRow(rule));
  }
  await guardingOutput(() => writeFileWhole(flags.output ?? '-', lines(), effects));
}

function pairRow(site: string, pair: Pair): StageRow {
  const { anchor, low, high, against } = pair;
  return { site, anchor, from: decodeText(pair.from), to: decodeText(pair.to), low, high, against };
}

function ruleRow(rule: UnrankedRule): StageRow {
  const { site, anchor, from, to, against } = rule;
  return { site, anchor, from, to, ...rule.support, against };
}

/** 3 where an input was not read to its end, or most of its lines could not be read (SPEC 13). */
function judge(report: ReadReport, effects: Effects): number {
  let exitCode = 0;
  for (const input of report.inputs) {
    const rejected = Object.values(input.rejected).reduce((sum, count) => sum + count, 0);
    const name = printable(input.name);
    if (input.truncated) {
      effects.stderr.write(
        `dustbuster: ${name}: ${input.reason ?? 'not read to its end'}; what could be read was kept\n`,
      );
      exitCode = 3;
    }
    if (rejected * 2 > input.lines) {
      effects.stderr.write(
        `dustbuster: ${name}: ${rejected} of ${input.lines} lines could not be read as ${input.format}; ` +
          'name the format with --format, or see them with --rejects FILE\n',
      );
      exitCode = 3;
    }
  }
  return exitCode;
}
