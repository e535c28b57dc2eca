// Opens an input that begins like a Parquet file as a table, or tells why it is not read; and reads its URLs, for
// commands that map lists of URLs.
import { statSync } from 'node:fs';
import { systemName } from '../../base/file-name.js';
import type { Input } from '../bytes.js';
import { type Questions, wantsOf } from '../filter.js';
import type { FormatOptions } from '../format/choose.js';
import { NO_WANTS } from '../format/format.js';
import { readRange } from '../parts.js';
import type { Condition } from '../record.js';
import { MAGIC_BYTES } from '../unpack.js';
import { BadParquet, isParquet } from './magic.js';
import { openTable, type ParquetTable, reasonOf, textOf } from './table.js';

/** True for the path of a Parquet file; false otherwise, also if it cannot be read. */
export function isParquetFile(path: string | undefined): path is string {
  if (path === undefined) return false;
  try {
    return statSync(systemName(path)).isFile() && isParquet(readRange(path, 0, MAGIC_BYTES));
  } catch {
    return false; // the reader reports what is wrong
  }
}

/** A pipe cannot be read at its end, where the index is. */
export const PACKED_PARQUET =
  'is a Parquet file in a pipe or compressed as a whole; name the file itself, not compressed';

/** Throws a BadParquet, or a system error. */
export async function tableOf({ path }: Input, options: FormatOptions & Questions): Promise<ParquetTable> {
  const got = options.logFormat !== undefined ? '--log-format' : options.format && `--format ${options.format}`;
  if (got) throw new BadParquet(`is a Parquet file, and got ${got}; expected none, or --columns url=NAME`);
  if (!isParquetFile(path)) throw new BadParquet(PACKED_PARQUET);
  return openTable(path, options.columns, wantsOf(options));
}

/** Row groups [start, end) of a file. */
export interface GroupRange {
  readonly start: number;
  readonly end: number;
}

const ALL: GroupRange = { start: 0, end: Infinity };

interface WhichUrls {
  readonly range?: GroupRange | undefined;
  /** The name of their column; without it, they are in a column with a usual name. */
  readonly column?: string | undefined;
}

/**
 * The URLs of a file, or of some of its row groups, one per line; an empty line where there is none. Each piece is
 * overwritten by the next. An error ends them and is reported in `condition`.
 */
export async function* readUrls(
  path: string,
  condition: Condition,
  { range = ALL, column }: WhichUrls = {},
): AsyncGenerator<Uint8Array> {
  try {
    const named = column === undefined ? undefined : { url: column };
    const table = onlyUrls(await openTable(path, named, NO_WANTS), column);
    for (let group = range.start; group < Math.min(range.end, table.file.groups.length); group++) {
      for (const { text } of textOf(table, group)) yield text;
    }
  } catch (error) {
    condition.reason = reasonOf(error);
  }
}

/** Throws a BadParquet if a URL is in several columns. */
function onlyUrls(table: ParquetTable, column: string | undefined): ParquetTable {
  const { columns, leaves } = table;
  const place = columns['url'];
  if (place === undefined || (column === undefined && columns['query'] !== undefined)) {
    const names = JSON.stringify(leaves.map(({ name }) => name));
    throw new BadParquet(
      `is a Parquet file with its URLs in pieces, in ${names}; expected a column of whole URLs, "url"`,
    );
  }
  return { ...table, columns: { url: '1' }, leaves: [leaves[Number(place) - 1]!] };
}
