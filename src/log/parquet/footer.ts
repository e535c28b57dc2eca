// What is in a Parquet file? Its index is at its end, and everything else is found by it:
//
//    PAR1 │ row group 0: column, column, …  │ row group 1 …  │ index │ its length, 4 bytes │ PAR1
//            └ dictionary page, page, page …
//
// So a file is read in ranges, never as a whole, and a pipe cannot be read.
import { closeSync, fstatSync, openSync } from 'node:fs';
import type { ColumnMetaData, FileMetaData } from 'hyparquet';
import { systemName } from '../../base/file-name.js';
import { readFully } from '../parts.js';
import { BadParquet, damagedParquet } from './bad.js';
import { ENCRYPTED_MAGIC, MAGIC } from './magic.js';
import { leavesOf, type Leaf } from './leaf.js';
import { endOfStruct } from './thrift.js';

export interface ParquetFile {
  readonly path: string;
  readonly size: number;
  readonly leaves: readonly Leaf[];
  readonly groups: readonly RowGroup[];
}

export interface RowGroup {
  readonly rows: number;
  /** Bytes of all its columns in the file. */
  readonly bytes: number;
  /** By the place of the leaf. */
  readonly chunks: readonly Chunk[];
}

/** Where the pages of a column in a row group are, or why they cannot be read. */
export type Chunk =
  | {
      readonly start: number;
      readonly end: number;
      readonly codec: string | undefined;
      /** Statistics, if the file has them, and as they are: whatever the type of the column is. */
      readonly least: unknown;
      readonly most: unknown;
      /** Rows without a value; NaN if that is not known. */
      readonly nulls: number;
      readonly reason: null;
    }
  | { readonly reason: string };

/** The length of the index, and the magic. */
const TAIL_BYTES = 8;
/** A file of 10,000 row groups of 30 columns has some 40 MB. */
const MOST_INDEX_BYTES = 64 << 20;
const MOST_INDEX_VALUES = 8_000_000;

/** Reads the index. Throws a BadParquet, or an error of the system. */
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

/** Up to `length` bytes at an offset: fewer at the end of the file. They are not overwritten. */
export function readAt(fd: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, readFully(fd, bytes, 0, length, start));
}

/** The library throws whatever a value of an unexpected kind leads to. */
export function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Error) throw damagedParquet(`its index cannot be read: ${error.message}`);
    throw error;
  }
}

/** Statistics as they are: texts stay bytes. */
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

/** Polars writes a dictionary without saying where. */
function startOf({ data_page_offset: data, dictionary_page_offset: dictionary }: ColumnMetaData): number {
  const first = Number(data);
  const other = Number(dictionary ?? 0);
  return other > 0 && other < first ? other : first;
}
