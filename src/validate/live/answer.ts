// What does a response say about the page? Its status decides, in the terms of `source`:
//
//   200, 203             the page
//   300-303, 307, 308    a redirect, if there is a Location
//   304                  the known page, if the request was conditional
//   4xx, 500, 501        there is no such page; except 408, 425, 429
//   all others           unavailable
import type { Document } from '../../sketch/document.js';
import type { UnavailableReason } from '../source.js';
import type { KeptAnswer, KeptPage } from './cache.js';
import { canonicalLink } from '../../pages/canonical-link.js';
import { controlsOf } from '../../sketch/controls.js';
import { escapeBytes } from '../../url/escape.js';
import { resolveLocation, isMissing, isRedirect } from '../../pages/headers.js';
import { hasPage, type Response } from './exchange.js';
import type { Target } from './target.js';

export interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: UnavailableReason;
  readonly detail?: string;
}

export type Answer = KeptAnswer | Unavailable;

export function unavailable(reason: UnavailableReason, detail?: string): Unavailable {
  return { kind: 'unavailable', reason, ...(detail !== undefined && { detail }) };
}

/** The answer of a response to `target`. `known` is the page that a conditional request was about. */
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

/** The absolute URL that a response redirects to. */
export function redirectIn(target: Target, response: Response): string | undefined {
  const { status } = response;
  if (!isRedirect(status)) return undefined;
  // Headers are bytes, read as Latin-1; the result is ASCII.
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
  const controls = controlsOf(response.body, type);
  return {
    kind: 'page',
    status: response.status,
    document,
    ...(type !== undefined && { type }),
    ...(etag !== undefined && { etag }),
    ...(modified !== undefined && { modified }),
    ...(canonical !== undefined && { canonical }),
    ...(controls !== undefined && { controls }),
  };
}

/** Headers that make a request conditional: the site then sends the page only if it differs from the known one. */
export function conditionsOf(known: KeptPage | undefined): Record<string, string> {
  return { ...header('if-none-match', known?.etag), ...header('if-modified-since', known?.modified) };
}

/** Empty for a value that is not allowed in a header, in case the cache file was changed. */
function header(name: string, value: string | undefined): Record<string, string> {
  return value !== undefined && /^[\x20-\x7e\x80-\xff]+$/.test(value) ? { [name]: value } : {};
}
