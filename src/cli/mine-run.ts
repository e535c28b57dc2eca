// What `dustbuster mine` runs: flags -> reading -> mining -> a rules file, or one of the stages on the way.
import { decodeText, encodeText } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { writeFileWhole } from '../base/output.js';
import { parseSize } from '../base/size.js';
import type { Input } from '../log/bytes.js';
import type { Filters } from '../log/filter.js';
import { findInputs } from '../log/inputs.js';
import { readRecordsParallel } from '../log/parallel.js';
import { createReadReport, type ReadOptions, type ReadReport } from '../log/read.js';
import { createMineCrew } from '../mine/crew.js';
import { localEngine } from '../mine/local.js';
import { Miner } from '../mine/mine.js';
import { countsReport, mineReport } from '../report/render.js';
import { mineSummary } from '../report/summary.js';
import { pairsTsv, stageLine, stageTsv, type StageRow } from '../report/stage.js';
import type { ValidationCounts } from '../report/validation.js';
import type { MineOptions, Rule, SubstringRule } from '../rule/rule.js';
import type { Pair } from '../table/pair.js';
import { createSiteOf } from '../url/site.js';
import { DEFAULT_RULES_FILE } from './context.js';
import { filterOptions, recordedFilters } from './filter-options.js';
import { announceDisk, diskReport } from './mine-disk.js';
import { checkHistoryFlags, openLedger } from './mine-history.js';
import { fileOf, rankedRules, showRules, writeRulesFile } from './mine-rules.js';
import type { MineFlags } from './mine-flags.js';
import type { openNightly, Nightly, NightReport, ReadInputs } from './mine-state.js';
import { formatOptions, judgeReading, progressOf, refuseNothing, refuseOverwriting } from './reading.js';
import { computed, guardingOutput } from './signals.js';
import { refuseMixed, writeSummary } from './summary.js';

/** Gives the exit code. Throws a UserError where there is nothing to read or nowhere to write. */
export async function mine(names: readonly string[], flags: MineFlags, effects: Effects): Promise<number> {
  const { filters } = filterOptions(flags, effects);
  const options = mineOptions(flags, filters);
  await refuseContradictions(flags);
  const nightly = await openState(names, flags, options, effects);
  try {
    return await mineInputs(names, { options, ...(filters !== undefined && { filters }) }, flags, effects, nightly);
  } finally {
    nightly?.close();
  }
}

async function openState(...[names, flags, ...rest]: Parameters<typeof openNightly>): Promise<Nightly | undefined> {
  if (flags.state === undefined && flags.keep === undefined) return undefined;
  const { openNightly: open } = await import('./mine-state.js');
  return open(names, flags, ...rest);
}

async function mineInputs(
  names: readonly string[],
  { options, filters }: { readonly options: MineOptions; readonly filters?: Filters },
  flags: MineFlags,
  effects: Effects,
  nightly: Nightly | undefined,
): Promise<number> {
  const ledger = await openLedger(flags, effects, flags.history ?? nightly?.previousRules);
  const { progress } = effects;
  const crew = createMineCrew(flags.threads, progress);
  const limits = { memoryBytes: parseSize(flags.memory, '--memory'), tmpdir: flags.tmpdir, crew, progress };
  // A state can be mined with nothing new. Under cron standard input is open and empty: with --state it is read if it is named.
  const isPiped = names.length === 0 && nightly === undefined;
  if (isPiped && effects.stdin.isTTY === true) {
    throw new UserError(NO_INPUT);
  }
  const inputs = await findInputs(isPiped ? ['-'] : names, effects);
  const untested = isValidating(flags);
  const asked = untested ? [...(flags.test ?? []), ...(flags.pages ?? [])] : [];
  const outputs = [flags.output ?? DEFAULT_RULES_FILE, flags.rejects];
  refuseOverwriting([...inputs, ...(await findInputs(asked, effects))], outputs, effects);
  const reading = { ...readOptions(flags, options), ...(filters !== undefined && { filters }) };
  await announceDisk(inputs, reading, limits, flags, effects, nightly?.held);
  const miner = new Miner({ ...options, untested }, createSiteOf(options.site), localEngine, limits);
  const stats = miner.summary.spilled;
  const read: ReadInputs = (reads, add) => readAll(reads, flags, reading, add, effects);
  const { whole: report, tonight } =
    nightly === undefined
      ? await readOnce(inputs, read, miner)
      : await nightly.add(inputs, { read, format: reading, limits, stats, isQuiet: flags.quiet === true });
  if (nightly !== undefined) miner.takeSites(() => nightly.sites(limits, stats));
  const counts = () => {
    if (flags.quiet === true || flags.json === true) return;
    const state = nightly?.summary(miner.summary.urls) ?? '';
    effects.stderr.write(countsReport(tonight.inputs) + mineReport(miner.summary) + state + diskReport(limits));
  };
  const sum = async (rules: readonly Rule[] | undefined, validation?: ValidationCounts) => {
    if (flags.json !== true) return;
    const output = flags.check === true ? null : outputOf(flags);
    const state = nightly?.content;
    const run = { output, inputs: tonight.inputs, mined: miner.summary, rules, state, validation };
    await writeSummary(mineSummary(run), effects);
  };
  let exitCode = 0;
  if (flags.stage !== undefined) {
    await writeStage(miner, flags.stage, flags, effects);
    counts();
    await sum(undefined);
  } else if (isValidating(flags)) {
    const { mineAndValidate } = await import('./mine-validate.js');
    exitCode = await mineAndValidate(miner, options, report, flags, ledger, effects, counts, nightly, sum);
  } else {
    const rules = await computed(() => rankedRules(miner), effects);
    const file = ledger.carry(fileOf(rules, miner, options, report, flags, effects));
    if (flags.check !== true) {
      await writeRulesFile(file, flags, effects);
      nightly?.keepRules(file);
      await showRules(file, miner, flags, effects);
    }
    counts();
    await sum(file.rules);
    exitCode = ledger.judge(file);
  }
  return judgeReading(tonight, effects) || exitCode;
}

const NO_INPUT = `mine: got no log, expected one named or on standard input:
  dustbuster mine access.log
  zcat access.log.*.gz | dustbuster mine
dustbuster help mine tells more`;

/** What would be passed over in silence, or found out after hours of work. */
async function refuseContradictions(flags: MineFlags): Promise<void> {
  const { stage, test } = flags;
  if (stage !== undefined && isValidating(flags)) {
    throw new UserError(
      `--stage ${stage} prints pairs, which are not validated: leave it out, or --fetch and its like`,
    );
  }
  if (test !== undefined && !isValidating(flags)) {
    throw new UserError('--test: got a list to draw samples from, expected --fetch, --pages or --by-sketch with it');
  }
  if (isValidating(flags) || flags.resolve !== undefined) {
    const { checkSourceFlags } = await import('./page-source.js');
    checkSourceFlags(flags);
  }
  checkHistoryFlags(flags, isValidating(flags));
  if (flags.rejects === '-' && (outputOf(flags) === '-' || flags.json === true)) {
    throw new UserError(
      '--rejects: got standard output for it and for another result; expected a file for one of them',
    );
  }
  if (flags.check !== true) refuseMixed(flags, outputOf(flags), stage === undefined ? 'the rules' : 'the pairs');
}

function outputOf({ output, stage }: MineFlags): string {
  return output ?? (stage === undefined ? DEFAULT_RULES_FILE : '-');
}

function isValidating({ fetch, pages, bySketch, dryRun }: MineFlags): boolean {
  return fetch === true || pages !== undefined || bySketch === true || dryRun === true;
}

export function mineOptions(flags: MineFlags, filters: Filters | undefined): MineOptions {
  const { S, T_low, T_high, MRD, MAD, MW, MS, rank, similarity, site, minSiteUrls, scheme, maxUrlLength } = flags;
  const { parameters, paramMinUrls } = flags;
  if (T_low > T_high)
    throw new UserError(`--T_low ${T_low} is larger than --T_high ${T_high}; expected at most as large`);
  const base = flags.base ?? null;
  const paper = { S, T_low, T_high, MRD, MAD, MW, MS };
  const ours = { rank, similarity, site, minSiteUrls, scheme, base, maxUrlLength, parameters, paramMinUrls };
  return { ...paper, ...ours, ...recordedFilters(filters) };
}

export function readOptions(flags: MineFlags, { base, scheme, maxUrlLength }: MineOptions): ReadOptions {
  return { base, scheme, normalize: flags.normalize, maxUrlLength, ...formatOptions(flags) };
}

async function readOnce(inputs: readonly Input[], read: ReadInputs, miner: Miner): Promise<NightReport> {
  const report = await read(inputs, (batch) => miner.add(batch));
  refuseNothing(report);
  return { whole: report, tonight: report };
}

/** Reads all inputs; rejected lines go to their file on the way. */
async function readAll(
  inputs: readonly Input[],
  flags: MineFlags,
  options: ReadOptions,
  add: Parameters<ReadInputs>[1],
  effects: Effects,
): Promise<ReadReport> {
  const report = createReadReport();
  const waiting: Uint8Array[] = [];
  const onReject = (input: string, lineNumber: number, cause: string, line: Uint8Array) => {
    waiting.push(encodeText(`${input}:${lineNumber}\t${cause}\t`), line.slice(), NEWLINE);
  };
  const reading = {
    ...options,
    ...(flags.rejects !== undefined && { onReject }),
    ...progressOf(inputs, effects),
  };
  async function* rejectedLines(): AsyncGenerator<Uint8Array> {
    for await (const batch of readRecordsParallel(inputs, reading, report, flags.threads)) {
      add(batch, report.inputs.length);
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

async function writeStage(miner: Miner, stage: 'pairs' | 'likely', flags: MineFlags, effects: Effects): Promise<void> {
  const path = outputOf(flags);
  const blocks = computedOneByOne(stageBlocks(miner, stage, flags), effects);
  // The tables are computed as lines are asked for: on a stream nothing needs guarding, and Ctrl-C must not wait for them.
  if (path === '-') await writeFileWhole(path, blocks, effects);
  else await guardingOutput(() => writeFileWhole(path, blocks, effects));
}

function* stageBlocks(miner: Miner, stage: 'pairs' | 'likely', { tsv }: MineFlags): Generator<string | Uint8Array> {
  const line = tsv === true ? stageTsv : stageLine;
  function* lines(): Generator<string> {
    if (stage === 'pairs') for (const { site, pair } of miner.eachPair()) yield line(pairRow(site, pair));
    else for (const rule of miner.eachRule()) if (rule.kind === 'substring') yield line(ruleRow(rule));
  }
  if (stage === 'pairs' && tsv === true) yield* pairsTsv(miner.pairRows());
  else yield* inBlocks(lines());
}

const BLOCK_CHARS = 1 << 15;

function* inBlocks(lines: Iterable<string>): Generator<string> {
  let block = '';
  for (const line of lines) {
    block += line;
    if (block.length < BLOCK_CHARS) continue;
    yield block;
    block = '';
  }
  yield block;
}

/** Some lines at a time, so that what computes them can be interrupted at little cost. */
async function* computedOneByOne<T>(blocks: Iterator<T>, effects: Effects): AsyncGenerator<T> {
  for (;;) {
    const next = await computed(() => blocks.next(), effects);
    if (next.done === true) return;
    yield next.value;
  }
}

function pairRow(site: string, pair: Pair): StageRow {
  const { anchor, low, high, against } = pair;
  return { site, anchor, from: decodeText(pair.from), to: decodeText(pair.to), low, high, against };
}

function ruleRow(rule: Omit<SubstringRule, 'rank'>): StageRow {
  const { site, anchor, from, to, against } = rule;
  return { site, anchor, from, to, ...rule.support, against };
}
