// The similarity likeliness heuristic (paper §4, SPEC 3): do two URLs of the list look like one document?
//
// A sketch column holds any digest: equal bytes are one page. Where both are sketches of ours, pages that read alike are one
// too. Every pair of a bucket is asked about, so a sketch comes again and again within a few calls: those decoded last
// are kept (pairs in buckets of 8: 1.9 µs a pair, 9.0 µs without).
import { sameBytes } from '../base/hash.js';
import { isAlike, parseSketch, SKETCH_PREFIX, type Sketch } from '../sketch/sketch.js';
import type { SiteUrls } from './site-urls.js';

/** Sketches decide if both URLs have one, else overlapping size ranges if both have one, else yes. */
export function isSimilar(urls: SiteUrls, rowA: number, rowB: number): boolean {
  const a = urls.at(rowA);
  const b = urls.at(rowB);
  const aBytes = urls.sketchLengthAt(a);
  const bBytes = urls.sketchLengthAt(b);
  if (aBytes > 0 && bBytes > 0) {
    const { bytes } = urls;
    const aStart = urls.sketchEndAt(a) - aBytes;
    const bStart = urls.sketchEndAt(b) - bBytes;
    if (aBytes === bBytes && sameBytes(bytes, aStart, bytes, bStart, aBytes)) return true;
    const sketchA = decoded(bytes, aStart, aBytes, rowA);
    const sketchB = sketchA && decoded(bytes, bStart, bBytes, rowB);
    return sketchA !== undefined && sketchB !== undefined && isAlike(sketchA, sketchB);
  }
  if (urls.minSizeAt(a) < 0 || urls.minSizeAt(b) < 0) return true;
  return urls.minSizeAt(a) <= urls.maxSizeAt(b) && urls.minSizeAt(b) <= urls.maxSizeAt(a);
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
