// An interactive table: sorted by its headings, filtered, paged, with rows that open.
//
//   div.table
//     div.controls     search, a field per filtered column, order (on narrow screens), how many are shown
//     table            heads become buttons
//     div.pager
import type { Cell, TableData } from '../table.js';
import type { PageDocument, PageElement } from './dom.js';
import type { Asked, FieldMaker, QueryFields } from './fields.js';
import type { Formats } from './format.js';
import type { RowMaker } from './rows.js';

export interface TableTools {
  readonly formats: Formats;
  readonly selectRows: (table: TableData, query: Query) => number[];
  readonly createRows: (
    document: PageDocument,
    data: TableData,
    formats: Formats,
    hasSelection: () => boolean,
  ) => RowMaker;
  readonly createFields: (controls: PageElement, make: FieldMaker, data: TableData, pick: () => void) => QueryFields;
  readonly csvOf: (table: TableData, rows: readonly number[]) => string;
  readonly hasSelection: () => boolean;
}

export interface TableControl {
  readonly data: TableData;
  /** Shows a row, wherever it is, and opens it. */
  reveal(row: number): void;
}

export function takeOver(document: PageDocument, data: TableData, tools: TableTools): TableControl {
  const { formats, selectRows, createRows, createFields, csvOf, hasSelection } = tools;
  const { id, columns, rows, noun, pageRows } = data;
  const { make, button, rowOf } = createRows(document, data, formats, hasSelection);
  const box = document.getElementById(`${id}-table`)!;
  const [heads, body] = [[...box.querySelectorAll('thead th')], box.querySelector('tbody')!];
  const [controls, pager] = [box.querySelector('.controls')!, box.querySelector('.pager')!];
  const opened = new Set<number>();
  const { query, addField, optionsOf, clear } = createFields(controls, make, data, pick);
  let sortBy: number | undefined;
  let descending = false;
  let found: number[] = [...rows.keys()];
  let page = 0;

  // Rows, and their indices among all rows

  const status = make('p', { role: 'status', class: 'status' });
  const place = make('span', {});
  const pages = () => Math.max(1, Math.ceil(found.length / pageRows));
  const backward = [button('First', () => turnTo(0)), button('Previous', () => turnTo(page - 1))];
  const forward = [button('Next', () => turnTo(page + 1)), button('Last', () => turnTo(pages() - 1))];

  function showRows() {
    body.replaceChildren(...found.slice(page * pageRows, (page + 1) * pageRows).flatMap((row) => rowOf(row, opened)));
    const all = formats.many(rows.length, noun);
    const part = found.length === rows.length ? all : `${formats.count(found.length)} of ${all}`;
    status.textContent = found.length === 0 ? `None of ${all} is like that.` : part;
    place.textContent = `Page ${formats.count(page + 1)} of ${formats.count(pages())}`;
    for (const element of backward) element.disabled = page === 0;
    for (const element of forward) element.disabled = page === pages() - 1;
    pager.hidden = pages() === 1;
  }

  function turnTo(where: number) {
    page = where;
    showRows();
    if (box.getBoundingClientRect().top < 0) box.scrollIntoView({ block: 'start' });
  }

  function pick() {
    found = selectRows(data, { ...query, descending, ...(sortBy === undefined ? {} : { sortBy }) });
    page = 0;
    showRows();
  }

  // Order: the first click on figures puts the largest first, a third click restores the original order

  const order = make('select', {});

  function isFigure(column: number): boolean {
    const { kind } = columns[column]!;
    return kind !== 'rank' && formats.isNumber(kind);
  }

  function pressHead(column: number) {
    if (column !== sortBy) sortOn(column, isFigure(column));
    else if (descending === isFigure(column)) sortOn(column, !descending);
    else sortOn(undefined);
  }

  function sortOn(column: number | undefined, isDescending = false) {
    [sortBy, descending] = [column, isDescending];
    heads.forEach((head, at) => {
      if (at === sortBy) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    order.value = String(sortBy ?? '');
    pick();
  }

  /** Saves a file by a data: URL, which makes no request */
  function save(csv: string) {
    const href = `data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`;
    make('a', { href, download: `dustbuster-${id}.csv` }).click();
  }

  // Controls

  order.append(...optionsOf([['', 'as they are'], ...columns.map(({ label }, at) => [String(at), label] as const)]));
  order.addEventListener('input', () => {
    const column = order.value === '' ? undefined : Number(order.value);
    sortOn(column, column !== undefined && isFigure(column));
  });
  addField('Sort by', 'order', order, 'narrow');
  controls.append(button('Reverse the order', () => sortOn(sortBy, !descending), { class: 'narrow' }));
  controls.append(button('CSV', () => save(csvOf(data, found)), { title: 'Save the rows that are shown as CSV' }));
  controls.append(status);
  pager.append(...backward, place, ...forward);
  heads.forEach((head, at) => {
    head.replaceChildren(button(columns[at]!.label, () => pressHead(at), { class: 'sorter' }));
  });
  // A few rows need no search
  controls.hidden = rows.length <= 5;
  box.querySelector('.static')?.remove();
  showRows();

  function reveal(row: number) {
    if (!found.includes(row)) {
      clear();
      pick();
    }
    page = Math.floor(found.indexOf(row) / pageRows);
    opened.add(row);
    showRows();
    const opener = body.querySelector(`#${data.anchor}-${String(rows[row]![0])} .opener`);
    opener?.scrollIntoView({ block: 'center' });
    opener?.focus();
  }

  return { data, reveal };
}

export interface Query extends Asked {
  /** The column to sort by; undefined to keep the original order. */
  readonly sortBy?: number;
  readonly descending?: boolean;
}

/** Indices of the rows that match. The sort is stable, and rows without a value are last in both directions. */
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
