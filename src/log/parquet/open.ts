// An input that begins like a Parquet file -> its table, or why it is not read.
import { statSync } from 'node:fs';
import { systemName } from '../../base/file-name.js';
import type { Input } from '../bytes.js';
import { wantsOf, type Questions } from '../filter.js';
import type { FormatOptions } from '../format/choose.js';
import { MAGIC_BYTES } from '../unpack.js';
import { readRange } from '../parts.js';
import { BadParquet } from './bad.js';
import { isParquet } from './magic.js';
import { openTable, type ParquetTable } from './table.js';

/** True for a path to a Parquet file; false for anything else, also if it cannot be read. */
export function isParquetFile(path: string | undefined): path is string {
  if (path === undefined) return false;
  try {
    return statSync(systemName(path)).isFile() && isParquet(readRange(path, 0, MAGIC_BYTES));
  } catch {
    return false; // whoever reads it reports what is wrong
  }
}

/** Its index is at its end. */
export const PACKED_PARQUET =
  'is a Parquet file in a pipe or compressed as a whole; name the file itself, not compressed';

/** Throws a BadParquet, or an error of the system. */
export async function tableOf({ path }: Input, options: FormatOptions & Questions): Promise<ParquetTable> {
  const got = options.logFormat !== undefined ? '--log-format' : options.format && `--format ${options.format}`;
  if (got) throw new BadParquet(`is a Parquet file, and got ${got}; expected none, or --columns url=NAME`);
  if (!isParquetFile(path)) throw new BadParquet(PACKED_PARQUET);
  return openTable(path, options.columns, wantsOf(options));
}
