// Chooses the format of an input: the one that the user describes or names, else the one detected from its first lines.
// Also recognizes inputs that are no logs.
import { UserError } from '../../base/error.js';
import { type ColumnNames, createColumnReader, isHeaderless } from './column.js';
import { createCustom } from './custom/custom.js';
import { createFormat, detectFormat } from './detect.js';
import type { AnyFormat, FormatName, LineFormat, Wants } from './format.js';
import { createTable } from './table.js';

export interface FormatOptions {
  /** If not given, detected for each input separately. */
  readonly format?: FormatName;
  /** A format string as in Apache or nginx, for every input. */
  readonly logFormat?: string;
  readonly columns?: ColumnNames;
}

/** Throws a UserError for options that are invalid for any input. */
export function checkFormatOptions({ format, logFormat, columns }: FormatOptions): void {
  createColumnReader(columns);
  if (logFormat === undefined) return;
  const other = format !== undefined ? '--format' : columns !== undefined ? '--columns' : null;
  if (other !== null)
    throw new UserError(`got --log-format and ${other}; expected one of them, as both say what a line is`);
  createCustom(logFormat);
}

/** Null if no format was recognized. */
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
  // Columns of a Parquet file are given by position (parquet/table.ts).
  if (name === 'parquet') return createTable('tsv', columns);
  return createFormat(name, columns, wants);
}

/** Input with more than one odd byte in so many is binary. */
const SHARE = 50;
const LOOKED_AT = 4096;

/**
 * Why an input with this beginning is not read. Null if it may be a log, or if the user names its format. An archive of
 * pages has URLs, but not one per line; other binary files have no lines.
 */
export function refusalOfHead(head: Buffer, options: FormatOptions): string | null {
  if (options.format !== undefined || options.logFormat !== undefined) return null;
  const text = head.toString('latin1', 0, LOOKED_AT);
  if (/^WARC\/\d/.test(text))
    return 'is a WARC file, expected a log or a list of URLs; dustbuster sketch FILE -o pages.jsonl makes a list of its pages';
  if (text.startsWith('filedesc://'))
    return 'is an ARC file, which is not read; `warcio recompress` makes a WARC file of it, for dustbuster sketch';
  const looked = head.subarray(0, LOOKED_AT);
  const odd = looked.reduce((sum, byte) => sum + (isOdd(byte) ? 1 : 0), 0);
  const isBinary = odd * SHARE > looked.length && detectFormat(head, options.columns) === null;
  return isBinary ? 'is a binary file, not a log; name the lines of text in it, or its format with --format' : null;
}

/**
 * True for a byte that text does not have. NUL is allowed, as a log that was truncated while written to may have a
 * hole.
 */
function isOdd(byte: number): boolean {
  return (byte >= 0x01 && byte <= 0x06) || (byte >= 0x0e && byte <= 0x1a);
}
