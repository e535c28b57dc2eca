// A table of the page is plain data. Its first rows are written as HTML (`render/html`), and all rows are embedded in
// the page, compressed (`packTables`); `script/table` sorts, filters and pages them. All text in it is printable
// already.

/**
 * What a cell contains and how it is formatted:
 *
 *     text site url word   a string; a word of the page's vocabulary is coloured by its first word
 *     rule            words, with text of URLs between backticks
 *     count bytes share decimal ratio   a number, or null if there is none
 *     atLeast         a count, or a lower bound of one
 *     rank            the number of a rule, with a link to it
 */
export type CellKind =
  'text' | 'site' | 'url' | 'word' | 'rule' | 'count' | 'bytes' | 'share' | 'decimal' | 'ratio' | 'atLeast' | 'rank';

export type Cell = string | number | null | readonly [number, boolean];

export interface Column {
  readonly label: string;
  readonly kind: CellKind;
  /** What the figure means, shown as a tooltip on the heading. */
  readonly about?: string;
  /** The reader can choose rows by a value of this column, or by a part of a value. */
  readonly filter?: 'choice' | 'part';
  /** True for the column that names the row. */
  readonly isHead?: boolean;
}

/** A part of a row's details. */
export interface Block {
  readonly head: string;
  readonly text?: string;
  /** Each has a URL, its image and a remark, or a URL and a remark. */
  readonly pairs?: readonly (readonly string[])[];
  readonly items?: readonly (readonly [string, string])[];
}

export interface TableData {
  /** Anchor of the table's section. */
  readonly id: string;
  readonly caption: string;
  readonly noun: string;
  /** Rows shown at once. */
  readonly pageRows: number;
  /** Start of the rows' anchors; the text of their first cell follows, as in `rule-12`. */
  readonly anchor?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** The details of each row, or null; empty if no row can be opened. */
  readonly more: readonly (readonly Block[] | null)[];
}

/** A column with its cell of each row. */
export type ColumnOf<Row> = Column & { readonly cell: (row: Row) => Cell };

/** A table without details. */
export function tableOf<Row>(
  about: Pick<TableData, 'id' | 'caption' | 'noun' | 'pageRows'>,
  rows: readonly Row[],
  columns: readonly ColumnOf<Row>[],
): TableData {
  return {
    ...about,
    columns: columns.map(({ cell: _cell, ...column }) => column),
    rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
    more: [],
  };
}

/** A share, or null of nothing. */
export function shareOf(part: number, whole: number): Cell {
  return whole === 0 ? null : part / whole;
}
