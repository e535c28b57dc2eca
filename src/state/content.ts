// What a state says of itself: which folds it was made by, and which sorted runs hold their rows.
//
//   fold    what one run of `mine --state` added: a night, the inputs that were new, what was read of them
//   run     rows of one fold or of several, one after another
//
// The last line of an input may still be in the making, if no newline follows it. Its row counts as long as it is the last
// word: it lies here by itself, not in a run, and goes when the input is seen to go on.
import type { RunSeal } from '../base/run-file.js';
import type { FormCounts } from '../log/compose.js';
import { createReadReport, type ReadReport } from '../log/read.js';
import type { InputSummary } from '../log/record.js';

/** What decides which rows a table has, by the names of the flags; mining options may differ from night to night. */
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
  /** Of the whole lines of all its inputs. */
  readonly forms: FormCounts;
  readonly inputs: readonly FoldedInput[];
}

/** A day as 2026-11-21, in UTC. */
export type Night = string;

/** An input by its content: the unpacked text, however it is called or packed. */
export interface FoldedInput {
  readonly bytes: number;
  readonly sha256: string;
  /** Bytes up to and with the last newline. */
  readonly wholeLines: number;
  /** What was read of its whole lines; of those that were new, where the input went on. */
  readonly summary: InputSummary;
  readonly openLine?: OpenLine;
}

/** The text after the last newline, read as a line. */
export interface OpenLine {
  readonly summary: InputSummary;
  readonly forms: FormCounts;
  /** Its row as a run would have it, in base64; empty if the line is not a record. */
  readonly rows: string;
}

export interface StateRun extends RunSeal {
  /** The first and the last fold, and their nights. */
  readonly folds: readonly [number, number];
  readonly nights: readonly [Night, Night];
}

/** What was read of an input altogether. */
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

/** What all folds read, as if it had been read by one run. */
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
