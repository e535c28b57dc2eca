// The index of a state: which folds it was made from, and which sorted runs have their rows.
//
//   fold    what one run of `mine --state` added: a night, the new inputs, what was read of them
//   run     rows of one fold or of several, one after another
//
// The last line of an input may be incomplete, if no newline follows it. Its row counts until the rest is seen: it is
// stored here, not in a run, and dropped when the input continues.
import type { RunSeal } from '../base/run-file.js';
import type { FormCounts } from '../log/compose.js';
import { createReadReport, type ReadReport } from '../log/read.js';
import type { InputSummary } from '../log/record.js';

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
