// Does a format read a line as it was meant? Formats that take any word for a client or a host also read lines with a
// prefix before them, and then the host is a piece of the prefix.
import { COLON, DASH, OPEN_BRACKET, SPACE } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import type { AnyFormat, Fields } from '../format/format.js';
import { findByte } from '../format/words.js';
import { ESCAPE } from './prefixes.js';

/** Formats that take any word for a host or a client: how many words stand before the time, or 0 if that is not known. */
const LOOSE: Partial<Record<AnyFormat, number>> = { common: 3, combined: 3, lighttpd: 3, vhost: 4, custom: 0 };

/** True if the format may take a prefix for a host. */
export function isLoose(format: AnyFormat): boolean {
  return LOOSE[format] !== undefined;
}

/**
 * True if the host of a line that could be read is no piece of a prefix: these are colours, or words, of which the head of
 * the line then has too many.
 */
export function hasOwnHost(format: AnyFormat, bytes: Buffer, start: number, end: number, { host }: Fields): boolean {
  const words = LOOSE[format] ?? 0;
  if (words === 0) return isHostOrNone(host.bytes, host.start, host.end);
  return bytes[start] !== ESCAPE && isHead(bytes, start, end, words);
}

/** True if a line that could be read has nothing before it that is not its own. */
export function isWhole(format: AnyFormat, bytes: Buffer, start: number, end: number, { host }: Fields): boolean {
  const words = LOOSE[format];
  if (words === undefined) return true;
  if (!isHostOrNone(host.bytes, host.start, host.end)) return false;
  if (words === 0) return true;
  const client = words === 4 ? findByte(bytes, SPACE, start, end) + 1 : start;
  return isHead(bytes, start, end, words) && isHostOrNone(bytes, client, findByte(bytes, SPACE, client, end));
}

/** True for so many words, one blank after each, and the bracket of a time. */
function isHead(bytes: Buffer, start: number, end: number, words: number): boolean {
  let at = start;
  for (let word = 0; word < words; word++) {
    const from = at;
    while (at < end && bytes[at] !== SPACE) at++;
    if (at === from || at >= end) return false;
    at++;
  }
  return bytes[at] === OPEN_BRACKET;
}

/** True for nothing, a name or an address, with a port or without one. */
export function isHostOrNone(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end || (end - start === 1 && bytes[start] === DASH)) return true;
  if (bytes[start] === OPEN_BRACKET) return isInBrackets(bytes, start, end);
  let colons = 0;
  let last = start;
  let isShortened = false;
  let isHexadecimal = true;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const letter = byte | 0x20;
    if (byte === COLON) {
      isShortened ||= colons > 0 && last === at - 1;
      colons++;
      last = at;
    } else if (isDigit(byte) || byte === 0x2e || (letter >= 0x61 && letter <= 0x66)) continue;
    else if ((letter >= 0x67 && letter <= 0x7a) || byte === DASH || byte === 0x5f || byte === 0x25 || byte >= 0x80)
      isHexadecimal = false;
    else return false;
  }
  // An address has eight parts or `::`, which the time `06:00:00` does not.
  if (colons > 1) return isHexadecimal && (isShortened || colons >= 6);
  return colons === 0 ? hasLetterOrDot(bytes, start, end) : isPortBehind(bytes, start, last, end);
}

/** `443` alone is a port without its host. */
function hasLetterOrDot(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(bytes[at])) return true;
  return false;
}

function isPortBehind(bytes: Uint8Array, start: number, colon: number, end: number): boolean {
  for (let at = colon + 1; at < end; at++) if (!isDigit(bytes[at])) return false;
  return colon > start && hasLetterOrDot(bytes, start, colon);
}

/** `[2001:db8::1]:443` */
function isInBrackets(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start + 1;
  while (at < end && bytes[at] !== 0x5d) {
    const letter = bytes[at]! | 0x20;
    if (!isDigit(bytes[at]) && bytes[at] !== COLON && bytes[at] !== 0x2e && !(letter >= 0x61 && letter <= 0x66))
      return false;
    at++;
  }
  return at < end && (at + 1 === end || bytes[at + 1] === COLON);
}
