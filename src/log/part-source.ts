// What is known about a plain file before its parts are read: its format, and for a table the line that names the
// columns.
import { TAB } from '../base/ascii.js';
import { chooseFormat, openFormat, type FormatOptions } from './format/choose.js';
import type { ColumnNames } from './format/column.js';
import { NO_WANTS, type AnyFormat } from './format/format.js';
import { isBlank } from './line-reader.js';
import { targetsOf, type Targets } from './own-target.js';
import type { PlainFile } from './parts.js';

export interface PartSource {
  /** Its number among the inputs of the run. */
  readonly id: number;
  readonly format: AnyFormat | null;
  readonly targets: Targets;
  /** The line that names the columns, if the format has one, and where it begins in the file. */
  readonly header: { readonly line: Uint8Array; readonly start: number } | null;
  /** Whether its parts have to be read one after the other, as any line may change how the following are read. */
  readonly isInOrder?: boolean;
  /** Whether the kernel can read plain lines of it. */
  readonly hasPlainLines: boolean;
  /** Where the text of the file begins. */
  readonly textStart: number;
  /** Its columns, if they are its own and not those of the options. */
  readonly columns?: ColumnNames;
}

/** Rows of a Parquet file as text; `columns` by place. */
export function parquetSource(id: number, columns: ColumnNames): PartSource {
  return {
    id,
    format: 'parquet',
    targets: 'any',
    header: null,
    hasPlainLines: true,
    textStart: 0,
    columns,
  };
}

/**
 * Null for a format whose parts cannot be read by themselves: quotes or elements run over line ends, the header is not
 * in sight, or any line may change how the following are read, unless the kernel reads most of them.
 */
export function sourceOf(id: number, { head, start }: PlainFile, options: FormatOptions): PartSource | null {
  const name = chooseFormat(head, options);
  const format = name === null ? null : openFormat(name, options, NO_WANTS);
  if (format?.linesOf !== undefined || format?.quotedBy !== undefined) return null;
  const isInOrder = format?.earlierLines === 'any';
  const hasHeader = format?.earlierLines === 'header';
  const header = hasHeader ? headerOf(head, start) : null;
  if (hasHeader && header === null) return null;
  const targets = targetsOf(head, name, options);
  // The kernel reads such lines only if they have tabs.
  const hasPlainLines = format?.plain !== undefined && (!isInOrder || head.includes(TAB));
  if (isInOrder && !hasPlainLines) return null;
  return { id, format: name, targets, header, isInOrder, hasPlainLines, textStart: start };
}

/** The first line that is not blank, if its end is in sight. */
function headerOf(head: Buffer, textStart: number): PartSource['header'] {
  for (let start = 0; ;) {
    const newline = head.indexOf(0x0a, start);
    if (newline < 0) return null;
    const end = newline > start && head[newline - 1] === 0x0d ? newline - 1 : newline;
    if (!isBlank(head, start, end)) {
      return { line: Uint8Array.from(head.subarray(start, end)), start: textStart + start };
    }
    start = newline + 1;
  }
}
