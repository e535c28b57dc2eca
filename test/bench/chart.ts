// Growth as a picture: seconds over URLs, both by powers of ten, a line for each series. The SVG is written by hand:
// two axes and a few lines are less than a library and its imitation of a browser.
import { shortNumber, type Row } from './report.js';

const WIDTH = 720;
const HEIGHT = 440;
const MARGIN = { left: 64, right: 170, top: 24, bottom: 48 };
/** Distinguishable by the colour-blind as well (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

const colourOf = (series: number) => COLOURS[series % COLOURS.length]!;

interface Axis {
  /** Powers of ten from the first to the last. */
  readonly ticks: readonly number[];
  place(value: number): number;
}

/** Undefined if no row is a point of a series. */
export function growthChart(rows: readonly Row[]): string | undefined {
  const series = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.series !== null) series.set(row.series, [...(series.get(row.series) ?? []), row]);
  }
  const points = [...series.values()].flat();
  if (points.length === 0) return undefined;
  const x = axis(
    points.map(({ count }) => count),
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const y = axis(
    points.map(({ median }) => median),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const lines = Array.from(series.values(), (of, at) => lineOf(of, x, y, colourOf(at)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${gridOf(x, y)}
${lines.join('\n')}
${legendOf([...series.keys()])}
</svg>
`;
}

function axis(values: readonly number[], from: number, to: number): Axis {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  const place = (value: number) => from + ((Math.log10(value) - first) / (last - first)) * (to - from);
  return { ticks: Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k)), place };
}

function gridOf(x: Axis, y: Axis): string {
  const [left, right, bottom, top] = [MARGIN.left, WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom, MARGIN.top];
  const vertical = x.ticks.map((tick) => {
    const at = x.place(tick).toFixed(1);
    return `<path d="M${at} ${top}V${bottom}" stroke="#ddd"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${shortNumber(tick)}</text>`;
  });
  const horizontal = y.ticks.map((tick) => {
    const at = y.place(tick);
    return `<path d="M${left} ${at.toFixed(1)}H${right}" stroke="#ddd"/><text x="${left - 8}" y="${(at + 4).toFixed(1)}" text-anchor="end">${Number(tick.toPrecision(1))} s</text>`;
  });
  const title = `<text x="${(left + right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">URLs of one site</text>`;
  return [...vertical, ...horizontal, title].join('\n');
}

function lineOf(rows: readonly Row[], x: Axis, y: Axis, colour: string): string {
  const places = rows.map(({ count, median }) => ({ x: x.place(count).toFixed(1), y: y.place(median).toFixed(1) }));
  const path = places.map((place, at) => `${at === 0 ? 'M' : 'L'}${place.x} ${place.y}`).join('');
  const dots = places.map((place) => `<circle cx="${place.x}" cy="${place.y}" r="3.5" fill="${colour}"/>`);
  return [`<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`, ...dots].join('\n');
}

/** Beside the lines, as the ends of some lie in the middle of others. */
function legendOf(names: readonly string[]): string {
  const x = WIDTH - MARGIN.right + 16;
  const entry = (name: string, at: number) => {
    const y = MARGIN.top + 8 + 20 * at;
    return `<circle cx="${x}" cy="${y - 4}" r="3.5" fill="${colourOf(at)}"/><text x="${x + 10}" y="${y}">${name}</text>`;
  };
  return names.map(entry).join('\n');
}
