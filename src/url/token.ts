// Cuts a URL into tokens (paper §3, SPEC 1): a maximal run of ASCII letters, digits and bytes from 0x80 up, or any
// other single byte.
//
// The tables keep URLs in *collation bytes*: the 256 bytes renumbered so that all single-byte tokens come before all
// run bytes. So URLs that share their first or last j tokens are adjacent in plain byte order, forwards or backwards,
// and one comparison tells whether a byte is a run byte.

/** Collation bytes from this one on are run bytes; those below are tokens by themselves. */
export const FIRST_RUN_BYTE = 66;

/** The longest URL that the tables take, in bytes: token counts have 16 bits. */
export const MAX_URL_BYTES = 65_000;

/** True if a raw byte is a run byte. */
export function isRunByte(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
}

// Marked as pure, so that bundles for browsers, which have no table of URLs, leave them out.
const fromCollation = /* @__PURE__ */ collationOrder();
const toCollation = /* @__PURE__ */ inverse(fromCollation);

function collationOrder(): Uint8Array {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  return Uint8Array.from([...bytes.filter((byte) => !isRunByte(byte)), ...bytes.filter(isRunByte)]);
}

function inverse(order: Uint8Array): Uint8Array {
  const places = new Uint8Array(order.length);
  for (const [place, byte] of order.entries()) places[byte] = place;
  return places;
}

/** Renumbers raw bytes into collation bytes, in place. */
export function collate(bytes: Uint8Array, start = 0, end = bytes.length): Uint8Array {
  for (let at = start; at < end; at++) bytes[at] = toCollation[bytes[at]!]!;
  return bytes;
}

/** The collation byte of a raw byte. */
export function toCollationByte(byte: number): number {
  return toCollation[byte]!;
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
 * True if a token can start or end at `at`: not between two run bytes. The ends of `bytes`, which are raw, are
 * boundaries.
 */
export function isBoundary(bytes: Uint8Array, at: number): boolean {
  return at <= 0 || at >= bytes.length || !isRunByte(bytes[at - 1]!) || !isRunByte(bytes[at]!);
}
