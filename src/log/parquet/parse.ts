// Parses row groups of a Parquet file into batches of records, some thousand rows at a time.
import type { Filters } from '../filters.js';
import { emptyCounts } from '../line-reader.js';
import { parquetSource, type Parsed, type PartParser } from '../part-parser.js';
import type { Leaf } from './leaf.js';
import { type ParquetTable, reasonOf, textOf } from './table.js';

/** The rows of row groups [from, to) of input `id`. An error ends them, and its reason comes last. */
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

/** The result for rows that a filter drops as a whole. */
function unreadRows(rows: number, bytes: number): Parsed {
  const counts = { ...emptyCounts(), lines: rows, dropped: { time: rows } };
  return { ...unread(null), counts, lines: rows, taken: { lines: rows, bytes } };
}

/**
 * The result for an input, or the rest of one, that cannot be read; `reason` null means that nothing is left to read.
 */
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

// A row group need not be read if all its rows are outside of --since and --until, by its least and greatest time in
// the index. That holds only if times are numbers of units since 1970 and every row has one: text may be in any order,
// and a row without a time is dropped for another cause.

const DAY_MS = 86_400_000;

/** True if every row of a row group would be dropped as `time`, or because of its method or status before that. */
export function isOutside(table: ParquetTable, group: number, { since, until }: Filters): boolean {
  if ((since === undefined && until === undefined) || table.isDated) return false;
  const place = table.columns['time'];
  const leaf = place === undefined ? undefined : table.leaves[Number(place) - 1];
  const chunk = leaf && table.file.groups[group]!.chunks[leaf.place];
  if (leaf === undefined || chunk?.reason !== null || chunk.nulls !== 0) return false;
  const [least, most] = [msOf(chunk.least, leaf), msOf(chunk.most, leaf)];
  if (!(least <= most)) return false;
  return most < (since ?? -Infinity) || least >= (until ?? Infinity);
}

/** NaN if unknown. */
function msOf(value: unknown, { text }: Leaf): number {
  if (text.kind === 'time' && typeof value === 'bigint') return Number(value / text.perMs);
  return text.kind === 'date' && typeof value === 'number' ? value * DAY_MS : NaN;
}
