// Where pages come from: the live site, an archive, or the log itself. One interface; test/validate/source-contract.ts
// holds all of them to the same promises.
import type { Document } from '../sketch/document.js';

/** A page that is there. */
export interface FoundPage {
  readonly kind: 'page';
  readonly document: Document;
  /** Where the redirects ended; the URL itself where there were none. */
  readonly finalUrl: string;
  /** How many there were: 0 if the URL answered itself. */
  readonly redirects: number;
  /**
   * What the page calls its canonical URL (`canonical-link`), which proposes and proves nothing: absolute, in safe
   * normal form.
   */
  readonly canonical?: string;
}

/** What became of asking for a URL. */
export type PageResult =
  | FoundPage
  /** There is no such page: a definite answer, which speaks against a rule that leads here. */
  | { readonly kind: 'missing'; readonly reason: MissingReason; readonly detail?: string }
  /** Nobody can say: refused, unreachable, not archived. Never evidence against a rule. */
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly detail?: string };

export type MissingReason =
  /** 4xx but 408, 425 and 429; 500 and 501. */
  | 'status'
  /** A redirect that leaves the site, goes round, or goes on for more than the limit. */
  | 'redirect-outside'
  | 'redirect-loop';

export type UnavailableReason =
  /** Never asked for: */
  | 'robots'
  | 'action-url'
  | 'outside-site'
  | 'not-http'
  | 'credentials'
  | 'private-address'
  | 'budget'
  /** Asked for without an answer that counts: 408, 425, 429, 502, 503, 504, 3xx without Location, and the network. */
  | 'status'
  | 'network'
  | 'time-out'
  | 'too-large'
  | 'decoding'
  | 'host-given-up'
  /** Archives and logs: */
  | 'not-archived';

export interface PageSource {
  readonly name: 'live' | 'warc' | 'log';
  /** Requests made of the network so far (redirects and robots.txt counted): 0 for archives and logs. */
  readonly requests: number;
  /**
   * The document of an absolute URL, as text of `base/bytes`. Never throws for what the network or an archive does; the
   * same URL asked for twice gives the same result without asking again. `site` is the site that redirects must not
   * leave.
   */
  fetch(url: string, site: string): Promise<PageResult>;
  /**
   * What is there now, if that can be found out: asked for anew whatever `fetch` remembers, and once only. A page that
   * is not like itself proves nothing.
   */
  fetchAgain?(url: string, site: string): Promise<PageResult>;
  /** What `fetch` would refuse without asking anyone, or undefined: for `--dry-run`. */
  refusal(url: string, site: string): UnavailableReason | undefined;
  close(): Promise<void>;
}
