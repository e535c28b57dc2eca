// The URLs of a Parquet file as lines of text, one for each row: for commands that map lists of URLs.
import type { Condition } from '../condition.js';
import { NO_WANTS } from '../format/format.js';
import { BadParquet, reasonOf } from './bad.js';
import { openTable, textOf, type ParquetTable } from './table.js';

/** Row groups [start, end) of a file. */
export interface GroupRange {
  readonly start: number;
  readonly end: number;
}

const ALL: GroupRange = { start: 0, end: Infinity };

/**
 * The lines of a file, or of some of its row groups; an empty one where there is no URL. Each piece is overwritten by the
 * next. What cannot be read ends them, and is reported in `condition`.
 */
export async function* readUrls(path: string, condition: Condition, range = ALL): AsyncGenerator<Uint8Array> {
  try {
    const table = onlyUrls(await openTable(path, undefined, NO_WANTS));
    for (let group = range.start; group < Math.min(range.end, table.file.groups.length); group++) {
      for (const { text } of textOf(table, group)) yield text;
    }
  } catch (error) {
    condition.reason = reasonOf(error);
  }
}

/** Throws a BadParquet if a URL is in several columns. */
function onlyUrls(table: ParquetTable): ParquetTable {
  const { columns, leaves } = table;
  const place = columns['url'];
  if (place === undefined || columns['query'] !== undefined) {
    const names = JSON.stringify(leaves.map(({ name }) => name));
    throw new BadParquet(
      `is a Parquet file with its URLs in pieces, in ${names}; expected a column of whole URLs, "url"`,
    );
  }
  return { ...table, columns: { url: '1' }, leaves: [leaves[Number(place) - 1]!] };
}
