// A table of the page is plain data: its first rows are written as HTML (`render/html`), and all are embedded in the
// page, compressed (`packTables`), where `script/table` sorts, filters and pages them. All text in it is printable
// already.

/**
 * What a cell contains and how it is formatted:
 *
 *     text site url word   a string; a word of the page's vocabulary is coloured by its first word
 *     rule            words in which text of addresses stands between backticks
 *     count bytes share decimal ratio   a number, or null where there is none
 *     atLeast         a count, or the least that it can be
 *     rank            the number of a rule, which leads there
 */
export type CellKind =
  'text' | 'site' | 'url' | 'word' | 'rule' | 'count' | 'bytes' | 'share' | 'decimal' | 'ratio' | 'atLeast' | 'rank';

export type Cell = string | number | null | readonly [number, boolean];

export interface Column {
  readonly label: string;
  readonly kind: CellKind;
  /** What the figure means, shown as a tooltip on the heading. */
  readonly about?: string;
  /** Rows can be selected by one of its values, or by a part of them. */
  readonly filter?: 'choice' | 'part';
  /** Names the row. */
  readonly isHead?: boolean;
}

/** Part of the details of a row. */
export interface Block {
  readonly head: string;
  readonly text?: string;
  /** URL, its image, and a remark; or a URL and a remark. */
  readonly pairs?: readonly (readonly string[])[];
  readonly items?: readonly (readonly [string, string])[];
}

export interface TableData {
  /** Anchor of the table's section. */
  readonly id: string;
  readonly caption: string;
  readonly noun: string;
  /** Rows shown at a time. */
  readonly pageRows: number;
  /** Rows have anchors: this and the text of their first cell, as in `rule-12`. */
  readonly anchor?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** The details of each row; null for none, and an empty table if no row can be opened. */
  readonly more: readonly (readonly Block[] | null)[];
}
