// `mine --engine spark`: makes one rules file from the results of Spark's executors. They mine every site with the code
// of a local run, from the same rows, so the file has the same bytes.
import { statSync } from 'node:fs';
import { many } from '../../../base/amounts.js';
import { byText } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { addressesOf } from '../../../log/address.js';
import { findInputs } from '../../../log/inputs.js';
import { createReadReport, type ReadReport } from '../../../log/read.js';
import { LargestSites, type MineSummary, type UnrankedRule } from '../../../mine/mine.js';
import { MOST_RULES } from '../../../mine/most-rules.js';
import { mergeRules } from '../../../mine/part.js';
import { Decisions } from '../../../mine/hosts/decide.js';
import { LEAST_HOSTS, learnedOfText } from '../../../mine/hosts/learn.js';
import { pooledBy, type PooledHosts } from '../../../mine/hosts/pool.js';
import { addCounts, NO_COUNTS } from '../../../mine/sites-task.js';
import { adviceReport, classesLine } from '../../../report/advice.js';
import { countsReport, mineReport } from '../../../report/render.js';
import type { MineOptions, Rule, RulesFile } from '../../../rule/rule.js';
import { holdingBack } from '../../../rule/held-back.js';
import { isCandidate } from '../../../rule/standing.js';
import type { DrawnSite, HostPlanner } from '../../../validate/hosts/plan.js';
import { Planner, type PlanOptions } from '../../../validate/plan.js';
import { refuseOddDefault } from '../../context.js';
import type { MineFlags } from '../../flags/mine.js';
import { flagOf } from '../../flags/parse.js';
import { filterOptions } from '../input/filters.js';
import { refuseNothing, refuseOverwriting } from '../input/reading.js';
import { judgeReading } from '../input/warnings.js';
import { RulesOutput } from '../rules/kept-back.js';
import type { ProcessUse } from '../spark/job.js';
import { ranLine, submit, type Submitting, useOf } from '../spark/submit.js';
import { hostPlanner } from '../validate/hosts.js';
import { planOptions, runPlans } from '../validate/validation.js';
import { toVisit } from '../validate/visits.js';
import { openLedger } from './ledger.js';
import { mineOptions, outputOf } from './read.js';
import { fileOf, showRules, writeRulesFile } from './rules.js';
import type {
  DecideReport,
  DrawReport,
  FoldReport,
  JobInput,
  LearnReport,
  MineResult,
  MineTask,
  PoolReport,
  ShareResult,
} from './spark-job.js';

/** Returns the exit code. Throws a UserError if Spark is not there, or the job fails. */
export async function mineOnSpark(names: readonly string[], flags: MineFlags, effects: Effects): Promise<number> {
  refuseOthers(names, flags);
  const { filters } = filterOptions(flags, effects);
  const options = mineOptions(flags, filters);
  const addresses = addressesOf(names);
  const inputs = addresses.length > 0 ? [] : await findInputs(names, effects);
  refuseOddDefault(outputOf(flags), effects);
  refuseOverwriting(inputs, [outputOf(flags)], effects);
  const ledger = await openLedger(flags, effects);
  if (flags.bySketch === true && (!ledger.isIdle || options.prefer !== undefined)) throw new UserError(DECIDED);
  const files = inputs.map(({ name, path }): JobInput => {
    const bytes = statSync(path!, { throwIfNoEntry: false })?.size ?? 0;
    return { name, path: path!, bytes };
  });
  const settings = { flags, options, now: effects.now().getTime() };
  const submitting = { flags, effects, lost: 'No rules were written' };
  const answer = await submitMining(
    { settings, inputs: files, addresses, leastHosts: LEAST_HOSTS, isDrawing: flags.bySketch === true },
    submitting,
  );
  const { reports, shares } = answer;
  const report = reportOf(reports);
  refuseNothing(report);
  const summary = summaryOf(shares);
  const run = { miner: { summary }, options, report, flags, effects };
  const merged = fileOf(answer.rules, run);
  const { pooled } = answer;
  const ofSites = merged.rules.slice(pooled.rules.length);
  summary.unlisted = summary.likely - ofSites.length;
  summary.candidates = ofSites.filter(isCandidate).length;
  const mined = ledger.carry(merged);
  const judged = flags.bySketch === true ? await judgedBy(answer, mined, run) : undefined;
  const file = judged?.file ?? mined;
  if (judged === undefined && flags.check !== true) await writeRulesFile(file, flags, effects);
  if (flags.check !== true) await showRules(file, run);
  if (flags.quiet !== true && flags.json !== true) {
    const classes = classesLine(pooled.rules, pooled.leftOut);
    const advice = adviceReport(summary, { ...options, classRules: pooled.rules.length });
    effects.stderr.write(countsReport(report.inputs) + mineReport(summary) + classes + advice + ranReport(answer));
  }
  if (flags.json === true) {
    const [{ mineSummary }, { writeSummary }] = await Promise.all([
      import('../../../report/summary.js'),
      import('../summary.js'),
    ]);
    const output = flags.check === true ? null : outputOf(flags);
    const sums = { output, inputs: report.inputs, mined: summary, rules: file.rules };
    await writeSummary(mineSummary({ ...sums, state: undefined, validation: judged?.counts }), effects);
  }
  return judgeReading(report, effects, flags) || ledger.judge(file);
}

const DECIDED =
  '--engine spark: got --by-sketch with a pin, a veto, a note, --prefer-host, --prefer-scheme, --check or ' +
  '--fail-on-change; expected none of them, as executors do not know them: mine, then validate --by-sketch';

interface SparkRun {
  readonly flags: MineFlags;
  readonly effects: Effects;
  readonly options: MineOptions;
}

/** Writes the file of what the executors judged. */
async function judgedBy(answer: Answer, file: RulesFile, { flags, effects, options }: SparkRun) {
  const sites = answer.shares.flatMap(({ judged = [] }) => judged).sort((a, b) => byText(a.site, b.site));
  const planning = planOptions(file, flags, undefined);
  const planner = new Planner(planning);
  for (const { site, list } of sites) planner.know(site, { ...list, read: isElsewhere });
  const visit = toVisit(file, flags, undefined);
  const output = await RulesOutput.open(outputOf(flags), {}, effects);
  const run = {
    ...visit,
    plans: planner.plans(visit.file.rules),
    hosts: hostsOf(answer, planning),
    base: options.base,
    output,
    flags,
    tmpdir: flags.tmpdir,
  };
  const remark = (one: RulesFile) => holdingBack(one);
  return runPlans({ ...run, remark, elsewhere: sites, command: 'mine' }, effects);
}

/** The pairs that executors drew for the rules of classes of hosts; undefined without such rules. */
function hostsOf({ pooled, drawn }: Answer, planning: PlanOptions): HostPlanner | undefined {
  if (pooled.rules.length === 0) return undefined;
  const hosts = hostPlanner(pooled.rules, planning);
  for (const site of [...drawn].sort((a, b) => byText(a.site, b.site))) hosts.take(site);
  return hosts;
}

function isElsewhere(): never {
  throw new Error('the URLs of this list are in an executor');
}

function refuseOthers(names: readonly string[], flags: MineFlags): void {
  const { state, keep, history, fromClusters, stage, parts, partOfSites, partOfContents, rejects, test } = flags;
  const others = { state, keep, history, fromClusters, stage, parts, partOfSites, partOfContents, rejects, test };
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (flags.debug === true)
    throw new UserError('--engine spark: got --debug with it, expected it without: executors read the lines');
  const { fetch, pages, dryRun, trackers, trace, stop } = flags;
  const isAsking = [fetch, pages, dryRun].some((one) => one !== undefined);
  if (flags.bySketch === true && (trackers ?? trace ?? (stop === 'fixed' || undefined)) !== undefined)
    throw new UserError(
      '--engine spark: got --trackers, --trace or --stop fixed with --by-sketch; expected it without: mine, then validate --by-sketch',
    );
  if (other !== undefined || isAsking) {
    const name = other === undefined ? '--fetch or a similar option' : flagOf(other);
    throw new UserError(
      `--engine spark: got ${name} with it, expected it without: a cluster run only writes one complete rules file`,
    );
  }
  if (names.length === 0 || names.includes('-'))
    throw new UserError('--engine spark: got standard input, expected files that executors can read by the same path');
}

interface Answer {
  readonly done: MineResult;
  readonly reports: readonly FoldReport[];
  readonly shares: readonly Omit<ShareResult, 'rules'>[];
  readonly pooled: PooledHosts;
  /** Rules of classes of hosts, then those of all shares, up to the limit of a rules file. */
  readonly rules: readonly Rule[];
  /** What the processes took that compared hosts; none if no hosts were compared. */
  readonly compared: readonly ProcessUse[];
  /** With `--by-sketch`, what sites have to say about rules of classes of hosts. */
  readonly drawn: readonly DrawnSite[];
}

/** Submits the job, and merges the results. */
function submitMining(task: Omit<MineTask, 'kind'>, submitting: Submitting): Promise<Answer> {
  return submit({ kind: 'mine', ...task }, submitting, (read) => {
    const done = read('done.json') as MineResult;
    const numbers = (count: number) => Array.from({ length: count }, (_, k) => k);
    const { pooled, compared, drawn } = pooledIn(read, done, task);
    const merging = new Merging(task.settings.options.rank);
    merging.add(pooled.rules);
    const shares = numbers(done.shares).map((k) => {
      const { rules, ...share } = read(`share-${k}.json`) as ShareResult;
      merging.add(rules);
      return share;
    });
    const reports = numbers(done.tables).map((k) => read(`report-${k}.json`) as FoldReport);
    return { done, reports, shares, pooled, compared, drawn, rules: merging.finish() };
  });
}

/** What hosts have learned from each other: the decisions of all shares, added up. */
function pooledIn(
  read: (name: string) => unknown,
  { hasLearned, shares }: MineResult,
  { isDrawing }: Pick<MineTask, 'isDrawing'>,
): Pick<Answer, 'pooled' | 'compared' | 'drawn'> {
  if (!hasLearned) return { pooled: { rules: [], leftOut: 0 }, compared: [], drawn: [] };
  const compared: ProcessUse[] = [];
  const taken = <T extends ProcessUse>(name: string): T => {
    const report = read(`${name}.json`) as T;
    compared.push({ cpuMs: report.cpuMs, memoryBytes: report.memoryBytes });
    return report;
  };
  const learned = learnedOfText(taken<LearnReport>('learned-0').learned!);
  const decisions = new Decisions(learned);
  const drawn: DrawnSite[] = [];
  for (let share = 0; share < shares; share++) {
    decisions.add(taken<DecideReport>(`decided-${share}`));
    if (isDrawing) for (const site of taken<DrawReport>(`drawn-${share}`).drawn) drawn.push(site);
  }
  if (isDrawing) taken<PoolReport>('pooled-0');
  return { pooled: pooledBy(learned, decisions, { isPart: false }), compared, drawn };
}

/** Merges the rules of shares as they arrive, and drops rules that are beyond the limit of a rules file. */
class Merging {
  readonly #order: MineOptions['rank'];
  #rules: Rule[] = [];

  constructor(order: MineOptions['rank']) {
    this.#order = order;
  }

  add(rules: readonly UnrankedRule[]): void {
    for (const rule of rules) this.#rules.push({ rank: 0, ...rule });
    if (this.#rules.length > 2 * MOST_RULES.rules) this.#rules = this.finish();
  }

  finish(): Rule[] {
    return mergeRules([{ name: 'Spark', file: { rules: this.#rules } }], this.#order, MOST_RULES).rules;
  }
}

/** The report of one run that has read all inputs. */
function reportOf(reports: readonly FoldReport[]): ReadReport {
  const report = createReadReport();
  for (const { inputs, forms } of reports) {
    report.inputs.push(...inputs);
    report.forms.absolute += forms.absolute;
    report.forms.path += forms.path;
  }
  return report;
}

function summaryOf(shares: Answer['shares']): MineSummary {
  const counts = { ...NO_COUNTS };
  const largestSites = new LargestSites();
  const sites = { mined: 0, skipped: 0 };
  const sampled = shares.flatMap((share) => share.sampled);
  let urls = 0;
  for (const share of shares) {
    urls += share.urls;
    sites.mined += share.sites.mined;
    sites.skipped += share.sites.skipped;
    addCounts(counts, share.counts);
    for (const site of share.largestSites) largestSites.add(site.site, site.urls);
  }
  const spilled = { runs: 0, bytes: 0 };
  return { urls, unlisted: 0, sites, sampled, largestSites, hasSizes: true, candidates: 0, ...counts, spilled };
}

function ranReport({ done, reports, shares, compared }: Answer): string {
  const largest = `${Math.round(100 * done.largestShare)} % of the rows in the largest`;
  const ran = ranLine(done, [many(reports.length, 'table'), `${many(shares.length, 'share')} (${largest})`]);
  const hosts = compared.length === 0 ? '' : `, ${useOf(compared)} to compare hosts`;
  return `${ran}Node took ${useOf(reports)} to read, ${useOf(shares)} to mine${hosts}\n`;
}
