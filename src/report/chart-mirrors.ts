// Figure 12 of Cho, Shivakumar and Garcia-Molina (2000) as a picture of its own: a point for each cluster of
// collections, its copies over the pages of each, both by powers of ten. What is far from the corner is worth leaving
// out of a crawl; those that save the most are named by the folder of their principal copy.
import { many } from '../base/plural.js';
import type { Cluster } from '../mirrors/copies.js';
import { at } from './page/chart/chart.js';
import { markup, shown, type Html } from './page/render/html.js';
import { LIGHT } from './page/style.js';

const WIDTH = 720;
const HEIGHT = 480;
const MARGIN = { left: 64, right: 24, top: 40, bottom: 56 };
/** Clusters that have a name, if there is room for it. */
const MOST_NAMED = 12;
const MOST_LETTERS = 44;
/** Of a letter and a line, about, at a font size of 11. */
const LETTER = 6;
const LINE = 13;

type Scale = (value: number) => number;

interface Axis {
  readonly ticks: readonly number[];
  readonly place: Scale;
}

/** Clusters of one size and cardinality. */
interface Point {
  readonly size: number;
  readonly cardinality: number;
  readonly clusters: readonly Cluster[];
}

/** `clusters`: those first that save the most. The same bytes for the same clusters. */
export function clustersChart(clusters: readonly Cluster[]): string {
  const points = pointsOf(clusters);
  const x = axis(
    points.map(({ size }) => size),
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const y = axis(
    points.map(({ cardinality }) => cardinality),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const dots = points.map(({ size, cardinality, clusters: own }) => {
    const says = `${own.length === 1 ? shown(own[0]!.copies[0]!.folder) : many(own.length, 'cluster')}: ${many(cardinality, 'copy', 'copies')} of ${many(size, 'page')}`;
    const radius = at(Math.min(12, 3 + 2 * Math.log2(own.length)));
    return markup`<circle cx="${at(x.place(size))}" cy="${at(y.place(cardinality))}" r="${radius}" fill="${LIGHT['one']!}" fill-opacity=".6"><title>${says}</title></circle>\n`;
  });
  const title = `${many(clusters.length, 'cluster')} of replicated collections`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="11" fill="${LIGHT['ink']!}">
<title>${title}</title>
<rect width="100%" height="100%" fill="${LIGHT['ground']!}"/>
<text x="${MARGIN.left}" y="20" font-size="13">${title}</text>
${gridOf(x, y)}${dots}${namesOf(clusters.slice(0, MOST_NAMED), points, x.place, y.place)}</svg>
`.html;
}

function pointsOf(clusters: readonly Cluster[]): Point[] {
  const found = new Map<string, { size: number; cardinality: number; clusters: Cluster[] }>();
  for (const cluster of clusters) {
    const { size, cardinality } = cluster;
    const key = `${size} ${cardinality}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { size, cardinality, clusters: [cluster] });
    else known.clusters.push(cluster);
  }
  return [...found.values()];
}

/** From 1 to a power of ten. */
function axis(values: readonly number[], start: number, end: number): Axis {
  const most = values.reduce((greatest, value) => Math.max(greatest, value), 1);
  const powers = Math.max(1, Math.ceil(Math.log10(most)));
  return {
    ticks: Array.from({ length: powers + 1 }, (_, power) => 10 ** power),
    place: (value) => start + (Math.log10(value) / powers) * (end - start),
  };
}

function gridOf(x: Axis, y: Axis): Html {
  const [left, right, top, bottom] = [MARGIN.left, WIDTH - MARGIN.right, MARGIN.top, HEIGHT - MARGIN.bottom];
  const line = LIGHT['line']!;
  const vertical = x.ticks.map((tick) => {
    const place = at(x.place(tick));
    return markup`<path d="M${place} ${top}V${bottom}" stroke="${line}"/><text x="${place}" y="${bottom + 18}" text-anchor="middle">${tick}</text>\n`;
  });
  const horizontal = y.ticks.map((tick) => {
    const place = y.place(tick);
    return markup`<path d="M${left} ${at(place)}H${right}" stroke="${line}"/><text x="${left - 8}" y="${at(place + 4)}" text-anchor="end">${tick}</text>\n`;
  });
  return markup`${vertical}${horizontal}<text x="${right}" y="${HEIGHT - 14}" text-anchor="end">pages of each copy →</text>
<text x="${left}" y="${top - 6}">↑ copies</text>
`;
}

/** Beside their points, right or left of them where there is room; none over another, or over a point. */
function namesOf(clusters: readonly Cluster[], points: readonly Point[], x: Scale, y: Scale): Html {
  const taken = points.map(({ size, cardinality }) => ({ left: x(size), right: x(size), y: y(cardinality) }));
  const names = clusters.flatMap(({ size, cardinality, copies }): Html[] => {
    const name = shown(copies[0]!.folder.replace(/^https?:\/\//, ''), MOST_LETTERS);
    const [place, line, length] = [x(size), y(cardinality), LETTER * name.length];
    const sides = [
      { left: place + 8, right: place + 8 + length, y: line, isLeft: false },
      { left: place - 8 - length, right: place - 8, y: line, isLeft: true },
    ];
    const side = sides.find(
      (box) =>
        box.left >= 0 &&
        box.right <= WIDTH &&
        taken.every((other) => Math.abs(other.y - line) >= LINE || other.right < box.left || other.left > box.right),
    );
    if (side === undefined) return [];
    taken.push(side);
    const [start, anchor] = side.isLeft ? [side.right, 'end'] : [side.left, 'start'];
    return [markup`<text x="${at(start)}" y="${at(line + 4)}" text-anchor="${anchor}">${name}</text>\n`];
  });
  return markup`${names}`;
}
