// The page's script, as text. Its functions are checked and tested like all others, and use only their arguments and
// the features of every browser. A bundler may rename them, so they are assembled by value.
import type { Cell, TableData } from '../table.js';
import type { PageElement, PageWindow } from './dom.js';
import { createFields } from './fields.js';
import { createFormats } from './format.js';
import { createRows } from './rows.js';
import { selectRows, type TableControl, type TableTools, takeOver } from './table.js';

export const SCRIPT = `'use strict';
(${openPage.toString()})(window, {
  formats: (${createFormats.toString()})(),
  createFields: ${createFields.toString()},
  createRows: ${createRows.toString()},
  csvOf: ${csvOf.toString()},
  selectRows: ${selectRows.toString()},
  takeOver: ${takeOver.toString()},
  unpack: ${unpack.toString()},
});
`;

interface PageTools extends Omit<TableTools, 'hasSelection'> {
  unpack(packed: string): Promise<readonly TableData[]>;
  takeOver(document: PageWindow['document'], data: TableData, tools: TableTools): TableControl;
}

/** The inverse of `packed` in `render/render`. Rejects in browsers older than 2023. */
export async function unpack(packed: string): Promise<readonly TableData[]> {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text()) as TableData[];
}

async function openPage(window: PageWindow, tools: PageTools): Promise<void> {
  const { document } = window;
  const root = document.documentElement;
  const scheme = document.getElementById('scheme')!;
  scheme.addEventListener('change', () => root.setAttribute('data-scheme', scheme.value));
  document.getElementById('scheme-field')!.hidden = false;
  for (const lines of document.querySelectorAll('.lines pre')) addCopy(lines);

  /** Adds a button that copies the lines, or selects them if the page may not use the clipboard. */
  function addCopy(lines: PageElement) {
    const button = document.createElement('button');
    button.setAttribute('type', 'button');
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const select = () => window.getSelection()?.selectAllChildren(lines);
      const written = window.navigator.clipboard?.writeText(lines.textContent ?? '');
      if (written === undefined) select();
      else written.then(() => (button.textContent = 'Copied'), select);
    });
    lines.before(button);
  }

  const hasSelection = () => (window.getSelection()?.toString() ?? '') !== '';

  let tables: readonly TableData[];
  try {
    tables = await tools.unpack(document.getElementById('data')!.textContent ?? '');
  } catch (error) {
    const notice = document.getElementById('notice')!;
    notice.textContent = `Only the first rows of each table are shown, as this browser cannot unpack the others (${String(error)}).`;
    notice.hidden = false;
    return;
  }
  const controls = tables.map((data) => tools.takeOver(document, data, { ...tools, hasSelection }));

  /** Shows the row that the page's address names, such as #rule-12, even if it is on another page of its table. */
  function follow() {
    const [, anchor, name] = /^#([a-z]+)-(\d+)$/.exec(window.location.hash) ?? [];
    const control = controls.find(({ data }) => anchor !== undefined && data.anchor === anchor);
    const row = control?.data.rows.findIndex((cells) => String(cells[0]) === name) ?? -1;
    if (row >= 0) control!.reveal(row);
  }
  window.addEventListener('hashchange', follow);
  follow();
  root.setAttribute('data-ready', '');
}

/**
 * Rows of a table as CSV (RFC 4180), with a heading. Text that a spreadsheet would take for a formula gets an
 * apostrophe, as strangers can write into logs.
 */
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
