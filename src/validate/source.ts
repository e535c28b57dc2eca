// Where do pages come from? The live site, an archive, or the log itself, behind one interface;
// test/validate/source-contract.ts holds all of them to the same contract.
import type { Controls } from '../sketch/controls.js';
import type { Document } from '../sketch/document.js';

/** A page that exists. */
export interface FoundPage {
  readonly kind: 'page';
  readonly document: Document;
  /** Where the redirects ended; the URL itself if there were none. */
  readonly finalUrl: string;
  /** The number of redirects: 0 if the URL answered itself. */
  readonly redirects: number;
  /** The media type (`pages/headers`); missing if nobody said. */
  readonly type?: string;
  /**
   * The canonical URL that the page names (`canonical-link`), which is a suggestion and proves nothing: absolute, in
   * safe normal form.
   */
  readonly canonical?: string;
  /** Of HTML, where its body is known. */
  readonly controls?: Controls;
}

/** The result of fetching a URL. */
export type PageResult =
  | FoundPage
  /** There is no such page: a definite answer, which speaks against a rule that leads here. */
  | { readonly kind: 'missing'; readonly reason: MissingReason; readonly detail?: string }
  /** Unknown: refused, unreachable, not archived. Never evidence against a rule. */
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly detail?: string };

export type MissingReason =
  /** 4xx except 408, 425 and 429; 500 and 501. */
  | 'status'
  /** A redirect that leaves the site, loops, or exceeds the limit. */
  | 'redirect-outside'
  | 'redirect-loop';

export type UnavailableReason =
  /** Not requested: */
  | 'robots'
  | 'action-url'
  | 'token-url'
  | 'visitor-value'
  | 'rarely-read'
  | 'other-host'
  | 'outside-site'
  | 'not-http'
  | 'credentials'
  | 'private-address'
  | 'budget'
  /**
   * Requested without an answer that counts: 408, 425, 429, 502, 503, 504, 3xx without Location, and network errors.
   */
  | 'status'
  | 'network'
  | 'time-out'
  | 'too-large'
  | 'decoding'
  | 'host-given-up'
  /** Archives and logs: */
  | 'not-archived'
  | 'damaged-sketch';

/** Counts of answers by origin; redirects and missing pages are answers too. */
export interface Answered {
  /** Answers of the site, in this run. */
  readonly site: number;
  /** Answers that earlier runs stored. */
  readonly cache: number;
  /** When the oldest cached answer was fetched, in milliseconds since 1970; undefined if there is none. */
  readonly oldest: number | undefined;
}
/**
 * A URL that is not in the log: a rule's form of another URL (`of`), or one made up so that no page is there (`nobody`).
 * Sources that send no requests can ignore this.
 */
export type Made = { readonly of: string } | 'nobody';

export interface PageSource {
  readonly name: 'live' | 'warc' | 'log';
  /** Requests made so far (including redirects and robots.txt): 0 for archives and logs. */
  readonly requests: number;
  /**
   * The document of an absolute URL, as text of `base/bytes`. Never throws because of the network or an archive; a
   * second call for the same URL gives the same result without a request. `site` is the site that redirects must not
   * leave.
   */
  fetch(url: string, site: string, made?: Made): Promise<PageResult>;
  /**
   * Fetches the page anew, if the source can, whatever `fetch` remembers; at most once per URL. A page that differs
   * from itself proves nothing.
   */
  fetchAgain?(url: string, site: string): Promise<PageResult>;
  /** Where answers came from so far, if the source may have answers of earlier runs. */
  readonly answered?: Answered;
  /** When an earlier run fetched the page of this URL, in milliseconds since 1970; undefined if none did. */
  keptAt?(finalUrl: string): number | undefined;
  /** Whether `fetch` will probably take no request, as this run or an earlier one has asked for the URL. */
  isKept?(url: string): boolean;
  /** Whether this site was asked for the URL in this run: then `fetch` adds nothing to `requests`. */
  isAsked?(url: string): boolean;
  /**
   * As `fetch`, but what an earlier run fetched is fetched anew, and remembered in its place unless that fails: a page
   * of last week can differ from one of today for that alone.
   */
  renew?(url: string, site: string): Promise<PageResult>;
  /** Why `fetch` would refuse a URL without a request, or undefined: for `--dry-run`. */
  refusal(url: string, site: string, made?: Made): UnavailableReason | undefined;
  close(): Promise<void>;
}
