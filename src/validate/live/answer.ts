// What does a response mean for the page that was asked for? By its status, as `source` has it:
//
//   200, 203             the page
//   300-303, 307, 308    a redirect, where there is a Location
//   304                  the page that is known, where one was named in the request
//   4xx, 500, 501        there is no such page; but 408, 425, 429 pass
//   all else             nobody can say
import type { Document } from '../../sketch/document.js';
import type { UnavailableReason } from '../source.js';
import type { KeptAnswer, KeptPage } from './cache.js';
import { canonicalLink } from '../canonical-link.js';
import { resolveLocation } from '../location.js';
import { isMissing, isRedirect } from '../status.js';
import { hasPage, type Response } from './exchange.js';
import { escapeBytes, type Target } from './target.js';

export interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: UnavailableReason;
  readonly detail?: string;
}

export type Answer = KeptAnswer | Unavailable;

export function unavailable(reason: UnavailableReason, detail?: string): Unavailable {
  return { kind: 'unavailable', reason, ...(detail !== undefined && { detail }) };
}

/** The answer in a response to `target`; `known` is the page that the request had conditions for. */
export function answerIn(
  target: Target,
  response: Response,
  known: KeptPage | undefined,
  documentOf: (body: Uint8Array, contentType: string | undefined) => Document,
): Answer {
  const { status } = response;
  if (hasPage(status)) {
    if (response.isCut) return unavailable('too-large');
    return pageOf(target, response, documentOf(response.body, response.header('content-type')));
  }
  if (status === 304 && known !== undefined) return known;
  const to = redirectIn(target, response);
  if (to !== undefined) return { kind: 'redirect', status, to };
  if (isMissing(status)) return { kind: 'missing', status };
  return unavailable('status', String(status));
}

/** Where a response redirects to, absolute. */
export function redirectIn(target: Target, response: Response): string | undefined {
  const { status } = response;
  if (!isRedirect(status)) return undefined;
  // A header is bytes, read as Latin-1; what comes out is ASCII.
  return resolveLocation(target, escapeBytes(Buffer.from((response.header('location') ?? '').trim(), 'latin1')));
}

function pageOf(target: Target, response: Response, document: Document): KeptPage {
  const type = response.header('content-type');
  const etag = response.header('etag');
  const modified = response.header('last-modified');
  const canonical = canonicalLink({
    url: target.url,
    body: response.body,
    contentType: type,
    link: response.header('link'),
  });
  return {
    kind: 'page',
    status: response.status,
    document,
    ...(type !== undefined && { type }),
    ...(etag !== undefined && { etag }),
    ...(modified !== undefined && { modified }),
    ...(canonical !== undefined && { canonical }),
  };
}

/** The headers that ask for a page only if it is another than the known one. */
export function conditionsOf(known: KeptPage | undefined): Record<string, string> {
  return { ...header('if-none-match', known?.etag), ...header('if-modified-since', known?.modified) };
}

/** Nothing for a value that cannot stand in a header, whatever the cache file says. */
function header(name: string, value: string | undefined): Record<string, string> {
  return value !== undefined && /^[\x20-\x7e\x80-\xff]+$/.test(value) ? { [name]: value } : {};
}
