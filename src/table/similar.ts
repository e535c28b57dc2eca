// The similarity likeliness heuristic (paper §4, SPEC 3): do two URLs of the list look like one document? kernel/similar says so,
// and asks here whether two pages with different sketches read alike.
//
// Every pair of a bucket is asked about, so a sketch comes again and again within a few calls: those decoded last
// are kept (pairs in buckets of 8: 1.9 µs a pair, 9.0 µs without).
import { calls, kernel } from '../base/heap.js';
import { sameBytes } from '../base/hash.js';
import { isAlike, parseSketch, SKETCH_PREFIX, type Sketch } from '../sketch/sketch.js';
import type { SiteUrls } from './site-urls.js';

interface SimilarExports {
  isSimilar(a: number, b: number): number;
}

let exported: SimilarExports | undefined;
/** The list that the kernel asks about. */
let list: SiteUrls;

/** Sketches decide if both URLs have one, else overlapping size ranges if both have one, else yes. */
export function isSimilar(urls: SiteUrls, rowA: number, rowB: number): boolean {
  exported ??= kernel<SimilarExports>();
  urls.use();
  answerAlike(urls);
  return exported.isSimilar(rowA, rowB) !== 0;
}

/** From now on the kernel of this thread is answered for rows of this list, which is in use. */
export function answerAlike(urls: SiteUrls): void {
  list = urls;
  calls.alike = readAlike;
}

/** 1 where both have sketches of ours that resemble each other. */
function readAlike(rowA: number, rowB: number): number {
  const a = list.at(rowA);
  const b = list.at(rowB);
  const { bytes } = list;
  const sketchA = sketchOf(a, rowA);
  const sketchB = sketchA && sketchOf(b, rowB);
  return Number(sketchA !== undefined && sketchB !== undefined && isAlike(sketchA, sketchB));

  function sketchOf(at: number, row: number): Sketch | undefined {
    const length = list.sketchLengthAt(at);
    return decoded(bytes, list.sketchEndAt(at) - length, length, row);
  }
}

interface Decoded {
  readonly text: Uint8Array;
  readonly sketch: Sketch | undefined;
}

/** One slot for rows with the same last bits. A row means another URL in the next list: the bytes say whether it is the same. */
const slots: (Decoded | undefined)[] = Array.from({ length: 64 }, () => undefined);
const ownPrefix = Buffer.from(SKETCH_PREFIX, 'latin1');

function decoded(bytes: Uint8Array, start: number, length: number, row: number): Sketch | undefined {
  if (length <= ownPrefix.length || !sameBytes(bytes, start, ownPrefix, 0, ownPrefix.length)) return undefined;
  const slot = row & (slots.length - 1);
  const kept = slots[slot];
  const text = bytes.subarray(start, start + length);
  if (kept !== undefined && Buffer.compare(kept.text, text) === 0) return kept.sketch;
  const sketch = parseSketch(Buffer.from(text).toString('latin1'));
  slots[slot] = { text: text.slice(), sketch };
  return sketch;
}
