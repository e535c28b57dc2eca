// Pages that were stored by somebody, by URL: no network at all. Redirects are followed from answer to answer, as a
// client follows them.
import { encodeText } from '../base/bytes.js';
import { isHttp, parseUrl } from '../url/parse.js';
import type { PageResult, PageSource, UnavailableReason } from './source.js';

export interface StoredPages<Answer> {
  readonly name: PageSource['name'];
  /** The stored answer for an absolute URL, as text of `base/bytes`. */
  find(url: string): Promise<Answer | undefined>;
  /** Where an answer redirects to, absolute; undefined if it does not. */
  redirectOf(answer: Answer, url: string): string | undefined;
  /** The result if `answer` is the last one, found at `url` after so many redirects. */
  resultOf(answer: Answer, url: string, redirects: number): PageResult;
  /** Whether an absolute URL, as text of `base/bytes`, belongs to a site. */
  isInside(url: string, site: string): boolean;
  close(): Promise<void>;
}

/** The limit on redirects followed (SPEC 11). */
const MAX_REDIRECTS = 5;

/** Creates a source that reads what is stored, and closes it when it is closed itself. */
export function createStoredSource<Answer>(stored: StoredPages<Answer>): PageSource {
  function refusal(url: string, site: string): UnavailableReason | undefined {
    if (!isHttp(parseUrl(encodeText(url)))) return 'not-http';
    return stored.isInside(url, site) ? undefined : 'outside-site';
  }

  async function fetch(url: string, site: string): Promise<PageResult> {
    const refused = refusal(url, site);
    if (refused !== undefined) return { kind: 'unavailable', reason: refused };
    let at = url;
    for (let redirects = 0; ; redirects++) {
      const answer = await stored.find(at);
      if (answer === undefined) return { kind: 'unavailable', reason: 'not-archived', detail: at };
      const to = stored.redirectOf(answer, at);
      if (to === undefined) return stored.resultOf(answer, at, redirects);
      at = to;
      if (refusal(at, site) !== undefined) return { kind: 'missing', reason: 'redirect-outside', detail: at };
      if (redirects === MAX_REDIRECTS) return { kind: 'missing', reason: 'redirect-loop', detail: at };
    }
  }

  return { name: stored.name, requests: 0, fetch, refusal, close: () => stored.close() };
}
