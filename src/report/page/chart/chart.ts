// How is a chart embedded in the page? As SVG with a title and a description, and with its values as a table if the
// page has none. Colours are named and defined by the page (`style`), so a chart follows the colour scheme; the page's
// content policy would refuse other styles.
import { printable } from '../../../base/bytes.js';
import { type Html, markup, NOTHING, trusted, FORMATS } from '../render/html.js';

export interface Chart {
  readonly id: string;
  readonly title: string;
  /** What the chart shows, in a sentence. */
  readonly says: string;
  /** Its values as a table, if the page has none. */
  readonly table?: ValuesTable;
}

interface ValuesTable {
  readonly heads: readonly string[];
  readonly values: readonly (readonly (string | number)[])[];
}

export const WIDTH = 420;

/** Maps [from, to] to [start, end] linearly. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]) {
  return (value: number): number => start + ((value - from) / (to - from)) * (end - start);
}

/** A coordinate, rounded to hundredths of a pixel. */
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

/** A bar of a chart with one bar per row: its name on the left, its figure at its end. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The figure as text. */
  readonly figure: string;
  /** A colour of the page, by name. */
  readonly colour: string;
  /** A wider, pale bar behind this one, for the whole that it is a part of. */
  readonly whole?: number;
}

const ROW = 26;
const BAR = 18;
const EDGE = 4;
/** Pixels between a bar and the text beside it. */
const GAP = 6;
/** Width of a character of a name, at 13 px. */
const CHARACTER = 7;
const LONGEST_NAME = 24;

export function barChart(chart: Chart, bars: readonly Bar[], most: number): Html {
  const names = bars.map(({ name }) => clipped(printable(name)));
  const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length)) * CHARACTER + 12;
  const left = longest(names);
  const right = WIDTH - Math.min(longest(bars.map(({ figure }) => figure)), WIDTH / 2.5);
  const xOf = linear([0, most > 0 ? most : 1], [left, right]);
  // A bar in front of another is thinner.
  const inset = bars.some(({ whole }) => whole !== undefined) ? 3 : 0;
  const bottom = EDGE + ROW * bars.length;
  const rows = bars.map(({ value, whole = value, figure, colour }, row) => {
    const top = EDGE + ROW * row + (ROW - BAR) / 2;
    const middle = top + BAR / 2;
    const rect = (x: number, y: number, height: number, fill: string) =>
      markup`<rect x="${at(left)}" y="${at(y)}" width="${at(xOf(x) - left)}" height="${height}" fill="var(--${fill})"/>`;
    return markup`<g><title>${names[row]!}: ${figure}</title>${rect(whole, top, BAR, 'pale')}${rect(value, top + inset, BAR - 2 * inset, colour)}
<text x="${at(left - GAP)}" y="${at(middle)}" dy="0.32em" text-anchor="end">${names[row]!}</text>
<text x="${at(xOf(whole) + GAP)}" y="${at(middle)}" dy="0.32em">${figure}</text></g>
`;
  });
  const axis = markup`<path d="M${at(left)},${EDGE}V${at(bottom)}" stroke="currentColor"/>`;
  return figureHtml(chart, bottom + 2 * EDGE, [...rows, axis]);
}

function clipped(name: string): string {
  const characters = Array.from(name);
  return characters.length <= LONGEST_NAME ? name : `${characters.slice(0, LONGEST_NAME - 1).join('')}…`;
}

/** A column of a chart over time, one per period: a part in front of the whole, or the part alone. */
interface TimeColumn {
  readonly name: string;
  readonly value: number;
  readonly whole?: number;
}

const HEIGHT = 200;
const [LEFT, RIGHT, TOP, BOTTOM] = [4, WIDTH - 4, 22, HEIGHT - 24];
/** Share of its place that a column takes. */
const FILLED = 0.8;

export function columnChart(chart: Chart, columns: readonly TimeColumn[]): Html {
  const most = Math.max(...columns.map(({ value, whole = value }) => whole), 1);
  const yOf = linear([0, most], [BOTTOM, TOP]);
  const place = (RIGHT - LEFT) / columns.length;
  const width = Math.min(place * FILLED, 60);
  const bars = columns.map(({ name, value, whole }, number) => {
    const x = LEFT + place * number + (place - width) / 2;
    const bar = (size: number, fill: string) =>
      markup`<rect x="${at(x)}" y="${at(yOf(size))}" width="${at(width)}" height="${at(BOTTOM - yOf(size))}" fill="var(--${fill})"/>`;
    const [of, behind] =
      whole === undefined ? ['', bar(value, 'one')] : [` of ${FORMATS.count(whole)}`, bar(whole, 'pale')];
    return markup`<g><title>${name}: ${FORMATS.count(value)}${of}</title>${behind}${whole === undefined ? NOTHING : bar(value, 'two')}</g>
`;
  });
  const [first, last] = [columns[0]!, columns.at(-1)!];
  const end =
    first === last
      ? []
      : [markup`<text x="${RIGHT}" y="${BOTTOM + 6}" dy="0.71em" text-anchor="end">${last.name}</text>`];
  return figureHtml(chart, HEIGHT, [
    ...bars,
    markup`<path d="M${LEFT},${BOTTOM}H${RIGHT}" stroke="currentColor"/>
<text x="${LEFT}" y="${BOTTOM + 6}" dy="0.71em">${first.name}</text>`,
    ...end,
    markup`<text x="${LEFT}" y="4" dy="0.71em">↑ up to ${FORMATS.count(most)} hits</text>`,
  ]);
}
