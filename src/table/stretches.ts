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
// once; and six bytes behind it are kept as one number, which mostly decides.
import { memoryFor } from '../base/crew.js';
import { mixed } from '../base/hash.js';
import { sortByteStrings } from '../base/sort.js';
import { headUnits, UNIT, urlUnits } from './site-urls.js';
import { PLACES, type TableColumns } from './url-table.js';

/** Bytes of records that a stretch is to have: with what sorting them takes, they fit into the L2 cache of a core. */
export const STRETCH_BYTES = 1 << 18;
/** Stretches are named by 16 bits. */
const MAX_STRETCHES = 0xffff;
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

/** What tells of a row which stretch it goes to. Columns by stretch hold the cut that the stretch begins with, if it does. */
export interface Cuts extends Pick<Layout, 'placeOf' | 'firstStretch' | 'cuts' | 'stretches'> {
  /** Bytes that all cuts of a site begin with alike, at most: a multiple of 4; by place of the site. */
  readonly shared: Int32Array;
  readonly row: Int32Array;
  readonly key: Float64Array;
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
  const encoded = siteNames.map((name, number) => ({ name, number, bytes: Buffer.from(name, 'utf8') }));
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
  const found: Cuts = {
    placeOf,
    firstStretch,
    cuts,
    stretches,
    shared: new Int32Array(memoryFor(crew, cuts.length * 4)),
    row: new Int32Array(memoryFor(crew, stretches * 4)),
    key: new Float64Array(memoryFor(crew, stretches * 8)),
  };
  samplesOf(columns, layout).forEach((rows, site) => setCuts(columns, found, site, rows));
  return found;
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

function setCuts({ bytes, places }: TableColumns, found: Cuts, site: number, rows: readonly number[]): void {
  const start = Int32Array.from(rows, (row) => places[row * PLACES]!);
  const end = Int32Array.from(rows, (row) => places[row * PLACES + 1]!);
  const order = Int32Array.from(rows, (_, k) => k);
  sortByteStrings(order, { bytes, start, end }, 'forward');
  const first = found.firstStretch[site]!;
  const parts = found.cuts[site]! + 1;
  const cuts = Array.from({ length: parts - 1 }, (_, k) => order[Math.floor(((k + 1) * rows.length) / parts)]!);
  const [least, most] = [cuts[0]!, cuts.at(-1)!];
  const limit = Math.min(end[least]! - start[least]!, end[most]! - start[most]!);
  let shared = 0;
  while (shared < limit && bytes[start[least]! + shared] === bytes[start[most]! + shared]) shared++;
  shared -= shared % 4;
  found.shared[site] = shared;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  cuts.forEach((cut, k) => {
    found.row[first + 1 + k] = rows[cut]!;
    found.key[first + 1 + k] = keyAt(view, start[cut]! + shared, end[cut]!);
  });
}

/** The next six bytes of a URL as one number; past its end they count as 0. */
export function keyAt(view: DataView, at: number, end: number): number {
  if (at + 6 <= end) return view.getUint32(at) * 2 ** 16 + view.getUint16(at + 4);
  let key = 0;
  for (let k = at; k < at + 6; k++) key = key * 256 + (k < end ? view.getUint8(k) : 0);
  return key;
}

/** Says of rows [from, to) which stretch they go to. Gives for each stretch how many they are, then how many units they take. */
export function findStretches(
  columns: TableColumns,
  found: Cuts,
  stretch: Uint16Array,
  from: number,
  to: number,
): Int32Array {
  const { bytes, places, sites } = columns;
  const { placeOf, firstStretch, cuts, stretches, shared, row: cutRow, key: cutKey } = found;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const counts = new Int32Array(2 * stretches);
  for (let row = from; row < to; row++) {
    const at = row * PLACES;
    const start = places[at]!;
    const end = places[at + 1]!;
    const site = placeOf[sites[row]!]!;
    const first = firstStretch[site]!;
    let low = first;
    if (cuts[site]! > 0) {
      const depth = shared[site]!;
      const cutStart = places[cutRow[first + 1]! * PLACES]!;
      let word = 0;
      while (word < depth >> 2 && words[(start >> 2) + word] === words[(cutStart >> 2) + word]) word++;
      let high = first + cuts[site]!;
      if (4 * word < depth || end - start < depth) {
        // Before all cuts, or behind all.
        if (isBefore(columns, row, cutRow[high]!, 4 * word)) high = first;
        else low = high;
      }
      const key = low < high ? keyAt(view, start + depth, end) : 0;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        const of = cutKey[middle]!;
        if (key < of || (key === of && isBefore(columns, row, cutRow[middle]!, depth))) high = middle - 1;
        else low = middle;
      }
    }
    stretch[row] = low;
    counts[low]!++;
    counts[stretches + low]! += headUnits(places[at + 3]! - places[at + 2]!) + urlUnits(end - start);
  }
  return counts;
}

/** True where URL a comes before URL b; they are known to be the same down to `depth`, as far as they go. */
function isBefore({ bytes, places }: TableColumns, a: number, b: number, depth: number): boolean {
  const aStart = places[a * PLACES]!;
  const aEnd = places[a * PLACES + 1]!;
  const bStart = places[b * PLACES]!;
  const bEnd = places[b * PLACES + 1]!;
  const limit = Math.min(aEnd - aStart, bEnd - bStart);
  for (let k = depth; k < limit; k++) {
    const difference = bytes[aStart + k]! - bytes[bStart + k]!;
    if (difference !== 0) return difference < 0;
  }
  return aEnd - aStart < bEnd - bStart;
}
