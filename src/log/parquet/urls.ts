// The URLs of a Parquet file as lines of text, one for each row: for commands that map lists of URLs.
import type { Condition } from '../condition.js';
import { NO_WANTS } from '../format/format.js';
import { BadParquet, reasonOf } from './bad.js';
import { openTable, textOf, type ParquetTable } from './table.js';

/**
 * The lines of a file; an empty one where there is no URL. Each piece is overwritten by the next. What cannot be read
 * ends them, and is reported in `condition`.
 */
export async function* readUrls(path: string, condition: Condition): AsyncGenerator<Uint8Array> {
  try {
    const table = onlyUrls(await openTable(path, undefined, NO_WANTS));
    for (let group = 0; group < table.file.groups.length; group++) {
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
