// The fields above a table, by which a reader says which rows are wanted: a search, and a field per filtered column.
import type { Column, TableData } from '../table.js';
import type { PageElement } from './dom.js';
import type { RowMaker } from './rows.js';

export type FieldMaker = RowMaker['make'];

/** What the fields say. */
export interface Asked {
  /** Words that the row must contain, in any order; case is ignored. */
  readonly text: string;
  /** Maps a column to the value that is wanted, or to a part of it. */
  readonly wanted: ReadonlyMap<number, string>;
}

export interface QueryFields {
  /** What the fields say now; the same object always. */
  readonly query: Asked;
  /** Empties all fields. */
  readonly clear: () => void;
  readonly addField: (label: string, name: string, input: PageElement, className?: string) => void;
  readonly optionsOf: (entries: readonly (readonly [string, string])[]) => PageElement[];
}

/** Adds the fields to `controls`; calls `pick` when one of them changes. */
export function createFields(
  controls: PageElement,
  make: FieldMaker,
  { id, columns, rows, noun }: TableData,
  pick: () => void,
): QueryFields {
  const wanted = new Map<number, string>();
  const query = { text: '', wanted };
  const inputs: PageElement[] = [];

  function addField(label: string, name: string, input: PageElement, className = '') {
    input.id = `${id}-${name}`;
    controls.append(make('div', { class: `field ${className}` }, make('label', { for: input.id }, label), input));
  }

  function optionsOf(entries: readonly (readonly [string, string])[]): PageElement[] {
    return entries.map(([value, label]) => make('option', { value }, label));
  }

  function want(column: number, value: string) {
    if (value === '') wanted.delete(column);
    else wanted.set(column, value);
    pick();
  }

  function addFilter({ label, filter }: Column, at: number) {
    if (filter === undefined) return;
    const values = [...new Set(rows.map((row) => String(row[at])))].sort().map((value) => [value, value] as const);
    if (values.length < 2) return;
    const list = `${id}-values-${at}`;
    const input =
      filter === 'choice'
        ? make('select', {}, ...optionsOf([['', 'any'], ...values]))
        : make('input', { type: 'search', list, autocomplete: 'off', spellcheck: 'false' });
    input.addEventListener('input', () => want(at, input.value));
    inputs.push(input);
    addField(label, `filter-${at}`, input);
    if (filter === 'part') controls.append(make('datalist', { id: list }, ...optionsOf(values.slice(0, 200))));
  }

  function clear() {
    for (const input of inputs) input.value = '';
    wanted.clear();
    query.text = '';
  }

  const search = make('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' });
  search.addEventListener('input', () => {
    query.text = search.value;
    pick();
  });
  inputs.push(search);
  addField(`Find ${noun}s`, 'search', search, 'wide');
  columns.forEach(addFilter);

  return { query, clear, addField, optionsOf };
}
