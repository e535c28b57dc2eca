// Finds a URL in the list of its site.
import { collate } from '../url/token.js';
import type { SiteUrls } from './site-urls.js';

let wanted = new Uint8Array(4096);

/**
 * The row of a URL in raw bytes, or -1. Rows are in the order of collation bytes, so this is a binary search. The
 * prefix that the URL shares with both bounds is not compared again (437,000 URLs of 80 bytes: 2 µs, and 6 with
 * `Buffer.compare`).
 */
export function findRow(urls: SiteUrls, url: Uint8Array): number {
  const { length } = url;
  if (length > wanted.length) wanted = new Uint8Array(2 * length);
  for (let at = 0; at < length; at++) wanted[at] = url[at]!;
  collate(wanted, 0, length);
  let [low, high] = [0, urls.count - 1];
  let [sameAsLow, sameAsHigh] = [0, 0];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const at = urls.at(middle);
    const { bytes } = urls;
    const ends = urls.lengthOf(middle);
    const most = ends < length ? ends : length;
    let same = sameAsLow < sameAsHigh ? sameAsLow : sameAsHigh;
    while (same < most && bytes[at + same] === wanted[same]) same++;
    if (same === length && same === ends) return middle;
    if (same === ends || (same < length && bytes[at + same]! < wanted[same]!)) {
      low = middle + 1;
      sameAsLow = same;
    } else {
      high = middle - 1;
      sameAsHigh = same;
    }
  }
  return -1;
}
