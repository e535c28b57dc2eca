// The safe normalization of SPEC 2.5: URLs with equal results are one address for every browser, and what browsers refuse
// is refused.
//
//   head       HTTP://Ü.Example:80   http://xn--tda.example   what `URL` makes of scheme, host and port
//   spelling   /a%2fb%7e\x y/ü       /a%2Fb~/x%20y/%C3%BC     escapes in upper case, and only of what needs them
//   dots       /a/./b/../c           /a/c
//   path       http://h?q            http://h/?q
//
// Order and separators of the query, escapes with a meaning (`%2F`, `%2B`, `%E4`) and broken escapes stay, as do user
// information and the fragment. A *plain* head (a name of small letters, digits and single dashes that is no number) is
// normal already, and most heads are.
import { BACKSLASH, DASH, DOT, NUMBER_SIGN, PERCENT, QUESTION, SLASH, SPACE } from '../base/ascii.js';
import { decodeText, encodeText, isText } from '../base/bytes.js';
import { hostStart } from './form.js';
import { emptyParts, splitUrl, type UrlParts } from './parse.js';
import { escapedByte, hexValue, isEscape } from './token.js';

export type Normalization = 'safe' | 'none';

/** A buffer whose last bytes, up to `used`, are a URL; `reserve` makes room for `needed` bytes after them. */
export interface UrlBuffer {
  bytes: Uint8Array;
  used: number;
  reserve(needed: number): void;
}

/** 1 for the unreserved characters of RFC 3986: letters, digits, `-._~`. */
const unreserved = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w.~-]/.test(String.fromCharCode(byte)) ? 1 : 0));

/** 1 for the bytes of a path or query that may make it other than normal. */
const isOdd = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[!"$&-.0->@-[\]-~]/.test(String.fromCharCode(byte)) ? 0 : 1,
);

const parts = emptyParts();

/**
 * The safe normal form of one URL, as a copy. Bytes that browsers do not read as an http(s) URL, and that do not start
 * with `/`, come back unchanged.
 */
export function normalizeSafe(url: Uint8Array): Uint8Array {
  return safeFormOf(url) ?? url;
}

/** The same, but undefined for what browsers do not read as an http(s) URL. */
export function safeFormOf(url: Uint8Array): Uint8Array | undefined {
  const buffer: UrlBuffer = {
    bytes: url.slice(),
    used: url.length,
    reserve(needed) {
      const { bytes } = this;
      this.bytes = new Uint8Array(this.used + needed);
      this.bytes.set(bytes);
    },
  };
  return normalize(buffer, 0) ? buffer.bytes.subarray(0, buffer.used) : undefined;
}

/**
 * Normalizes the URL that begins at `start` and ends the buffer. False, and nothing is changed, if browsers refuse it.
 * Most URLs of a log are normal already, which one pass over the bytes detects.
 */
export function normalize(buffer: UrlBuffer, start: number): boolean {
  const { bytes, used } = buffer;
  if (isNormal(bytes, start, used)) return true;
  splitUrl(bytes, start, used, parts);
  const head = plainHeadEnd(bytes, start, used) < 0 ? headOf(parts) : bytes.subarray(start, parts.pathStart);
  if (head === undefined) return false;
  const headEnd = start + head.length;
  const length = spell(parts);
  buffer.reserve(head.length + length);
  buffer.bytes.set(head, start);
  buffer.bytes.set(room.subarray(0, length), headEnd);
  buffer.used = headEnd + length;
  return true;
}

/** True if browsers take the head of the URL, whatever follows; also for a path. */
export function isTaken(bytes: Uint8Array, start: number, end: number): boolean {
  return plainHeadEnd(bytes, start, end) >= 0 || headOf(splitUrl(bytes, start, end, parts)) !== undefined;
}

/** True only if nothing would change the URL. May be false for a URL that is normal. */
export function isNormal(bytes: Uint8Array, start: number, end: number): boolean {
  let at = plainHeadEnd(bytes, start, end);
  if (at < 0 || at >= end || bytes[at] !== SLASH) return false;
  let inPath = true;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (isOdd[byte] === 0) continue;
    if (byte === PERCENT) {
      if (!isSettledEscape(bytes, at, end)) return false;
    } else if (byte === SLASH) {
      if (inPath && bytes[at + 1] === DOT && at + 1 < end) return false;
    } else if (byte === QUESTION) inPath = false;
    else if (byte === NUMBER_SIGN) return true;
    else if (byte !== BACKSLASH || inPath) return false;
  }
  return true;
}

/**
 * The end of a plain head without port, if a path, a query, a fragment or nothing follows; the start of a path; -1 for
 * any other URL.
 */
function plainHeadEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === SLASH) return start;
  let at = hostStart(bytes, start, end);
  for (let letter = start; letter < at - 3; letter++) if (bytes[letter]! < 0x61) return -1;
  if (at < 0) return at;
  let label = at;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === DOT) label = at + 1;
    // `xn--` begins a name in punycode.
    else if (byte === DASH && bytes[at - 1] === DASH) return -1;
    else if (byte !== DASH && (byte < 0x30 || byte > 0x7a || (byte > 0x39 && byte < 0x61))) break;
  }
  const isEnd = at === end || bytes[at] === SLASH || bytes[at] === QUESTION || bytes[at] === NUMBER_SIGN;
  // A last label that begins with a digit may be of an address.
  return isEnd && label < at && bytes[label]! > 0x39 ? at : -1;
}

/** The last head that was not plain, and what `URL` makes of it; undefined if it refuses it. */
let latest = new Uint8Array(0);
let spelled: Uint8Array | undefined;

/** `scheme://user@host:port` as browsers write it; undefined if they refuse it. User information stays. */
function headOf({ bytes, start, authorityStart, hostStart: userEnd, pathStart }: UrlParts): Uint8Array | undefined {
  if (isText(bytes, start, pathStart, latest)) return spelled;
  // Not "slice", which of a Buffer is a view.
  latest = new Uint8Array(bytes.subarray(start, pathStart));
  spelled = undefined;
  try {
    const { protocol, host } = new URL(`${decodeText(latest)}/`);
    const user = decodeText(bytes, authorityStart, userEnd).replace(/[^!-~]/gu, encodeURIComponent);
    // Chromium escapes blanks of a host.
    if (/^https?:$/.test(protocol) && !/%/.test(host)) spelled = encodeText(`${protocol}//${user}${host}`);
  } catch {
    // Refused.
  }
  return spelled;
}

/** Path, query and fragment of the last URL that was not normal. */
let room = new Uint8Array(1 << 12);

/** Writes them to `room`, and returns their length. */
function spell({ bytes, start, pathStart, queryStart, fragmentStart, end }: UrlParts): number {
  if (room.length < 3 * (end - pathStart) + 1) room = new Uint8Array(6 * (end - pathStart));
  let length = 0;
  if (pathStart > start && pathStart === queryStart) room[length++] = SLASH;
  for (let at = pathStart; at < end;) {
    if (at === queryStart) length = withoutDots(length);
    const escaped = isEscape(bytes, at, fragmentStart);
    const byte = escaped ? escapedByte(bytes, at) : bytes[at]!;
    const isBare = escaped ? unreserved[byte] === 1 && !completesEscape(length, byte) : byte < 0x80 && byte !== SPACE;
    if (isBare || at >= fragmentStart) room[length++] = byte === BACKSLASH && at < queryStart ? SLASH : byte;
    else {
      room[length++] = PERCENT;
      room[length++] = digitOf(byte >> 4);
      room[length++] = digitOf(byte & 15);
    }
    at += escaped ? 3 : 1;
  }
  return queryStart === end ? withoutDots(length) : length;
}

/**
 * True if a `%` that begins no escape is right before, or one hexadecimal digit earlier: in `%4%31` the `1` stays
 * escaped, as `%41` would be another character (and the next run would decode it).
 */
function completesEscape(length: number, byte: number): boolean {
  if (hexValue[byte]! < 0) return false;
  return room[length - 1] === PERCENT || (room[length - 2] === PERCENT && hexValue[room[length - 1]!]! >= 0);
}

function digitOf(value: number): number {
  return value + (value > 9 ? 0x37 : 0x30);
}

/** True for an escape with upper-case digits of a byte that is not unreserved: normalization leaves it as it is. */
export function isSettledEscape(bytes: Uint8Array, at: number, end: number): boolean {
  if (!isEscape(bytes, at, end)) return false;
  return bytes[at + 1]! < 0x61 && bytes[at + 2]! < 0x61 && unreserved[escapedByte(bytes, at)] === 0;
}

/**
 * RFC 3986, 5.2.4, in the first `end` bytes of `room`: segments are copied down over those that `.` and `..` remove.
 * Returns where they end.
 */
function withoutDots(end: number): number {
  let out = 0;
  for (let at = 0; at < end;) {
    let next = at + 1;
    while (next < end && room[next] !== SLASH) next++;
    const dots = dotsIn(at + 1, next);
    if (dots === 2) while (out > 0 && room[--out] !== SLASH);
    if (dots > 0 && next === end) room[out++] = SLASH;
    while (dots === 0 && at < next) room[out++] = room[at++]!;
    at = next;
  }
  return out;
}

/** 1 for the segment `.`, 2 for `..`, else 0. */
function dotsIn(start: number, end: number): number {
  const length = end - start;
  return (length === 1 || length === 2) && room[start] === DOT && room[end - 1] === DOT ? length : 0;
}
