// Which sketches of a list are near duplicates? Those with a resemblance of at least 0.9, as in mining, transitively
// (single linkage). Digests are compared by equality, and so are sketches that this program did not write.
//
// All similar pairs are found without comparing all pairs (prefix filtering). Let n be the size of either sketch and U
// the number of minima in the union. The sketches share at least .9 U minima, and these are at most n. So U is at most
// n / .9, and at most n / 9 minima are in one sketch only. So the first shared minimum is among the first n / 9 + 1 of
// either sketch.
//
//   minimum → sketches that have it among their first n / 9 + 1     an inverted index: pairs in one list are compared
//
// This holds some 2 kB in memory for each distinct sketch of the list. 2,000 pages of one template that share half of
// their minima, so that nearly all pairs are compared, take 5 s; for pages that share little the time is linear.
import { decodeText, encodeText } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';
import { readU32, RowWriter } from '../base/row.js';
import { type SpillOptions, SpillSorter } from '../base/spill.js';
import { TextTable } from '../base/text-table.js';
import { Unions } from '../near/components.js';
import { isAlike, parseSketch, type Sketch, SKETCH_PREFIX } from '../sketch/sketch.js';
import type { LabelledUrl } from './measure-labels.js';
import { partEnd, putPart } from './sort-keys.js';

/**
 * The same URLs in another order: near duplicates get the label of one of them. URLs with other programs' sketches keep
 * their label.
 */
export function* eachByCluster(urls: Iterable<LabelledUrl>, room: SpillOptions): Generator<LabelledUrl> {
  const sketches = new TextTable();
  const sorter = new SpillSorter(room);
  const row = new RowWriter();
  for (const listed of urls) {
    const { site, url, label } = listed;
    if (label === undefined || !isOurs(label)) {
      yield listed;
      continue;
    }
    const number = sketches.intern(label, 0, label.length, hashBytes(label, 0, label.length));
    const keyLength = row.clear().u32(number).length;
    putPart(row, encodeText(site)).raw(url);
    sorter.add(row.bytes, 0, row.length, keyLength);
  }
  const clusters = clustersOf(
    Array.from({ length: sketches.count }, (_, number) => parseSketch(latin1(sketches.text(number)))!),
  );
  const rows = sorter.finish();
  for (let next = rows.next(); next !== undefined; next = rows.next()) {
    const siteEnd = partEnd(next, next.keyEnd);
    const site = decodeText(next.bytes, next.keyEnd + 4, siteEnd);
    const cluster = clusters[readU32(next.bytes, next.keyStart)]!;
    yield { site, url: next.bytes.slice(siteEnd, next.end), label: sketches.text(cluster).slice() };
  }
  rows.close();
}

const PREFIX = Buffer.from(SKETCH_PREFIX);

function isOurs(label: Uint8Array): boolean {
  if (label.length < PREFIX.length || Buffer.compare(label.subarray(0, PREFIX.length), PREFIX) !== 0) return false;
  return parseSketch(latin1(label)) !== undefined;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/**
 * A sketch that resembles another has at most one in this many minima of its own: ALIKE_RESEMBLANCE / (1 -
 * ALIKE_RESEMBLANCE).
 */
const MOST_OWN = 9;

/** For each sketch the number of the first one in its cluster. */
export function clustersOf(sketches: readonly Sketch[]): Int32Array {
  const clusters = new Unions(sketches.length);
  for (const meeting of eachMeeting(sketches)) {
    for (let a = 1; a < meeting.length; a++) {
      for (let b = 0; b < a; b++) compare(sketches, meeting[a]!, meeting[b]!, clusters);
    }
  }
  return Int32Array.from(sketches, (_, number) => clusters.rootOf(number));
}

interface Place {
  readonly number: number;
  /** The position of the minimum in the sketch. */
  readonly at: number;
}

/** Two or more sketches of one width that share a minimum in their prefixes, or that are of pages without words. */
function* eachMeeting(sketches: readonly Sketch[]): Generator<readonly Place[]> {
  const places: (Place & { readonly minimum: number })[] = [];
  for (const [number, { w, minima }] of sketches.entries()) {
    // Fingerprints have 40 bits, so the word count cannot collide with them.
    const key = (minimum: number) => minimum + w * 2 ** 41;
    if (minima.length === 0) places.push({ number, at: 0, minimum: key(2 ** 40) });
    const first = Math.floor(minima.length / MOST_OWN) + 1;
    for (let at = 0; at < Math.min(first, minima.length); at++) places.push({ number, at, minimum: key(minima[at]!) });
  }
  places.sort((a, b) => a.minimum - b.minimum || a.number - b.number);
  for (let start = 0, end = 0; start < places.length; start = end) {
    while (end < places.length && places[end]!.minimum === places[start]!.minimum) end++;
    if (end - start > 1) yield places.slice(start, end);
  }
}

function compare(sketches: readonly Sketch[], a: Place, b: Place, clusters: Unions): void {
  const [left, right] = [sketches[a.number]!, sketches[b.number]!];
  const most = Math.min(left.minima.length, right.minima.length) / MOST_OWN;
  // All minima before the first shared one are in one page only.
  if (a.at + b.at > most || clusters.areOne(a.number, b.number)) return;
  if (!isFar(left.minima, right.minima, most) && isAlike(left, right)) clusters.join(a.number, b.number);
}

/**
 * True if more than `most` minima are in one page only. For most pairs, which share just a template, this is known
 * early.
 */
function isFar(left: Float64Array, right: Float64Array, most: number): boolean {
  const limit = Math.min(left.length, right.length);
  for (let i = 0, j = 0, union = 0, own = 0; union < limit && i < left.length && j < right.length; union++) {
    const order = left[i]! - right[j]!;
    if (order <= 0) i++;
    if (order >= 0) j++;
    if (order !== 0 && ++own > most) return true;
  }
  return false;
}
