// How is a chart put in the page? As SVG with a title and a description, and its values as a table if the page has
// none. Colours are those of the page (`style`), by name, so that a chart follows the colour scheme; the page's policy
// would refuse another style.
import { markup, NOTHING, trusted, type Html } from '../render/html.js';
import { FORMATS } from '../render/table.js';

export interface Chart {
  readonly id: string;
  readonly title: string;
  /** What the chart shows, in a sentence. */
  readonly says: string;
  /** The same as a table, if the page has none. */
  readonly table?: ValuesTable;
}

export interface ValuesTable {
  readonly heads: readonly string[];
  readonly values: readonly (readonly (string | number)[])[];
}

export const WIDTH = 420;

/** Maps [from, to] to [start, end] linearly. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]) {
  return (value: number): number => start + ((value - from) / (to - from)) * (end - start);
}

/** A coordinate: hundredths of a pixel are enough. */
export function at(place: number): Html {
  return trusted(String(Math.round(place * 100) / 100));
}

export function figureHtml({ id, title, says, table }: Chart, height: number, drawn: readonly Html[]): Html {
  return markup`<figure id="${id}">
<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-says" fill="currentColor">
<title id="${id}-title">${title}</title><desc id="${id}-says">${says}</desc>${drawn}</svg>
<figcaption><strong>${title}.</strong> ${says}</figcaption>
${table === undefined ? NOTHING : valuesHtml(title, table)}</figure>
`;
}

function valuesHtml(title: string, { heads, values }: ValuesTable): Html {
  const cell = (value: string | number) => (typeof value === 'number' ? FORMATS.count(value) : value);
  const rows = values.map(
    ([first, ...others]) =>
      markup`<tr><th scope="row" class="number">${cell(first!)}</th>${others.map((value) => markup`<td class="number">${cell(value)}</td>`)}</tr>`,
  );
  return markup`<details><summary>The values</summary><div class="scroll"><table class="plain"><caption>${title}</caption>
<thead><tr>${heads.map((head) => markup`<th scope="col" class="number">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>
`;
}
