// The safe normalization of SPEC 2.5: URLs with equal results are the same by RFC 3986 alone. It is a list of named
// steps. Each works in place on one URL in a buffer and changes only what its name says. User information, fragment,
// the order and separators of the query, escapes with a meaning (`%2F`, `%2B`, `%E4`) and broken escapes stay.
//
// The order of the steps makes normalization idempotent: each step sees what the steps before it uncover (`%2E%2E/` is
// a dot segment, `h:%38%30` has the default port).
import { DOT, PERCENT, SLASH } from '../base/ascii.js';
import { emptyParts, isHttp, splitUrl, type UrlParts } from './parse.js';
import { hexValue, isEscape } from './token.js';

export type Normalization = 'safe' | 'none';

/** Changes `parts.bytes` in place and returns the new end of the URL. */
type Step = (parts: UrlParts) => number;

export const SAFE_STEPS: readonly Step[] = [
  spellEscapes,
  lowerCaseScheme,
  lowerCaseHost,
  dropDefaultPort,
  removeDotSegments,
  fillEmptyPath,
];

/** 1 for the unreserved characters of RFC 3986: letters, digits, `-._~`. */
const unreserved = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w.~-]/.test(String.fromCharCode(byte)) ? 1 : 0));

const scratchParts = emptyParts();

/**
 * The safe normal form of one URL, as a copy. Bytes that are not http(s) and do not start with `/` come back unchanged.
 */
export function normalizeSafe(url: Uint8Array): Uint8Array {
  const buffer = new Uint8Array(url.length + 1);
  buffer.set(url);
  return buffer.subarray(0, normalizeInPlace(buffer, 0, url.length));
}

/**
 * Normalizes the URL `bytes[start, end)` in place and returns its new end. It can grow by one byte (`http://h` to
 * `http://h/`), which overwrites the byte at `end`. Most URLs of a log are normal already, which one pass over the
 * bytes detects.
 */
export function normalizeInPlace(bytes: Uint8Array, start: number, end: number): number {
  if (isNormal(bytes, start, end)) return end;
  splitUrl(bytes, start, end, scratchParts);
  if (bytes[start] !== SLASH && !isHttp(scratchParts)) return end;
  for (const step of SAFE_STEPS) {
    const newEnd = step(scratchParts);
    if (newEnd !== scratchParts.end) splitUrl(bytes, start, newEnd, scratchParts);
  }
  return scratchParts.end;
}

/** True only if no step would change the URL. May be false for a URL that is normal. */
export function isNormal(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  if (bytes[at] !== SLASH) {
    at = skipPlainOrigin(bytes, start, end);
    if (at < 0) return false;
  }
  let inPath = true;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte > 0x3f) continue;
    if (byte === PERCENT) {
      if (!isSettledEscape(bytes, at, end)) return false;
    } else if (byte === SLASH) {
      if (inPath && bytes[at + 1] === DOT && at + 1 < end) return false;
    } else if (byte === 0x3f) inPath = false;
    else if (byte === 0x23) return true;
  }
  return true;
}

/** The end of a lower-case `http://host` without user information and port; -1 for any other start. */
function skipPlainOrigin(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && at < start + 5 && bytes[at] === 'https'.charCodeAt(at - start)) at++;
  if (at < start + 4 || bytes[at] !== 0x3a || bytes[at + 1] !== SLASH || bytes[at + 2] !== SLASH) return -1;
  const hostStart = at + 3;
  for (at = hostStart; at < end; at++) {
    const byte = bytes[at]!;
    if ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x2d && byte <= 0x39 && byte !== SLASH)) continue;
    return byte === SLASH && at > hostStart ? at : -1;
  }
  return -1;
}

/** True for an escape with upper-case digits of a byte that is not unreserved: normalization leaves it as it is. */
export function isSettledEscape(bytes: Uint8Array, at: number, end: number): boolean {
  if (!isEscape(bytes, at, end)) return false;
  return bytes[at + 1]! < 0x61 && bytes[at + 2]! < 0x61 && unreserved[escapedByte(bytes, at)] === 0;
}

function escapedByte(bytes: Uint8Array, at: number): number {
  return hexValue[bytes[at + 1]!]! * 16 + hexValue[bytes[at + 2]!]!;
}

/**
 * Puts the digits of escapes in upper case and decodes `%7E` to `~`, except where that would complete a broken escape:
 * in `%4%31` the `1` stays escaped, as `%41` would be another character (and the next run would decode it).
 */
function spellEscapes({ bytes, hostStart, fragmentStart, end }: UrlParts): number {
  let out = hostStart;
  for (let at = hostStart; at < fragmentStart;) {
    if (isEscape(bytes, at, fragmentStart)) {
      const byte = escapedByte(bytes, at);
      if (unreserved[byte] === 1 && !completesEscape(bytes, hostStart, out, byte)) {
        bytes[out++] = byte;
        at += 3;
        continue;
      }
      for (const last = at + 2; at < last;) {
        bytes[out++] = bytes[at++]!;
        if (bytes[at]! >= 0x61) bytes[at]! -= 0x20;
      }
    }
    bytes[out++] = bytes[at++]!;
  }
  return closeGap(bytes, out, fragmentStart, end);
}

/** True if a `%` that does not begin an escape is right before `out`, or one hexadecimal digit earlier. */
function completesEscape(bytes: Uint8Array, start: number, out: number, byte: number): boolean {
  if (hexValue[byte]! < 0) return false;
  if (out - 1 >= start && bytes[out - 1] === PERCENT) return true;
  return out - 2 >= start && bytes[out - 2] === PERCENT && hexValue[bytes[out - 1]!]! >= 0;
}

function lowerCaseScheme({ bytes, start, schemeEnd, end }: UrlParts): number {
  for (let at = start; at < schemeEnd; at++) bytes[at]! |= 0x20;
  return end;
}

/** Escapes in the host keep upper-case digits. */
function lowerCaseHost({ bytes, hostStart, portStart, end }: UrlParts): number {
  for (let at = hostStart; at < portStart; at++) {
    if (isEscape(bytes, at, portStart)) at += 2;
    else if (bytes[at]! >= 0x41 && bytes[at]! <= 0x5a) bytes[at]! += 0x20;
  }
  return end;
}

/** Drops port 80 of http and 443 of https, and a colon without a port (RFC 3986, 6.2.3). */
function dropDefaultPort({ bytes, start, schemeEnd, hostStart, portStart, pathStart, end }: UrlParts): number {
  if (portStart === hostStart || portStart === pathStart) return end;
  const port = schemeEnd - start === 4 ? '80' : '443';
  const length = pathStart - portStart - 1;
  if (length !== 0 && length !== port.length) return end;
  for (let k = 0; k < length; k++) if (bytes[portStart + 1 + k] !== port.charCodeAt(k)) return end;
  return closeGap(bytes, portStart, pathStart, end);
}

/** RFC 3986, 5.2.4, in place: segments are copied down over those that `.` and `..` remove. */
function removeDotSegments({ bytes, pathStart, queryStart, end }: UrlParts): number {
  let out = pathStart;
  for (let at = pathStart; at < queryStart;) {
    let next = at + 1;
    while (next < queryStart && bytes[next] !== SLASH) next++;
    const dots = countDots(bytes, at + 1, next);
    if (dots === 2) while (out > pathStart && bytes[--out] !== SLASH);
    if (dots === 0) {
      while (at < next) bytes[out++] = bytes[at++]!;
    } else if (next === queryStart) bytes[out++] = SLASH;
    at = next;
  }
  return closeGap(bytes, out, queryStart, end);
}

/** 1 for the segment `.`, 2 for `..`, else 0. */
function countDots(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 1 || length > 2 || bytes[start] !== DOT || bytes[end - 1] !== DOT) return 0;
  return length;
}

function fillEmptyPath({ bytes, hostStart, pathStart, queryStart, end }: UrlParts): number {
  if (pathStart === hostStart || pathStart !== queryStart) return end;
  bytes.copyWithin(pathStart + 1, pathStart, end);
  bytes[pathStart] = SLASH;
  return end + 1;
}

/** Moves the bytes from `from` on down to `to`. */
function closeGap(bytes: Uint8Array, to: number, from: number, end: number): number {
  if (to !== from) bytes.copyWithin(to, from, end);
  return end - (from - to);
}
