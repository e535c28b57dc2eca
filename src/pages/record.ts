// The record of a page of a crawl: one line of JSON for each URL that was answered:
//
//   {"url":"http://h/a","time":"2026-01-02T03:04:05Z","status":200,"type":"text/html","size":5120,
//    "digest":"sha256:…","sketch":"db1-4-128-…","canonical":"http://h/"}
//   {"url":"http://h/b","time":"…","status":301,"redirect":"http://h/a"}
//   {"url":"http://h/c","time":"…","status":404}
//
// The names are those of the log format `jsonl`, so these lines are also a log.

export interface PageRecord {
  /** Absolute, as the crawler recorded it; text of `base/bytes`. */
  readonly url: string;
  /** Seconds since 1970; 0 if unknown. */
  readonly time: number;
  /** 0 if unknown. */
  readonly status: number;
  readonly page?: PageContent;
  /** The target of a redirect: absolute, in safe normal form. */
  readonly redirect?: string;
}

export interface PageContent {
  /** The media type in lower case, without parameters. */
  readonly type?: string;
  /** Bytes of the body, decoded. */
  readonly size: number;
  /** `sha256:<hex>` of the body, decoded. */
  readonly digest: string;
  /** The text form of its sketch; missing for a page without words. */
  readonly sketch?: string;
  /** The canonical URL that the page names: absolute, in safe normal form. */
  readonly canonical?: string;
  /** The targets of its links: absolute, in safe normal form, without duplicates, in the order of the page. */
  readonly links?: readonly string[];
  /** Fingerprints of its chunks (`sketch/chunks`), without duplicates, in the order of the page. */
  readonly chunks?: readonly string[];
}

/**
 * The line of a record, with a line feed. Bytes of a URL that are not UTF-8 become escapes of the code units that
 * `base/bytes` uses.
 */
export function formatPageRecord({ url, time, status, page, redirect }: PageRecord): string {
  const written = {
    url,
    ...(time > 0 && { time: `${new Date(time * 1000).toISOString().slice(0, 19)}Z` }),
    ...(status > 0 && { status }),
    ...page,
    ...(redirect !== undefined && { redirect }),
  };
  return `${JSON.stringify(written)}\n`;
}
