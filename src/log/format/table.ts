// CSV and TSV, with a header or with columns named by number. A record counts as one line; the header does not count.
// Above it there may be a few lines with the title of an export, or comments.
//
// Fields with and without quotes are split here, by byte; `"a ""b"" c"` is copied with single inner quotes. Irregular
// quotes (`"a"b`, a quote that never closes) are left to csv-parse, which takes 20 µs per record instead of 1 µs. In
// TSV a quote is a character like any other.
import { createRequire } from 'node:module';
import { QUOTE } from '../../base/ascii.js';
import { decodeText } from '../../base/bytes.js';
import { UserError } from '../../base/error.js';
import { METHOD } from '../record.js';
import { type Column, type ColumnNames, createColumnReader, isHeaderless, tableNumber, tableStatus } from './column.js';
import {
  BROKEN_QUOTES,
  type Fields,
  HEADER,
  isMissing,
  type LineFormat,
  NOT_IN_FORMAT,
  PLAIN_CELLS,
  type PlainColumn,
  type PlainLines,
  readDigits,
  readDuration,
  setSpan,
  type Span,
  TITLE,
  UNIT,
} from './format.js';
import { methodOf, UrlPieces } from './request.js';
import { TargetFields } from './target.js';
import { isUrlLine } from './url-lists.js';

/** Cell c is bytes[starts[c], ends[c]). `bytes` is the line, or `copy`. */
interface Cells {
  bytes: Buffer;
  count: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  copy: Buffer;
}

/** A column, and the cell that it is read from. */
interface PlacedColumn {
  readonly column: Column;
  readonly cell: number;
}

const MAX_CELLS = 1024;

export function createTable(name: 'csv' | 'tsv', named?: ColumnNames): LineFormat {
  const delimiter = name === 'csv' ? 0x2c : 0x09;
  const split = name === 'csv' ? splitQuoted : splitPlain;
  const cells: Cells = {
    bytes: Buffer.alloc(0),
    count: 0,
    starts: new Int32Array(MAX_CELLS),
    ends: new Int32Array(MAX_CELLS),
    copy: Buffer.alloc(0),
  };
  const pieces = new UrlPieces();
  const targets = new TargetFields();
  let columns = isHeaderless(named) ? placesOf(named!) : null;
  let titles = 0;
  let width = columns === null ? 0 : MAX_CELLS;
  let plain = columns === null ? null : plainOf(name, columns, width);
  return {
    name,
    get plain() {
      return plain;
    },
    ...(columns === null && { earlierLines: 'header' as const }),
    ...(name === 'csv' && { quotedBy: delimiter }),
    parse(bytes, start, end, fields) {
      if (!split(bytes, start, end, delimiter, cells)) return BROKEN_QUOTES;
      if (columns === null) {
        const names = namesIn(cells);
        columns = placesByName(names, named);
        if (columns === null) {
          if (titles++ < MOST_TITLES && isTitle(bytes.toString('latin1', start, end))) return TITLE;
          throw unknownHeader(name, names);
        }
        width = cells.count;
        plain = plainOf(name, columns, width);
        return HEADER;
      }
      return cells.count > width ? NOT_IN_FORMAT : readRecord(cells, columns, fields, pieces, targets);
    },
  };
}

/** Null if quotes or a column need checks that the kernel does not make. */
function plainOf(name: string, columns: readonly PlacedColumn[], mostCells: number): PlainLines | null {
  const plain = columns.flatMap(({ column, cell }) => {
    const one = column === 'target' && !columns.some((other) => other.column === 'url') ? 'url' : column;
    return isPlain(one) ? [{ column: one, cell }] : [];
  });
  const isRead = columns.every(
    ({ column }) => isPlain(column) || ['target', 'time', 'agent', 'duration', 'client', 'referrer'].includes(column),
  );
  const hasBoth = columns.filter(({ column }) => column === 'url' || column === 'target').length > 1;
  const cells = new Set(plain.map(({ cell }) => cell));
  const isFar = plain.some(({ cell }) => cell >= PLAIN_CELLS);
  const hasUrl = plain.some(({ column }) => column === 'url');
  if (name !== 'tsv' || !isRead || hasBoth || !hasUrl || isFar || cells.size < plain.length) return null;
  return { kind: 'table', mostCells, columns: plain };
}

function isPlain(column: Column): column is PlainColumn {
  return ['url', 'size', 'status', 'method', 'sketch', 'time'].includes(column);
}

const TARGETS: ReadonlySet<Column | undefined> = new Set(['url', 'target', 'request']);

/** True if a line can be a header of a table with this delimiter: one column is the URL. */
export function isTableHeader(line: string, name: 'csv' | 'tsv', named?: ColumnNames): boolean {
  const meaningOf = createColumnReader(named);
  const names = name === 'tsv' ? line.split('\t') : line.split(',').map((field) => field.replace(/^"(.*)"$/, '$1'));
  if (name === 'tsv' && names.length === 1) return false;
  return names.some((field) => TARGETS.has(meaningOf(field.trim())?.column));
}

/** A header is looked for below at most so many lines. */
export const MOST_TITLES = 10;

/** True if a line above a header can be a title: a comment, or a single cell that is no URL. */
export function isTitle(line: string): boolean {
  return line.startsWith('#') || (/^(?:"[^"]*"|[^",\t]*)[,\s]*$/.test(line) && !isUrlLine(line));
}

/** Columns that are named by the positions of their fields. */
export function placesOf(named: ColumnNames): readonly PlacedColumn[] {
  createColumnReader(named);
  return Object.entries(named)
    .filter(([column]) => column !== 'line')
    .map(([column, place]) => ({ column: column as Column, cell: Number(place) - 1 }));
}

function namesIn({ bytes, count, starts, ends }: Cells): readonly string[] {
  return Array.from({ length: count }, (_, cell) =>
    decodeText(bytes, starts[cell], ends[cell]).replace(COLOURS, '').trim(),
  );
}

/** Colours of a terminal, of which a header may have only the first. */
// eslint-disable-next-line no-control-regex -- an escape begins them
const COLOURS = /\x1b\[[\d;]*m/g;

function unknownHeader(name: string, names: readonly string[]): UserError {
  return new UserError(
    `the ${name} header has the columns ${JSON.stringify(names)}, none of which is known to be the URL; ` +
      'name it with --columns url=NAME (dustbuster formats FILE shows the lines)',
  );
}

/** The positions of fields that are columns; null if no field is the URL. */
export function placesByName(names: readonly string[], named: ColumnNames | undefined): PlacedColumn[] | null {
  const meaningOf = createColumnReader(named);
  const columns = new Map<Column, number>();
  const ranks = new Map<Column, number>();
  for (const [cell, name] of names.entries()) {
    const meaning = meaningOf(name);
    if (meaning === null || meaning.rank >= (ranks.get(meaning.column) ?? Infinity)) continue;
    columns.set(meaning.column, cell);
    ranks.set(meaning.column, meaning.rank);
  }
  columns.delete('line');
  return [...columns.keys()].some((column) => TARGETS.has(column))
    ? Array.from(columns, ([column, cell]) => ({ column, cell }))
    : null;
}

function readRecord(
  { bytes, count, starts, ends }: Cells,
  columns: readonly PlacedColumn[],
  fields: Fields,
  pieces: UrlPieces,
  targets: TargetFields,
): string | null {
  pieces.clear();
  targets.clear();
  for (let k = 0; k < columns.length; k++) {
    const { column, cell } = columns[k]!;
    if (cell >= count) continue;
    const start = starts[cell]!;
    const end = ends[cell]!;
    switch (column) {
      case 'url':
      case 'target':
      case 'request':
        setSpan(targets[column], bytes, start, end);
        break;
      case 'host':
      case 'time':
      case 'agent':
      case 'client':
      case 'referrer':
      case 'language':
        setSpan(fields[column], bytes, start, end);
        break;
      case 'query':
      case 'scheme':
        setSpan(pieces[column], bytes, start, end);
        break;
      case 'redirect':
      case 'canonical':
        if (column === 'redirect' || isMissing(fields.named)) setUnlessMissing(fields.named, bytes, start, end);
        break;
      case 'line':
        break;
      case 'duration':
        fields.duration = readDuration(bytes, start, end, UNIT.s);
        break;
      case 'sketch':
        setSketch(fields.sketch, bytes, start, end);
        break;
      default: {
        if (setPlainValue(column, bytes, start, end, fields)) break;
        const cause = setValue(column, bytes.toString('latin1', start, end), fields);
        if (cause !== null) return cause;
      }
    }
  }
  targets.choose(fields, pieces.query);
  pieces.join(fields);
  return null;
}

/** Sets a value that needs no further check: digits only, `GET`. */
function setPlainValue(
  column: 'method' | 'status' | 'size',
  bytes: Buffer,
  start: number,
  end: number,
  fields: Fields,
) {
  if (column === 'method') {
    const isGet = end - start === 3 && bytes[start] === 0x47 && bytes[start + 1] === 0x45 && bytes[start + 2] === 0x54;
    if (isGet) fields.method = METHOD.get;
    return isGet;
  }
  const value = readDigits(bytes, start, end);
  if (value < 0) return false;
  fields[column] = value;
  return true;
}

/** Sets a value. An invalid value rejects the line, as the columns may be the wrong ones. */
export function setValue(column: 'method' | 'status' | 'size', text: string, fields: Fields): string | null {
  if (column === 'method') fields.method = methodOf(text.trim());
  else if (column === 'status') fields.status = tableStatus(text);
  else fields.size = Math.max(-1, tableNumber(text));
  if (Number.isNaN(fields.status)) return 'bad-status';
  return Number.isNaN(fields.size) ? 'bad-size' : null;
}

/** Sets the span, unless the cell is empty or `-`. */
function setUnlessMissing(span: Span, bytes: Uint8Array, start: number, end: number): void {
  if (end - start > 1) setSpan(span, bytes, start, end);
}

export function setSketch(span: Span, bytes: Uint8Array, start: number, end: number): void {
  const missing = end - start === 1 && bytes[start] === 0x2d;
  setSpan(span, bytes, start, missing ? start : end);
}

function splitPlain(bytes: Buffer, start: number, end: number, delimiter: number, cells: Cells): boolean {
  cells.bytes = bytes;
  cells.count = 0;
  for (let at = start; at <= end && cells.count < MAX_CELLS; at++) {
    cells.starts[cells.count] = at;
    while (at < end && bytes[at] !== delimiter) at++;
    cells.ends[cells.count++] = at;
  }
  return true;
}

function splitQuoted(bytes: Buffer, start: number, end: number, delimiter: number, cells: Cells): boolean {
  cells.bytes = bytes;
  cells.count = 0;
  for (let at = start; at <= end && cells.count < MAX_CELLS; at++) {
    const quoted = at < end && bytes[at] === QUOTE;
    if (quoted) at++;
    cells.starts[cells.count] = at;
    while (at < end && bytes[at] !== (quoted ? QUOTE : delimiter)) at++;
    cells.ends[cells.count++] = at;
    if (!quoted) continue;
    at++;
    if (at > end) return splitByLibrary(bytes, start, end, delimiter, cells);
    if (at < end && bytes[at] !== delimiter) return splitDoubled(bytes, start, end, delimiter, cells);
  }
  return true;
}

/** Copies the fields without their quotes; doubled inner quotes become single. */
function splitDoubled(bytes: Buffer, start: number, end: number, delimiter: number, cells: Cells): boolean {
  if (cells.copy.length < end - start) cells.copy = Buffer.alloc(2 * (end - start));
  const { copy } = cells;
  let out = 0;
  cells.bytes = copy;
  cells.count = 0;
  for (let at = start; at <= end && cells.count < MAX_CELLS; at++) {
    cells.starts[cells.count] = out;
    if (at < end && bytes[at] === QUOTE) {
      let isOpen = true;
      for (at++; at < end; copy[out++] = bytes[at++]!) {
        if (bytes[at] !== QUOTE) continue;
        at++;
        if (at < end && bytes[at] === QUOTE) continue;
        isOpen = false;
        break;
      }
      if (isOpen || (at < end && bytes[at] !== delimiter)) return splitByLibrary(bytes, start, end, delimiter, cells);
    } else while (at < end && bytes[at] !== delimiter) copy[out++] = bytes[at++]!;
    cells.ends[cells.count++] = out;
  }
  return true;
}

/** Loaded for the first record that needs it. Usually there is none. */
let parseCsv: typeof import('csv-parse/sync').parse | undefined;

/** Uses latin1, in which every byte is a character, so that strings lose nothing. */
function splitByLibrary(bytes: Buffer, start: number, end: number, delimiter: number, cells: Cells): boolean {
  const text = bytes.toString('latin1', start, end);
  parseCsv ??= (createRequire(import.meta.url)('csv-parse/sync') as typeof import('csv-parse/sync')).parse;
  let fields: string[];
  try {
    const options = { delimiter: String.fromCharCode(delimiter), relax_quotes: true, encoding: 'latin1' } as const;
    fields = parseCsv(Buffer.from(text, 'latin1'), options)[0] ?? [];
  } catch {
    // The library throws at a quote that never closes; the caller rejects the record.
    return false;
  }
  cells.bytes = Buffer.from(fields.join(''), 'latin1');
  cells.count = Math.min(fields.length, MAX_CELLS);
  for (let cell = 0, at = 0; cell < cells.count; cell++) {
    cells.starts[cell] = at;
    at += fields[cell]!.length;
    cells.ends[cell] = at;
  }
  return true;
}
