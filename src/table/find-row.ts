// Is a URL in the list of its site, and where?
import { collate } from '../url/token.js';
import type { SiteUrls } from './site-urls.js';

/** The row of a URL in raw bytes, or -1. By halves, as rows stand in the order of collation bytes. */
export function findRow(urls: SiteUrls, url: Uint8Array): number {
  const wanted = collate(url.slice());
  let low = 0;
  let high = urls.count - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const at = urls.at(middle);
    const order = Buffer.compare(urls.bytes.subarray(at, at + urls.lengthOf(middle)), wanted);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
