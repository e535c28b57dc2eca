// The similarity likeliness heuristic (paper §4, SPEC 3): do two URLs of the list look like one document?
import { sameBytes } from '../base/hash.js';
import type { SiteUrls } from './site-urls.js';

/** Sketches decide if both URLs have one, else overlapping size ranges if both have one, else yes. */
export function isSimilar(urls: SiteUrls, rowA: number, rowB: number): boolean {
  const a = urls.at(rowA);
  const b = urls.at(rowB);
  const aBytes = urls.sketchLengthAt(a);
  const bBytes = urls.sketchLengthAt(b);
  if (aBytes > 0 && bBytes > 0) {
    const { bytes } = urls;
    return (
      aBytes === bBytes && sameBytes(bytes, urls.sketchEndAt(a) - aBytes, bytes, urls.sketchEndAt(b) - bBytes, aBytes)
    );
  }
  if (urls.minSizeAt(a) < 0 || urls.minSizeAt(b) < 0) return true;
  return urls.minSizeAt(a) <= urls.maxSizeAt(b) && urls.minSizeAt(b) <= urls.maxSizeAt(a);
}
