// Which row groups need not be read, as all of their rows are outside of --since and --until? Known from the least and
// greatest time that the index has for each row group. Only where times are numbers of units since 1970, and no row is
// without one: text may be in any order, and a row without a time is dropped for another cause.
import type { Filters } from '../filters.js';
import type { Leaf } from './leaf.js';
import type { ParquetTable } from './table.js';

const DAY_MS = 86_400_000;

/** Whether every row of a row group would be dropped as `time`, or because of its method or status before that. */
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

/** NaN if it is not known. */
function msOf(value: unknown, { text }: Leaf): number {
  if (text.kind === 'time' && typeof value === 'bigint') return Number(value / text.perMs);
  return text.kind === 'date' && typeof value === 'number' ? value * DAY_MS : NaN;
}
