// A table in, the same table out with the canonical forms of one column. All other bytes stay as they are.
//
//   url,views                    url,views              with `pairs`:  url,views,canonical
//   "http://h/a?sid=1",7    →    "http://h/a",7                        "http://h/a?sid=1",7,http://h/a
//
//   {"u":"http:\/\/h\/a?sid=1","n":1}  →  {"u":"http://h/a","n":1}     {…,"n":1,"canonical":"http://h/a"}
//
// A row whose cell is no URL passes through, with an empty `canonical` (null in JSON); so does, byte for byte, a row that
// has no such cell, is damaged, or has more than 1 MiB. `changed` leaves them out.
import { CLOSE_BRACE, COLON, COMMA, NEWLINE, OPEN_BRACE, QUOTE, RETURN, SPACE, TAB } from '../base/ascii.js';
import { decodeText, encodeText, printable } from '../base/bytes.js';
import { UserError } from '../base/error.js';
import { createColumnReader } from '../log/format/column.js';
import type { Span } from '../log/format/format.js';
import { JsonScanner, NONE } from '../log/format/json-scan.js';
import { JsonText } from '../log/format/jsonl.js';
import { MOST_TITLES } from '../log/format/table.js';
import { MAX_LINE_BYTES } from '../log/lines.js';
import type { LineCanonizer } from './canonizer.js';
import type { LineCounts } from './lines.js';

export interface TableOptions {
  /** The name of the column, or its number from 1 on in a table without header. */
  readonly column: string;
  readonly pairs?: boolean | undefined;
  readonly changed?: boolean | undefined;
}

/** The bytes of a cell, quotes included, or those between the quotes of a JSON text; `value` is what they say. */
interface Cell {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  readonly value: Buffer;
}

interface Kind {
  /** Undefined if the row has no such value. */
  readonly cellIn: (row: Buffer, end: number) => Cell | undefined;
  readonly written: (form: Uint8Array, isQuoted: boolean) => Uint8Array;
  /** Where a row ends without what is behind its last value, and what a value that is added there looks like. */
  readonly lastIn: (row: Buffer, end: number) => number;
  readonly added: (form: Uint8Array | undefined) => Uint8Array;
}

/** Tables of several inputs, one after another: they are one table, with the header of the first. */
export class TableCanonizer {
  readonly counts: LineCounts = { lines: 0, urls: 0, changed: 0, dropped: 0 };
  readonly #canonizer: LineCanonizer;
  readonly #options: TableOptions;
  #kind: Kind | undefined;
  #delimiter = 0;
  #header: string | undefined;
  #name = '';
  #titles = 0;
  #isBegun = false;
  /** True if the last row has no line end: it gets one if another input follows. */
  #isOpen = false;

  constructor(canonizer: LineCanonizer, options: TableOptions) {
    this.#canonizer = canonizer;
    this.#options = options;
  }

  /** Yields the rows of an input. Throws a UserError if it has no such column, or other columns than the first. */
  async *map(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#name = name;
    this.#titles = 0;
    this.#isBegun = false;
    const cutter = new RowCutter();
    if (this.#isOpen) yield Uint8Array.of(NEWLINE);
    for await (const chunk of chunks) yield* this.#mapped(cutter.push(chunk), cutter);
    yield* this.#mapped(cutter.end(), cutter);
  }

  *#mapped(rows: Iterable<CutRow>, cutter: RowCutter): Generator<Uint8Array> {
    const out: Uint8Array[] = [];
    for (const row of rows) this.#add(row, cutter, out);
    const last = out.findLast((piece) => piece.length > 0);
    if (last === undefined) return;
    this.#isOpen = last.at(-1) !== NEWLINE;
    yield Buffer.concat(out);
  }

  #add({ bytes, isWhole }: CutRow, cutter: RowCutter, out: Uint8Array[]): void {
    const end = contentOf(bytes);
    if (!this.#isBegun && end > 0) {
      const isHeader = this.#begin(bytes, end, out);
      cutter.isCsv = this.#isBegun && this.#delimiter === COMMA;
      if (isHeader) return;
    }
    if (end === 0) {
      if (this.#options.changed !== true) out.push(bytes);
      return;
    }
    this.counts.lines++;
    this.#row(bytes, isWhole ? end : 0, out);
  }

  /** Reads the header, or what is above it; false if the line is a row already. */
  #begin(line: Buffer, end: number, out: Uint8Array[]): boolean {
    const { column, pairs } = this.#options;
    const isFirst = this.#kind === undefined;
    const delimiter = line[0] === OPEN_BRACE ? OPEN_BRACE : line.subarray(0, end).includes(TAB) ? TAB : COMMA;
    const isNumber = /^[1-9]\d{0,3}$/.test(column);
    if (delimiter === OPEN_BRACE || isNumber) {
      if (delimiter === OPEN_BRACE) this.#set(delimiter, () => jsonKind(column));
      else this.#set(delimiter, () => rowKind(delimiter, Number(column) - 1));
      return false;
    }
    const names = namesIn(line.subarray(0, end), delimiter);
    const at = names.indexOf(column);
    if (at < 0) return this.#refuse(names, line, isFirst, out);
    this.#set(delimiter, () => rowKind(delimiter, at));
    const header = JSON.stringify(names);
    if (this.#header !== undefined && this.#header !== header) {
      throw new UserError(
        `${printable(this.#name)}: has the columns ${printable(header)}; expected those of the first input, ` +
          `${printable(this.#header)}: canonize tables with other columns by themselves`,
      );
    }
    this.#header = header;
    if (!isFirst) return true;
    out.push(line.subarray(0, end));
    if (pairs === true) out.push(this.#kind!.added(encodeText('canonical')));
    out.push(line.subarray(end));
    return true;
  }

  #set(delimiter: number, make: () => Kind): void {
    if (this.#kind !== undefined && this.#delimiter !== delimiter) {
      throw new UserError(
        `${printable(this.#name)}: is ${WHAT[delimiter]}, and the first input is ${WHAT[this.#delimiter]}; expected tables of one kind`,
      );
    }
    this.#delimiter = delimiter;
    this.#kind ??= make();
    this.#isBegun = true;
  }

  /** Passes a title above the header. */
  #refuse(names: readonly string[], line: Buffer, isFirst: boolean, out: Uint8Array[]): true {
    if (this.#titles++ < MOST_TITLES && (names.length === 1 || line[0] === 0x23)) {
      if (isFirst) out.push(line);
      return true;
    }
    throw new UserError(
      `${printable(this.#name)}: has the columns ${printable(JSON.stringify(names))}; expected one that is called ` +
        `"${printable(this.#options.column)}", as --columns says`,
    );
  }

  #row(row: Buffer, end: number, out: Uint8Array[]): void {
    const { pairs, changed } = this.#options;
    const { canonical } = this.#canonizer;
    const kind = this.#kind!;
    const cell = end === 0 ? undefined : kind.cellIn(row, end);
    if (cell !== undefined) this.#canonizer.canonizeLine(cell.value, 0, cell.value.length);
    const isUrl = cell !== undefined && canonical.isUrl;
    const isChanged = isUrl && canonical.isChanged;
    if (isUrl) this.counts.urls++;
    if (isChanged) this.counts.changed++;
    else if (changed === true) return void this.counts.dropped++;
    if (pairs === true && cell !== undefined) {
      const last = kind.lastIn(row, end);
      const form = isUrl ? canonical.bytes.slice(canonical.start, canonical.end) : undefined;
      out.push(row.subarray(0, last), kind.added(form), row.subarray(last));
    } else if (isChanged) {
      const form = canonical.bytes.slice(canonical.start, canonical.end);
      out.push(row.subarray(0, cell!.start), kind.written(form, cell!.isQuoted), row.subarray(cell!.end));
    } else out.push(row);
  }
}

const WHAT: Readonly<Record<number, string>> = { [OPEN_BRACE]: 'JSON lines', [TAB]: 'TSV', [COMMA]: 'CSV' };

function namesIn(line: Buffer, delimiter: number): readonly string[] {
  const text = decodeText(line).replace(/^\xef\xbb\xbf|^\ufeff/, '');
  if (delimiter === TAB) return text.split('\t').map((name) => name.trim());
  const bytes = Buffer.from(encodeText(text));
  const names: string[] = [];
  for (let cell = 0; ; cell++) {
    const found = csvCell(bytes, bytes.length, COMMA, cell);
    if (found === undefined) return names;
    names.push(decodeText(found.value).trim());
  }
}

function rowKind(delimiter: number, place: number): Kind {
  const quoted = (form: Uint8Array) => encodeText(`"${decodeText(form).replaceAll('"', '""')}"`);
  const written = (form: Uint8Array, isQuoted: boolean) =>
    delimiter === COMMA && (isQuoted || form.includes(COMMA) || form.includes(QUOTE)) ? quoted(form) : form;
  return {
    cellIn: (row, end) => csvCell(row, end, delimiter, place),
    written,
    lastIn: (_, end) => end,
    added: (form) => Buffer.concat([Uint8Array.of(delimiter), written(form ?? new Uint8Array(0), false)]),
  };
}

/** A cell of a row, counted from 0; undefined if the row has fewer, or irregular quotes up to there. */
function csvCell(row: Buffer, end: number, delimiter: number, place: number): Cell | undefined {
  let at = 0;
  for (let cell = 0; at <= end; cell++, at++) {
    const start = at;
    const isQuoted = delimiter === COMMA && row[at] === QUOTE && at < end;
    if (isQuoted) {
      for (at++; at < end && (row[at] !== QUOTE || row[at + 1] === QUOTE); at++) if (row[at] === QUOTE) at++;
      if (at++ >= end) return undefined;
      if (at < end && row[at] !== delimiter) return undefined;
    } else while (at < end && row[at] !== delimiter) at++;
    if (cell < place) continue;
    const raw = row.subarray(start + Number(isQuoted), at - Number(isQuoted));
    const value =
      raw.includes('""') && isQuoted ? Buffer.from(raw.toString('latin1').replaceAll('""', '"'), 'latin1') : raw;
    return { start, end: at, isQuoted, value };
  }
  return undefined;
}

function jsonKind(name: string): Kind {
  const scanner = new JsonScanner(createColumnReader({ url: name }, {}));
  const text = new JsonText();
  const span: Span = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  const written = (form: Uint8Array) => encodeText(decodeText(form).replace(/["\\]/g, '\\$&'));
  return {
    cellIn(row, end) {
      if (!scanner.scan(row, 0, end)) return undefined;
      const found = scanner.found.url;
      if (found.rank === NONE || found.kind === 'number' || isInList(row, found.start)) return undefined;
      if (!text.read(row, found, span)) return undefined;
      const value = Buffer.from(span.bytes.subarray(span.start, span.end));
      return { start: found.start, end: found.end, isQuoted: true, value };
    },
    written,
    lastIn: (row, end) => Math.max(0, row.lastIndexOf(CLOSE_BRACE, end - 1)),
    added: (form) => encodeText(`,"canonical":${form === undefined ? 'null' : `"${decodeText(written(form))}"`}`),
  };
}

/** True if the text that begins behind a quote is no value of its own: it has another value of a list before it, or `[`. */
function isInList(row: Buffer, start: number): boolean {
  let at = start - 2;
  while (at > 0 && (row[at] === SPACE || row[at] === TAB)) at--;
  return row[at] !== COLON;
}

/** The length of a row without its line ending. */
function contentOf(row: Buffer): number {
  let end = row.length;
  if (row[end - 1] === NEWLINE) end--;
  if (row[end - 1] === RETURN) end--;
  return end;
}

interface CutRow {
  readonly bytes: Buffer;
  /** False for a part of a row that is too long. */
  readonly isWhole: boolean;
}

/**
 * Cuts rows, with their line endings. A cell of CSV in quotes may have line ends; a quote that is not closed within 1 MiB
 * damages only the line that it is in.
 */
class RowCutter {
  /** Set once the kind of table is known: by the first line, which has no line end in quotes. */
  isCsv = false;
  #rest: Buffer = Buffer.alloc(0);
  #isLong = false;
  #isEnd = false;

  *push(chunk: Uint8Array): Generator<CutRow> {
    const bytes = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = this.#endOf(bytes, 0); end > 0; end = this.#endOf(bytes, start)) {
      yield { bytes: bytes.subarray(start, end), isWhole: !this.#isLong && end - start <= MAX_LINE_BYTES };
      this.#isLong = false;
      start = end;
    }
    this.#rest = bytes.subarray(start);
    if (this.#rest.length <= MAX_LINE_BYTES) return;
    yield { bytes: this.#rest, isWhole: false };
    this.#isLong = true;
    this.#rest = Buffer.alloc(0);
  }

  *end(): Generator<CutRow> {
    this.#isEnd = true;
    yield* this.push(new Uint8Array(0));
    if (this.#rest.length > 0) yield { bytes: this.#rest, isWhole: !this.#isLong };
  }

  /** The end of the row that begins at `start`, or 0 if it is not there yet. */
  #endOf(bytes: Buffer, start: number): number {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0 || !this.isCsv || this.#isLong) return newline + 1;
    const quote = bytes.indexOf(QUOTE, start);
    if (quote < 0 || quote > newline) return newline + 1;
    let isOpen = false;
    for (let at = start; at < bytes.length; at++) {
      if (bytes[at] === QUOTE) {
        const before = bytes[at - 1];
        if (isOpen || at === start || before === COMMA || before === QUOTE) isOpen = !isOpen;
      } else if (bytes[at] === NEWLINE && !isOpen) return at + 1;
    }
    return this.#isEnd || bytes.length - start > MAX_LINE_BYTES ? newline + 1 : 0;
  }
}
