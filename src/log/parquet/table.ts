// Reads a Parquet file as tab-separated text without a header, so that it is parsed like TSV, also by the kernel. Only
// the needed columns are read; they are found by the usual names.
//
//    http://h/a   200   OSSAPWJ2…        a line for each row; null is an empty cell
//
// CloudFront's date and time of day become one cell. A tab or a line end in a text is written as 0x01, which no URL,
// host or number has either.
import { closeSync, openSync } from 'node:fs';
import { COLON, NEWLINE, RETURN, SPACE, TAB } from '../../base/ascii.js';
import { printable } from '../../base/bytes.js';
import { unreadable } from '../bytes.js';
import { systemName } from '../../base/file-name.js';
import { type Column, type ColumnNames, isHeaderless } from '../format/column.js';
import type { Span, Wants } from '../format/format.js';
import { placesByName, placesOf } from '../format/table.js';
import { MAX_LINE_BYTES } from '../lines.js';
import { ColumnValues, type Decompress, decompressorOf, type ParseHead } from './column.js';
import { type Chunk, openParquet, type ParquetFile } from './footer.js';
import type { Leaf } from './leaf.js';
import { BadParquet } from './magic.js';

export interface ParquetTable {
  readonly file: ParquetFile;
  /** The columns of the text, and the meaning of each position: `{ url: '1', status: '2' }`. */
  readonly leaves: readonly Leaf[];
  readonly columns: ColumnNames;
  /** True if the last two leaves are one column: the date, and the time of day. */
  readonly isDated: boolean;
  readonly decoding: { readonly parseHead: ParseHead; readonly codecs: ReadonlyMap<string, Decompress> };
}

/** Some rows as text. */
interface ParquetText {
  /** Whole lines; the next piece overwrites them. */
  readonly text: Buffer;
  readonly rows: number;
}

const PIECE_BYTES = 1 << 20;
const NO_TEXT = 0x01;
/** The most names in a message, and the most characters of one. */
const MOST_NAMES = 40;
const MOST_NAME = 80;

/** Opens a file and finds its columns. Throws a BadParquet, or a system error. */
export async function openTable(path: string, named: ColumnNames | undefined, wants: Wants): Promise<ParquetTable> {
  const file = await openParquet(path);
  const chosen = chooseLeaves(file, named, wants);
  const columns = Object.fromEntries(chosen.map(({ column }, at) => [column, String(at + 1)]));
  const date = dateBeside(chosen, file.leaves, named);
  const leaves = chosen.map(({ leaf }) => leaf);
  if (date !== undefined) leaves.splice(-1, 0, date);
  const codecs = new Map<string, Decompress>();
  for (const { chunks } of file.groups) {
    for (const { place } of leaves) {
      const chunk = chunks[place]!;
      if (chunk.reason !== null) continue;
      const codec = chunk.codec ?? '';
      if (!codecs.has(codec)) codecs.set(codec, await decompressorOf(chunk.codec));
    }
  }
  const { parquetHeader: parseHead } = await import('hyparquet/src/column.js');
  return { file, leaves, columns, isDated: date !== undefined, decoding: { parseHead, codecs } };
}

interface ChosenLeaf {
  readonly column: Column;
  readonly leaf: Leaf;
}

function chooseLeaves({ leaves }: ParquetFile, named: ColumnNames | undefined, wants: Wants): ChosenLeaf[] {
  const names = leaves.map(({ name }) => name);
  // If a name fits a column without useful text, such as a BOOLEAN, another name may fit a better column.
  const isNamed = new Set(Object.values(named ?? {}));
  const usable = leaves.map((leaf) => (whatElse(leaf) === null || isNamed.has(leaf.name) ? leaf.name : ''));
  const places = isHeaderless(named) ? placesOf(named!) : (placesByName(usable, named) ?? placesByName(names, named));
  if (places === null || places.some(({ cell }) => cell >= leaves.length)) {
    const shown =
      JSON.stringify(names.slice(0, MOST_NAMES).map((name) => name.slice(0, MOST_NAME))) +
      (names.length > MOST_NAMES ? ' …' : '');
    refuseList(leaves, named);
    const got = `is a Parquet file with the columns ${printable(shown)}`;
    throw new BadParquet(`${got}, none of which is known to be the URL; name it with --columns url=NAME`);
  }
  const chosen = places.map(({ column, cell }) => ({ column, leaf: leaves[cell]! }));
  const needed = chosen.filter(({ column }) => isNeeded(column, wants));
  const read = needed.filter(({ column, leaf }) => {
    const what = whatElse(leaf);
    if (what === null) return true;
    // A column that was found by its usual name may be something else.
    if (column !== 'url' && column !== 'request' && named?.[column] === undefined) return false;
    throw new BadParquet(
      `is a Parquet file whose column "${nameOf(leaf)}" (${column}) is ${what}; expected one text or number a row`,
    );
  });
  return read.sort((a, b) => Number(a.column === 'time') - Number(b.column === 'time'));
}

/** Throws a BadParquet if the URLs are in a column of lists: the leaf of `url` is then called `url.list.element`. */
function refuseList(leaves: readonly Leaf[], named: ColumnNames | undefined): void {
  const names = leaves.map(({ name, isRepeated }) => (isRepeated ? name.split('.', 1)[0]! : ''));
  const list = isHeaderless(named) ? undefined : placesByName(names, named)?.find(({ column }) => column === 'url');
  if (list === undefined) return;
  const column = printable(names[list.cell]!.slice(0, MOST_NAME));
  throw new BadParquet(
    `is a Parquet file whose column "${column}" (url) is a list; expected one text a row: unnest it first`,
  );
}

/** What a column is, if it has not one text or number per row. */
function whatElse({ isRepeated, text }: Leaf): string | null {
  if (isRepeated) return 'a list';
  return text.kind === 'none' ? text.what : null;
}

/** The column `date`, if the last chosen column is `time`, which may be a time of day. */
function dateBeside(chosen: readonly ChosenLeaf[], leaves: readonly Leaf[], named: ColumnNames | undefined) {
  const last = chosen.at(-1);
  const isClock = last?.column === 'time' && last.leaf.name.toLowerCase() === 'time' && last.leaf.text.kind === 'bytes';
  if (!isClock || named?.['time'] !== undefined) return undefined;
  const isDate = ({ name, text, isRepeated }: Leaf) =>
    name.toLowerCase() === 'date' && (text.kind === 'bytes' || text.kind === 'date') && !isRepeated;
  return leaves.find(isDate);
}

function isNeeded(column: Column, wants: Wants): boolean {
  if (column === 'language' || (column === 'time' && wants.facts === true)) return wants.facts === true;
  return column === 'time' ||
    column === 'agent' ||
    column === 'duration' ||
    column === 'client' ||
    column === 'referrer'
    ? wants[column] === true
    : true;
}

/** The rows of a row group in pieces of about 1 MiB. Throws a BadParquet at damage, after the rows before it. */
export function* textOf(table: ParquetTable, group: number): Generator<ParquetText> {
  const fd = openSync(systemName(table.file.path), 'r');
  try {
    yield* groupText(table, group, fd, new LineWriter());
  } finally {
    closeSync(fd);
  }
}

function* groupText(table: ParquetTable, number: number, fd: number, writer: LineWriter): Generator<ParquetText> {
  const { leaves, file, isDated } = table;
  const group = file.groups[number]!;
  const where = `row group ${number + 1} of ${file.groups.length}`;
  const columns = leaves.map((leaf) => openColumn(table, leaf, group.chunks[leaf.place]!, fd, where));
  for (let row = 0; row < group.rows;) {
    const failure = writer.fill(columns, group.rows - row, isDated ? columns.length - 2 : -1);
    row += writer.lines;
    if (writer.lines > 0) yield { text: writer.text, rows: writer.lines };
    if (failure === null) continue;
    throw new BadParquet(`${failure.message}; ${where}, column "${nameOf(leaves[writer.column]!)}", after row ${row}`);
  }
}

function openColumn({ decoding }: ParquetTable, leaf: Leaf, chunk: Chunk, fd: number, where: string): ColumnValues {
  if (chunk.reason !== null) {
    throw new BadParquet(`the column "${nameOf(leaf)}" ${chunk.reason}; ${where} of the Parquet file`);
  }
  const decompress = decoding.codecs.get(chunk.codec ?? '')!;
  return new ColumnValues(fd, leaf, chunk, { decompress, parseHead: decoding.parseHead });
}

function nameOf({ name }: Leaf): string {
  return printable(name.slice(0, MOST_NAME));
}

/** Writes a value of each column as a line. */
class LineWriter {
  lines = 0;
  /** The column that is being written. */
  column = 0;
  #bytes = Buffer.allocUnsafeSlow(PIECE_BYTES + (PIECE_BYTES >> 2));
  #used = 0;
  #lineEnd = 0;
  readonly #span: Span = { bytes: this.#bytes, start: 0, end: 0 };
  readonly #date: Span = { bytes: this.#bytes, start: 0, end: 0 };

  /** The whole lines of the last call. */
  get text(): Buffer {
    return this.#bytes.subarray(0, this.#lineEnd);
  }

  /**
   * Writes at most `most` lines, about 1 MiB. If `column` is damaged, returns the error. The column `dateAt` is the
   * date of the column after it.
   */
  fill(columns: readonly ColumnValues[], most: number, dateAt: number): BadParquet | null {
    this.#used = this.#lineEnd = this.lines = 0;
    try {
      while (this.lines < most && this.#used < PIECE_BYTES) this.#add(columns, dateAt);
      return null;
    } catch (error) {
      if (!(error instanceof BadParquet)) throw error;
      return error;
    }
  }

  #add(columns: readonly ColumnValues[], dateAt: number): void {
    for (this.column = 0; this.column < columns.length; this.column++) {
      if (this.column === dateAt) columns[dateAt]!.next(this.#date);
      else this.#addCell(columns[this.column]!, dateAt >= 0 && this.column === dateAt + 1);
    }
    this.#bytes[this.#used - 1] = NEWLINE;
    this.#lineEnd = this.#used;
    this.lines++;
  }

  #addCell(column: ColumnValues, hasDate: boolean): void {
    const span = this.#span;
    column.next(span);
    if (hasDate && isClock(span)) {
      this.#write(this.#date);
      this.#bytes[this.#used - 1] = SPACE;
    }
    this.#write(span);
  }

  /** Writes a text and a tab. */
  #write({ bytes: from, start, end: whole }: Span): void {
    // So many bytes show that a line is too long.
    const end = Math.min(whole, start + MAX_LINE_BYTES + 1);
    if (this.#used + end - start + 1 > this.#bytes.length) this.#grow(end - start + 1);
    const out = copyText(from, start, end, this.#bytes, this.#used);
    this.#bytes[out] = TAB;
    this.#used = out + 1;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(2 * (this.#used + needed));
    this.#bytes.copy(grown, 0, 0, this.#used);
    this.#bytes = grown;
  }
}

/** True for `13:55:36`, false for a time with its date. */
function isClock({ bytes, start, end }: Span): boolean {
  return end - start >= 5 && bytes[start + 2] === COLON;
}

/** A function of its own, so that it is compiled separately: inlined it took 8 ns a byte, on its own 1 ns. */
function copyText(from: Uint8Array, start: number, end: number, to: Uint8Array, out: number): number {
  for (let at = start; at < end; at++) {
    const byte = from[at]!;
    to[out++] = byte > RETURN || (byte !== TAB && byte !== NEWLINE && byte !== RETURN) ? byte : NO_TEXT;
  }
  return out;
}

/** Why an input, or the rest of it, is not read. Rethrows errors that are not the input's fault. */
export function reasonOf(error: unknown): string {
  return error instanceof BadParquet ? error.message : unreadable(error);
}
