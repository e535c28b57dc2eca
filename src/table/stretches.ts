// Plans the list in the order of (site, URL): where the sites and their rows go.
//
// The list is partitioned into stretches, each small enough to be sorted inside the cache of a core (a sample sort:
// Frazer and McKellar 1970). Small sites share a stretch. A large site is cut at splitters, which are URLs of a sample:
//
//   sites      | a | b | c            | d              | e | …     in order of their names
//   stretches  | 0     | 1  | 2 | 3   | 4 | 5 | 6 | 7  | 8 …
//   cuts               |    x   y         x   y   z                the least URL of each further stretch of a site
//
// To find the stretch of a URL, it is compared with some splitters: kernel/list/cuts has them as a trie.
import { byText, encodeText } from '../base/bytes.js';
import { inArena, kernel, takeU32 } from '../base/heap.js';
import { UNIT } from '../kernel/layout/record.js';
import type { TableColumns } from './url-table.js';

/** Target size of the records of a stretch: with what sorting needs, they fit into the L2 cache of a core. */
export const STRETCH_BYTES = 1 << 18;
/** Stretches are numbered with 16 bits. */
const MAX_STRETCHES = 0xffff;

/** Where the sites of a table go in its list. Columns are by place: the position of a site in the order of names. */
export interface Layout {
  readonly names: readonly string[];
  /** The place of a site by its number in the table. */
  readonly placeOf: Int32Array;
  /** One entry more for the end. */
  readonly firstRow: Int32Array;
  /** Where the records of a site begin, in units of the list; one entry more for the end. */
  readonly firstUnit: Uint32Array;
  readonly firstStretch: Int32Array;
  /** The number of splitters of a site, each of which adds a stretch. */
  readonly cuts: Int32Array;
  readonly stretches: number;
  /** The first site of each stretch; one entry more for the end. */
  readonly firstSite: Int32Array;
}

/** Lays out the sites of a table. */
export function layOut(columns: TableColumns, siteNames: readonly string[], stretchBytes: number): Layout {
  const count = siteNames.length;
  const { names, placeOf } = inOrder(siteNames);
  const firstRow = new Int32Array(count + 1);
  const firstUnit = new Uint32Array(count + 1);
  inArena(() => {
    const { rows, places, sites } = columns;
    const counts = takeU32(2 * count).fill(0);
    kernel().countSites(rows, places.byteOffset, sites.byteOffset, counts.byteOffset);
    for (let number = 0; number < count; number++) {
      firstRow[placeOf[number]! + 1] = counts[2 * number]!;
      firstUnit[placeOf[number]! + 1] = counts[2 * number + 1]!;
    }
  });
  for (let site = 1; site <= count; site++) {
    firstRow[site]! += firstRow[site - 1]!;
    firstUnit[site]! += firstUnit[site - 1]!;
  }
  return { names, placeOf, firstRow, firstUnit, ...cutUp(firstRow, firstUnit, stretchBytes) };
}

/** Sorts by the bytes of the names. Allocates nothing per name, as there may be millions. */
function inOrder(siteNames: readonly string[]): { names: string[]; placeOf: Int32Array } {
  const keys = siteNames.map(textOfBytes);
  const order = Uint32Array.from(keys.keys()).sort((a, b) => byText(keys[a]!, keys[b]!));
  const placeOf = new Int32Array(siteNames.length);
  order.forEach((number, place) => (placeOf[number] = place));
  return { names: Array.from(order, (number) => siteNames[number]!), placeOf };
}

/** A text that sorts as the bytes of `text`: itself if it is ASCII. */
function textOfBytes(text: string): string {
  // eslint-disable-next-line no-control-regex -- a control character is a byte, too
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(encodeText(text)).toString('latin1');
}

function cutUp(firstRow: Int32Array, firstUnit: Uint32Array, stretchBytes: number) {
  const count = firstRow.length - 1;
  const units = Math.ceil(Math.max(stretchBytes / UNIT, (4 * firstUnit[count]!) / MAX_STRETCHES));
  const firstStretch = new Int32Array(count);
  const cuts = new Int32Array(count);
  const firstSite: number[] = [];
  // Units left in the last stretch, if small sites share it.
  let room = 0;
  for (let site = 0; site < count; site++) {
    const size = firstUnit[site + 1]! - firstUnit[site]!;
    if (size > units) {
      cuts[site] = Math.min(Math.ceil(size / units), firstRow[site + 1]! - firstRow[site]!) - 1;
      firstStretch[site] = firstSite.length;
      for (let k = 0; k <= cuts[site]!; k++) firstSite.push(site);
      room = 0;
      continue;
    }
    if (size > room) {
      firstSite.push(site);
      room = units;
    }
    firstStretch[site] = firstSite.length - 1;
    room -= size;
  }
  const stretches = firstSite.length;
  return { firstStretch, cuts, stretches, firstSite: Int32Array.from([...firstSite, count]) };
}
