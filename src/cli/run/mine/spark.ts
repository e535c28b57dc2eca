// `mine --engine spark`: submits the driver (spark-driver/driver.py), and makes one rules file of what the executors
// mined. Every site is mined by the code of a local run, from the same rows: the file has the same bytes.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { packageFile } from '../../../base/package-file.js';
import { formatSize } from '../../../base/size.js';
import { findInputs } from '../../../log/inputs.js';
import { createReadReport, type ReadReport } from '../../../log/read.js';
import { addCounts, NO_COUNTS } from '../../../mine/sites-task.js';
import { LargestSites, type MineSummary, type UnrankedRule } from '../../../mine/mine.js';
import { MOST_RULES } from '../../../mine/most-rules.js';
import { mergeRules } from '../../../mine/part.js';
import { adviceReport } from '../../../report/advice.js';
import { countsReport, mineReport } from '../../../report/render.js';
import type { MineOptions, Rule } from '../../../rule/rule.js';
import { isCandidate } from '../../../rule/standing.js';
import { refuseOddDefault } from '../../context.js';
import type { MineFlags } from '../../flags/mine.js';
import { onSignal } from '../../terminal/signals.js';
import { filterOptions } from '../input/filters.js';
import { judgeReading, refuseNothing, refuseOverwriting } from '../input/reading.js';
import { openLedger } from './ledger.js';
import { isValidating, mineOptions, outputOf } from './options.js';
import { fileOf, showRules, writeRulesFile } from './rules.js';
import type { DriverJob, DriverResult, FoldReport, JobInput, ProcessUse, ShareResult } from './spark-job.js';

const MOST_SAID = 20;

/** Returns the exit code. Throws a UserError if Spark is not there, or the job fails. */
export async function mineOnSpark(names: readonly string[], flags: MineFlags, effects: Effects): Promise<number> {
  refuseOthers(names, flags);
  const { filters } = filterOptions(flags, effects);
  const options = mineOptions(flags, filters);
  const inputs = await findInputs(names, effects);
  refuseOddDefault(outputOf(flags), effects);
  refuseOverwriting(inputs, [outputOf(flags)], effects);
  const ledger = await openLedger(flags, effects);
  const files = inputs.map(({ name, path }): JobInput => {
    const bytes = statSync(path!, { throwIfNoEntry: false })?.size ?? 0;
    return { name, path: path!, bytes };
  });
  const settings = { flags, options, now: effects.now().getTime() };
  const answer = await submit({ settings, inputs: files }, flags, effects);
  const { reports, shares } = answer;
  const report = reportOf(reports);
  refuseNothing(report);
  const summary = summaryOf(shares);
  const run = { miner: { summary }, options, report, flags, effects };
  const merged = fileOf(answer.rules, run);
  summary.unlisted = summary.likely - merged.rules.length;
  summary.candidates = merged.rules.filter(isCandidate).length;
  const file = ledger.carry(merged);
  if (flags.check !== true) {
    await writeRulesFile(file, flags, effects);
    await showRules(file, run);
  }
  if (flags.quiet !== true && flags.json !== true) {
    const mined = mineReport(summary) + adviceReport(summary, options);
    effects.stderr.write(countsReport(report.inputs) + mined + ranReport(answer));
  }
  if (flags.json === true) {
    const [{ mineSummary }, { writeSummary }] = await Promise.all([
      import('../../../report/summary.js'),
      import('../summary.js'),
    ]);
    const output = flags.check === true ? null : outputOf(flags);
    const sums = { output, inputs: report.inputs, mined: summary, rules: file.rules };
    await writeSummary(mineSummary({ ...sums, state: undefined, validation: undefined }), effects);
  }
  return judgeReading(report, effects) || ledger.judge(file);
}

function refuseOthers(names: readonly string[], flags: MineFlags): void {
  const { state, keep, history, fromClusters, stage, partOfSites, partOfContents, rejects, test } = flags;
  const others = { state, keep, history, fromClusters, stage, partOfSites, partOfContents, rejects, test };
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined || isValidating(flags)) {
    const name =
      other === undefined ? '--fetch or its like' : `--${other.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
    throw new UserError(
      `--engine spark: got ${name} with it, expected it without: what is mined is one file, as a whole`,
    );
  }
  if (names.length === 0 || names.includes('-'))
    throw new UserError('--engine spark: got standard input, expected files that executors can read by the same path');
}

interface Answer {
  readonly done: DriverResult;
  readonly reports: readonly FoldReport[];
  readonly shares: readonly Omit<ShareResult, 'rules'>[];
  /** Of all shares, up to the most that a run would keep. */
  readonly rules: readonly Rule[];
}

async function submit(
  job: Pick<DriverJob, 'settings' | 'inputs'>,
  flags: MineFlags,
  effects: Effects,
): Promise<Answer> {
  const folder = mkdtempSync(join(flags.tmpdir, 'dustbuster-spark-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const root = fileURLToPath(packageFile('.'));
    const whole: DriverJob = { ...job, node: flags.sparkNode ?? process.execPath, root, folder };
    writeFileSync(join(folder, 'job.json'), JSON.stringify(whole));
    await runDriver(join(folder, 'job.json'), folder, flags, effects, remove);
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const done = read('done.json') as DriverResult;
    const numbers = (count: number) => Array.from({ length: count }, (_, k) => k);
    const merging = new Merging(job.settings.options.rank);
    const shares = numbers(done.shares).map((k) => {
      const { rules, ...share } = read(`share-${k}.json`) as ShareResult;
      merging.add(rules);
      return share;
    });
    const reports = numbers(done.tables).map((k) => read(`report-${k}.json`) as FoldReport);
    return { done, reports, shares, rules: merging.finish() };
  } finally {
    remove();
  }
}

/** Rules of one share after another. Those that no file would have are dropped on the way. */
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
    return mergeRules([{ name: 'Spark', file: { rules: this.#rules } }], this.#order, MOST_RULES);
  }
}

/** Runs spark-submit to its end. Ctrl-C ends it, which cancels the job. */
async function runDriver(
  job: string,
  folder: string,
  flags: MineFlags,
  effects: Effects,
  remove: () => void,
): Promise<void> {
  const home = flags.sparkHome ?? effects.env['SPARK_HOME'];
  const program = home === undefined ? 'spark-submit' : join(home, 'bin', 'spark-submit');
  const conf = ['spark.ui.showConsoleProgress=false', ...(flags.sparkConf ?? [])].flatMap((pair) => ['--conf', pair]);
  const master = flags.sparkMaster === undefined ? [] : ['--master', flags.sparkMaster];
  const driver = fileURLToPath(packageFile('src/spark-driver/driver.py'));
  // A group of its own: Ctrl-C reaches it once, from here.
  const child = spawn(program, [...master, ...conf, driver, job], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...effects.env, ...(home !== undefined && { SPARK_HOME: home }) },
  });
  const said: string[] = [];
  let rest = '';
  const listen = (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!.slice(-4096);
    said.push(...lines.filter((line) => line.trim() !== '' && !NOISE.test(line)));
    said.splice(0, said.length - MOST_SAID);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', listen);
  const undo = onSignal(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    remove();
  });
  try {
    const ended = await new Promise<string | undefined>((resolve, reject) => {
      child.on('error', (error) =>
        reject(
          new UserError(
            `${printable(program)} cannot be run (${systemCode(error) ?? String(error)}); expected Spark there: name its ` +
              'folder by --spark-home or SPARK_HOME',
          ),
        ),
      );
      child.on('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? String(code))));
    });
    if (ended === undefined && existsSync(join(folder, 'done.json'))) return;
    listen('\n');
    throw new UserError(failure(ended ?? '0, without a result', folder, said));
  } finally {
    undo();
  }
}

/** Lines of Spark's log, and of the stacks of the JVM. */
const NOISE = / (INFO|WARN) |^\s+at |^\s+\.\.\. \d+ more/;

/** What the driver said last. */
function failure(ended: string, folder: string, said: readonly string[]): string {
  const path = join(folder, 'application');
  const application = existsSync(path) ? `application ${readFileSync(path, 'utf8')}` : 'before it was an application';
  const last = said.map((line) => `\n  ${printable(line)}`).join('');
  return `the Spark job failed (${application}, exit ${ended}). No rules were written. Its last lines:${last}`;
}

/** As of one run that read all. */
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
  let urls = 0;
  for (const share of shares) {
    urls += share.urls;
    sites.mined += share.sites.mined;
    sites.skipped += share.sites.skipped;
    addCounts(counts, share.counts);
    for (const site of share.largestSites) largestSites.add(site.site, site.urls);
  }
  const spilled = { runs: 0, bytes: 0 };
  return { urls, unlisted: 0, sites, largestSites, hasSizes: true, candidates: 0, ...counts, spilled };
}

function ranReport({ done, reports, shares }: Answer): string {
  const { application, ran, failures, shuffleBytes } = done;
  const executors = [...new Set(ran.map(({ executor }) => executor))].sort();
  const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const where = `in ${executors.length === 1 ? 'executor' : 'executors'} ${executors.map(printable).join(', ')}`;
  const shuffled = shuffleBytes > 0 ? `; ${formatSize(shuffleBytes)} shuffled` : '';
  const again = failures > 0 ? `; ${many(failures, 'task')} failed, and ran again` : '';
  return (
    `${application}: ${many(reports.length, 'table')}, ${many(shares.length, 'share')}, ${where}${shuffled}${again}\n` +
    `Node took ${useOf(reports)} to read, ${useOf(shares)} to mine\n`
  );
}

function useOf(processes: readonly ProcessUse[]): string {
  const cpuMs = processes.reduce((sum, one) => sum + one.cpuMs, 0);
  const most = Math.max(...processes.map(({ memoryBytes }) => memoryBytes));
  return `${(cpuMs / 1000).toFixed(1)} s of CPU (${formatSize(most)} at most)`;
}
