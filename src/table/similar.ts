// The similarity likeliness heuristic (paper §4, SPEC 3): tests whether two URLs of the list look like one document.
// kernel/instances/similar decides. It calls back for two pages with different sketches that dustbuster made.
//
// All pairs of a bucket are compared, so a sketch is needed several times within a few calls. A cache has the recently
// decoded ones (buckets of 8: 1.9 µs a pair, 9.0 µs without).
import { calls, kernel } from '../base/heap.js';
import { isAlike, parseSketch, type Sketch } from '../sketch/sketch.js';
import type { SiteUrls } from './site-urls.js';

/** The list whose rows the kernel's calls name. */
let list: SiteUrls;

/**
 * If both URLs have a sketch, compares sketches; else, if both have sizes, tests whether the ranges overlap; else true.
 */
export function isSimilar(urls: SiteUrls, rowA: number, rowB: number): boolean {
  urls.use();
  answerAlike(urls);
  return kernel().isSimilar(rowA, rowB) !== 0;
}

/** Makes the kernel of this thread ask about rows of this list from now on. */
export function answerAlike(urls: SiteUrls): void {
  list = urls;
  calls.alike = readAlike;
}

/** 1 if the sketches of two rows, both in our own format, resemble each other. */
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
 * A direct-mapped cache, by the last bits of the row. It outlives a list, so the bytes of the sketch are compared too.
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

/** The evidence of sizes and sketches about two URLs: 1 for one document, -1 for two, 0 for none. */
export type Voice = -1 | 0 | 1;

/** True if the URL has a sketch or a size. */
export function hasEvidence(urls: SiteUrls, row: number): boolean {
  const at = urls.at(row);
  return urls.sketchLengthAt(at) > 0 || urls.minSizeAt(at) >= 0;
}
