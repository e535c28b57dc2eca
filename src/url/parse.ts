// Splits a URL into its pieces: offsets only, no copies, no validation. Every byte string can be split, and its pieces
// end to end are the byte string again.
//
//   http://user:pw@Host:80/a/b?q=1#f
//   |   |  |       |   |  |   |   | end
//   |   |  |       |   |  |   |   fragmentStart
//   |   |  |       |   |  |   queryStart
//   |   |  |       |   |  pathStart
//   |   |  |       |   portStart (the colon)
//   |   |  |       hostStart
//   |   |  authorityStart
//   |   schemeEnd
//   start
//
// A missing piece is an empty range at its position. `/a?q`, and everything without `scheme://`, has only path, query
// and fragment.
import { AT, BACKSLASH, COLON, NUMBER_SIGN, QUESTION, SLASH } from '../base/ascii.js';

export type UrlForm = 'absolute' | 'path' | 'mixed';

export interface UrlParts {
  bytes: Uint8Array;
  start: number;
  schemeEnd: number;
  authorityStart: number;
  hostStart: number;
  portStart: number;
  pathStart: number;
  queryStart: number;
  fragmentStart: number;
  end: number;
}

export function emptyParts(): UrlParts {
  return splitUrl(new Uint8Array(0), 0, 0, {} as UrlParts);
}

export function parseUrl(url: Uint8Array): UrlParts {
  return splitUrl(url, 0, url.length, emptyParts());
}

/** Splits `bytes[start, end)` into `parts`, which is returned; allocates nothing. */
export function splitUrl(bytes: Uint8Array, start: number, end: number, parts: UrlParts): UrlParts {
  parts.bytes = bytes;
  parts.start = start;
  parts.end = end;
  const schemeEnd = findScheme(bytes, start, end);
  if (schemeEnd < 0) {
    parts.schemeEnd = parts.authorityStart = parts.hostStart = parts.portStart = parts.pathStart = start;
  } else {
    parts.schemeEnd = schemeEnd;
    parts.authorityStart = schemeEnd + 3;
    splitAuthority(parts);
  }
  let at = parts.pathStart;
  while (at < end && bytes[at] !== QUESTION && bytes[at] !== NUMBER_SIGN) at++;
  parts.queryStart = at;
  while (at < end && bytes[at] !== NUMBER_SIGN) at++;
  parts.fragmentStart = at;
  return parts;
}

/** The pieces of a URL in order; concatenated they are the URL. */
export function pieces(parts: UrlParts): Uint8Array[] {
  const { bytes, start, schemeEnd, authorityStart, hostStart, portStart, pathStart } = parts;
  const cuts = [start, schemeEnd, authorityStart, hostStart, portStart, pathStart];
  cuts.push(parts.queryStart, parts.fragmentStart, parts.end);
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut));
}

/** Offset of the colon of `scheme://`, or -1. */
export function findScheme(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isSchemeByte(bytes[at]!, at === start)) at++;
  if (at === start || at + 2 >= end || bytes[at] !== COLON) return -1;
  return bytes[at + 1] === SLASH && bytes[at + 2] === SLASH ? at : -1;
}

export function isSchemeByte(byte: number, first: boolean): boolean {
  const letter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  if (letter || first) return letter;
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
}

/** True for `http://…` and `https://…`, in upper or lower case. */
export function isHttp(parts: UrlParts): boolean {
  const length = parts.schemeEnd - parts.start;
  if (length !== 4 && length !== 5) return false;
  for (let at = 0; at < length; at++) {
    if ((parts.bytes[parts.start + at]! | 0x20) !== 'https'.charCodeAt(at)) return false;
  }
  return true;
}

/**
 * The authority ends at the first `/`, `?`, `#`, or `\`, which browsers take for `/`. User information is the part
 * before its last `@`.
 */
function splitAuthority(parts: UrlParts): void {
  const { bytes, authorityStart, end } = parts;
  let hostStart = authorityStart;
  let at = authorityStart;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte === SLASH || byte === BACKSLASH || byte === QUESTION || byte === NUMBER_SIGN) break;
    if (byte === AT) hostStart = at + 1;
  }
  parts.hostStart = hostStart;
  parts.pathStart = at;
  parts.portStart = findPort(bytes, hostStart, at);
}

/**
 * The offset of the colon before the port in `host:port`, or `end`. Only digits, or nothing, may follow the first colon
 * outside of brackets. So `h:80:80` has no port: removing default ports would not be idempotent otherwise.
 */
export function findPort(bytes: Uint8Array, start: number, end: number): number {
  let colon = start;
  if (bytes[start] === 0x5b) {
    while (colon < end && bytes[colon] !== 0x5d) colon++;
    colon++;
    if (colon >= end || bytes[colon] !== COLON) return end;
  } else {
    while (colon < end && bytes[colon] !== COLON) colon++;
  }
  for (let at = colon + 1; at < end; at++) if (bytes[at]! < 0x30 || bytes[at]! > 0x39) return end;
  return Math.min(colon, end);
}
