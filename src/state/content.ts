// The index of a state: the folds it was made from, the sorted runs with their rows, and the nights it keeps.
//
//   fold    what one run of `mine --state` added: a night, the new inputs, what was read of them
//   run     the rows of one fold, or of several consecutive ones
//
// If an input has no newline at its end, its last line may be incomplete. The row of that line is stored here, not in a
// run. It counts until the input continues; then it is dropped, and the whole line is read.
import { UserError } from '../base/error.js';
import type { RunSeal } from '../base/run-file.js';
import type { FormCounts } from '../log/compose.js';
import { createReadReport, type ReadReport } from '../log/read.js';
import type { InputSummary } from '../log/record.js';
import { laterNight } from '../rule/night.js';

/**
 * The options that decide which rows a table has, by flag name. They must be the same every night; mining options may
 * differ.
 */
export type TableOptions = Readonly<Record<string, string | number | null>>;

export interface StateContent {
  readonly options: TableOptions;
  /** Oldest first, with ascending numbers. */
  readonly folds: readonly Fold[];
  /** Oldest first. */
  readonly runs: readonly StateRun[];
  /** True if escapes have collation bytes of their own (`url/token`); missing in versions 1 and 2. */
  readonly hasEscapes?: true;
}

export interface Fold {
  readonly number: number;
  readonly night: Night;
  /** Counts of the forms of the complete lines of all its inputs. */
  readonly forms: FormCounts;
  readonly inputs: readonly FoldedInput[];
}

/** A day as 2026-11-21, in UTC. */
export type Night = string;

/** An input, identified by its decompressed text, whatever its name and compression. */
export interface FoldedInput {
  readonly bytes: number;
  readonly sha256: string;
  /** Bytes up to the last newline, included. */
  readonly wholeLines: number;
  /** The summary of its complete lines; only of the new ones if it continues another text. */
  readonly summary: InputSummary;
  readonly openLine?: OpenLine;
}

/** The text after the last newline, read as a line. */
export interface OpenLine {
  readonly summary: InputSummary;
  readonly forms: FormCounts;
  /** Its row as in a run, in base64; empty if the line is no record. */
  readonly rows: string;
}

export interface StateRun extends RunSeal {
  /** The first and the last fold, and their nights. */
  readonly folds: readonly [number, number];
  readonly nights: readonly [Night, Night];
}

/** The summary of everything that was read of an input. */
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

/** The report of all folds, as if one run had read them. */
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

// Runs are merged as in a log-structured merge tree: eight adjacent runs of about one size become one of the next size.
// So a row is written once per size, and a table of a thousand nights has some twenty runs.
//
// Rows that will be dropped at different times stay separate. With `--keep`, only nights of one stretch of days are
// merged, and all of a stretch once a later one has begun. If at most 31 days are kept, a stretch is one night, and
// nights are dropped exactly when due.

const FAN_IN = 8;
const LEAST_BYTES = 1 << 20;

/** The runs [from, to) to merge next, or undefined if there are none. Call it again after merging. */
export function mergeable(
  runs: readonly StateRun[],
  keepDays: number | undefined,
): readonly [number, number] | undefined {
  const stretches = runs.map((run) => stretchOf(run, keepDays));
  for (let from = 0; from < runs.length;) {
    const [first, last] = stretches[from]!;
    let to = from + 1;
    while (to < runs.length && stretches[to]![0] === last && stretches[to]![1] === last) to++;
    // If `--keep` is new or has changed, a run may span several stretches: it stays as it is.
    if (first === last && to - from > 1) {
      if (to < runs.length) return [from, to];
      const start = sameSize(runs.slice(from));
      if (start !== undefined) return [from + start, to];
    }
    from = to;
  }
  return undefined;
}

/** The index of the first of the last runs of about the same size, if there are at least eight of these. */
function sameSize(runs: readonly StateRun[]): number | undefined {
  const sizes = runs.map(({ bytes }) => Math.floor(Math.log(Math.max(1, bytes / LEAST_BYTES)) / Math.log(FAN_IN)));
  for (const size of [...new Set(sizes)].sort((a, b) => a - b)) {
    const start = sizes.findLastIndex((other) => other > size) + 1;
    if (sizes.slice(start).filter((other) => other === size).length >= FAN_IN) return start;
  }
  return undefined;
}

// Nights of a state. A night is a day in UTC, so that daylight saving time does not move it.

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

/** Today, or the newest night of the state if that is later: the clock was set back since, or was wrong. */
export function laterNightOf(content: StateContent, today: Night): Night {
  return laterNight(newestNight(content) ?? today, today);
}

/**
 * Drops the nights that are more than `keepDays` days older than tonight. Rows of several nights in one run are dropped
 * together, with the newest of these nights (`mergeable` limits how far apart they are).
 */
export function withoutOldNights(content: StateContent, tonight: Night, keepDays: number): StateContent {
  const isOld = (night: Night) => dayOf(tonight) - dayOf(night) > keepDays;
  const runs = content.runs.filter(({ nights }) => !isOld(nights[1]));
  const isHeld = (fold: number) => runs.some(({ folds }) => folds[0] <= fold && fold <= folds[1]);
  const folds = content.folds.filter(({ number, night }) => !isOld(night) || isHeld(number));
  return { ...content, runs, folds };
}

/**
 * The first and last stretch of a run. Nights of one stretch may share a run. Without `--keep` all nights are one
 * stretch, else a stretch is a sixteenth of the days kept.
 */
function stretchOf({ nights }: StateRun, keepDays: number | undefined): readonly [number, number] {
  if (keepDays === undefined) return [0, 0];
  const width = Math.max(1, Math.floor(keepDays / 16));
  return [Math.floor(dayOf(nights[0]) / width), Math.floor(dayOf(nights[1]) / width)];
}
