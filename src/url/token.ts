// Cuts a URL into tokens (paper §3, SPEC 1): an escape (`%` and two hexadecimal digits), a maximal run of ASCII letters,
// digits and bytes from 0x80 up, or any other single byte.
//
// The tables keep URLs in *collation bytes*: the bytes renumbered so that all single-byte tokens come before all run
// bytes. So URLs that share their first or last j tokens are adjacent in plain byte order, forwards or backwards, and one
// comparison tells whether a byte is a run byte. The three bytes of an escape have numbers of their own, below those of
// run bytes: 23 for the `%`, and 1 to 22 for the digits, which continue a token. No URL has a control character, so
// these numbers are free. A `%` that begins no escape keeps its number.
//
//   raw         x   %   4   1   b   %   z
//   collation   7d  17  05  02  67  25  7f
//   begins      x   x   –   –   x   x   x      a byte begins a token unless it continues an escape or a run

import { PERCENT } from '../base/ascii.js';

/** Collation bytes from this one on are run bytes; those below are tokens by themselves, or parts of escapes. */
export const FIRST_RUN_BYTE = 66;
/** The collation byte of the `%` of an escape. Those below continue an escape. */
export const ESCAPE_BYTE = 23;

/** The longest URL that the tables take, in bytes: token counts have 16 bits. */
export const MAX_URL_BYTES = 65_000;

/** True if a raw byte is a run byte. */
export function isRunByte(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
}

/** Value of a hexadecimal digit, -1 for every other byte. */
export const hexValue = Int8Array.from({ length: 256 }, (_, byte) =>
  /[\da-f]/i.test(String.fromCharCode(byte)) ? parseInt(String.fromCharCode(byte), 16) : -1,
);

/** True if an escape begins at `at` and ends by `end`. */
export function isEscape(bytes: Uint8Array, at: number, end = bytes.length): boolean {
  return bytes[at] === PERCENT && at + 2 < end && hexValue[bytes[at + 1]!]! >= 0 && hexValue[bytes[at + 2]!]! >= 0;
}

/** The byte that the escape at `at` stands for. */
export function escapedByte(bytes: Uint8Array, at: number): number {
  return hexValue[bytes[at + 1]!]! * 16 + hexValue[bytes[at + 2]!]!;
}

/** The end of the token that begins at `start`, in a text that ends at `end`. */
export function tokenEnd(bytes: Uint8Array, start: number, end: number): number {
  if (isEscape(bytes, start, end)) return start + 3;
  let at = start + 1;
  if (isRunByte(bytes[start]!)) while (at < end && isRunByte(bytes[at]!)) at++;
  return at;
}

/** The tokens of a text, in which one character may be one byte or more. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/%[0-9A-Fa-f]{2}|[0-9A-Za-z\u0080-\u{10ffff}]+|[^]/gu) ?? [];
}

/** True for a token that is a run. */
export function isRun(token: string): boolean {
  return /^[0-9A-Za-z\u0080-\u{10ffff}]/u.test(token);
}

// Marked as pure, so that bundles for browsers, which have no table of URLs, leave them out.
const fromCollation = /* @__PURE__ */ collationOrder();
const toCollation = /* @__PURE__ */ inverse(fromCollation);
/** The collation byte of a hexadecimal digit in an escape; 0 for any other byte. */
const digitOf = /* @__PURE__ */ numberDigits();

function collationOrder(): Uint8Array {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  return Uint8Array.from([...bytes.filter((byte) => !isRunByte(byte)), ...bytes.filter(isRunByte)]);
}

function inverse(order: Uint8Array): Uint8Array {
  const places = new Uint8Array(order.length);
  for (const [place, byte] of order.entries()) places[byte] = place;
  return places;
}

/** Also turns their numbers back into digits and `%`. */
function numberDigits(): Uint8Array {
  const numbers = new Uint8Array(256);
  for (const [at, digit] of Array.from('0123456789ABCDEFabcdef').entries()) {
    numbers[digit.charCodeAt(0)] = at + 1;
    fromCollation[at + 1] = digit.charCodeAt(0);
  }
  fromCollation[ESCAPE_BYTE] = PERCENT;
  return numbers;
}

/**
 * Renumbers raw bytes into collation bytes, in place. They are a URL, or a part of one that does not cut an escape.
 */
export function collate(bytes: Uint8Array, start = 0, end = bytes.length): Uint8Array {
  for (let at = start; at < end; at++) {
    if (isEscape(bytes, at, end)) {
      bytes[at] = ESCAPE_BYTE;
      for (const last = at + 2; at < last;) bytes[++at] = digitOf[bytes[at]!]!;
    } else bytes[at] = toCollation[bytes[at]!]!;
  }
  return bytes;
}

/** The raw byte of a collation byte. */
export function fromCollationByte(byte: number): number {
  return fromCollation[byte]!;
}

/** A copy of collation bytes as raw bytes. */
export function uncollate(bytes: Uint8Array, start = 0, end = bytes.length): Uint8Array {
  const raw = bytes.slice(start, end);
  for (let at = 0; at < raw.length; at++) raw[at] = fromCollation[raw[at]!]!;
  return raw;
}

/** Writes collation bytes [start, end) as raw bytes to `raw` from `at` on. */
export function uncollateTo(raw: Uint8Array, at: number, bytes: Uint8Array, start: number, end: number): void {
  for (let from = start, to = at; from < end; from++, to++) raw[to] = fromCollation[bytes[from]!]!;
}

/**
 * True if a token can start or end at `at`, in raw bytes [start, end), whose ends are boundaries: neither between two
 * run bytes nor inside of an escape.
 */
export function isBoundary(bytes: Uint8Array, at: number, start = 0, end = bytes.length): boolean {
  if (at <= start || at >= end || !isRunByte(bytes[at]!)) return true;
  return isRunByte(bytes[at - 1]!) ? at - 3 >= start && isEscape(bytes, at - 3, end) : !isEscape(bytes, at - 1, end);
}
