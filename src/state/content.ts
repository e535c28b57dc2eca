// The index of a state: which folds it was made from, which sorted runs have their rows, and which nights it keeps.
//
//   fold    what one run of `mine --state` added: a night, the new inputs, what was read of them
//   run     rows of one fold or of several, one after another
//
// The last line of an input may be incomplete, if no newline follows it. Its row counts until the rest is seen: it is
// stored here, not in a run, and dropped when the input continues.
import { UserError } from '../base/error.js';
import type { RunSeal } from '../base/run-file.js';
import type { FormCounts } from '../log/compose.js';
import { createReadReport, type ReadReport } from '../log/read.js';
import type { InputSummary } from '../log/record.js';
import { laterNight } from '../rule/night.js';

/**
 * The options that decide which rows a table has, by the names of the flags; mining options may differ from night to
 * night.
 */
export type TableOptions = Readonly<Record<string, string | number | null>>;

export interface StateContent {
  readonly options: TableOptions;
  /** Oldest first, with ascending numbers. */
  readonly folds: readonly Fold[];
  /** Oldest first. */
  readonly runs: readonly StateRun[];
}

export interface Fold {
  readonly number: number;
  readonly night: Night;
  /** The forms of the complete lines of all its inputs. */
  readonly forms: FormCounts;
  readonly inputs: readonly FoldedInput[];
}

/** A day as 2026-11-21, in UTC. */
export type Night = string;

/** An input by its content: the decompressed text, however it is named or compressed. */
export interface FoldedInput {
  readonly bytes: number;
  readonly sha256: string;
  /** Bytes up to and with the last newline. */
  readonly wholeLines: number;
  /** The summary of its complete lines; if it continues another content, of the new lines only. */
  readonly summary: InputSummary;
  readonly openLine?: OpenLine;
}

/** The text after the last newline, read as a line. */
export interface OpenLine {
  readonly summary: InputSummary;
  readonly forms: FormCounts;
  /** Its row as in a run, in base64; empty if the line is not a record. */
  readonly rows: string;
}

export interface StateRun extends RunSeal {
  /** The first and the last fold, and their nights. */
  readonly folds: readonly [number, number];
  readonly nights: readonly [Night, Night];
}

/** What was read of an input in all. */
export function summaryOf({ summary, openLine }: FoldedInput): InputSummary {
  if (openLine === undefined) return summary;
  const { lines, records, dropped, rejected } = openLine.summary;
  return {
    ...summary,
    lines: summary.lines + lines,
    records: summary.records + records,
    dropped: added(summary.dropped, dropped),
    rejected: added(summary.rejected, rejected),
  };
}

function added(counts: InputSummary['dropped'], more: InputSummary['dropped']): Record<string, number> {
  const causes = [...new Set([...Object.keys(counts), ...Object.keys(more)])].sort((a, b) => (a < b ? -1 : 1));
  return Object.fromEntries(causes.map((cause) => [cause, (counts[cause] ?? 0) + (more[cause] ?? 0)]));
}

/** What all folds read, as if one run had read it. */
export function reportOf({ folds }: StateContent): ReadReport {
  const report = createReadReport();
  for (const { forms, inputs } of folds) {
    for (const { absolute, path } of [forms, ...inputs.flatMap(({ openLine }) => openLine?.forms ?? [])]) {
      report.forms.absolute += absolute;
      report.forms.path += path;
    }
    report.inputs.push(...inputs.map(summaryOf));
  }
  return report;
}

// Runs are merged as in a log-structured merge tree: eight neighbours of a size are merged into one of the next size, so
// that a row is written once per size, and a table of a thousand nights has some twenty runs.
//
// Rows that will be dropped at different times stay separate. With `--keep` only nights of one stretch are merged, and
// all of a stretch when a later one has begun; up to 31 days a stretch is one night, and nights are dropped exactly
// when they are due.

const FAN_IN = 8;
const LEAST_BYTES = 1 << 20;

/** Runs [from, to) to merge, or undefined if there are none. Ask again afterwards. */
export function mergeable(
  runs: readonly StateRun[],
  keepDays: number | undefined,
): readonly [number, number] | undefined {
  const stretches = runs.map((run) => stretchOf(run, keepDays));
  for (let from = 0; from < runs.length;) {
    const [first, last] = stretches[from]!;
    let to = from + 1;
    while (to < runs.length && stretches[to]![0] === last && stretches[to]![1] === last) to++;
    // If `--keep` is new or has changed, a run may span more than a stretch: it stays as it is.
    if (first === last && to - from > 1) {
      if (to < runs.length) return [from, to];
      const start = sameSize(runs.slice(from));
      if (start !== undefined) return [from + start, to];
    }
    from = to;
  }
  return undefined;
}

/** Where the last runs of about the same size begin, if there are eight of them. */
function sameSize(runs: readonly StateRun[]): number | undefined {
  const sizes = runs.map(({ bytes }) => Math.floor(Math.log(Math.max(1, bytes / LEAST_BYTES)) / Math.log(FAN_IN)));
  for (const size of [...new Set(sizes)].sort((a, b) => a - b)) {
    const start = sizes.findLastIndex((other) => other > size) + 1;
    if (sizes.slice(start).filter((other) => other === size).length >= FAN_IN) return start;
  }
  return undefined;
}

// A state keeps nights. A night is a day in UTC, so that daylight saving time does not move it.

const DAY_MS = 86_400_000;

/** Days since 1970. */
export function dayOf(night: Night): number {
  return Date.parse(`${night}T00:00:00Z`) / DAY_MS;
}

/** Days of `30d` or `4w`. */
export function parseKeep(text: string): number {
  const match = /^(\d+)([dw])$/.exec(text.trim());
  const days = match === null ? NaN : Number(match[1]) * (match[2] === 'w' ? 7 : 1);
  if (days >= 1 && days <= 100_000) return days;
  throw new UserError(`--keep: got "${text}", expected a number of days or weeks such as 30d or 4w`);
}

export function newestNight({ folds }: StateContent): Night | undefined {
  return folds.at(-1)?.night;
}

/** Today, or the newest night of the state if that is later: the clock was turned back since, or was wrong. */
export function laterNightOf(content: StateContent, today: Night): Night {
  return laterNight(newestNight(content) ?? today, today);
}

/**
 * Drops the nights that are more than `keepDays` days older than tonight. Rows of several nights in one run are dropped
 * together, with the newest of them (see `mergeable` for how far apart they can be).
 */
export function withoutOldNights(content: StateContent, tonight: Night, keepDays: number): StateContent {
  const isOld = (night: Night) => dayOf(tonight) - dayOf(night) > keepDays;
  const runs = content.runs.filter(({ nights }) => !isOld(nights[1]));
  const isHeld = (fold: number) => runs.some(({ folds }) => folds[0] <= fold && fold <= folds[1]);
  const folds = content.folds.filter(({ number, night }) => !isOld(night) || isHeld(number));
  return { ...content, runs, folds };
}

/** Nights of one stretch may share a run: all of them if none is ever dropped, else a sixteenth of what is kept. */
function stretchOf({ nights }: StateRun, keepDays: number | undefined): readonly [number, number] {
  if (keepDays === undefined) return [0, 0];
  const width = Math.max(1, Math.floor(keepDays / 16));
  return [Math.floor(dayOf(nights[0]) / width), Math.floor(dayOf(nights[1]) / width)];
}
