// The first rows of a table as HTML: shown before the script has taken over, in print, and without JavaScript.
import { markup, NOTHING, type Html } from './html.js';
import { createFormats } from '../script/format.js';
import type { Cell, Column, TableData } from '../table.js';

export const FORMATS = createFormats();

export function tableHtml({ id, caption, noun, columns, rows, pageRows, anchor }: TableData): Html {
  const lines = rows.slice(0, pageRows).map((row) => rowHtml(columns, row, anchor));
  const rest =
    rows.length > pageRows
      ? markup`<p class="static">The first ${pageRows} of ${FORMATS.many(rows.length, noun)}. Where scripts may run, all of them are here to be sorted and searched.</p>`
      : NOTHING;
  return markup`<div class="table" id="${id}-table">
<div class="controls" hidden></div>
<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(headHtml)}</tr></thead>
<tbody role="rowgroup">${lines}</tbody>
</table></div>
<div class="pager" hidden></div>
${rest}</div>`;
}

function headHtml({ label, kind, about }: Column): Html {
  const tip = about === undefined ? NOTHING : markup` title="${about}"`;
  return markup`<th role="columnheader" scope="col" class="${FORMATS.classOf(kind, null)}"${tip}>${label}</th>`;
}

function rowHtml(columns: readonly Column[], row: readonly Cell[], anchor?: string): Html {
  const id = anchor === undefined ? NOTHING : markup` id="${anchor}-${String(row[0])}"`;
  return markup`<tr role="row"${id}>${columns.map((column, at) => cellHtml(column, row[at]!))}</tr>
`;
}

function cellHtml(column: Column, cell: Cell): Html {
  const parts = FORMATS.parts(column.kind, cell).map(({ text, code }) =>
    code ? markup`<code>${text}</code>` : markup`${text}`,
  );
  const leads = column.kind === 'rank' && column.isHead !== true && cell !== null;
  const inside = leads ? markup`<a href="#rule-${String(cell)}">${parts}</a>` : markup`${parts}`;
  const attributes = markup`class="${FORMATS.classOf(column.kind, cell)}" data-label="${column.label}"`;
  return column.isHead === true
    ? markup`<th role="rowheader" scope="row" ${attributes}>${inside}</th>`
    : markup`<td role="cell" ${attributes}>${inside}</td>`;
}
