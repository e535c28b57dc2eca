// What are the first k rules worth, for every k? The paper's figures 5 (precision) and 6 (reduction).
import { at, figureHtml, linear, WIDTH, type Chart } from './chart.js';
import type { LogFacts, PrecisionPoint } from '../model.js';
import { markup, trusted, type Html, FORMATS } from '../render/html.js';

interface Point {
  readonly k: number;
  readonly percent: number;
}

interface Curve {
  readonly points: readonly Point[];
  readonly colour: string;
  readonly isDashed: boolean;
}

/** Undefined if none of the first rules was judged. */
export function precisionChart(precision: readonly PrecisionPoint[]): Html | undefined {
  const judged = precision.filter(({ k, right, wrong }) => k > 0 && right + wrong > 0);
  const last = judged.at(-1);
  if (last === undefined) return undefined;
  const precisionOf = ({ right, wrong }: PrecisionPoint) => right / (right + wrong);
  const leastOf = ({ k, right }: PrecisionPoint) => right / k;
  const curve = (of: (point: PrecisionPoint) => number) =>
    judged.map((point) => ({ k: point.k, percent: 100 * of(point) }));
  const chart: Chart = {
    id: 'precision',
    title: 'Precision of the first k rules',
    says:
      `Solid: of the rules that pages decided on, the share that is valid, ${FORMATS.share(precisionOf(last))} of the first ` +
      `${FORMATS.count(last.k)}. Dashed: the same if every undecided rule were wrong, ${FORMATS.share(leastOf(last))}.`,
    table: {
      heads: ['first k rules', 'valid', 'invalid', 'undecided', 'precision', 'at least'],
      values: judged.map((point) => [
        point.k,
        point.right,
        point.wrong,
        point.unjudged,
        FORMATS.share(precisionOf(point)),
        FORMATS.share(leastOf(point)),
      ]),
    },
  };
  const curves: Curve[] = [
    { points: curve(leastOf), colour: 'two', isDashed: true },
    { points: curve(precisionOf), colour: 'one', isDashed: false },
  ];
  return curveChart(chart, curves, { label: '↑ valid (%)', most: 100 });
}

/** Undefined if no rule is applied. */
export function reductionChart({ reduction, all }: LogFacts): Html | undefined {
  const shareOf = (urlsAfter: number) => (all.urlsBefore === 0 ? 0 : 1 - urlsAfter / all.urlsBefore);
  const points = reduction
    .filter(({ k }) => k > 0)
    .map(({ k, urlsAfter }) => ({ k, percent: 100 * shareOf(urlsAfter) }));
  const last = points.at(-1);
  if (last === undefined) return undefined;
  const chart: Chart = {
    id: 'reduction',
    title: 'Reduction by the first k rules',
    says:
      `Share of the ${FORMATS.many(all.urlsBefore, 'distinct URL')} that the first k applied rules save together: ` +
      `${FORMATS.share(last.percent / 100)} by all ${FORMATS.count(last.k)}.`,
    table: {
      heads: ['first k rules', 'URLs left', 'saved'],
      values: reduction.map(({ k, urlsAfter }) => [k, urlsAfter, FORMATS.share(shareOf(urlsAfter))]),
    },
  };
  const most = Math.max(...points.map(({ percent }) => percent), 1);
  return curveChart(chart, [{ points, colour: 'one', isDashed: false }], { label: '↑ URLs saved (%)', most });
}

const HEIGHT = 280;
/** Positions of the axes. */
const [LEFT, RIGHT, TOP, BOTTOM] = [40, WIDTH - 24, 28, HEIGHT - 46];
/** Length of the tick marks, and their distance from the numbers. */
const [TICK, GAP] = [6, 3];

function curveChart(
  chart: Chart,
  curves: readonly Curve[],
  { label, most }: { readonly label: string; readonly most: number },
): Html {
  const last = Math.max(...curves.flatMap(({ points }) => points.map(({ k }) => k)));
  // With many rules, the first ones get more room, as they matter most.
  const isWide = last >= 50;
  const scale = isWide ? Math.log : (k: number) => k;
  const place = linear([scale(isWide ? 1 : 0), scale(last)], [LEFT, RIGHT]);
  const xOf = (k: number) => place(scale(k));
  const yOf = linear([0, most], [BOTTOM, TOP]);
  const xTicks = isWide
    ? Array.from({ length: Math.floor(Math.log10(last)) + 1 }, (_, power) => 10 ** power)
    : multiples(Math.ceil(last / 8), last);
  return figureHtml(chart, HEIGHT, [
    markup`<g aria-hidden="true" stroke="currentColor">${multiples(niceStep(most / 5), most).map((value) => yTick(value, yOf(value)))}</g>
`,
    markup`<g aria-hidden="true" text-anchor="middle">${xTicks.map((k) => xTick(k, xOf(k)))}</g>
<text x="${GAP}" y="${GAP}" dy="0.71em">${label}</text><text x="${WIDTH - GAP}" y="${HEIGHT - GAP}" text-anchor="end">first k rules →</text>
<path d="M${LEFT},${BOTTOM}H${RIGHT}" stroke="currentColor"/>
`,
    ...curves.map((curve) => curveHtml(curve, xOf, yOf)),
  ]);
}

/** 0, `step`, 2 `step`, … up to `most`. */
function multiples(step: number, most: number): number[] {
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
}

/** The nearest of 1, 2, 5 or 10 times a power of ten. */
function niceStep(about: number): number {
  const power = 10 ** Math.floor(Math.log10(about));
  const digit = about / power;
  return power * (digit < Math.SQRT2 ? 1 : digit < Math.sqrt(10) ? 2 : digit < Math.sqrt(50) ? 5 : 10);
}

function yTick(value: number, y: number): Html {
  return markup`<path d="M${LEFT},${at(y)}H${RIGHT}" stroke-opacity="0.1"/><path d="M${LEFT},${at(y)}h-${TICK}"/><text x="${LEFT - TICK - GAP}" y="${at(y)}" dy="0.32em" text-anchor="end" stroke="none">${at(value)}</text>`;
}

function xTick(k: number, x: number): Html {
  return markup`<path d="M${at(x)},${BOTTOM}v${TICK}" stroke="currentColor"/><text x="${at(x)}" y="${BOTTOM + TICK + GAP}" dy="0.71em">${FORMATS.count(k)}</text>`;
}

function curveHtml(
  { points, colour, isDashed }: Curve,
  xOf: (k: number) => number,
  yOf: (percent: number) => number,
): Html {
  // A step at each k, as nothing was counted in between.
  const path = points
    .map(({ k, percent }, step) => {
      const [x, y] = [at(xOf(k)).html, at(yOf(percent)).html];
      return step === 0 ? `${x},${y}` : `H${x}V${y}`;
    })
    .join('');
  const dash = isDashed ? trusted(' stroke-dasharray="5 4"') : trusted('');
  const dots = points.map(
    ({ k, percent }) =>
      markup`<circle cx="${at(xOf(k))}" cy="${at(yOf(percent))}" r="3"><title>first ${FORMATS.count(k)}: ${FORMATS.share(percent / 100)}</title></circle>`,
  );
  return markup`<g fill="var(--${colour})"><path d="M${trusted(path)}" fill="none" stroke="var(--${colour})" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"${dash}/>${dots}</g>
`;
}
