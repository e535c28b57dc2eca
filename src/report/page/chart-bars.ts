// Bars, one a row: its name on the left, its figure at its end.
import { printable } from '../../base/bytes.js';
import type { Html } from './render-html.js';
import { WIDTH, type Chart, type Charts } from './chart.js';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The figure as it is written. */
  readonly figure: string;
  /** Name of a colour of the page. */
  readonly colour: string;
  /** A wider, pale bar behind it: what it is a part of. */
  readonly whole?: number;
}

const ROW = 26;
/** Of a character of a name, at 13 px. */
const CHARACTER = 7;
const LONGEST_NAME = 24;

export function barChart({ plot, draw }: Charts, chart: Chart, bars: readonly Bar[], most: number): Html {
  const named = bars.map((bar) => ({ ...bar, name: clipped(printable(bar.name)) }));
  const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length)) * CHARACTER + 12;
  // Names need not differ, so rows are told apart by their numbers.
  const row = (_: Bar, at: number) => at;
  const title = ({ name, figure }: Bar) => `${name}: ${figure}`;
  const inset = bars.some(({ whole }) => whole !== undefined) ? 3 : 0;
  return draw(chart, {
    height: ROW * bars.length + 12,
    marginLeft: longest(named.map(({ name }) => name)),
    marginRight: Math.min(longest(named.map(({ figure }) => figure)), WIDTH / 2.5),
    marginTop: 4,
    marginBottom: 8,
    x: { axis: null, domain: [0, most > 0 ? most : 1] },
    y: { axis: null, domain: named.map(row), padding: 0.25 },
    marks: [
      plot.barX(named, { y: row, x: ({ value, whole }: Bar) => whole ?? value, fill: 'var(--pale)', title }),
      plot.barX(named, {
        y: row,
        x: 'value',
        fill: ({ colour }: Bar) => `var(--${colour})`,
        insetTop: inset,
        insetBottom: inset,
        title,
      }),
      plot.ruleX([0]),
      plot.text(named, { y: row, x: 0, text: 'name', textAnchor: 'end', dx: -6 }),
      plot.text(named, {
        y: row,
        x: ({ value, whole }: Bar) => whole ?? value,
        text: 'figure',
        textAnchor: 'start',
        dx: 6,
      }),
    ],
  });
}

function clipped(name: string): string {
  const characters = Array.from(name);
  return characters.length <= LONGEST_NAME ? name : `${characters.slice(0, LONGEST_NAME - 1).join('')}…`;
}
