// Charts as SVG that is part of the page: Observable Plot, drawn on linkedom's document. Both take a quarter of a second to
// load, so they are imported when the first chart is wanted.
//
// Colours are those of the page (`style`), by name, so that a chart changes with the colour scheme. A style of its own the
// page's policy would refuse, so it is taken out of what Plot draws.
import type { PlotOptions } from '@observablehq/plot';
import { markup, NOTHING, trusted, type Html } from './render-html.js';
import { FORMATS } from './render-table.js';

export type Plot = typeof import('@observablehq/plot');

export interface Chart {
  readonly id: string;
  readonly title: string;
  /** What is to be seen in it, in a sentence. */
  readonly says: string;
  /** The same as a table, where the page has none beside. */
  readonly table?: ValuesTable;
}

export interface ValuesTable {
  readonly heads: readonly string[];
  readonly values: readonly (readonly (string | number)[])[];
}

export interface Charts {
  readonly plot: Plot;
  readonly draw: (chart: Chart, options: PlotOptions) => Html;
}

export const WIDTH = 420;

export async function openCharts(): Promise<Charts> {
  const [plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')]);
  const { document } = parseHTML('<!doctype html><html><body></body></html>');

  function draw(chart: Chart, options: PlotOptions): Html {
    return figureOf(chart, plot.plot({ width: WIDTH, className: 'chart', ...options, document } as PlotOptions));
  }
  return { plot, draw };
}

/** What of the document is used; its own types are a browser's. */
interface Element {
  readonly innerHTML: string;
  querySelector(selector: string): { remove(): void } | null;
  getAttribute(name: string): string | null;
}

function figureOf({ id, title, says, table }: Chart, svg: Element): Html {
  svg.querySelector('style')?.remove();
  // Hundredths of a pixel will do: of places, which stand in tags, not of text.
  const drawn = trusted(svg.innerHTML.replace(/(\.\d\d)\d+(?=[^<>]*>)/g, '$1'));
  return markup`<figure id="${id}">
<svg class="chart" viewBox="${svg.getAttribute('viewBox')!}" role="img" aria-labelledby="${id}-title ${id}-says" text-anchor="middle" fill="currentColor">
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
