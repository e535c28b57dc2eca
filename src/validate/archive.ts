// Pages as crawlers fetched them, from WARC archives: no network at all. Redirects are followed from capture to
// capture, as a client follows them from response to response.
import { encodeText } from '../base/bytes.js';
import type { WarcArchive } from '../log/warc/archive.js';
import type { Capture } from '../log/warc/capture.js';
import type { Document } from '../sketch/document.js';
import { isHttp, parseUrl } from '../url/parse.js';
import { canonicalLink } from '../pages/canonical-link.js';
import { locationOf } from '../pages/location.js';
import { isMissing, isRedirect } from '../pages/status.js';
import type { PageResult, PageSource, UnavailableReason } from './source.js';

export interface ArchiveSourceOptions {
  readonly archive: WarcArchive;
  /** Makes a document of a body and its Content-Type. */
  readonly documentOf: (body: Uint8Array, contentType: string | undefined) => Document;
  /** Whether an absolute URL, as text of `base/bytes`, belongs to a site. */
  readonly isInside: (url: string, site: string) => boolean;
}

/** The limit on redirects followed (SPEC 11). */
const MAX_REDIRECTS = 5;

/** Creates a source that reads from an archive, and closes it when it is closed itself. */
export function createArchiveSource({ archive, documentOf, isInside }: ArchiveSourceOptions): PageSource {
  function refusal(url: string, site: string): UnavailableReason | undefined {
    if (!isHttp(parseUrl(encodeText(url)))) return 'not-http';
    return isInside(url, site) ? undefined : 'outside-site';
  }

  async function fetch(url: string, site: string): Promise<PageResult> {
    const refused = refusal(url, site);
    if (refused !== undefined) return { kind: 'unavailable', reason: refused };
    let at = url;
    for (let redirects = 0; ; redirects++) {
      const capture = await archive.find(at);
      const location = capture === undefined ? undefined : redirectOf(capture);
      const to = location === undefined ? undefined : locationOf(location, at);
      if (to === undefined) return resultOf(capture, at, redirects, documentOf);
      at = to;
      if (refusal(at, site) !== undefined) return { kind: 'missing', reason: 'redirect-outside', detail: at };
      if (redirects === MAX_REDIRECTS) return { kind: 'missing', reason: 'redirect-loop', detail: at };
    }
  }

  return {
    name: 'warc',
    requests: 0,
    fetch,
    refusal,
    close: () => archive.close(),
  };
}

function redirectOf(capture: Capture): string | undefined {
  return capture.kind === 'answer' && isRedirect(capture.status) ? capture.location : undefined;
}

function resultOf(
  capture: Capture | undefined,
  url: string,
  redirects: number,
  documentOf: ArchiveSourceOptions['documentOf'],
): PageResult {
  if (capture === undefined) return { kind: 'unavailable', reason: 'not-archived', detail: url };
  switch (capture.kind) {
    case 'document': {
      const { body, contentType, link } = capture;
      const canonical = canonicalLink({ url, body, contentType, link });
      return {
        kind: 'page',
        document: documentOf(body, contentType),
        finalUrl: url,
        redirects,
        ...(canonical !== undefined && { canonical }),
      };
    }
    case 'answer':
      return {
        kind: isMissing(capture.status) ? 'missing' : 'unavailable',
        reason: 'status',
        detail: `${capture.status}`,
      };
    case 'unusable':
      return { kind: 'unavailable', reason: UNUSABLE[capture.reason], detail: capture.detail };
    default:
      return capture satisfies never;
  }
}

const UNUSABLE = {
  'too-large': 'too-large',
  decoding: 'decoding',
  'cut-short': 'network',
  'no-original': 'not-archived',
} as const;
