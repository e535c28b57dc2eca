// Chooses the format of an input: the one that the user describes or names, else the one detected from its first lines.
// Also recognizes inputs that are no logs.
import { UserError } from '../../base/error.js';
import { behindPrefixes } from '../prefix/behind.js';
import { findPrefixes } from '../prefix/find.js';
import { copyWithoutColours, ESCAPE, skipPrefixes } from '../prefix/prefixes.js';
import { type ColumnNames, createColumnReader, isHeaderless } from './column.js';
import { createCustom } from './custom/custom.js';
import { createFormat, detectFormat, firstLines } from './detect.js';
import { type AnyFormat, type FormatName, type LineFormat, NO_WANTS, type Wants } from './format.js';
import { isHar } from './har.js';
import { type Shape, shapeOf } from './shape.js';
import { createTable } from './table.js';
import { unreadQueryOf } from './unread-query.js';
import { isSitemap } from './url-lists.js';
import { textsInside } from './wrapped.js';

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
export function chooseFormat(head: Buffer, options: FormatOptions): Shape | null {
  return chooseShape(head, options, 0);
}

function chooseShape(head: Buffer, options: FormatOptions, depth: number): Shape | null {
  const { format, logFormat, columns } = options;
  const named = logFormat !== undefined ? 'custom' : format;
  if (named === undefined && isHeaderless(columns)) return shapeOf(firstLine(head).includes('\t') ? 'tsv' : 'csv');
  if (named === undefined && isSitemap(head)) return shapeOf('sitemap');
  if (named === undefined && isHar(head)) return shapeOf('har');
  const lines = firstLines(head).map(withoutColours);
  const open = (name: AnyFormat) => openNamed(shapeOf(name), options, CLIENT_WANTED);
  const found = findPrefixes(lines, { nameOf: (some) => named ?? detectFormat(joinLines(some), columns), open });
  if (found === null) return null;
  const shape = { format: found.format, prefixes: found.prefixes };
  if (depth === MOST_WRAPPERS) return shape;
  if (named === undefined || isWrapper(named)) return withInside(shape, found.lines, options, depth);
  if (found.fit > 0) return shape;
  return (logFormat === undefined ? null : wrapperOf(lines, options, depth)) ?? shapeOf(named);
}

function withoutColours(line: Buffer): Buffer {
  if (!line.includes(ESCAPE)) return line;
  const bare = Buffer.alloc(line.length);
  return bare.subarray(0, copyWithoutColours(line, 0, line.length, bare));
}

function isWrapper(name: AnyFormat): boolean {
  return name === 'jsonl' || name === 'docker';
}

/** The shape with that of the lines inside of its objects, if they have any. */
function withInside(shape: Shape, lines: readonly Buffer[], options: FormatOptions, depth: number): Shape {
  if (!isWrapper(shape.format)) return shape;
  const texts = textsInside(lines, shape.format as FormatName, options.columns);
  if (texts.length === 0) return withUnreadQuery(shape, lines, options.columns);
  const { format, ...others } = options;
  const inner = chooseShape(joinLines(texts), format === shape.format ? others : options, depth + 1);
  return inner === null || !isLineFormat(inner.format)
    ? withUnreadQuery(shape, lines, options.columns)
    : { ...shape, inside: inner };
}

function withUnreadQuery(shape: Shape, lines: readonly Buffer[], columns: ColumnNames | undefined): Shape {
  const unreadQuery = unreadQueryOf(lines, columns);
  return unreadQuery === null ? shape : { ...shape, unreadQuery };
}

/** A wrapper of lines in a format that the user described. */
function wrapperOf(lines: readonly Buffer[], options: FormatOptions, depth: number): Shape | null {
  const { columns } = options;
  const outer = chooseShape(joinLines(lines), columns === undefined ? {} : { columns }, MOST_WRAPPERS);
  if (outer === null) return null;
  const stripped = lines.flatMap((line) => {
    const at = skipPrefixes(outer.prefixes, line, 0, line.length);
    return at < 0 ? [] : [line.subarray(at)];
  });
  const shape = withInside(outer, stripped, options, depth);
  return shape.inside === undefined ? null : shape;
}

function isLineFormat(name: AnyFormat): boolean {
  return !['csv', 'tsv', 'sitemap', 'har'].includes(name);
}

function joinLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, NEWLINE]));
}

const NEWLINE = Buffer.from('\n');

function firstLine(head: Buffer): string {
  return head.toString('latin1').trimStart().split('\n', 1)[0]!;
}

/** A reader of lines of the shape that {@link chooseFormat} returned. */
export function openFormat(shape: Shape, options: FormatOptions, wants: Wants): LineFormat {
  const format = openNamed(shape, options, wants);
  const hasLines = format.linesOf === undefined && format.quotedBy === undefined;
  const mayHavePrefixes = hasLines && !['urls', 'tsv', 'parquet'].includes(shape.format);
  return mayHavePrefixes ? behindPrefixes(format, shape.prefixes) : format;
}

function openNamed({ format: name, inside }: Shape, options: FormatOptions, wants: Wants): LineFormat {
  const { logFormat, columns } = options;
  if (name === 'custom') return createCustom(logFormat!, wants);
  // Columns of a Parquet file are given by position (parquet/table.ts).
  if (name === 'parquet') return createTable('tsv', columns);
  return createFormat(name, columns, wants, inside === undefined ? undefined : openFormat(inside, options, wants));
}

const CLIENT_WANTED = { ...NO_WANTS, client: true };
/** So deep may JSON be inside of JSON. */
const MOST_WRAPPERS = 4;

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
