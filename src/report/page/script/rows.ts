// A row of a table, and its details when it is opened. Text becomes text nodes, never markup.
import type { PageDocument, PageElement } from './dom.js';
import type { Formats } from './format.js';
import type { Block, Cell, Column, TableData } from '../table.js';

type Attributes = Readonly<Record<string, string>>;
type Inside = readonly (PageElement | string)[];

export interface RowMaker {
  readonly make: (name: string, attributes: Attributes, ...inside: Inside) => PageElement;
  readonly button: (label: string, press: () => void, attributes?: Attributes) => PageElement;
  /** Returns the row, and if it is open also the row with its details. */
  readonly rowOf: (row: number, opened: Set<number>) => PageElement[];
}

export function createRows(
  document: PageDocument,
  data: TableData,
  formats: Formats,
  hasSelection: () => boolean,
): RowMaker {
  const { columns, rows, more, noun, anchor } = data;

  function make(name: string, attributes: Attributes, ...inside: Inside): PageElement {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  }

  function button(label: string, press: () => void, attributes: Attributes = {}): PageElement {
    const element = make('button', { type: 'button', ...attributes }, label);
    element.addEventListener('click', press);
    return element;
  }

  function rowOf(row: number, opened: Set<number>): PageElement[] {
    const cells = columns.map((column, at) => cellOf(column, rows[row]![at]!));
    const id = anchor === undefined ? {} : { id: `${anchor}-${String(rows[row]![0])}` };
    const line = make('tr', { role: 'row', ...id }, ...cells);
    if (more.length > 0 && more[row] !== null) {
      const opener = openerOf(row, line, opened);
      cells[0]!.prepend(opener);
      line.className = 'opens';
      // A click opens the row, except on a link or a button, or while text is selected.
      line.addEventListener('click', ({ target }) => {
        if (target.closest('a, button') === null && !hasSelection()) opener.click();
      });
    }
    return opened.has(row) ? [line, evidenceOf(row)] : [line];
  }

  function cellOf({ kind, label, isHead }: Column, cell: Cell): PageElement {
    const parts = formats.parts(kind, cell).map(({ text, code }) => (code ? make('code', {}, text) : text));
    const leads = kind === 'rank' && isHead !== true && cell !== null;
    const inside = leads ? [make('a', { href: `#rule-${String(cell)}` }, ...parts)] : parts;
    const attributes = { class: formats.classOf(kind, cell), 'data-label': label };
    return isHead === true
      ? make('th', { role: 'rowheader', scope: 'row', ...attributes }, ...inside)
      : make('td', { role: 'cell', ...attributes }, ...inside);
  }

  function openerOf(row: number, line: PageElement, opened: Set<number>): PageElement {
    const name = formats.parts(columns[0]!.kind, rows[row]![0]!).map(({ text }) => text);
    const label = `Evidence of ${noun} ${name.join('')}`;
    const opener = button('', toggle, { class: 'opener', 'aria-label': label, title: label });
    const say = () => opener.setAttribute('aria-expanded', String(opened.has(row)));
    function toggle() {
      if (opened.delete(row)) line.nextElementSibling!.remove();
      else {
        opened.add(row);
        line.after(evidenceOf(row));
      }
      say();
    }
    say();
    return opener;
  }

  function evidenceOf(row: number): PageElement {
    const blocks = (more[row] ?? []).map(blockOf);
    const cell = make('td', { role: 'cell', colspan: String(columns.length) }, ...blocks);
    return make('tr', { role: 'row', class: 'more' }, cell);
  }

  function blockOf({ head, text, pairs, items }: Block): PageElement {
    const said = text === undefined ? [] : [make('p', {}, text)];
    const why = (word: string) => [' ', make('span', { class: 'why' }, word)];
    const listed = [
      ...(pairs ?? []).map(([url, image, word]) => [
        changed(url!, image!),
        ' → ',
        changed(image!, url!),
        ...(word === undefined ? [] : why(word)),
      ]),
      ...(items ?? []).map(([item, word]) => [opened(item, make('code', {}, item)), ...why(word)]),
    ].map((inside) => make('li', {}, ...inside));
    const list = listed.length === 0 ? [] : [make('ul', {}, ...listed)];
    return make('div', { class: 'block' }, make('h3', {}, head), ...said, ...list);
  }

  /**
   * A link, if the text is a whole web address. A stranger may have written it into the log, so it opens beside the
   * report, without a referrer.
   */
  function opened(url: string, inside: PageElement): PageElement {
    if (!/^https?:\/\/[^\s\\/?#@]+(?:[/?#][!-[\]-~]*)?$/i.test(url)) return inside;
    return make('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, inside);
  }

  /** A URL in which the part that differs from the other URL is marked. */
  function changed(url: string, other: string): PageElement {
    const most = Math.min(url.length, other.length);
    let [start, end] = [0, 0];
    while (start < most && url[start] === other[start]) start++;
    while (end < most - start && url.at(-1 - end) === other.at(-1 - end)) end++;
    const middle = url.slice(start, url.length - end);
    const marked = middle === '' ? [] : [make('mark', {}, middle)];
    return opened(url, make('code', {}, url.slice(0, start), ...marked, url.slice(url.length - end)));
  }

  return { make, button, rowOf };
}
