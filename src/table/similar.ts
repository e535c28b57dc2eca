// The similarity likeliness heuristic (paper §4, SPEC 3): do two URLs of the list look like one document?
// kernel/instances/similar decides, and calls back for two pages that have different sketches of ours.
//
// Every pair of a bucket is compared, so a sketch is needed several times within a few calls: recently decoded ones are
// cached (buckets of 8: 1.9 µs a pair, 9.0 µs without).
import { calls, kernel } from '../base/heap.js';
import { isAlike, parseSketch, type Sketch } from '../sketch/sketch.js';
import type { SiteUrls } from './site-urls.js';

/** The list that the kernel's calls refer to. */
let list: SiteUrls;

/** Sketches decide if both URLs have one, else overlapping size ranges if both have one, else yes. */
export function isSimilar(urls: SiteUrls, rowA: number, rowB: number): boolean {
  urls.use();
  answerAlike(urls);
  return kernel().isSimilar(rowA, rowB) !== 0;
}

/** From now on answers the kernel of this thread for rows of this list. */
export function answerAlike(urls: SiteUrls): void {
  list = urls;
  calls.alike = readAlike;
}

/** 1 if both sketches, which are of our own format, resemble each other. */
function readAlike(rowA: number, rowB: number): number {
  const a = list.at(rowA);
  const b = list.at(rowB);
  const sketchA = sketchOf(rowA, a);
  const sketchB = sketchA && sketchOf(rowB, b);
  return Number(sketchA !== undefined && sketchB !== undefined && isAlike(sketchA, sketchB));
}

interface Decoded {
  readonly text: Uint8Array;
  readonly sketch: Sketch | undefined;
}

/**
 * A direct-mapped cache, by the last bits of the row. In the next list a row is another URL: the bytes say whether it
 * is the same.
 */
const slots: (Decoded | undefined)[] = Array.from({ length: 64 }, () => undefined);

function sketchOf(row: number, at: number): Sketch | undefined {
  const slot = row & (slots.length - 1);
  const kept = slots[slot];
  const end = list.sketchEndAt(at);
  const text = list.bytes.subarray(end - list.sketchLengthAt(at), end);
  if (kept !== undefined && Buffer.compare(kept.text, text) === 0) return kept.sketch;
  const sketch = parseSketch(Buffer.from(text).toString('latin1'));
  slots[slot] = { text: text.slice(), sketch };
  return sketch;
}

/**
 * What sizes and sketches say about two URLs of the list: one document, two, or nothing. For is 1, against -1, silent
 * 0.
 */
export type Voice = -1 | 0 | 1;

/** True if a URL has a sketch or a size, without which nothing can be said about it. */
export function hasEvidence(urls: SiteUrls, row: number): boolean {
  const at = urls.at(row);
  return urls.sketchLengthAt(at) > 0 || urls.minSizeAt(at) >= 0;
}
