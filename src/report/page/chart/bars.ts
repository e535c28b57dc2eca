// A bar chart, one bar per row: its name on the left, its figure at its end.
import { printable } from '../../../base/bytes.js';
import { at, figureHtml, linear, WIDTH, type Chart } from './chart.js';
import { markup, type Html } from '../render/html.js';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The figure as text. */
  readonly figure: string;
  /** A colour of the page, by name. */
  readonly colour: string;
  /** A wider, pale bar in the background: the whole that it is a part of. */
  readonly whole?: number;
}

const ROW = 26;
const BAR = 18;
const TOP = 4;
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
  const bottom = TOP + ROW * bars.length;
  const rows = bars.map(({ value, whole = value, figure, colour }, row) => {
    const top = TOP + ROW * row + (ROW - BAR) / 2;
    const middle = top + BAR / 2;
    const rect = (x: number, y: number, height: number, fill: string) =>
      markup`<rect x="${at(left)}" y="${at(y)}" width="${at(xOf(x) - left)}" height="${height}" fill="var(--${fill})"/>`;
    return markup`<g><title>${names[row]!}: ${figure}</title>${rect(whole, top, BAR, 'pale')}${rect(value, top + inset, BAR - 2 * inset, colour)}
<text x="${at(left - GAP)}" y="${at(middle)}" dy="0.32em" text-anchor="end">${names[row]!}</text>
<text x="${at(xOf(whole) + GAP)}" y="${at(middle)}" dy="0.32em">${figure}</text></g>
`;
  });
  const axis = markup`<path d="M${at(left)},${TOP}V${at(bottom)}" stroke="currentColor"/>`;
  return figureHtml(chart, bottom + 2 * TOP, [...rows, axis]);
}

function clipped(name: string): string {
  const characters = Array.from(name);
  return characters.length <= LONGEST_NAME ? name : `${characters.slice(0, LONGEST_NAME - 1).join('')}…`;
}
