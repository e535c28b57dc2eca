// What the first k rules are worth, for every k: the paper's figures 5 (precision) and 6 (reduction).
import type { Html } from './render-html.js';
import type { Chart, Charts } from './chart.js';
import type { LogFacts, PrecisionPoint } from './model.js';
import { FORMATS } from './render-table.js';

interface Point {
  readonly k: number;
  readonly percent: number;
}

interface Curve {
  readonly points: readonly Point[];
  readonly colour: string;
  readonly isDashed: boolean;
}

/** Empty where no rule among the first was judged. */
export function precisionChart(charts: Charts, precision: readonly PrecisionPoint[]): Html | undefined {
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
  return curveChart(charts, chart, curves, { label: '↑ valid (%)', most: 100 });
}

/** Empty where no rule is applied. */
export function reductionChart(charts: Charts, { reduction, all }: LogFacts): Html | undefined {
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
  return curveChart(charts, chart, [{ points, colour: 'one', isDashed: false }], { label: '↑ URLs saved (%)', most });
}

function curveChart(
  { plot, draw }: Charts,
  chart: Chart,
  curves: readonly Curve[],
  { label, most }: { readonly label: string; readonly most: number },
): Html {
  const ks = curves.flatMap(({ points }) => points.map(({ k }) => k));
  const last = Math.max(...ks);
  // Where there are many rules, the first ones are what one looks at.
  const isWide = last >= 50;
  const tens = Array.from({ length: Math.floor(Math.log10(last)) + 1 }, (_, power) => 10 ** power);
  const domain = isWide ? [1, last] : [0, last];
  const title = ({ k, percent }: Point) => `first ${FORMATS.count(k)}: ${FORMATS.share(percent / 100)}`;
  return draw(chart, {
    height: 280,
    marginLeft: 40,
    marginRight: 24,
    marginTop: 28,
    marginBottom: 46,
    x: {
      type: isWide ? 'log' : 'linear',
      domain,
      label: 'first k rules →',
      tickFormat: FORMATS.count,
      ticks: isWide ? tens : Array.from({ length: last + 1 }, (_, k) => k).filter((k) => k % Math.ceil(last / 8) === 0),
    },
    y: { domain: [0, most], label, grid: true, ticks: 5 },
    marks: [
      plot.ruleY([0]),
      ...curves.flatMap(({ points, colour, isDashed }) => [
        plot.lineY(points, {
          x: 'k',
          y: 'percent',
          stroke: `var(--${colour})`,
          strokeWidth: 2,
          ...(isDashed ? { strokeDasharray: '5 4' } : {}),
        }),
        plot.dot(points, { x: 'k', y: 'percent', fill: `var(--${colour})`, r: 3, title }),
      ]),
    ],
  });
}
