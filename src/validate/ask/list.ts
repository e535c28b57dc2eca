// Which URLs of a site are used for questions? All, up to a limit. Of a large site a sample, drawn so that duplicates
// stay together (table/sample).
import { decodeText } from '../../base/bytes.js';
import { sampledRows } from '../../table/sample.js';
import { hasPage, type SiteUrls } from '../../table/site-urls.js';
import { rawUrl } from '../../table/raw-url.js';

/** As text they take some 30 MB, and as much again as forms. */
export const MAX_URLS = 50_000;

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
  const rows = sampledRows(urls, limit);
  const redirected = rows.filter((row) => !hasPage(urls, row));
  const hits = rows.map((row) => urls.hitsAt(urls.at(row)));
  return {
    urls: rows.map((row) => textOf(urls, row)),
    redirected: redirected.length === rows.length ? [] : redirected.map((row) => textOf(urls, row)),
    hits: hits.some((one) => one > 1) ? hits : [],
    ...(rows.length < urls.count && { isSample: true }),
  };
}

function textOf(urls: SiteUrls, row: number): string {
  return decodeText(rawUrl(urls, row));
}
