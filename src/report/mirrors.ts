// Clusters of replicated collections, for people, for programs, and as a picture.
import { agreeing, many } from '../base/amounts.js';
import { decodeText, printable } from '../base/bytes.js';
import { PLAIN } from '../base/paint.js';
import type { Cluster } from '../mirrors/copies.js';
import type { MirrorCounts, Mirrors } from '../mirrors/find-mirrors.js';
import { hostOf, type Pages } from '../mirrors/pages.js';
import { at } from './page/chart/chart.js';
import { type Html, markup, shown } from './page/render/html.js';
import { LIGHT } from './page/style.js';
import { clip } from './render.js';
import { aligned } from './text-table.js';

/**
 * How many copies a crawl has, before and after all but the principal copies are left out (Cho, Shivakumar,
 * Garcia-Molina 2000, 5.1).
 */
export interface Saving {
  readonly pages: number;
  readonly saved: number;
  /** Saved pages that are in no collection themselves (`--nearby`). */
  readonly nearby: number;
  /** The number of pages that are similar to another page: among all pages, and among those that remain. */
  readonly similar: number;
  readonly similarLeft: number;
}

export function mirrorsTable(clusters: readonly Cluster[], limit: number, paint = PLAIN): string {
  if (clusters.length === 0) return 'No collection is replicated.\n';
  const rows = clusters
    .slice(0, limit)
    .map(({ cardinality, size, saved, copies }) => [
      `${cardinality}`,
      `${size}`,
      `${saved}`,
      clip(printable(copies[0]!.root)),
      clip(printable(copies[1]!.root)),
    ]);
  const more = clusters.length > rows.length ? `… and ${clusters.length - rows.length} more\n` : '';
  const head = ['copies', 'pages', 'saved', 'principal copy', 'one of the others'];
  return aligned([head, ...rows], new Set([0, 1, 2]), paint) + more;
}

export function mirrorsSummary(
  { counts, setAside, pages }: Mirrors,
  clusters: readonly Cluster[],
  saving: Saving,
): string {
  const collections = clusters.reduce((sum, { cardinality }) => sum + cardinality, 0);
  const { small, smallPages } = counts;
  const lines = [
    ...similarLines(counts),
    linksLine(counts),
    ...setAsideLines(counts.setAside, setAside, pages),
    `${many(collections, 'collection')} in ${many(clusters.length, 'cluster')}; ${many(small, 'cluster')} ` +
      `${agreeing(small, 'is', 'are')} below --min-pages${small === 0 ? '' : asCounted(smallPages)}`,
    `A crawl without the copies saves ${saving.saved} of ${many(saving.pages, 'page')} ` +
      `(${percent(saving.saved, saving.pages)}): ${percent(saving.similar, saving.pages)} of all pages are similar to ` +
      `another one, and ${percent(saving.similarLeft, saving.pages - saving.saved)} of those that are left`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function asCounted(smallPages: number): string {
  return ` (pages of one copy), with ${many(smallPages, 'page')} in all copies`;
}

function similarLines(counts: MirrorCounts): string[] {
  const { pages, again, texts, textless, similar, trivial, longLists, unseen, frameChunks } = counts;
  const line =
    `${many(pages, 'page')} (${many(again, 'further record')} of one) with ${many(texts, 'different text')}, ` +
    `${textless} without any; ${many(similar, 'page')} ${agreeing(similar, 'is', 'are')} similar to another, in ` +
    many(trivial, 'trivial cluster');
  const frames =
    frameChunks === 0
      ? []
      : [
          `${many(frameChunks, 'chunk')} ${agreeing(frameChunks, 'is', 'are')} on many pages of one host and on few ` +
            'others, so not compared',
        ];
  if (longLists === 0) return [line, ...frames];
  const [are, were] = [agreeing(longLists, 'is', 'are'), agreeing(unseen, 'was', 'were')];
  return [
    line,
    ...frames,
    `${many(longLists, 'chunk')} ${are} in very many pages that have little else; at most ${many(unseen, 'pair')} of those ` +
      `${were} not looked at`,
  ];
}

function linksLine({ links, outside, edges, unmatched, contradictions, unlike }: MirrorCounts): string {
  return [
    `${many(links, 'link')} between pages, and ${outside} to none of them`,
    `${many(edges, 'pair')} of clusters can be joined, ${unmatched} more ${agreeing(unmatched, 'has', 'have')} no ` +
      'partner for each page',
    `${many(contradictions, 'mapping')} ${agreeing(contradictions, 'contradicts', 'contradict')} others`,
    `${many(unlike, 'cluster')} ${agreeing(unlike, 'was', 'were')} taken out, as pages have other parents in other copies`,
  ].join('; ');
}

/** How many hosts are named. */
const MOST_HOSTS = 3;

function setAsideLines(count: number, setAside: Mirrors['setAside'], { urls }: Pages): string[] {
  if (count === 0) return [];
  const most = [...setAside.values()].sort((a, b) => b.pages - a.pages || a.first - b.first);
  const named = most
    .slice(0, MOST_HOSTS)
    .map(({ pages, first }) => `${printable(hostOf(decodeText(urls.firstOf(first))))} ${pages}`);
  const more = most.length > MOST_HOSTS ? `, ${many(most.length - MOST_HOSTS, 'more host')}` : '';
  const of = named.length === 0 ? '' : ` (${named.join(', ')}${more})`;
  const they = agreeing(count, 'it is', 'they are');
  const lack = agreeing(count, 'has none or few of their links', 'have none or few of the links between these');
  return [`${many(count, 'page')} set aside${of}: ${they} similar to linked pages, but ${lack}`];
}

function percent(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(1)} %`;
}

/** Yields one JSON document, with a line for each cluster. */
export function* mirrorsJson(head: Readonly<Record<string, unknown>>, clusters: readonly Cluster[]): Generator<string> {
  const text = JSON.stringify(head, null, 1);
  yield `${text.slice(0, -2)},\n "clusters": [`;
  let isFirst = true;
  for (const cluster of clusters) {
    yield `${isFirst ? '' : ','}\n  ${JSON.stringify(cluster)}`;
    isFirst = false;
  }
  yield `${isFirst ? '' : '\n '}]\n}\n`;
}

// Figure 12 of Cho, Shivakumar and Garcia-Molina (Finding Replicated Web Collections, SIGMOD 2000) as a picture. Each
// cluster of collections is a point, with its number of copies over pages per copy, both logarithmic. Points far from
// the origin are worth leaving out of a crawl. The clusters that save most are labelled with the folder of their
// principal copy.

const WIDTH = 720;
const HEIGHT = 480;
const MARGIN = { left: 64, right: 24, top: 40, bottom: 56 };
/** How many clusters are labelled, if there is room. */
const MOST_NAMED = 12;
const MOST_LETTERS = 44;
/** Approximate size of a letter and a line at a font size of 11. */
const LETTER = 6;
const LINE = 13;

type Scale = (value: number) => number;

interface Axis {
  readonly ticks: readonly number[];
  readonly place: Scale;
}

/** All clusters with the same number of copies and of pages. */
interface Point {
  readonly size: number;
  readonly cardinality: number;
  readonly clusters: readonly Cluster[];
}

/** Expects the clusters that save most first. Equal clusters give equal bytes. */
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

/** An axis from 1 to a power of ten. */
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

/**
 * Labels beside their points, to the right or left where there is room, so that none covers another label or a point.
 */
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
