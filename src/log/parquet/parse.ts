// Row groups of a Parquet file -> batches of records, some thousand rows at a time.
import { emptyCounts } from '../line-reader.js';
import type { Parsed, PartParser } from '../part-parser.js';
import { parquetSource } from '../part-source.js';
import type { Filters } from '../filters.js';
import { reasonOf } from './bad.js';
import { isOutside } from './outside.js';
import { textOf, type ParquetTable } from './table.js';

/** The rows of row groups [from, to) of input `id`; what cannot be read ends them, with the reason. */
export function* parseGroups(
  table: ParquetTable,
  { id, from, to }: { readonly id: number; readonly from: number; readonly to: number },
  parser: PartParser,
  filters: Filters = {},
): Generator<Parsed> {
  const source = parquetSource(id, table.columns);
  try {
    for (let at = from; at < to; at++) {
      const { rows, bytes } = table.file.groups[at]!;
      if (isOutside(table, at, filters)) {
        yield unreadRows(rows, bytes);
        continue;
      }
      for (const piece of textOf(table, at)) {
        yield parser.parseText(source, piece.text, Math.round((bytes * piece.rows) / rows));
      }
    }
  } catch (error) {
    yield unread(reasonOf(error));
  }
}

/** Rows that a filter drops as a whole. */
function unreadRows(rows: number, bytes: number): Parsed {
  const counts = { ...emptyCounts(), lines: rows, dropped: { time: rows } };
  return { ...unread(null), counts, lines: rows, taken: { lines: rows, bytes } };
}

/** What is reported of an input, or of the rest of one, that cannot be read; null if there is nothing to read. */
export function unread(reason: string | null): Parsed {
  return {
    batches: [],
    rejects: [],
    counts: emptyCounts(),
    lines: 0,
    forms: { absolute: 0, path: 0 },
    format: 'parquet',
    reason,
    taken: { lines: 0, bytes: 0 },
  };
}
