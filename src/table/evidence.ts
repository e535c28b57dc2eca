// What do sizes and sketches say about two URLs of the list: one document, two, or nothing?
import { isSimilar } from './similar.js';
import type { SiteUrls } from './site-urls.js';

/** For is 1, against -1, silent 0. */
export type Voice = -1 | 0 | 1;

/** True if a URL has a sketch or a size, without which nothing can be said about it. */
export function hasEvidence(urls: SiteUrls, row: number): boolean {
  const at = urls.at(row);
  return urls.sketchLengthAt(at) > 0 || urls.minSizeAt(at) >= 0;
}

/** {@link isSimilar}, but silent if the answer would be yes for lack of evidence: not both sketches, not both sizes. */
export function evidenceFor(urls: SiteUrls, rowA: number, rowB: number): Voice {
  const a = urls.at(rowA);
  const b = urls.at(rowB);
  const haveSketches = urls.sketchLengthAt(a) > 0 && urls.sketchLengthAt(b) > 0;
  if (!haveSketches && (urls.minSizeAt(a) < 0 || urls.minSizeAt(b) < 0)) return 0;
  return isSimilar(urls, rowA, rowB) ? 1 : -1;
}
