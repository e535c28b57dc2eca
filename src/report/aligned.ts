// Rows of short text as columns.
import { greatest } from '../base/numbers.js';
import { PLAIN, type Paint } from '../base/paint.js';

/**
 * Rows as columns, those listed in `right` right-aligned; the last cell of a line may have any length. The first row is
 * the heading, and cells below `status` are painted by their value.
 */
export function aligned(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number>,
  paint: Paint = PLAIN,
): string {
  const widths = rows[0]!.map((_, column) => greatest(rows.map((row) => Array.from(row[column]!).length)));
  const status = rows[0]!.indexOf('status');
  const cell = (text: string, column: number, row: number) => {
    const isLast = column === widths.length - 1;
    const gap = ' '.repeat(widths[column]! - Array.from(text).length);
    const painted = row === 0 ? paint.heading(text) : column === status ? paintStanding(text, paint) : text;
    return right.has(column) ? gap + painted : isLast ? painted : painted + gap;
  };
  return rows
    .map(
      (row, at) =>
        `${row
          .map((text, column) => cell(text, column, at))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function paintStanding(standing: string, paint: Paint): string {
  if (standing === 'valid' || standing === 'pinned') return paint.good(standing);
  return standing === 'likely' || standing === 'candidate' ? paint.open(standing) : paint.bad(standing);
}
