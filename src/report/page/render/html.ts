// Makes markup of untrusted text: everything that is put into a template is made printable and escaped, unless it is
// Html.
//
//   markup`<td>${url}</td>`      <script> in the URL becomes &lt;script&gt;, ESC becomes \x1b
import { printable } from '../../../base/bytes.js';
import { createFormats } from '../script/format.js';
import type { Cell, Column, TableData } from '../table.js';

export interface Html {
  readonly html: string;
}

type Part = Html | readonly Html[] | string | number;

export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.reduce((text, string, at) => text + asHtml(parts[at - 1]!) + string) };
}

/** Only for markup that this program wrote itself. */
export function trusted(html: string): Html {
  return { html };
}

export const NOTHING = trusted('');

function asHtml(part: Part): string {
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(({ html }) => html).join('');
  return escaped(printable(String(part)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}

/** Words in which text between backticks is shown as code. */
export function worded(text: string, most?: number): Html {
  const parts = shown(text, most).split('`');
  return {
    html: parts.map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`).html).join(''),
  };
}

/** Printable text. If it is longer than `most` characters, its middle is left out. */
export function shown(text: string, most = 400): string {
  const safe = printable(text);
  if (safe.length <= most) return safe;
  const characters = Array.from(safe);
  if (characters.length <= most) return safe;
  const [head, tail] = [Math.ceil(most * 0.7), Math.floor(most * 0.25)];
  const part = (from: number, to?: number) => characters.slice(from, to).join('');
  return `${part(0, head)} …[${characters.length - head - tail} characters]… ${part(-tail)}`;
}

/** The first rows of a table as HTML: visible until the script takes over, in print, and without JavaScript. */
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
