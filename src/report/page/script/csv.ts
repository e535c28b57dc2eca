// Rows of a table as CSV (RFC 4180). A function whose text goes into the page (`script.ts`), so it uses nothing from
// outside of it.
import type { Cell, TableData } from '../table.js';

/** Lines with a heading. Text that a spreadsheet would take for a formula gets an apostrophe: logs are anyone's. */
export function csvOf({ columns, rows }: Pick<TableData, 'columns' | 'rows'>, chosen: readonly number[]): string {
  const textOf = (cell: Cell) => {
    if (cell === null) return '';
    return String(typeof cell === 'object' ? cell[0] : cell);
  };
  const fieldOf = (cell: Cell) => {
    const text = textOf(cell);
    const safe = typeof cell !== 'number' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = [columns.map(({ label }) => label), ...chosen.map((row) => rows[row]!)];
  return lines.map((cells) => `${cells.map((cell) => fieldOf(cell)).join(',')}\r\n`).join('');
}
