// What is the URL of a row, in raw bytes?
import { uncollate } from '../url/token.js';
import type { SiteUrls } from './site-urls.js';

/** A copy, which stays when other rows are fetched. */
export function rawUrl(urls: SiteUrls, row: number): Uint8Array {
  const at = urls.at(row);
  return uncollate(urls.bytes, at, at + urls.lengthOf(row));
}
