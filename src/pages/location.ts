// Where does a redirect lead? Reference resolution of RFC 3986 (5.2), on text rather than by a URL object, because the
// result is compared with URLs of the log byte for byte.
import { decodeText, encodeText } from '../base/bytes.js';
import { normalizeSafe } from '../url/normalize.js';

/** An absolute URL split into `scheme://host` and the rest. */
export interface BaseUrl {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/**
 * Resolves `location` against `base`: an absolute URL without fragment, not necessarily http; undefined if it is empty.
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
 * A Location as an absolute URL in safe normal form, without fragment. Text of `base/bytes`: what is not UTF-8 stays as
 * it is.
 */
export function locationOf(location: string, url: string): string | undefined {
  const [, origin, path] = /^([^:/?#]+:\/\/[^/?#]*)([^#]*)/s.exec(url)!;
  const resolved = resolveLocation({ origin: origin!, path: path! }, location);
  return resolved === undefined ? undefined : decodeText(normalizeSafe(encodeText(resolved)));
}
