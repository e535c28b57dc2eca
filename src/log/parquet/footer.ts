// Reads the index of a Parquet file, which is at its end. It leads to everything else:
//
//    PAR1 │ row group 0: column, column, …  │ row group 1 …  │ index │ its length, 4 bytes │ PAR1
//            └ dictionary page, page, page …
//
// So a file is read in ranges, never as a whole, and a pipe cannot be read.
import { closeSync, fstatSync, openSync } from 'node:fs';
import type { ColumnMetaData, FileMetaData } from 'hyparquet';
import { systemName } from '../../base/file-name.js';
import { readFully } from '../parts.js';
import { type Leaf, leavesOf } from './leaf.js';
import { BadParquet, damagedParquet, ENCRYPTED_MAGIC, MAGIC } from './magic.js';

export interface ParquetFile {
  readonly path: string;
  readonly size: number;
  readonly leaves: readonly Leaf[];
  readonly groups: readonly RowGroup[];
}

interface RowGroup {
  readonly rows: number;
  /** Bytes of all its columns in the file. */
  readonly bytes: number;
  /** By place of the leaf. */
  readonly chunks: readonly Chunk[];
}

/** Where the pages of a column in a row group are, or why they cannot be read. */
export type Chunk =
  | {
      readonly start: number;
      readonly end: number;
      readonly codec: string | undefined;
      /** The least and greatest value, if the file has these statistics, in the type of the column. */
      readonly least: unknown;
      readonly most: unknown;
      /** The number of rows without a value; NaN if unknown. */
      readonly nulls: number;
      readonly reason: null;
    }
  | { readonly reason: string };

/** The length of the index, and the magic. */
const TAIL_BYTES = 8;
/** A file with 10,000 row groups of 30 columns has an index of some 40 MB. */
const MOST_INDEX_BYTES = 64 << 20;
const MOST_INDEX_VALUES = 8_000_000;

/** Reads the index. Throws a BadParquet, or a system error. */
export async function openParquet(path: string): Promise<ParquetFile> {
  const fd = openSync(systemName(path), 'r');
  try {
    const { size } = fstatSync(fd);
    const index = readIndex(fd, size);
    endOfStruct(index, 0, MOST_INDEX_VALUES);
    const { parquetMetadata } = await import('hyparquet/src/metadata.js');
    const file = parsed(() => parquetMetadata(index, { parsers: RAW, geoparquet: false }));
    const leaves = leavesOf(file.schema);
    return { path, size, leaves, groups: file.row_groups.map((group) => rowGroup(group, leaves, size)) };
  } finally {
    closeSync(fd);
  }
}

/** The index and the tail. */
function readIndex(fd: number, size: number): Buffer {
  const tail = readAt(fd, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  const magic = tail.toString('latin1', 4);
  if (magic === ENCRYPTED_MAGIC) throw new BadParquet('is an encrypted Parquet file, which is not read');
  if (size < TAIL_BYTES + MAGIC.length || magic !== MAGIC) {
    throw new BadParquet('the Parquet file ends too early: there is no index at its end');
  }
  const length = tail.readUInt32LE(0);
  if (length > size - TAIL_BYTES - MAGIC.length) {
    throw damagedParquet(`its index claims ${length} bytes, more than the file has`);
  }
  if (length > MOST_INDEX_BYTES) {
    throw new BadParquet(`is a Parquet file with an index of ${length} bytes; at most ${MOST_INDEX_BYTES} are read`);
  }
  return readAt(fd, size - TAIL_BYTES - length, length + TAIL_BYTES);
}

/** Up to `length` bytes at an offset, fewer at the end of the file, in a new buffer. */
export function readAt(fd: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, readFully(fd, bytes, 0, length, start));
}

/** The library may throw anything at a value of an unexpected kind. */
export function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Error) throw damagedParquet(`its index cannot be read: ${error.message}`);
    throw error;
  }
}

/** Statistics as stored: texts stay bytes. */
const same = <T>(value: T) => value;
const RAW = {
  stringFromBytes: same,
  jsonFromBytes: same,
  geometryFromBytes: same,
  geographyFromBytes: same,
  uuidFromBytes: same,
  timestampFromMilliseconds: same,
  timestampFromMicroseconds: same,
  timestampFromNanoseconds: same,
  dateFromDays: same,
};

function rowGroup(group: FileMetaData['row_groups'][number], leaves: readonly Leaf[], size: number): RowGroup {
  const rows = Number(group.num_rows);
  if (!(Number.isSafeInteger(rows) && rows >= 0)) throw damagedParquet(`a row group of ${rows} rows`);
  if (group.columns.length !== leaves.length) {
    throw damagedParquet(`a row group of ${group.columns.length} columns, where the schema has ${leaves.length}`);
  }
  const chunks = group.columns.map((column, place) => chunkOf(column, leaves[place]!, size));
  const bytes = chunks.reduce((sum, chunk) => sum + (chunk.reason === null ? chunk.end - chunk.start : 0), 0);
  return { rows, bytes, chunks };
}

function chunkOf(column: FileMetaData['row_groups'][number]['columns'][number], leaf: Leaf, size: number): Chunk {
  const { meta_data: meta } = column;
  if ('crypto_metadata' in column && column.crypto_metadata !== undefined) return { reason: 'is encrypted' };
  if (column.file_path !== undefined) return { reason: 'is in another file' };
  if (meta === undefined) return { reason: 'has no place in the file' };
  const start = startOf(meta);
  const end = start + Number(meta.total_compressed_size);
  const isInside = Number.isSafeInteger(start) && start >= MAGIC.length && end >= start && end <= size - TAIL_BYTES;
  if (!isInside) return { reason: `is said to be at bytes ${start} to ${end} of ${size}` };
  if (meta.type !== leaf.type) return { reason: `is said to be ${meta.type}, and ${leaf.type} by the schema` };
  const { min_value: least, max_value: most, null_count: nulls } = meta.statistics ?? {};
  return { start, end, codec: meta.codec, least, most, nulls: Number(nulls ?? NaN), reason: null };
}

/** Polars writes a dictionary without giving its offset. */
function startOf({ data_page_offset: data, dictionary_page_offset: dictionary }: ColumnMetaData): number {
  const first = Number(data);
  const other = Number(dictionary ?? 0);
  return other > 0 && other < first ? other : first;
}

// The index and the heads of pages are structs of Thrift's compact protocol, which hyparquet turns into objects.
// hyparquet trusts the lengths in them: a list of 2^31 elements, a number of a million bytes (each of which shifts all
// bytes before it) or nested lists would take all memory, or hours. So the bytes are walked first, without making
// objects.
//
//    field   [delta of the id, 4 bits | kind, 4 bits]  value   …   0 ends the struct

/** Kinds of values. Parquet has no maps, sets and UUIDs. */
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I16 = 4;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

const MOST_DEPTH = 24;
/** The most bytes of a 64-bit number. */
const MOST_VARINT_BYTES = 10;

/**
 * The end of the struct at `start`. Throws a BadParquet if it is no struct, does not end within the bytes, or has more
 * than `mostValues` values.
 */
export function endOfStruct(bytes: Uint8Array, start: number, mostValues: number): number {
  const walk = new Walk(bytes, start, mostValues);
  walk.struct(0);
  return walk.at;
}

class Walk {
  at: number;
  readonly #bytes: Uint8Array;
  #left: number;

  constructor(bytes: Uint8Array, start: number, mostValues: number) {
    this.#bytes = bytes;
    this.at = start;
    this.#left = mostValues;
  }

  struct(depth: number): void {
    if (depth > MOST_DEPTH) throw damagedParquet(`its index has more than ${MOST_DEPTH} structs inside of each other`);
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      if (head >> 4 === 0) this.#varint();
      const kind = head & 0xf;
      if (kind !== TRUE && kind !== FALSE) this.#value(kind, depth);
      else this.#count(1);
    }
  }

  #value(kind: number, depth: number): void {
    this.#count(1);
    if (kind === BYTE || kind === TRUE || kind === FALSE) this.#skip(1);
    else if (kind >= I16 && kind <= I64) this.#varint();
    else if (kind === DOUBLE) this.#skip(8);
    else if (kind === BINARY) this.#skip(this.#varint());
    else if (kind === LIST) this.#list(depth + 1);
    else if (kind === STRUCT) this.struct(depth + 1);
    else throw damagedParquet(`a value of unknown kind ${kind} in its index`);
  }

  #list(depth: number): void {
    if (depth > MOST_DEPTH) throw damagedParquet(`its index has more than ${MOST_DEPTH} lists inside of each other`);
    const head = this.#byte();
    const length = head >> 4 === 15 ? this.#varint() : head >> 4;
    if (length > this.#bytes.length - this.at) throw damagedParquet(`a list of ${length} elements in its index`);
    for (let k = 0; k < length; k++) this.#value(head & 0xf, depth);
  }

  #varint(): number {
    let value = 0;
    for (let k = 0; k < MOST_VARINT_BYTES; k++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * k);
      if (byte < 0x80) return value;
    }
    throw damagedParquet('a number of more than 64 bits in its index');
  }

  #byte(): number {
    if (this.at >= this.#bytes.length) throw damagedParquet('its index, or the head of a page, ends too early');
    return this.#bytes[this.at++]!;
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.at) throw damagedParquet(`a text of ${length} bytes in its index`);
    this.at += length;
  }

  #count(values: number): void {
    this.#left -= values;
    if (this.#left < 0) throw damagedParquet('too many values in its index');
  }
}
