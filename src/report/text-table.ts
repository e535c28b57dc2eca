// Rows of figures with text that needs room: behind the figures, or below them where the terminal is too narrow. Text is
// wrapped at blanks, so no address or name is cut.
//
//     id        hits  rule
//     9714rk03   169  Repeated slashes in the path become one on every page,
//                     except under `/raw/`.
import { greatest } from '../base/numbers.js';
import { type Paint, PLAIN } from '../base/paint.js';

export interface TextRow {
  readonly cells: readonly string[];
  /** Texts, each of which begins on a line of its own. */
  readonly texts: readonly string[];
}

interface TableShape {
  /** Headings of the cells; the last is the heading of the text. */
  readonly head: readonly string[];
  /** Indices of columns that are right-aligned. */
  readonly right: ReadonlySet<number>;
  /** Width of the terminal; Infinity if there is none. */
  readonly width: number;
  readonly paint?: Paint;
}

/** If text would get less room beside the figures, it goes below them. */
const LEAST_BESIDE = 40;
const BELOW = 4;

export function textTable(rows: readonly TextRow[], { head, right, width, paint = PLAIN }: TableShape): string {
  const before = head
    .slice(0, -1)
    .map((name, at) => greatest([name, ...rows.map(({ cells }) => cells[at]!)].map(lengthOf)) + 2)
    .reduce((sum, one) => sum + one, 0);
  const isBeside = width - before >= LEAST_BESIDE;
  const indent = isBeside ? before : BELOW;
  const lines = rows.map(({ texts }) => texts.flatMap((text) => wrapped(text, width - indent)));
  const firsts = rows.map(({ cells }, at) => [...cells, isBeside ? (lines[at]![0] ?? '') : '']);
  const [heading, ...figures] = aligned(
    [head.slice(0, -1).concat(isBeside ? head.at(-1)! : ''), ...firsts],
    right,
    paint,
  )
    .split('\n')
    .slice(0, -1);
  const below = (at: number) => lines[at]!.slice(isBeside ? 1 : 0).map((line) => ' '.repeat(indent) + line);
  return [heading!, ...figures.flatMap((line, at) => [line, ...below(at)])].map((line) => `${line}\n`).join('');
}

/** Lines of at most `width` characters where blanks allow it. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && lengthOf(line) + 1 + lengthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/**
 * Rows of short text as columns; those in `right` are right-aligned, and the last cell of a line may have any length.
 * The first row is the heading, and cells below `status` are painted by their value.
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
