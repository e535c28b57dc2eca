// What `dustbuster mine` runs: flags -> reading -> mining -> a rules file, or one of the stages on the way.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeText, encodeText, printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { createSink, writeFileWhole } from '../base/output.js';
import { parseSize } from '../base/size.js';
import type { Input } from '../log/bytes.js';
import { findInputs } from '../log/inputs.js';
import { readRecordsParallel } from '../log/parallel.js';
import { createReadReport, type ReadOptions, type ReadReport } from '../log/read.js';
import { localEngine } from '../mine/local.js';
import { Miner } from '../mine/mine.js';
import { countsReport, mineReport, rulesTable } from '../report/render.js';
import { stageLine, stageTsv, type StageRow } from '../report/stage.js';
import { writeRules } from '../rule/file.js';
import type { MineOptions, Rule, RulesFile, SubstringRule } from '../rule/rule.js';
import type { Pair } from '../table/pair.js';
import { createSiteOf } from '../url/site.js';
import { DEFAULT_RULES_FILE } from './context.js';
import type { MineFlags } from './mine-flags.js';
import { guardingOutput } from './signals.js';
import { packageVersion } from './version.js';

/** Gives the exit code. Throws a UserError where there is nothing to read or nowhere to write. */
export async function mine(names: readonly string[], flags: MineFlags, effects: Effects): Promise<number> {
  const options = mineOptions(flags);
  const limits = { memoryBytes: parseSize(flags.memory, '--memory'), tmpdir: flags.tmpdir };
  if (names.length === 0 && effects.stdin.isTTY === true) {
    throw new UserError('mine: no input; name a log, or pipe one in: dustbuster mine access.log');
  }
  const inputs = await findInputs(names.length === 0 ? ['-'] : names, effects);
  refuseOverwriting(inputs, [flags.output, flags.rejects], effects);
  const miner = new Miner(options, createSiteOf(options.site), localEngine, limits);
  const report = await readAll(inputs, flags, options, miner, effects);
  refuseNothing(report);
  await (flags.stage === undefined
    ? writeRulesFile(miner, options, report, flags, effects)
    : writeStage(miner, flags.stage, flags, effects));
  if (flags.quiet !== true) effects.stderr.write(countsReport(report.inputs) + mineReport(miner.summary));
  return judge(report, effects);
}

function mineOptions(flags: MineFlags): MineOptions {
  const { S, T_low, T_high, MRD, MAD, MW, MS, rank, similarity, site, minSiteUrls, scheme, maxUrlLength } = flags;
  const { parameters, paramMinUrls } = flags;
  if (T_low > T_high)
    throw new UserError(`--T_low ${T_low} is larger than --T_high ${T_high}; expected at most as large`);
  const base = flags.base ?? null;
  const paper = { S, T_low, T_high, MRD, MAD, MW, MS };
  const ours = { rank, similarity, site, minSiteUrls, scheme, base, maxUrlLength, parameters, paramMinUrls };
  return { ...paper, ...ours };
}

/** A log named where a result should go would be lost. */
function refuseOverwriting(inputs: readonly Input[], outputs: readonly (string | undefined)[], effects: Effects): void {
  for (const output of outputs) {
    if (output === undefined || output === '-') continue;
    const path = resolve(effects.cwd, output);
    if (!inputs.some((input) => input.path !== undefined && isSameFile(input.path, path))) continue;
    throw new UserError(`${printable(output)} is an input; expected another file for the result, or it would be lost`);
  }
}

function isSameFile(input: string, output: string): boolean {
  try {
    return realpathSync(input) === realpathSync(output);
  } catch {
    return false; // not there yet
  }
}

/** Reads all inputs into the miner; rejected lines go to their file on the way. */
async function readAll(
  inputs: readonly Input[],
  flags: MineFlags,
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
    for await (const batch of readRecordsParallel(inputs, reading, report, flags.threads)) {
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
  flags: MineFlags,
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

async function writeStage(miner: Miner, stage: 'pairs' | 'likely', flags: MineFlags, effects: Effects): Promise<void> {
  const line = flags.tsv === true ? stageTsv : stageLine;
  function* lines(): Generator<string> {
    if (stage === 'pairs') for (const { site, pair } of miner.eachPair()) yield line(pairRow(site, pair));
    else for (const rule of miner.eachRule()) if (rule.kind === 'substring') yield line(ruleRow(rule));
  }
  const path = flags.output ?? '-';
  // The tables are computed as lines are asked for: on a stream nothing needs guarding, and Ctrl-C must not wait for them.
  if (path === '-') await writeFileWhole(path, lines(), effects);
  else await guardingOutput(() => writeFileWhole(path, lines(), effects));
}

function pairRow(site: string, pair: Pair): StageRow {
  const { anchor, low, high, against } = pair;
  return { site, anchor, from: decodeText(pair.from), to: decodeText(pair.to), low, high, against };
}

function ruleRow(rule: Omit<SubstringRule, 'rank'>): StageRow {
  const { site, anchor, from, to, against } = rule;
  return { site, anchor, from, to, ...rule.support, against };
}

/** Nothing could be read at all: no rules are better than rules from nothing. */
function refuseNothing({ inputs }: ReadReport): void {
  if (!inputs.every((input) => input.truncated && input.lines === 0)) return;
  const reasons = inputs.map(({ name, reason }) => `${printable(name)}: ${reason ?? 'not readable'}`);
  throw new UserError(`nothing could be read; expected at least one readable log. ${reasons.join('; ')}`);
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
      const what = input.format === 'unknown' ? 'are in no known format' : `could not be read as ${input.format}`;
      effects.stderr.write(
        `dustbuster: ${name}: ${rejected} of ${input.lines} lines ${what}; ` +
          'name the format with --format, or see them with --rejects FILE\n',
      );
      exitCode = 3;
    }
  }
  return exitCode;
}
