// Filters and sorts the rows of a table. A function whose text goes into the page (`script.ts`), so it uses nothing
// from outside of it.
import type { Cell, TableData } from '../table.js';

export interface Query {
  /** Words that the row must contain, in any order, ignoring case. */
  readonly text: string;
  /** By column, the value wanted, or a part of it. */
  readonly wanted: ReadonlyMap<number, string>;
  /** A column; without one, rows stay in their order. */
  readonly sortBy?: number;
  readonly descending?: boolean;
}

/** Indices of the rows. The sort is stable; rows without a value are last in both directions. */
export function selectRows({ columns, rows }: Pick<TableData, 'columns' | 'rows'>, query: Query): number[] {
  const isText = columns.map(({ kind }) => ['text', 'site', 'url', 'word', 'rule'].includes(kind));
  const textOf = (cell: Cell) => (cell === null ? '' : String(typeof cell === 'object' ? cell[0] : cell));
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);

  function isWanted(row: readonly Cell[]): boolean {
    for (const [at, value] of query.wanted) {
      const text = textOf(row[at]!);
      const isIt = columns[at]!.filter === 'part' ? text.toLowerCase().includes(value.toLowerCase()) : text === value;
      if (!isIt) return false;
    }
    if (words.length === 0) return true;
    const said = row
      .filter((_, at) => isText[at])
      .map(textOf)
      .join('\n')
      .toLowerCase();
    return words.every((word) => said.includes(word));
  }

  const found = [...rows.keys()].filter((at) => isWanted(rows[at]!));
  const { sortBy, descending } = query;
  if (sortBy === undefined) return found;
  const valueOf = (at: number) => {
    const cell = rows[at]![sortBy]!;
    return typeof cell === 'object' && cell !== null ? cell[0] : cell;
  };
  const sign = descending === true ? -1 : 1;
  return found.sort((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    if (typeof first === 'number' && typeof second === 'number') return sign * (first - second);
    const [x, y] = [textOf(first), textOf(second)];
    return x === y ? 0 : x < y ? -sign : sign;
  });
}
