// Which URLs of a site are used for questions? All, up to a limit. Of a large site a sample, drawn so that duplicates
// stay together.
//
// A uniform sample of one in a hundred would have one pair of duplicates in ten thousand. So URLs are sampled by the
// hash of what duplicates mostly share: the words of the last part of the path, in lower case, without extension.
// Parameters, case, hosts, slashes and folders may differ; a duplicate in other words (`/story?id=7`, `/story_7`) is in
// the sample only by chance.
import { decodeText, encodeText } from '../../base/bytes.js';
import { hashBytes } from '../../base/hash.js';
import { hasPage, type SiteUrls } from '../../table/site-urls.js';
import { uncollate } from '../../url/token.js';
import { nameOf } from '../soft.js';

/** As text they take some 30 MB, and as much again as forms. */
export const MAX_URLS = 50_000;

const SEED = 0x6c697374;

/** Sampled URLs of a site, as text of `base/bytes`, in list order. */
export interface AskList {
  readonly urls: readonly string[];
  /**
   * URLs that the log has only with 301 or 308: the site has another URL for them. Empty if the log has no statuses.
   */
  readonly redirected: readonly string[];
  /** Log lines of each URL; empty if every URL occurs once, as such a list says nothing about use. */
  readonly hits: readonly number[];
  /** True if the site has more URLs. */
  readonly isSample?: boolean;
}

export function listToAsk(urls: SiteUrls, limit = MAX_URLS): AskList {
  const rows = rowsToAsk(urls, limit);
  const redirected = rows.filter((row) => !hasPage(urls, row));
  const hits = rows.map((row) => urls.hitsAt(urls.at(row)));
  return {
    urls: rows.map((row) => textOf(urls, row)),
    redirected: redirected.length === rows.length ? [] : redirected.map((row) => textOf(urls, row)),
    hits: hits.some((one) => one > 1) ? hits : [],
    ...(rows.length < urls.count && { isSample: true }),
  };
}

function rowsToAsk(urls: SiteUrls, limit: number): number[] {
  if (urls.count <= limit) return Array.from({ length: urls.count }, (_, row) => row);
  // Cuts at the limit too, as many URLs may share one name.
  const part = Math.floor((limit / urls.count) * 2 ** 32);
  const rows: number[] = [];
  for (let row = 0; row < urls.count && rows.length < limit; row++) {
    const name = encodeText(nameOf(textOf(urls, row)));
    if (hashBytes(name, 0, name.length, SEED) >>> 0 < part) rows.push(row);
  }
  return rows;
}

function textOf(urls: SiteUrls, row: number): string {
  const at = urls.at(row);
  return decodeText(uncollate(urls.bytes, at, at + urls.lengthOf(row)));
}
