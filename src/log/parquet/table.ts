// A Parquet file as a table of tab-separated text without a header, so that it is read as TSV is, by the kernel too:
// only the columns that are needed, found by the same names.
//
//    http://h/a   200   OSSAPWJ2…        a line for each row; null is an empty cell
//
// A tab or a line end within a text is written as 0x01: no URL, host or number has any of the three.
import { closeSync, openSync } from 'node:fs';
import { NEWLINE, RETURN, TAB } from '../../base/ascii.js';
import { printable } from '../../base/bytes.js';
import { isHeaderless, type Column, type ColumnNames } from '../format/column.js';
import type { Span, Wants } from '../format/format.js';
import { placesByName, placesOf } from '../format/table.js';
import { MAX_LINE_BYTES } from '../lines.js';
import { BadParquet } from './bad.js';
import { decompressorOf, type Decompress } from './codec.js';
import { ColumnValues, type ParseHead } from './column.js';
import { openParquet, type Chunk, type ParquetFile } from './footer.js';
import type { Leaf } from './leaf.js';

export interface ParquetTable {
  readonly file: ParquetFile;
  /** The columns of the text, and by their places what they mean: `{ url: '1', status: '2' }`. */
  readonly leaves: readonly Leaf[];
  readonly columns: ColumnNames;
  readonly decoding: { readonly parseHead: ParseHead; readonly codecs: ReadonlyMap<string, Decompress> };
}

/** Some rows as text. */
export interface ParquetText {
  /** Whole lines; overwritten by the next. */
  readonly text: Buffer;
  readonly rows: number;
}

const PIECE_BYTES = 1 << 20;
const NO_TEXT = 0x01;
/** Names in a message, and characters of one. */
const MOST_NAMES = 40;
const MOST_NAME = 80;

/** Opens a file and finds its columns. Throws a BadParquet, or an error of the system. */
export async function openTable(path: string, named: ColumnNames | undefined, wants: Wants): Promise<ParquetTable> {
  const file = await openParquet(path);
  const chosen = chooseLeaves(file, named, wants);
  const leaves = chosen.map(({ leaf }) => leaf);
  const columns = Object.fromEntries(chosen.map(({ column }, at) => [column, String(at + 1)]));
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
  return { file, leaves, columns, decoding: { parseHead, codecs } };
}

interface ChosenLeaf {
  readonly column: Column;
  readonly leaf: Leaf;
}

function chooseLeaves({ leaves }: ParquetFile, named: ColumnNames | undefined, wants: Wants): ChosenLeaf[] {
  const names = leaves.map(({ name }) => name);
  const places = isHeaderless(named) ? placesOf(named!) : placesByName(names, named);
  if (places === null || places.some(({ cell }) => cell >= leaves.length)) {
    const shown =
      JSON.stringify(names.slice(0, MOST_NAMES).map((name) => name.slice(0, MOST_NAME))) +
      (names.length > MOST_NAMES ? ' …' : '');
    const got = `is a Parquet file with the columns ${printable(shown)}`;
    throw new BadParquet(`${got}, none of which is known to be the URL; name it with --columns url=NAME`);
  }
  const chosen = places.map(({ column, cell }) => ({ column, leaf: leaves[cell]! }));
  const needed = chosen.filter(({ column }) => isNeeded(column, wants));
  return needed.filter(({ column, leaf }) => {
    const what = leaf.isRepeated ? 'a list' : leaf.text.kind === 'none' ? leaf.text.what : null;
    if (what === null) return true;
    // A column that was found by its name alone may be something else.
    if (column !== 'url' && column !== 'request' && named?.[column] === undefined) return false;
    throw new BadParquet(
      `is a Parquet file whose column "${nameOf(leaf)}" (${column}) is ${what}; expected one text or number a row`,
    );
  });
}

function isNeeded(column: Column, wants: Wants): boolean {
  return column === 'time' || column === 'agent' || column === 'duration' ? wants[column] : true;
}

/** The rows of a row group, in pieces of about 1 MiB. Throws a BadParquet at damage, after what comes before it. */
export function* textOf(table: ParquetTable, group: number): Generator<ParquetText> {
  const fd = openSync(table.file.path, 'r');
  try {
    yield* groupText(table, group, fd, new LineWriter());
  } finally {
    closeSync(fd);
  }
}

function* groupText(table: ParquetTable, number: number, fd: number, writer: LineWriter): Generator<ParquetText> {
  const { leaves, file } = table;
  const group = file.groups[number]!;
  const where = `row group ${number + 1} of ${file.groups.length}`;
  const columns = leaves.map((leaf) => openColumn(table, leaf, group.chunks[leaf.place]!, fd, where));
  for (let row = 0; row < group.rows;) {
    const failure = writer.fill(columns, group.rows - row);
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

  /** The whole lines of the last call. */
  get text(): Buffer {
    return this.#bytes.subarray(0, this.#lineEnd);
  }

  /** Writes at most so many lines, about 1 MiB; returns why there are no more if `column` is damaged. */
  fill(columns: readonly ColumnValues[], most: number): BadParquet | null {
    this.#used = this.#lineEnd = this.lines = 0;
    try {
      while (this.lines < most && this.#used < PIECE_BYTES) this.#add(columns);
      return null;
    } catch (error) {
      if (!(error instanceof BadParquet)) throw error;
      return error;
    }
  }

  #add(columns: readonly ColumnValues[]): void {
    const span = this.#span;
    for (this.column = 0; this.column < columns.length; this.column++) {
      columns[this.column]!.next(span);
      this.#write(span);
    }
    this.#bytes[this.#used - 1] = NEWLINE;
    this.#lineEnd = this.#used;
    this.lines++;
  }

  /** Writes a text, and a tab. */
  #write({ bytes: from, start, end: whole }: Span): void {
    // A line of which this much is known is too long.
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

/** Apart from what calls it, so that it is compiled by itself: inlined it took 8 ns a byte, so 1. */
function copyText(from: Uint8Array, start: number, end: number, to: Uint8Array, out: number): number {
  for (let at = start; at < end; at++) {
    const byte = from[at]!;
    to[out++] = byte > RETURN || (byte !== TAB && byte !== NEWLINE && byte !== RETURN) ? byte : NO_TEXT;
  }
  return out;
}
