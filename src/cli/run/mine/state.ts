// What does `mine --state` add to a run of `mine`? It opens and locks the folder, adds tonight's logs, and mines
// everything that the folder holds.
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatSize, many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { collectGarbage } from '../../../base/garbage.js';
import { releaseLocks } from '../../../base/lock.js';
import { counted, ticking } from '../../../base/progress.js';
import type { SpillStats } from '../../../base/spill.js';
import { type Input, measured } from '../../../log/bytes.js';
import type { Filters } from '../../../log/filters.js';
import type { Forecast } from '../../../log/forecast.js';
import type { FormatOptions } from '../../../log/format/choose.js';
import type { ReadReport } from '../../../log/read.js';
import type { InputSummary, RecordBatch } from '../../../log/record.js';
import { roomFor } from '../../../memory-plan.js';
import type { Limits } from '../../../mine/mine.js';
import type { StateJson } from '../../../report/summary.js';
import { checkFile } from '../../../rule/check-file.js';
import { rulesContent } from '../../../rule/file.js';
import { holdingBack } from '../../../rule/held-back.js';
import { nightOf } from '../../../rule/night.js';
import type { MineOptions, RulesFile } from '../../../rule/rule.js';
import {
  reportOf,
  type StateContent,
  type TableOptions,
  dayOf,
  laterNightOf,
  newestNight,
  parseKeep,
  withoutOldNights,
} from '../../../state/content.js';
import type { FoundSites } from '../../../state/found-sites.js';
import { StateFolder } from '../../../state/folder.js';
import { isKnown, NightBuilder, type Plan, planNight, readBefore, withoutContinued } from '../../../state/night.js';
import { recognize, spooled } from '../../../state/recognize.js';
import { rowsOfSites } from '../../../state/rows.js';
import type { MergingOptions, SiteReader } from '../../../table/merged-sites.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import type { MineFlags } from '../../flags/mine.js';
import { onSignal } from '../../terminal/signals.js';
import { progressOf, refuseInside, refuseNothing } from '../input/reading.js';
import type { AskedBefore } from '../validate/run.js';

/** Reads inputs. `add` gets each batch and the number of its input. */
export type ReadInputs = (
  inputs: readonly Input[],
  add: (batch: RecordBatch, input: number) => void,
) => Promise<ReadReport>;

/** How tonight's inputs are read, and with which limits. */
interface NightWork {
  readonly read: ReadInputs;
  /** Reads what earlier nights have read, only to learn who reads the site; for runs that ask it. */
  readonly learn?: ((inputs: readonly Input[]) => Promise<unknown>) | undefined;
  readonly format: FormatOptions;
  readonly limits: Limits;
  readonly stats: SpillStats;
  readonly isQuiet: boolean;
}

export interface NightReport {
  /** Report on everything that the state was made from. */
  readonly whole: ReadReport;
  /** Report on the inputs of this run, including those read on earlier nights. */
  readonly tonight: { readonly inputs: readonly InputSummary[] };
  /** True if inputs were named, but none of them had a line that is new since an earlier night. */
  readonly isStale: boolean;
}

/** Opens the state of `--state`, if the flag is given. Throws a UserError if that fails or contradicts other flags. */
export async function openNightly(
  names: readonly string[],
  flags: MineFlags,
  options: MineOptions,
  effects: Effects,
): Promise<Nightly | undefined> {
  const { state, keep } = flags;
  if (state === undefined) {
    if (keep === undefined) return undefined;
    throw new UserError(`--keep ${keep}: got no state to keep nights in, expected --state FOLDER with it`);
  }
  const keepDays = keep === undefined ? undefined : parseKeep(keep);
  refuseInside(state, [flags.output, flags.rejects], effects);
  const say = (text: string) => void effects.stderr.write(`dustbuster: ${text}\n`);
  const command = ['dustbuster mine --state', state, ...names].join(' ');
  const now = flags.now === undefined ? effects.now() : new Date(`${flags.now}T00:00:00Z`);
  // A signal releases the lock until tonight's logs are added. Later, while tables are computed, a signal ends the
  // process at once, and the next run notices the stale lock.
  let folder: StateFolder | undefined;
  const ignoreSignals = onSignal(releaseLocks);
  try {
    folder = await StateFolder.open(resolve(effects.cwd, state), tableOptions(flags, options), now, command);
    if (names.length === 0 && folder.content.folds.length === 0) {
      throw new UserError(`--state ${state}: got no input and an empty state; expected a log, or - for standard input`);
    }
  } catch (error) {
    ignoreSignals();
    folder?.close();
    throw error;
  }
  for (const { pid, since } of folder.lock.abandonedBy) {
    const when = since === '' ? '' : `, begun ${printable(since)},`;
    say(`${printable(state)}: process ${pid}${when} did not finish; the state is as before it or as after it`);
  }
  return new Nightly({ folder, keepDays, now, isNowGiven: flags.now !== undefined, say, ignoreSignals });
}

/** Options that select records. `--since` and `--until` are missing, as each night may have its own. */
const SELECTING: Readonly<Record<Exclude<keyof Filters, 'since' | 'until'>, string>> = {
  hosts: '--host',
  include: '--include',
  exclude: '--exclude',
  onlyDocuments: '--only-documents',
  bots: '--bots',
};

/** Options that decide which rows the table has. */
function tableOptions(
  { normalize }: MineFlags,
  { base, scheme, site, maxUrlLength, filters = {} }: MineOptions,
): TableOptions {
  const selecting = (Object.keys(SELECTING) as (keyof typeof SELECTING)[]).map((name) => {
    const value = filters[name];
    return [SELECTING[name], typeof value === 'object' ? value.join(' ') : value === true ? 'given' : value || null];
  });
  return {
    '--base': base,
    '--scheme': scheme,
    '--normalize': normalize,
    '--site': site,
    '--max-url-length': maxUrlLength,
    ...(Object.fromEntries(selecting) as TableOptions),
  };
}

/** The longest plausible gap between two nights. A longer one is more likely a wrong clock. */
const MOST_DAYS_OFF = 366;

interface OpenState {
  readonly folder: StateFolder;
  readonly keepDays: number | undefined;
  readonly now: Date;
  readonly isNowGiven: boolean;
  readonly say: (text: string) => void;
  readonly ignoreSignals: () => void;
}

/** A state that this run uses. `add` tonight's logs, mine its `sites`, keep the rules, `close`. */
export class Nightly {
  readonly #folder: StateFolder;
  readonly #keepDays: number | undefined;
  readonly #now: Date;
  readonly #isNowGiven: boolean;
  readonly #say: (text: string) => void;
  readonly #ignoreSignals: () => void;
  #found: FoundSites | undefined;

  constructor({ folder, keepDays, now, isNowGiven, say, ignoreSignals }: OpenState) {
    this.#folder = folder;
    this.#keepDays = keepDays;
    this.#now = now;
    this.#isNowGiven = isNowGiven;
    this.#say = say;
    this.#ignoreSignals = ignoreSignals;
  }

  /**
   * The rules of the night before, to report changes; null on the first night. Throws a UserError if they are damaged.
   */
  previousRules(): RulesFile | null {
    const content = this.#folder.readRules();
    if (content === undefined) return null;
    return holdingBack(checkFile(content, `the rules in ${printable(this.#folder.path)}`));
  }

  /** URLs that the state holds already, for the estimate. */
  get held(): Forecast {
    const { rows, bytes } = this.#folder.size;
    return { urls: rows, urlBytes: rows === 0 ? 0 : bytes / rows };
  }

  /**
   * Adds the new lines of the inputs to the state, which are on disk when this returns. If it throws, nothing has
   * changed.
   */
  async add(inputs: readonly Input[], work: NightWork): Promise<NightReport> {
    const files: Input[] = [];
    for (const input of inputs) files.push(isFile(input) ? input : await spooled(input, work.limits.tmpdir));
    const report = await this.#fold(files, work);
    // Tonight's table is in a run now: free its memory for mining.
    collectGarbage();
    return report;
  }

  async #fold(
    inputs: readonly Input[],
    { read, learn, format, limits, stats, isQuiet }: NightWork,
  ): Promise<NightReport> {
    const night = this.#tonight();
    const { content } = this.#folder;
    this.#refuseFuture(night);
    const kept = this.#keepDays === undefined ? content : withoutOldNights(content, night, this.#keepDays);
    const stamps = inputs.map(stampOf);
    const { progress } = limits;
    const { onProgress } = progressOf(inputs, { progress }, 'recognizing');
    const measuredInputs = inputs.map((input) =>
      onProgress === undefined ? input : measured(input, (n) => onProgress(0, n)),
    );
    const plans = await planNight(measuredInputs, content, night, format);
    if (!isQuiet) for (const plan of plans) this.#sayKnown(plan);
    const builder = new NightBuilder(plans, createSiteOf(this.#site), limits, stats);
    const madeUp = this.#folder.madeUpValues();
    const report = await read(builder.reads, (batch, input) => {
      madeUp.putInto(batch);
      builder.add(batch, input);
    });
    await learn?.(readBefore(plans));
    // The following work is synchronous and would delay a handler, so from here a signal ends the process at once.
    this.#ignoreSignals();
    for (const [k, plan] of plans.entries()) if (stampOf(plan.input) !== stamps[k]) await refuseReplaced(plan, format);
    const tonight = { inputs: builder.summaries(report) };
    if (inputs.length > 0) refuseNothing(tonight);
    const fold = builder.fold(report, night);
    if (fold.inputs.length > 0) {
      const sites = builder.finish();
      progress?.begin({ name: 'keeping', unit: 'URLs' });
      this.#folder.add(
        withoutContinued(kept, plans),
        fold,
        counted(rowsOfSites(sites), sites.urls === undefined ? ticking(progress) : progress),
      );
      sites.close();
    } else if (inputs.length === 0 && !isSame(kept, content)) this.#folder.commit(kept);
    this.#mergeRuns(limits);
    const isStale = inputs.length > 0 && fold.inputs.length === 0 && this.#sayStale(night);
    return { whole: reportOf(this.#folder.content), tonight, isStale };
  }

  /**
   * Warns if the inputs had nothing new: a log that moved would otherwise be noticed only after --keep has dropped the
   * last night, and all rules are gone. Returns false for a second run in one night.
   */
  #sayStale(night: string): boolean {
    const newest = newestNight(this.#folder.content);
    if (newest === undefined || newest >= night) return false;
    const days = many(dayOf(night) - dayOf(newest), 'day');
    this.#say(
      `no new line since the night of ${newest}, ${days} ago; expected some every night. Nights and rules are kept until ` +
        'new lines come. Is the log still written, and under a name that is given here?',
    );
    return true;
  }

  /** Merges runs. On a disk that is nearly full they stay separate, which costs a little time every night. */
  #mergeRuns({ memoryBytes, progress }: Limits): void {
    try {
      this.#folder.mergeRuns(this.#keepDays, memoryBytes, progress);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#say(`sorted runs could not be merged, and stay separate until the next night: ${error.message}`);
    }
  }

  /** All sites that the state holds now. */
  sites(limits: Limits & MergingOptions, stats: SpillStats): SiteReader {
    return this.#folder.sites({ ...limits, stats });
  }

  /** What earlier nights have found in sites; until the state is closed. */
  foundSites({ memoryBytes, tmpdir }: Limits, stats: SpillStats): FoundSites {
    this.#found = this.#folder.foundSites(roomFor('mine/kept', { memoryBytes, tmpdir, stats }));
    return this.#found;
  }

  /** Keeps what this run has found in sites. Without room for that on the disk, the next night mines them anew. */
  keepFound(): void {
    if (this.#found === undefined) return;
    try {
      this.#folder.keepFound(this.#found);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#say(`what was found in sites could not be kept, so the next night mines all of them: ${error.message}`);
    }
  }

  /** Keeps the rules of this run for the next one. */
  keepRules(file: RulesFile): void {
    this.#folder.keepRules(rulesContent(file));
  }

  /** The questions that the site refuted, for a run on a budget. */
  askedBefore(night: string): AskedBefore {
    const refuted = this.#folder.refutedQuestions(night);
    return { refuted, keep: () => Promise.resolve(this.#folder.keepRefuted(refuted)) };
  }

  get content(): StateJson {
    const { content, path, size } = this.#folder;
    const nights = new Set(content.folds.map(({ night }) => night)).size;
    return { folder: path, nights, runs: content.runs.length, bytes: size.bytes };
  }

  /** One line with nights, runs and bytes. */
  summary(urls: number): string {
    const { folder, nights, runs, bytes } = this.content;
    return (
      `${printable(folder)}: ${many(nights, 'night')} in ${many(runs, 'sorted run')}, ` +
      `${many(urls, 'URL')}, ${formatSize(bytes)}\n`
    );
  }

  close(): void {
    this.#ignoreSignals();
    this.#found?.close();
    this.#folder.close();
  }

  get #site(): MineOptions['site'] {
    return this.#folder.content.options['--site'] as MineOptions['site'];
  }

  #tonight(): string {
    const today = nightOf(this.#now);
    const night = laterNightOf(this.#folder.content, today);
    if (night === today) return today;
    this.#say(
      `${printable(join(this.#folder.path, 'state.json'))}: the clock says ${today}, but the state already has the night of ` +
        `${night}: new records count as of ${night}, until that has passed. If that day was wrong, keep a copy of the ` +
        'rules, correct its "night", and begin a new state with --history COPY',
    );
    return night;
  }

  /**
   * Throws a UserError if the night is too far in the future. A clock that is years ahead would drop all existing
   * nights, and its own night would stay for years. The user can confirm the date with --now.
   */
  #refuseFuture(night: string): void {
    const newest = newestNight(this.#folder.content);
    if (newest === undefined || this.#isNowGiven) return;
    const days = dayOf(night) - dayOf(newest);
    if (days <= MOST_DAYS_OFF) return;
    const harm =
      this.#keepDays === undefined ? '' : `: --keep would drop all nights of ${printable(this.#folder.path)}`;
    throw new UserError(
      `--state: got the night of ${night}, ${days} days after the last one (${newest})${harm}; expected a night within a year of it. ` +
        `Set the clock, or say --now ${night} if it is right. Nothing was changed.`,
    );
  }

  #sayKnown(plan: Plan): void {
    const { known, content, input } = plan;
    if (known === undefined) return;
    const name = printable(input.name);
    if (isKnown(plan)) return this.#say(`${name}: known since the night of ${known.night}, not read again`);
    const more = formatSize(content.bytes - known.wholeLines);
    this.#say(
      `${name}: begins with what was read in the night of ${known.night}; only the ${more} after that are read`,
    );
  }
}

/** Identifies a file, to notice that it has changed or that another file has its name. */
function stampOf({ path }: Input): string {
  if (path === undefined) return '';
  const found = statSync(systemName(path), { throwIfNoEntry: false });
  return found === undefined ? '' : [found.dev, found.ino, found.size, found.mtimeMs].join(' ');
}

/**
 * Throws a UserError if the input was replaced between its two reads, one to recognize it and one to mine it. Growth in
 * between does no harm. But log rotation may have put another file in its place, and the state would record the wrong
 * one.
 */
async function refuseReplaced({ input, content }: Plan, format: FormatOptions): Promise<void> {
  if (content.bytes === 0) return;
  const { known } = await recognize(input, [content], format);
  if (known !== undefined) return;
  const message = `${printable(input.name)} was replaced or cut off while it was read, as by log rotation`;
  throw new UserError(`${message}; expected it to stay, or to grow. Nothing of tonight was kept: run again.`);
}

function isFile({ path }: Input): boolean {
  if (path === undefined) return false;
  try {
    return statSync(systemName(path)).isFile();
  } catch {
    return true; // reading it will report what is wrong
  }
}

function isSame(a: StateContent, b: StateContent): boolean {
  return a.folds.length === b.folds.length && a.runs.length === b.runs.length;
}
