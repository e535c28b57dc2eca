// The similarity likeliness heuristic (paper §4, SPEC 3): do two URLs of the list look like one document?
import { sameBytes } from '../base/hash.js';
import type { SiteUrls } from './url-list.js';

/** Sketches decide if both URLs have one, else overlapping size ranges if both have one, else yes. */
export function isSimilar(urls: SiteUrls, a: number, b: number): boolean {
  const { sketch, sketchStart, minSize, maxSize } = urls;
  const aBytes = sketchStart[a + 1]! - sketchStart[a]!;
  const bBytes = sketchStart[b + 1]! - sketchStart[b]!;
  if (aBytes > 0 && bBytes > 0) {
    return aBytes === bBytes && sameBytes(sketch, sketchStart[a]!, sketch, sketchStart[b]!, aBytes);
  }
  if (minSize[a]! < 0 || minSize[b]! < 0) return true;
  return minSize[a]! <= maxSize[b]! && minSize[b]! <= maxSize[a]!;
}
