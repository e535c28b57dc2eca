// Which format is an input in: the one that the user describes, or names, or else the one detected from its first
// lines?
import { UserError } from '../../base/error.js';
import { createColumnReader, isHeaderless, type ColumnNames } from './column.js';
import { createCustom } from './custom/custom.js';
import { createFormat, detectFormat } from './detect.js';
import { createTable } from './table.js';
import type { AnyFormat, FormatName, LineFormat, Wants } from './format.js';

export interface FormatOptions {
  /** Detected for each input separately if not given. */
  readonly format?: FormatName;
  /** A format string as in Apache or nginx, for every input. */
  readonly logFormat?: string;
  readonly columns?: ColumnNames;
}

/** Throws a UserError for invalid options, whatever the inputs are. */
export function checkFormatOptions({ format, logFormat, columns }: FormatOptions): void {
  createColumnReader(columns);
  if (logFormat === undefined) return;
  const other = format !== undefined ? '--format' : columns !== undefined ? '--columns' : null;
  if (other !== null)
    throw new UserError(`got --log-format and ${other}; expected one of them, as both say what a line is`);
  createCustom(logFormat);
}

/** Null if nothing was recognized. */
export function chooseFormat(head: Buffer, { format, logFormat, columns }: FormatOptions): AnyFormat | null {
  if (logFormat !== undefined) return 'custom';
  if (format !== undefined) return format;
  if (isHeaderless(columns)) return firstLine(head).includes('\t') ? 'tsv' : 'csv';
  return detectFormat(head, columns);
}

function firstLine(head: Buffer): string {
  return head.toString('latin1').trimStart().split('\n', 1)[0]!;
}

/** A reader of lines in the format that {@link chooseFormat} returned. */
export function openFormat(name: AnyFormat, { logFormat, columns }: FormatOptions, wants: Wants): LineFormat {
  if (name === 'custom') return createCustom(logFormat!, wants);
  // Its columns are by place (parquet/table.ts).
  if (name === 'parquet') return createTable('tsv', columns);
  return createFormat(name, columns, wants);
}
