// A state on disk: the URL table of earlier nights as sorted runs, and their index.
//
//   DIR/state.json      the options, the folds, the runs (`content`); replaced as a whole
//   DIR/runs/7.run      sorted rows, sealed, never changed (`base/run-file`)
//   DIR/sites.run       what was found in each site (`found-sites`)
//   DIR/rules.json      the rules written last, sealed
//   DIR/values.json     the key of the pseudonyms of visitors' values (`made-up`), sealed
//   DIR/questions.json  the questions that the site refuted (`refuted`), sealed
//   DIR/lock.…          which process works here (`base/lock`)
//
// A new run is on disk before state.json names it, and an old run is removed only after state.json no longer does. So
// whenever a process ends, the state is the one before or the one after; the next process removes files that state.json
// does not name.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { printable } from '../base/bytes.js';
import { isDraftName } from '../base/draft.js';
import { UserError } from '../base/error.js';
import { heapHalf } from '../base/heap.js';
import { makeFolder, makePrivate, namesIn, removeFile, renameFile } from '../base/kept-folder.js';
import { type FolderLock, isLockName, lockFolder } from '../base/lock.js';
import { mergeSorted, type RunsReader, type SortedRun } from '../base/merge.js';
import { refuseOdd, refuseOddFolder } from '../base/plain-file.js';
import { counted, type Progress } from '../base/progress.js';
import type { Row } from '../base/row.js';
import { RunFile, runFileBytes, type RunSeal, RunWriter } from '../base/run-file.js';
import { readSealed, syncFolder, writeSealed } from '../base/sealed-json.js';
import type { SpillRoom } from '../base/spill.js';
import type { TableCrew } from '../table/crew.js';
import { MergedSites, type MergingOptions, type SiteReader } from '../table/merged-sites.js';
import { pageBytesFor, SiteUrls } from '../table/site-urls.js';
import { MAX_SKETCH_BYTES } from '../table/url-table.js';
import {
  type Fold,
  type FoldedInput,
  mergeable,
  type StateContent,
  type StateRun,
  type TableOptions,
  dayOf,
} from './content.js';
import { FoundSites } from './found-sites.js';
import { MadeUpValues } from './made-up.js';
import { type RefutedQuestion, RefutedQuestions } from './refuted.js';
import { recollated, renumbered } from './renumber.js';
import { joined, RowBytes } from './rows.js';
import { type SeenUrl, Visits } from './visits.js';

/** Rows of version 1 have no visits, and those of 1 and 2 no escapes in collation bytes of their own. */
const FORMAT = { format: 'dustbuster-state', version: 3, earlier: [1, 2] };
const RULES_FORMAT = { format: 'dustbuster-state-rules', version: 1, unsealed: 'dustbuster-rules' };
const KEY_FORMAT = { format: 'dustbuster-state-key', version: 1 };
const QUESTIONS_FORMAT = { format: 'dustbuster-state-questions', version: 1 };
/** The files beside state.json. */
const SITES = 'sites.run';
const BESIDE = ['rules.json', 'values.json', 'questions.json', SITES];
/** The share of memory for the buffers of the runs. */
const SHARE = 0.45;
/** The buffer of a run that is read alone. */
const READ_BYTES = 1 << 22;

export class StateFolder {
  content: StateContent;
  readonly path: string;
  readonly lock: FolderLock;
  readonly #files = new Map<number, RunFile>();

  /**
   * Locks the folder and reads its state; a missing or empty folder is a state without nights. Throws a UserError if
   * the folder is in use, is no state or an incomplete one, or was made with other options.
   */
  static async open(path: string, options: TableOptions, now: Date, command: string): Promise<StateFolder> {
    refuseForeign(path);
    refuseOddFolder(join(path, 'runs'));
    makeFolder(join(path, 'runs'));
    makePrivate(path);
    makePrivate(join(path, 'runs'));
    return StateFolder.#locked(path, options, now, command);
  }

  /** Opens a state that must exist, with the options that it was made with. */
  static async openMade(path: string, now: Date, command: string): Promise<StateFolder> {
    if (!namesIn(path).includes('state.json')) throw new UserError(noState(path));
    refuseOddFolder(join(path, 'runs'));
    return StateFolder.#locked(path, undefined, now, command);
  }

  static async #locked(path: string, options: TableOptions | undefined, now: Date, command: string) {
    const lock = await lockFolder(path, now, command);
    try {
      return new StateFolder(path, lock, options);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  private constructor(path: string, lock: FolderLock, options: TableOptions | undefined) {
    this.path = path;
    this.lock = lock;
    for (const name of BESIDE) refuseOdd(this.#at(name));
    const found = readSealed(this.#at('state.json'), FORMAT) as StateContent | undefined;
    if (found === undefined) refuseForeign(path);
    if (found === undefined) refuseHalfDeleted(path);
    const content = found ?? { options: options ?? {}, folds: [], runs: [], hasEscapes: true };
    this.content = content.folds.length === 0 && options !== undefined ? { ...content, options } : content;
    if (options !== undefined) refuseOtherOptions(path, this.content.options, options);
    try {
      for (const run of content.runs) this.#files.set(run.number, new RunFile(this.#runPath(run), run));
      // From now on, a folder with runs but without this file is an incomplete state.
      if (found === undefined) writeSealed(this.#at('state.json'), FORMAT, this.content);
      this.#tidy();
      if (content.hasEscapes !== true) this.#renumber();
    } catch (error) {
      this.#closeFiles();
      throw error;
    }
  }

  /**
   * The content of the rules file that {@link keepRules} stored last, undefined if there is none. Throws a UserError if
   * it is damaged: a flipped bit could change a verdict, and every later night would carry it on.
   */
  readRules(): unknown {
    return readSealed(this.#at('rules.json'), RULES_FORMAT);
  }

  /** Stores the content of a rules file. */
  keepRules(content: unknown): void {
    this.lock.confirm();
    writeSealed(this.#at('rules.json'), RULES_FORMAT, content);
  }

  /** What earlier nights have asked the site in vain. */
  refutedQuestions(night: string): RefutedQuestions {
    const kept = readSealed(this.#at('questions.json'), QUESTIONS_FORMAT) as readonly RefutedQuestion[] | undefined;
    return new RefutedQuestions(kept ?? [], night);
  }

  keepRefuted(questions: RefutedQuestions): void {
    this.lock.confirm();
    writeSealed(this.#at('questions.json'), QUESTIONS_FORMAT, questions.content());
  }

  /** What earlier nights have found in sites. The caller closes it. */
  foundSites(room: SpillRoom): FoundSites {
    return new FoundSites(this.#at(SITES), room);
  }

  keepFound(found: FoundSites): void {
    this.lock.confirm();
    found.write();
  }

  /** The pseudonyms of visitors' values in this state. */
  madeUpValues(): MadeUpValues {
    let key = readSealed(this.#at('values.json'), KEY_FORMAT) as string | undefined;
    if (key === undefined) writeSealed(this.#at('values.json'), KEY_FORMAT, (key = randomBytes(32).toString('hex')));
    return new MadeUpValues(Buffer.from(key, 'hex'));
  }

  /** Bytes of the runs on disk, and their number of rows, which is at least the number of URLs. */
  get size(): { readonly bytes: number; readonly rows: number } {
    const { runs } = this.content;
    const bytes = runs.reduce((sum, run) => sum + runFileBytes(run.bytes), 0);
    return { bytes, rows: runs.reduce((sum, run) => sum + run.rows, 0) };
  }

  /**
   * Replaces the state by `base` plus one more fold, whose rows are in key order. `base` is the content, or what is
   * left of it. The new state is on disk when this returns; if it throws, nothing has changed.
   */
  add(base: StateContent, fold: Omit<Fold, 'number'>, rows: Iterable<Row>): void {
    const number = 1 + Math.max(0, ...this.content.folds.map((before) => before.number));
    const seal = this.#writeRun(rows);
    const runs = [...base.runs];
    const nights = [fold.night, fold.night] as const;
    if (seal !== undefined) runs.push({ ...seal, folds: [number, number], nights });
    this.commit({ ...base, folds: [...base.folds, { number, ...fold }], runs });
  }

  /** Replaces the content, and removes runs that the new content does not name. */
  commit(content: StateContent): void {
    syncFolder(this.#at('runs'));
    this.lock.confirm();
    writeSealed(this.#at('state.json'), FORMAT, content);
    this.content = content;
    for (const [number, file] of this.#files) {
      if (content.runs.some((run) => run.number === number)) continue;
      file.close();
      this.#files.delete(number);
    }
    for (const run of content.runs) {
      if (!this.#files.has(run.number)) this.#files.set(run.number, new RunFile(this.#runPath(run), run));
    }
    this.#tidy();
  }

  /** Merges runs if there are too many; the table stays the same. */
  mergeRuns(keepDays: number | undefined, memoryBytes: number, progress?: Progress): void {
    for (let range = mergeable(this.content.runs, keepDays); range; range = mergeable(this.content.runs, keepDays)) {
      const { runs } = this.content;
      const [from, to] = range;
      const group = runs.slice(from, to);
      const total = group.reduce((sum, { rows }) => sum + rows, 0);
      progress?.begin({ name: 'merging nights', unit: 'URLs', total });
      const rows = mergeSorted(
        group.map((run) => this.#rowsOf(run)),
        SHARE * memoryBytes,
      );
      const [first, last] = [group[0]!, group.at(-1)!];
      const days = group.map(dayOfRun);
      const merged: StateRun = {
        ...this.#writeRun(counted(joined({ rows, days }, dayOfRun(last)), progress))!,
        folds: [first.folds[0], last.folds[1]],
        nights: [first.nights[0], last.nights[1]],
      };
      rows.close();
      this.commit({ ...this.content, runs: [...runs.slice(0, from), merged, ...runs.slice(to)] });
    }
  }

  /**
   * Removes URLs, given in collation bytes, from all runs and incomplete lines; returns how many. Each run is replaced
   * as a whole, so the state is sound whenever the process ends; it may still have some of these URLs then. What was
   * found in sites has some of their URLs, and is removed.
   */
  remove(isGone: (url: Uint8Array) => boolean): number {
    removeFile(this.#at(SITES));
    const gone = new Set<string>();
    const stays = (row: Row) => {
      const url = row.bytes.subarray(row.bytes.indexOf(0, row.keyStart) + 1, row.keyEnd);
      if (!isGone(url)) return true;
      gone.add(Buffer.from(url).toString('latin1'));
      return false;
    };
    for (const run of this.content.runs) this.#replaceRun(run, stays);
    this.#replaceOpenLines(stays);
    return gone.size;
  }

  #replaceRun(run: StateRun, stays: (row: Row) => boolean): void {
    let isWhole = true;
    for (const row of rowsOf(this.#rowsOf(run))) if (!stays(row)) isWhole = false;
    if (isWhole) return;
    const seal = this.#writeRun(filtered(rowsOf(this.#rowsOf(run)), stays));
    const left = seal === undefined ? [] : [{ ...run, ...seal }];
    const runs = this.content.runs.flatMap((one) => (one.number === run.number ? left : [one]));
    this.commit({ ...this.content, runs });
  }

  /** Brings the rows of an earlier version into today's collation bytes, run by run; it can be repeated. */
  #renumber(): void {
    for (const run of this.content.runs) {
      const seal = this.#writeRun(renumbered(rowsOf(this.#rowsOf(run))));
      const runs = this.content.runs.map((one) => (one.number === run.number ? { ...run, ...seal } : one));
      this.commit({ ...this.content, runs });
    }
    const folds = this.content.folds.map((fold) => ({
      ...fold,
      inputs: fold.inputs.map((one) => withOpenRows(one, (rows) => Array.from(rows, recollated))),
    }));
    this.commit({ ...this.content, folds, hasEscapes: true });
  }

  #replaceOpenLines(stays: (row: Row) => boolean): void {
    const folds = this.content.folds.map((fold) => ({
      ...fold,
      inputs: fold.inputs.map((one) => withOpenRows(one, (rows) => filtered(rows, stays))),
    }));
    if (JSON.stringify(folds) !== JSON.stringify(this.content.folds)) this.commit({ ...this.content, folds });
  }

  /** All sites of the state, one after another. */
  sites(room: SpillRoom & { readonly crew?: TableCrew | undefined } & MergingOptions): SiteReader {
    const { memoryBytes, tmpdir, stats, crew } = room;
    const share = heapHalf(memoryBytes);
    const longest = Math.max(0, ...this.content.runs.map((run) => run.longestKey), ...this.#openLengths());
    const pageBytes = pageBytesFor(longest, MAX_SKETCH_BYTES);
    const urls = new SiteUrls({ memoryBytes: share, tmpdir, pageBytes, stats, crew });
    return new MergedSites(mergeSources(this.#sources(), share), urls, room);
  }

  /**
   * One row per URL with all its visits. A row without visits of its own counts as a visit on the night of its fold.
   * Rows are read lazily.
   */
  *visited(memoryBytes: number): Generator<SeenUrl> {
    const sources = this.#sources();
    const rows = mergeSources(sources, SHARE * memoryBytes);
    const days = sources.map(({ day }) => day);
    const day = Math.max(...days);
    const visits = new Visits();
    for (const row of joined({ rows, days }, day)) {
      const urlStart = row.bytes.indexOf(0, row.keyStart) + 1;
      yield { bytes: row.bytes, urlStart, urlEnd: row.keyEnd, visits: visits.read(row, day) };
    }
    rows.close();
  }

  close(): void {
    this.#closeFiles();
    this.lock.release();
  }

  /** Runs and incomplete lines in the order of their folds, as the last sketch of a URL counts. */
  #sources(): readonly Source[] {
    const open = this.content.folds.flatMap((fold) =>
      openRows(fold).map((rows) => ({ at: fold.number, day: dayOf(fold.night), rows })),
    );
    const sources = this.content.runs.map((run) => ({ at: run.folds[1], day: dayOfRun(run), rows: this.#rowsOf(run) }));
    return [...sources, ...open].sort((a, b) => a.at - b.at);
  }

  #openLengths(): number[] {
    return this.content.folds.flatMap((fold) => openRows(fold).map(({ end }) => end));
  }

  #rowsOf({ number }: StateRun): SortedRun {
    return this.#files.get(number)!.rows;
  }

  /** Writes a run that is not yet in state.json; undefined if there are no rows. */
  #writeRun(rows: Iterable<Row>): RunSeal | undefined {
    const number = 1 + Math.max(0, ...this.content.runs.map((run) => run.number));
    const path = this.#runPath({ number });
    const writer = new RunWriter(`${path}.part`, number);
    let seal: RunSeal;
    try {
      for (const row of rows) writer.add(row);
      seal = writer.seal();
    } catch (error) {
      writer.discard();
      throw error;
    }
    try {
      if (seal.rows > 0) renameFile(`${path}.part`, path);
    } finally {
      removeFile(`${path}.part`);
    }
    return seal.rows > 0 ? seal : undefined;
  }

  /** Removes files that state.json does not name: of a killed process, or of merged runs. */
  #tidy(): void {
    for (const name of namesIn(this.#at('runs'))) {
      const number = /^(\d+)\.run(\.part)?$/.exec(name);
      if (number === null) continue;
      const isNamed = number[2] === undefined && this.content.runs.some((run) => run.number === Number(number[1]));
      if (!isNamed) removeFile(join(this.path, 'runs', name));
    }
    for (const name of ['state.json', ...BESIDE]) removeFile(this.#at(`${name}.part`));
  }

  #closeFiles(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }

  #at(name: string): string {
    return join(this.path, name);
  }

  #runPath({ number }: Pick<StateRun, 'number'>): string {
    return join(this.path, 'runs', `${number}.run`);
  }
}

/** Sorted rows of the state, their fold, and the day of rows without visits of their own. */
interface Source {
  readonly at: number;
  readonly day: number;
  readonly rows: SortedRun;
}

function mergeSources(sources: readonly Source[], memoryBytes: number): RunsReader {
  const runs = sources.map(({ rows }) => rows);
  return mergeSorted(runs, memoryBytes);
}

function dayOfRun({ nights }: StateRun): number {
  return dayOf(nights[1]);
}

/** A row is valid until the next one. */
function* rowsOf(run: SortedRun): Generator<Row> {
  const rows = mergeSorted([run], READ_BYTES);
  try {
    for (let row = rows.next(); row !== undefined; row = rows.next()) yield row;
  } finally {
    rows.close();
  }
}

function* filtered(rows: Iterable<Row>, stays: (row: Row) => boolean): Generator<Row> {
  for (const row of rows) if (stays(row)) yield row;
}

/** The input with other rows of its incomplete line. */
function withOpenRows(input: FoldedInput, change: (rows: Iterable<Row>) => Iterable<Row>): FoldedInput {
  const { openLine } = input;
  const run = openRowsOf(input);
  if (openLine === undefined || run === undefined) return input;
  const rows = new RowBytes();
  for (const row of change(rowsOf(run))) rows.add(row);
  return { ...input, openLine: { ...openLine, rows: rows.toBase64() } };
}

function openRows({ inputs }: Fold): SortedRun[] {
  return inputs.flatMap((input) => openRowsOf(input) ?? []);
}

function openRowsOf({ openLine }: FoldedInput): SortedRun | undefined {
  if (openLine === undefined || openLine.rows === '') return undefined;
  const bytes = Buffer.from(openLine.rows, 'base64');
  const read = (target: Uint8Array, position: number) => {
    const part = bytes.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  };
  return { file: { read }, start: 0, end: bytes.length };
}

/** Names that a folder may have before its first state.json, or that nobody misses. */
const FIRST_NAMES: ReadonlySet<string> = new Set(['runs', 'state.json.part', 'values.json', 'values.json.part', SITES]);

/** Throws a UserError if the folder has other contents than a state. */
function refuseForeign(path: string): void {
  const names = namesIn(path);
  if (names.includes('state.json')) return;
  const foreign = names.find((name) => !isLockName(name) && !isDraftName(name) && !FIRST_NAMES.has(name));
  if (foreign === undefined) return;
  const got = `got ${printable(path)}, which has no state.json but ${printable(foreign)}`;
  throw new UserError(
    `--state: ${got}; expected the folder of a state, or an empty one. Name another, or put state.json back.`,
  );
}

function noState(path: string): string {
  const got = `got ${printable(path)}, which has no state.json`;
  return `${got}; expected the folder of a state. Make one with dustbuster mine --state ${printable(path)}`;
}

function refuseHalfDeleted(path: string): void {
  if (namesIn(join(path, 'runs')).length === 0) return;
  const got = `got ${printable(path)}, whose state.json is missing while its runs are there`;
  throw new UserError(`--state: ${got}. Put it back from a backup, or name an empty or a new folder.`);
}

function refuseOtherOptions(path: string, made: TableOptions, wanted: TableOptions): void {
  for (const name of new Set([...Object.keys(made), ...Object.keys(wanted)])) {
    const [before, now] = [made[name] ?? null, wanted[name] ?? null];
    if (before === now) continue;
    const say = (value: string | number | null) => (value === null ? 'none' : printable(String(value)));
    const message = `${printable(path)} was made with ${name} ${say(before)}: got ${name} ${say(now)}`;
    throw new UserError(`${message}, expected the same. Use that value, or name another folder with --state.`);
  }
}
