// The steps by which URLs come into backward order, each on a part of the rows or of the buckets (see backward).
import { PackedSorter, WORDS } from '../base/packed-sort.js';
import { sortByteStrings } from '../base/sort.js';
import { FIRST_RUN_BYTE } from '../url/token.js';
import { hasSameWords, packLast, sharedTokens } from './last-words.js';
import { countTokens, fillSharedLast, type Backward } from './order.js';
import type { SiteUrls } from './site-urls.js';

/** What all steps work on: in shared memory, if threads are to do them. */
export interface BackwardJob {
  readonly order: Backward;
  /** A URL whose last `skipped` bytes, a multiple of 4, all of the sample have. */
  readonly sampled: number;
  readonly skipped: number;
  /** Words of URLs, ascending. Bucket 1 + c has the URLs with c cuts at or before them. */
  readonly cuts: Uint32Array;
  /** Two more than that, the first and the last, for those with other last bytes. */
  readonly buckets: number;
  /** By row. */
  readonly bucketOf: Uint16Array;
  /** Words of the rows whose turn it is. */
  readonly words: Uint32Array;
}

/** By bucket: where it starts in `backward`, and how far before that its words lie, in rows; -1 if it has none. */
export interface Places {
  readonly start: Int32Array;
  readonly shift: Int32Array;
}

export type BackwardStep =
  | { readonly kind: 'split'; readonly from: number; readonly to: number }
  | {
      readonly kind: 'gather';
      readonly from: number;
      readonly to: number;
      /** By bucket, where its next row goes; -1 if it is not its turn. */
      readonly next: Int32Array;
      readonly places: Places;
    }
  | { readonly kind: 'arrange'; readonly from: number; readonly to: number; readonly places: Places };

export const NONE = -1;
const SMALL = 12;

/** Does one step; splitting gives how many rows there are for each bucket. */
export function performBackward(urls: SiteUrls, job: BackwardJob, step: BackwardStep): Int32Array | undefined {
  switch (step.kind) {
    case 'split':
      return split(urls, job, step.from, step.to);
    case 'gather':
      gather(urls, job, step);
      return undefined;
    case 'arrange':
      arrange(urls, job, step);
      return undefined;
    default:
      return step satisfies never;
  }
}

function split(urls: SiteUrls, job: BackwardJob, from: number, to: number): Int32Array {
  const { skipped, cuts, bucketOf } = job;
  const counts = new Int32Array(job.buckets);
  const words = new Uint32Array(WORDS);
  const source = bytesOf(urls);
  const sampledEnd = urls.at(job.sampled) + urls.lengthOf(job.sampled);
  for (let row = from; row < to; row++) {
    const start = urls.at(row);
    const end = start + urls.lengthOf(row);
    const side = skipped === 0 ? 0 : compareLast(urls.bytes, start, end, sampledEnd, skipped);
    let bucket = side < 0 ? 0 : job.buckets - 1;
    if (side === 0) {
      packLast(source, start, end - skipped, words, 0);
      bucket = 1 + cutsBefore(cuts, words);
    }
    bucketOf[row] = bucket;
    counts[bucket]!++;
  }
  return counts;
}

/** How the last bytes of [start, end) compare with the `length` ones before `other`. */
function compareLast(bytes: Uint8Array, start: number, end: number, other: number, length: number): number {
  const first = Math.max(start, end - length);
  let at = end - 1;
  other--;
  while (at >= first && bytes[at] === bytes[other]) {
    at--;
    other--;
  }
  if (at >= first) return bytes[at]! - bytes[other]!;
  return end - start - length < 0 ? -1 : 0;
}

/** How many cuts come before these words, or are the same. What both ends of the search share is not compared again. */
function cutsBefore(cuts: Uint32Array, words: Uint32Array): number {
  let low = 0;
  let high = cuts.length / WORDS;
  let sameAsLow = 0;
  let sameAsHigh = 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const cut = middle * WORDS;
    let w = Math.min(sameAsLow, sameAsHigh);
    while (w < WORDS && cuts[cut + w] === words[w]) w++;
    if (w < WORDS && words[w]! < cuts[cut + w]!) {
      high = middle;
      sameAsHigh = w;
    } else {
      low = middle + 1;
      sameAsLow = w;
    }
  }
  return low;
}

function gather(urls: SiteUrls, job: BackwardJob, { from, to, next, places }: BackwardStep & { kind: 'gather' }): void {
  const { bucketOf, words, skipped } = job;
  const { backward } = job.order;
  const source = bytesOf(urls);
  for (let row = from; row < to; row++) {
    const bucket = bucketOf[row]!;
    const place = next[bucket]!;
    if (place === NONE) continue;
    next[bucket] = place + 1;
    backward[place] = row;
    const shift = places.shift[bucket]!;
    if (shift === NONE) continue;
    const start = urls.at(row);
    packLast(source, start, start + urls.lengthOf(row) - skipped, words, (place - shift) * WORDS);
  }
}

function arrange(urls: SiteUrls, job: BackwardJob, step: BackwardStep & { kind: 'arrange' }): void {
  const { start, shift } = step.places;
  const sorter = new PackedSorter();
  const end = urls.at(job.sampled) + urls.lengthOf(job.sampled);
  const skipped = 1 + countTokens(urls.bytes, end - job.skipped, end);
  const inRun = job.skipped > 0 && urls.bytes[end - job.skipped]! >= FIRST_RUN_BYTE;
  for (let bucket = step.from; bucket < step.to; bucket++) {
    const [from, to] = [start[bucket]!, start[bucket + 1]!];
    if (to - from < 2 || shift[bucket] === NONE) continue;
    const words = job.words.subarray((from - shift[bucket]!) * WORDS, (to - shift[bucket]!) * WORDS);
    sorter.sort(words, to - from);
    arrangeSorted(urls, job.order, { sorter, words, skipped, inRun }, from, to);
  }
}

interface Sorted {
  readonly sorter: PackedSorter;
  readonly words: Uint32Array;
  /** Tokens behind the words. */
  readonly skipped: number;
  readonly inRun: boolean;
}

/** Puts rows in the order of their words, and those with the same words in order. */
function arrangeSorted(urls: SiteUrls, order: Backward, sorted: Sorted, from: number, to: number): void {
  const { sorter, words, skipped, inRun } = sorted;
  const { backward, sharedLast } = order;
  const rows = backward.slice(from, to);
  let same = from;
  let isUnknown = false;
  for (let k = from, before = 0; k < to; k++) {
    const number = sorter.at(k - from);
    const here = number * WORDS;
    backward[k] = rows[number]!;
    if (k > from) {
      const shared = sharedTokens(words, before, here, skipped, inRun);
      sharedLast[k] = shared;
      if (shared === 0) isUnknown = true;
      if (shared > 0 || !hasSameWords(words, before, here)) {
        if (k - same > 1) sortRows(urls, backward.subarray(same, k));
        same = k;
      }
    }
    before = here;
  }
  if (to - same > 1) sortRows(urls, backward.subarray(same, to));
  if (isUnknown) fillUnknown(urls, order, from + 1, to);
}

function fillUnknown(urls: SiteUrls, order: Backward, from: number, to: number): void {
  for (let k = from; k < to; k++) if (order.sharedLast[k] === 0) fillSharedLast(urls, order, k, k + 1);
}

/** Sorts rows, which ascend, by all bytes of their URLs. */
export function sortRows(urls: SiteUrls, rows: Int32Array): void {
  if (rows.length <= SMALL) return insertionSort(urls, rows);
  const before = rows.slice();
  const start = new Float64Array(rows.length);
  const end = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) {
    start[k] = urls.at(rows[k]!);
    end[k] = start[k]! + urls.lengthOf(rows[k]!);
    rows[k] = k;
  }
  sortByteStrings(rows, { bytes: urls.bytes, start, end }, 'backward');
  for (let k = 0; k < rows.length; k++) rows[k] = before[rows[k]!]!;
}

function insertionSort(urls: SiteUrls, rows: Int32Array): void {
  for (let k = 1; k < rows.length; k++) {
    const row = rows[k]!;
    const start = urls.at(row);
    const end = start + urls.lengthOf(row);
    let hole = k;
    for (; hole > 0; hole--) {
      const other = rows[hole - 1]!;
      const otherEnd = urls.at(other) + urls.lengthOf(other);
      if (compareLast(urls.bytes, start, end, otherEnd, urls.lengthOf(other)) >= 0) break;
      rows[hole] = other;
    }
    rows[hole] = row;
  }
}

function bytesOf({ bytes }: SiteUrls): { readonly bytes: Uint8Array; readonly view: DataView } {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}
