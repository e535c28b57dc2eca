// Where does a row of the URL table go, when the list is to be in order of (site, URL)?
//
// The list is cut into stretches, each small enough for the cache of a core, so that sorting one touches no memory but what is
// at hand (a sample sort: Frazer and McKellar 1970). Small sites share a stretch, a large one is cut at URLs of a sample:
//
//   sites      | a | b | c            | d              | e | …     in order of their names
//   stretches  | 0     | 1  | 2 | 3   | 4 | 5 | 6 | 7  | 8 …
//   cuts               |    x   y         x   y   z                the least URL of a stretch inside a site
//
// Looking for the stretch of a URL means comparing it with some cuts. All cuts of a site begin alike: that part is compared
// once; and what comes behind is kept as numbers of six bytes each, one of which mostly decides. Between two cuts that share the
// first numbers with the URL all do, so that these are not compared again (Manber and Myers 1990).
import { encodeText } from '../base/bytes.js';
import { memoryFor } from '../base/crew.js';
import { mixed } from '../base/hash.js';
import { collate } from '../url/token.js';
import { headUnits, UNIT, urlUnits } from './site-urls.js';
import { PLACES, type TableColumns } from './url-table.js';

/** Bytes of records that a stretch is to have: with what sorting them takes, they fit into the L2 cache of a core. */
export const STRETCH_BYTES = 1 << 18;
/** Stretches are named by 16 bits. */
const MAX_STRETCHES = 0xffff;
/** Numbers that are kept of a cut, of so many bytes each. */
const KEYS = 6;
const KEY_BYTES = 6;
/** URLs looked at for each cut. */
const SAMPLES = 16;

/** How the sites of a table lie in its list; columns are by the place of a site in the order of names. */
export interface Layout {
  readonly names: readonly string[];
  /** The place of a site among the names, by its number in the table. */
  readonly placeOf: Int32Array;
  /** And one more: the end. */
  readonly firstRow: Int32Array;
  /** Where its records begin, in units of the list; and the end. */
  readonly firstUnit: Float64Array;
  readonly firstStretch: Int32Array;
  /** How many cuts lie inside of it: so many stretches more. */
  readonly cuts: Int32Array;
  readonly stretches: number;
}

/** What tells of a row which stretch it goes to. Columns by stretch are of the cut that the stretch begins with, if it does. */
export interface Cuts extends Pick<Layout, 'placeOf' | 'firstStretch' | 'cuts' | 'stretches'> {
  /** The cuts themselves, in collation bytes. */
  readonly bytes: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** KEYS numbers each of what comes behind the shared part. */
  readonly keys: Float64Array;
  /** Bytes that all cuts of a site begin with alike; by place of the site. */
  readonly shared: Int32Array;
}

/** Lays out the sites of a table. */
export function layOut(
  columns: TableColumns,
  siteNames: readonly string[],
  stretchBytes: number,
  crew?: object,
): Layout {
  const count = siteNames.length;
  const { names, placeOf } = inOrder(siteNames, crew);
  const firstRow = new Int32Array(count + 1);
  const firstUnit = new Float64Array(memoryFor(crew, (count + 1) * 8));
  const { rows, places, sites } = columns;
  for (let row = 0; row < rows; row++) {
    const at = row * PLACES;
    const site = placeOf[sites[row]!]! + 1;
    firstRow[site]!++;
    firstUnit[site]! += headUnits(places[at + 3]! - places[at + 2]!) + urlUnits(places[at + 1]! - places[at]!);
  }
  for (let site = 1; site <= count; site++) {
    firstRow[site]! += firstRow[site - 1]!;
    firstUnit[site]! += firstUnit[site - 1]!;
  }
  return { names, placeOf, firstRow, firstUnit, ...cutUp(firstRow, firstUnit, stretchBytes, crew) };
}

function inOrder(siteNames: readonly string[], crew?: object): { names: string[]; placeOf: Int32Array } {
  const encoded = siteNames.map((name, number) => ({ name, number, bytes: encodeText(name) }));
  encoded.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const placeOf = new Int32Array(memoryFor(crew, siteNames.length * 4));
  encoded.forEach(({ number }, place) => (placeOf[number] = place));
  return { names: encoded.map(({ name }) => name), placeOf };
}

function cutUp(firstRow: Int32Array, firstUnit: Float64Array, stretchBytes: number, crew?: object) {
  const count = firstRow.length - 1;
  const units = Math.ceil(Math.max(stretchBytes / UNIT, (4 * firstUnit[count]!) / MAX_STRETCHES));
  const firstStretch = new Int32Array(memoryFor(crew, count * 4));
  const cuts = new Int32Array(memoryFor(crew, count * 4));
  let stretches = 0;
  // Units left in the last stretch, if it is one that small sites share.
  let room = 0;
  for (let site = 0; site < count; site++) {
    const size = firstUnit[site + 1]! - firstUnit[site]!;
    if (size > units) {
      cuts[site] = Math.min(Math.ceil(size / units), firstRow[site + 1]! - firstRow[site]!) - 1;
      firstStretch[site] = stretches;
      stretches += cuts[site]! + 1;
      room = 0;
      continue;
    }
    if (size > room) {
      stretches++;
      room = units;
    }
    firstStretch[site] = stretches - 1;
    room -= size;
  }
  return { firstStretch, cuts, stretches };
}

/** Finds cuts that leave about as much between each two. */
export function cutsOf(columns: TableColumns, layout: Layout, crew?: object): Cuts {
  const { placeOf, firstStretch, cuts, stretches } = layout;
  const samples = [...samplesOf(columns, layout)].map(([site, rows]) => ({ site, urls: sortedUrls(columns, rows) }));
  const chosen = samples.flatMap(({ site, urls }) => {
    const parts = cuts[site]! + 1;
    return Array.from({ length: parts - 1 }, (_, k) => ({
      stretch: firstStretch[site]! + k + 1,
      url: urls[Math.floor(((k + 1) * urls.length) / parts)]!,
    }));
  });
  const bytes = new Uint8Array(
    memoryFor(
      crew,
      chosen.reduce((sum, { url }) => sum + url.length, 0),
    ),
  );
  const [start, end] = [0, 0].map(() => new Int32Array(memoryFor(crew, stretches * 4))) as [Int32Array, Int32Array];
  let used = 0;
  for (const { stretch, url } of chosen) {
    bytes.set(url, used);
    start[stretch] = used;
    end[stretch] = used += url.length;
  }
  const keys = new Float64Array(memoryFor(crew, stretches * KEYS * 8));
  const shared = new Int32Array(memoryFor(crew, cuts.length * 4));
  const view = new DataView(bytes.buffer);
  for (const { site } of samples) {
    const [least, most] = [firstStretch[site]! + 1, firstStretch[site]! + cuts[site]!];
    shared[site] = sharedBytes(bytes, start[least]!, end[least]!, start[most]!, end[most]!);
    for (let cut = least; cut <= most; cut++) {
      const at = start[cut]! + shared[site]!;
      for (let k = 0; k < KEYS; k++) keys[cut * KEYS + k] = keyAt(view, at + k * KEY_BYTES, end[cut]!);
    }
  }
  return { placeOf, firstStretch, cuts, stretches, bytes, start, end, keys, shared };
}

/** Copies of the URLs of some rows, in collation bytes and in order. */
function sortedUrls({ bytes, places }: TableColumns, rows: readonly number[]): Uint8Array[] {
  const urls = rows.map((row) => collate(bytes.slice(places[row * PLACES], places[row * PLACES + 1])));
  return urls.sort((a, b) => Buffer.compare(a, b));
}

function sharedBytes(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): number {
  const limit = Math.min(aEnd - a, bEnd - b);
  let shared = 0;
  while (shared < limit && bytes[a + shared] === bytes[b + shared]) shared++;
  return shared;
}

/** Rows of each site that is cut, here and there. */
function samplesOf({ rows, sites }: TableColumns, { placeOf, firstRow, cuts }: Layout): Map<number, number[]> {
  const samples = new Map<number, number[]>();
  const seen = new Int32Array(cuts.length);
  const next = new Int32Array(cuts.length);
  for (let row = 0; row < rows; row++) {
    const site = placeOf[sites[row]!]!;
    if (cuts[site] === 0 || seen[site]!++ !== next[site]) continue;
    const ofSite = samples.get(site) ?? [];
    samples.set(site, ofSite);
    ofSite.push(row);
    const step = Math.floor((firstRow[site + 1]! - firstRow[site]!) / (SAMPLES * (cuts[site]! + 1)));
    // Not every so-manieth: logs have rhythms.
    next[site]! += step < 2 ? 1 : 1 + ((mixed(row) >>> 0) % (2 * step - 1));
  }
  return samples;
}

/** The next six bytes of a URL as one number; past its end they count as 0. */
export function keyAt(view: DataView, at: number, end: number): number {
  if (at + 6 <= end) return view.getUint32(at) * 2 ** 16 + view.getUint16(at + 4);
  let key = 0;
  for (let k = at; k < at + 6; k++) key = key * 256 + (k < end ? view.getUint8(k) : 0);
  return key;
}

/**
 * Turns the URLs of rows [from, to) into collation bytes, and says which stretch they go to. Gives for each stretch how many
 * they are, then how many units they take.
 */
export function findStretches(
  columns: TableColumns,
  found: Cuts,
  stretch: Uint16Array,
  from: number,
  to: number,
): Int32Array {
  const { bytes, places, sites } = columns;
  const { placeOf, firstStretch, cuts, stretches } = found;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const counts = new Int32Array(2 * stretches);
  for (let row = from; row < to; row++) {
    const at = row * PLACES;
    const start = places[at]!;
    const end = places[at + 1]!;
    const site = placeOf[sites[row]!]!;
    collate(bytes, start, end);
    let goesTo = firstStretch[site]!;
    if (cuts[site]! > 0) goesTo = stretchOf(bytes, view, start, end, found, site);
    stretch[row] = goesTo;
    counts[goesTo]!++;
    counts[stretches + goesTo]! += headUnits(places[at + 3]! - places[at + 2]!) + urlUnits(end - start);
  }
  return counts;
}

/** Those of the URL that is looked for. */
const urlKeys = new Float64Array(KEYS);

/** The stretch of a URL whose site is cut. A function of its own: compiled when it is hot, not in the midst of its loop. */
function stretchOf(bytes: Uint8Array, view: DataView, start: number, end: number, found: Cuts, site: number): number {
  const { bytes: cutBytes, keys } = found;
  const depth = found.shared[site]!;
  let low = found.firstStretch[site]!;
  let high = low + found.cuts[site]!;
  const cutAt = found.start[high]!;
  let same = 0;
  while (same < depth && start + same < end && bytes[start + same] === cutBytes[cutAt + same]) same++;
  // Before all cuts, or behind all.
  if (same < depth) return isBefore(bytes, start + same, end, found, high, same) ? low : high;
  for (let k = 0; k < KEYS; k++) urlKeys[k] = keyAt(view, start + depth + k * KEY_BYTES, end);
  // Numbers that the URL shares with the cut at `low`, and with the one behind `high`.
  let sharedLow = 0;
  let sharedHigh = 0;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const at = middle * KEYS;
    let k = sharedLow < sharedHigh ? sharedLow : sharedHigh;
    while (k < KEYS && urlKeys[k] === keys[at + k]) k++;
    const goesBefore =
      k < KEYS ? urlKeys[k]! < keys[at + k]! : isBefore(bytes, start + depth, end, found, middle, depth);
    if (goesBefore) {
      high = middle - 1;
      sharedHigh = k;
    } else {
      low = middle;
      sharedLow = k;
    }
  }
  return low;
}

/** True where the rest of a URL, [start, end), comes before what is behind the first `depth` bytes of a cut. */
function isBefore(bytes: Uint8Array, start: number, end: number, cuts: Cuts, cut: number, depth: number): boolean {
  const cutAt = cuts.start[cut]! + depth;
  const cutLength = cuts.end[cut]! - cutAt;
  const limit = Math.min(end - start, cutLength);
  for (let k = 0; k < limit; k++) {
    const difference = bytes[start + k]! - cuts.bytes[cutAt + k]!;
    if (difference !== 0) return difference < 0;
  }
  return end - start < cutLength;
}
