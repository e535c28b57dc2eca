// What the status and the headers of an answer say of a page: whether it exists, where it redirects, and its kind.
import { decodeText, encodeText } from '../base/bytes.js';
import { normalizeSafe } from '../url/normalize.js';

/** A definite no: 4xx, except statuses that mean "later", and the 5xx that blame the request. */
export function isMissing(status: number): boolean {
  return isRefusal(status) || status === 500 || status === 501;
}

/** 4xx, except statuses that mean "later". */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;
}

/** Statuses whose Location is followed. */
export function isRedirect(status: number): boolean {
  return (status >= 300 && status <= 303) || status === 307 || status === 308;
}

// Resolves redirects: the reference resolution of RFC 3986 (5.2). It works on text, without a URL object, because the
// result is compared byte for byte with URLs of the log.

/** An absolute URL split into `scheme://host` and the rest. */
interface BaseUrl {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/**
 * Resolves `location` against `base`. Returns an absolute URL without fragment, not necessarily http, or undefined if
 * `location` is empty.
 */
export function resolveLocation(base: BaseUrl, location: string): string | undefined {
  const trimmed = location.trim();
  if (trimmed === '') return undefined;
  const reference = trimmed.replace(/#.*$/s, '');
  if (/^https?:\/\//i.test(reference)) return withoutDots(reference);
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference;
  if (reference.startsWith('//')) return withoutDots(base.origin.replace(/\/\/.*$/, '') + reference);
  if (reference.startsWith('/')) return withoutDots(base.origin + reference);
  if (reference === '') return base.origin + base.path;
  const path = base.path.replace(/\?.*$/s, '');
  if (reference.startsWith('?')) return base.origin + path + reference;
  return withoutDots(base.origin + (path.slice(0, path.lastIndexOf('/') + 1) || '/') + reference);
}

/** Removes dot segments (RFC 3986, 5.2.4) from the path of an absolute URL. */
function withoutDots(url: string): string {
  const [, origin = '', path = '', query = ''] = /^([^:]*:\/\/[^/?]*)([^?]*)(.*)$/s.exec(url)!;
  if (!/(^|\/)\.\.?(\/|$)/.test(path)) return url;
  const segments = path.split('/');
  const kept: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const isDot = segment === '.' || segment === '..';
    if (segment === '..' && kept.length > 1) kept.pop();
    if (!isDot) kept.push(segment);
    else if (index === segments.length - 1) kept.push('');
  }
  return origin + kept.join('/') + query;
}

/**
 * A Location header as an absolute URL in safe normal form, without fragment. It is text of `base/bytes`, so bytes that
 * are not UTF-8 are kept.
 */
export function locationOf(location: string, url: string): string | undefined {
  const [, origin, path] = /^([^:/?#]+:\/\/[^/?#]*)([^#]*)/s.exec(url)!;
  const resolved = resolveLocation({ origin: origin!, path: path! }, location);
  return resolved === undefined ? undefined : decodeText(normalizeSafe(encodeText(resolved)));
}

// The kind of a document (HTML, CSV, a picture) by its Content-Type: `Text/CSV; charset=utf-8` is `text/csv`.

/** In lower case, without parameters; undefined if the header names none. */
export function typeIn(contentType: string | undefined): string | undefined {
  return /^\s*([^\s;,/]+\/[^\s;,]+)/.exec(contentType ?? '')?.[1]?.toLowerCase();
}

/** The same, but undefined also for a type that says nothing. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  const type = typeIn(contentType);
  return type === undefined || unsaid.has(type) ? undefined : type;
}

/** Servers send these for files that they do not know. */
const unsaid: ReadonlySet<string> = new Set(['application/unknown', 'unknown/unknown', '*/*']);

/** Other names of a type. */
const sameAs: ReadonlyMap<string, string> = new Map([
  ['application/xhtml+xml', 'text/html'],
  ['application/xml', 'text/xml'],
  ['application/javascript', 'text/javascript'],
  ['application/x-javascript', 'text/javascript'],
  ['image/jpg', 'image/jpeg'],
]);

/** True if two pages are known to be documents of different kinds, such as a table in HTML and in CSV. */
export function areOtherTypes(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && plain(a) !== plain(b);
}

function plain(type: string): string {
  return sameAs.get(type) ?? type;
}
