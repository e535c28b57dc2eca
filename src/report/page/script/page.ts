// Starts the page: decompresses its tables and makes them interactive. Functions whose text goes into the page
// (`script.ts`), so they use nothing from outside of them.
import type { PageElement, PageWindow } from './dom.js';
import type { TableControl, TableTools } from './table.js';
import type { TableData } from '../table.js';

export interface PageTools extends Omit<TableTools, 'hasSelection'> {
  unpack(packed: string): Promise<readonly TableData[]>;
  takeOver(document: PageWindow['document'], data: TableData, tools: TableTools): TableControl;
}

/** The inverse of `packed` in `render/data`. Rejects in browsers from before 2023. */
export async function unpack(packed: string): Promise<readonly TableData[]> {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text()) as TableData[];
}

export async function openPage(window: PageWindow, tools: PageTools): Promise<void> {
  const { document } = window;
  const root = document.documentElement;
  const scheme = document.getElementById('scheme')!;
  scheme.addEventListener('change', () => root.setAttribute('data-scheme', scheme.value));
  document.getElementById('scheme-field')!.hidden = false;
  for (const lines of document.querySelectorAll('.lines pre')) addCopy(lines);

  /** A button that copies the lines, or selects them where the clipboard is closed to pages. */
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

  /** Shows the row that the address names, as in #rule-12, even if it is on another page of its table. */
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
