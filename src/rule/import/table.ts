// The rows of a table of rules, with a header: CSV, or tab-separated if the header has a tab. Lines that begin with #
// are comments. A byte that is not UTF-8 is kept, as everywhere (`base/bytes`).
import { parse } from 'csv-parse/sync';
import { decodeText } from '../../base/bytes.js';
import { brief } from '../json.js';
import type { Faults } from './faults.js';

export const COLUMNS = ['from', 'to', 'kind', 'anchor', 'site', 'status', 'use', 'name', 'confidence'] as const;
export type Column = (typeof COLUMNS)[number];

/** A row of a table. Cells that are empty or missing have no entry. */
export interface Row {
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
}

/** Longer records are refused: a quote that never closes would take all that follows. */
const MOST_RECORD_BYTES = 1 << 20;

const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote that never closes',
  CSV_MAX_RECORD_SIZE: 'a record of more than 1 MiB, perhaps after a quote that never closes',
};

/** The rows of a table, `most` at most. */
export function rowsOfTable(bytes: Buffer, most: number, faults: Faults): readonly Row[] {
  const [header, ...records] = recordsOf(bytes, most + 1, faults);
  if (header === undefined) {
    faults.add(1, `got no header, expected the columns from and to, and any of ${COLUMNS.slice(2).join(', ')}`);
    return [];
  }
  const columns = columnsOf(header, faults);
  if (columns === undefined) return [];
  return records.flatMap(({ line, cells }) => {
    const got = cells.length;
    if (got === columns.length) return [{ line, cells: named(cells, columns) }];
    faults.add(line, `got ${got} ${got === 1 ? 'cell' : 'cells'}, expected ${columns.length}, as in the header`);
    return [];
  });
}

interface TableRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

function recordsOf(bytes: Buffer, most: number, faults: Faults): readonly TableRecord[] {
  const isTabbed = isTabSeparated(bytes);
  const records = parse(bytes, {
    encoding: 'latin1', // a character for each byte
    delimiter: isTabbed ? '\t' : ',',
    quote: isTabbed ? false : '"',
    relax_quotes: true,
    relax_column_count: true,
    comment: '#',
    comment_no_infix: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      const got = FAULTS[error?.code ?? ''] ?? error?.code ?? 'no record';
      faults.add(Number(error?.['lines'] ?? 1), `got ${got}, expected a record of CSV, "" for a quote in quotes`);
    },
    max_record_size: MOST_RECORD_BYTES,
    info: true,
    to: most,
  }) as unknown as readonly { readonly info: { readonly lines: number }; readonly record: readonly string[] }[];
  return records.map(({ info, record }) => ({ line: info.lines, cells: record.map(textOf) }));
}

/** True if the first line that is no comment has a tab. */
function isTabSeparated(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    if (bytes[at] !== 0x23 && end > at && bytes[at] !== 0x0d) return bytes.subarray(at, end).includes(0x09);
    at = end + 1;
  }
  return false;
}

function textOf(cell: string): string {
  return decodeText(Buffer.from(cell, 'latin1'));
}

/** The column of each cell; undefined if rows cannot be read. */
function columnsOf({ line, cells }: TableRecord, faults: Faults): readonly (Column | undefined)[] | undefined {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const columns = names.map((name) => COLUMNS.find((column) => column === name));
  for (const [at, name] of names.entries()) {
    if (columns[at] === undefined)
      faults.add(line, `got the column ${brief(name)}, expected any of ${COLUMNS.join(', ')}`);
    else if (names.indexOf(name) < at) faults.add(line, `got the column ${name} twice, expected it once`);
  }
  const missing = (['from', 'to'] as const).filter((name) => !columns.includes(name));
  if (missing.length === 0) return columns;
  faults.add(
    line,
    `got a header without ${missing.join(' and ')}, expected the names of the columns in the first line`,
  );
  return undefined;
}

function named(cells: readonly string[], columns: readonly (Column | undefined)[]): Row['cells'] {
  const entries = cells.map((cell, at) => [columns[at], cell] as const);
  return Object.fromEntries(entries.filter(([column, cell]) => column !== undefined && cell !== ''));
}
