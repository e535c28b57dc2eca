// A chart over time, one column per period: a part of each column in front of the whole, or the part alone.
import { at, figureHtml, linear, WIDTH, type Chart } from './chart.js';
import { markup, NOTHING, type Html } from '../render/html.js';
import { FORMATS } from '../render/table.js';

export interface TimeColumn {
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
