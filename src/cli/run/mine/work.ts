// What does `dustbuster mine` do with the records? It mines them and writes a rules file, or one of the intermediate
// stages.
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import type { Input } from '../../../log/bytes.js';
import type { ReadOptions, ReadReport } from '../../../log/read.js';
import type { RecordBatch } from '../../../log/record.js';
import { createMineCrew } from '../../../mine/crew.js';
import { Miner } from '../../../mine/mine.js';
import { PartOfContents } from '../../../mine/part-of-contents.js';
import { PartOfSites } from '../../../mine/part.js';
import { adviceReport, classesLine, crowdLine, prospectsLine } from '../../../report/advice.js';
import { countsReport, type Fate, mineReport } from '../../../report/render.js';
import type { RuleCounter } from '../../../report/summary.js';
import type { ValidationCounts } from '../../../report/validation.js';
import type { MineOptions, Rule } from '../../../rule/rule.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import { packageVersion } from '../../version.js';
import type { Clusters } from './clusters.js';
import { isValidating, type MineFlags } from '../../flags/mine.js';
import { computed } from '../../terminal/signals.js';
import { damagedLine } from '../input/folded.js';
import type { Readership } from '../input/readership.js';
import { partReport, refuseNothing } from '../input/reading.js';
import { judgeReading } from '../input/warnings.js';
import { timeToAsk } from '../validate/time.js';
import { announceDisk, diskReport } from './disk.js';
import { openLedger, refuseErasing, refuseLosing } from './ledger.js';
import { beginReading, outputOf, proofCommand, type Reading } from './read.js';
import { fileOf, listedFileOf, listedRules, rankedRules, showRules, writeRulesFile } from './rules.js';
import type { Nightly, NightReport, ReadInputs } from './state.js';

/** The work of a run. `begun`: the inputs are being read already. `nightly`: a state decides which parts are read. */
interface MineWork {
  readonly inputs: readonly Input[];
  readonly reading: ReadOptions;
  readonly begun: Reading | undefined;
  readonly nightly: Nightly | undefined;
  /** Only for runs that request pages. */
  readonly readership: Readership | undefined;
  readonly options: MineOptions;
  readonly memoryBytes: number;
}

/** Returns the exit code. Throws a UserError if there is nothing to read or nowhere to write. */
export async function mineInputs(work: MineWork, flags: MineFlags, effects: Effects): Promise<number> {
  const { inputs, reading, begun, nightly, readership, options, memoryBytes } = work;
  const ledger = await openLedger(flags, effects, nightly === undefined ? undefined : () => nightly.previousRules());
  if (flags.parts !== undefined) await refuseLosing(flags.output!, effects);
  const { progress } = effects;
  const crew = createMineCrew(flags.threads, progress);
  const limits = { memoryBytes, tmpdir: flags.tmpdir, crew, progress };
  await announceDisk({ inputs, reading, held: nightly?.held }, limits, flags, effects);
  const clusters = await clustersOf(flags, effects);
  // Sketches judge what `mine` without them writes, as `validate --by-sketch` does.
  const untested = isValidating(flags) && flags.bySketch !== true;
  const isJudged = isValidating(flags) || clusters !== undefined;
  const siteOf = createSiteOf(options.site);
  const ofSites = flags.partOfSites && new PartOfSites(flags.partOfSites, siteOf);
  const ofContents = flags.partOfContents && new PartOfContents(flags.partOfContents);
  const miner = new Miner(
    {
      ...options,
      untested,
      clustered: clusters !== undefined,
      withVisitors: flags.stage !== undefined,
      // Clusters try each rule, and a stage is looked at as a whole.
      ...((flags.stage ?? clusters) !== undefined && { all: true }),
      isPart: ofSites !== undefined,
    },
    siteOf,
    limits,
  );
  const stats = miner.summary.spilled;
  const read: ReadInputs = (reads, add) =>
    (begun ?? beginReading(reads, flags, reading, effects)).readAll(
      readership !== undefined ? readership.watch(add) : clusters !== undefined ? seenBy(clusters, add) : add,
    );
  const learn =
    readership &&
    ((before: readonly Input[]) =>
      beginReading(before, { threads: flags.threads }, reading, effects).readAll(readership.watch(() => {})));
  const {
    whole: report,
    tonight,
    isStale,
  } = nightly === undefined
    ? await readOnce(inputs, read, miner, ofSites ?? ofContents)
    : await nightly.add(inputs, { read, learn, format: reading, limits, stats, isQuiet: flags.quiet === true });
  if (nightly === undefined) refuseEmptyPipe(report, flags);
  else {
    miner.takeSites((onSample) => nightly.sites({ ...limits, onSample }, stats));
    if (flags.stage === undefined && !isJudged) miner.keepSites(nightly.foundSites(limits, stats), packageVersion());
  }
  const run = { miner, options, report, flags, effects };
  const counts = () => {
    if (flags.quiet === true || flags.json === true) return;
    const state = nightly?.summary(miner.summary.urls) ?? '';
    const isPart = (ofSites ?? ofContents) !== undefined && tonight.inputs.some(({ records }) => records > 0);
    const how = { ...options, isJudged, isPart, classRules: miner.classRules.length };
    const advice = flags.stage === undefined ? adviceReport(miner.summary, how) : '';
    const isLogAlone = flags.stage === undefined && !isValidating(flags) && clusters === undefined;
    const prospects = isLogAlone
      ? prospectsLine(miner.summary, timeToAsk(miner.summary, flags), proofCommand(flags))
      : '';
    const mined =
      mineReport(miner.summary, fateOf(flags)) +
      classesLine(miner.classRules, miner.sitesOfManyHosts) +
      crowdLine(miner.crowd) +
      advice;
    effects.stderr.write(
      countsReport(tonight.inputs, { isVerbose: flags.verbose === true }) +
        partReport(flags.partOfContents, ofContents) +
        damagedLine(miner.damagedSketches, 'as none') +
        mined +
        state +
        diskReport(limits) +
        prospects,
    );
  };
  const sum = async (rules: Iterable<Rule> | RuleCounter | undefined, validation?: ValidationCounts) => {
    if (flags.json !== true) return;
    const [{ mineSummary }, { writeSummary }] = await Promise.all([
      import('../../../report/summary.js'),
      import('../summary.js'),
    ]);
    const output = flags.check === true ? null : outputOf(flags);
    const state = nightly?.content;
    const run = { output, inputs: tonight.inputs, mined: miner.summary, rules, state, validation };
    await writeSummary(mineSummary(run), effects);
  };
  const isEmpty = nightly === undefined && report.inputs.every(({ lines }) => lines === 0);
  if (isEmpty && flags.stage === undefined && flags.check !== true) {
    await refuseErasing(outputOf(flags), effects);
  }
  let exitCode = 0;
  if (flags.stage !== undefined) {
    const { writeStage } = await import('./stage.js');
    await writeStage(miner, flags.stage, outputOf(flags), flags, effects);
    counts();
    await sum(undefined);
  } else if (flags.parts !== undefined) {
    const { writeParts } = await import('./parts.js');
    const written = await writeParts(flags.parts, { ...run, siteOf });
    counts();
    await sum(written);
  } else if (isValidating(flags)) {
    const { mineAndValidate } = await import('./validate.js');
    exitCode = await mineAndValidate(run, { ledger, nightly, readership, counts, sum });
  } else if (clusters === undefined && nightly === undefined && ledger.isIdle && options.prefer === undefined) {
    const rules = await computed(() => listedRules(miner), effects);
    try {
      const file = listedFileOf(rules, run);
      await writeRulesFile(file, flags, effects);
      await showRules(file, run);
      counts();
      await sum(file.rules);
    } finally {
      rules.close();
    }
  } else {
    const mined = await computed(() => rankedRules(miner), effects);
    const rules = clusters === undefined ? mined : await clusters.learn(fileOf(mined, run));
    const recorded = clusters === undefined ? options : { ...options, clusters: clusters.recorded };
    const file = ledger.carry(fileOf(rules, { ...run, options: recorded }));
    if (flags.check !== true) {
      await writeRulesFile(file, flags, effects);
      nightly?.keepRules(file);
      nightly?.keepFound();
      await showRules(file, run);
    }
    counts();
    await sum(file.rules);
    exitCode = ledger.judge(file) || (clusters?.exitCode ?? 0);
  }
  return judgeReading(tonight, effects, flags) || (isStale ? 3 : exitCode);
}

/**
 * Throws a UserError if an option took the names of the logs: standard input is read in their place, and often is
 * empty.
 */
function refuseEmptyPipe({ inputs }: ReadReport, { pages = [], test = [] }: MineFlags): void {
  if (inputs.some(({ name, lines }) => name !== '-' || lines > 0)) return;
  if (Math.max(pages.length, test.length) < 2) return;
  throw new UserError('mine: got no log, and nothing on standard input; expected one of them');
}

function fateOf({ stage, fromClusters }: MineFlags): Fate {
  if (stage === 'pairs') return 'unknown';
  return fromClusters === undefined ? 'kept' : 'tried';
}

/** Shows each batch to the clusters before it is taken. */
function seenBy<More extends readonly unknown[]>(
  clusters: Pick<Clusters, 'see'>,
  take: (batch: RecordBatch, ...more: More) => void,
): typeof take {
  return (batch, ...more) => {
    clusters.see(batch);
    take(batch, ...more);
  };
}

/** Loads the code that learns from clusters, only if it is needed. */
async function clustersOf(flags: MineFlags, effects: Effects) {
  if (flags.fromClusters === undefined) return undefined;
  const { readClusters } = await import('./clusters.js');
  return readClusters(flags.fromClusters, flags, effects);
}

async function readOnce(
  inputs: readonly Input[],
  read: ReadInputs,
  miner: Miner,
  part: PartOfSites | PartOfContents | undefined,
): Promise<NightReport> {
  const report = await read(inputs, (batch) => miner.add(part === undefined ? batch : part.of(batch)));
  refuseNothing(report);
  return { whole: report, tonight: report, isStale: false };
}
