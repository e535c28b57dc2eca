// Tests whether bytes are a URL, finds its path, and orders forms of a URL.
import { decodeText, encodeText } from '../base/bytes.js';
import { isBoundary } from '../url/token.js';

const http = encodeText('http');

/** A URL starts with `/`, `http://` or `https://` in any case, and contains neither spaces nor control bytes. */
export function isUrl(bytes: Uint8Array, start = 0, end = bytes.length): boolean {
  return beginsUrl(bytes, start, end) && isClean(bytes, start, end);
}

export function beginsUrl(bytes: Uint8Array, start: number, end: number): boolean {
  return (start < end && bytes[start] === 0x2f) || hostStart(bytes, start, end) >= 0;
}

/** True for bytes without control bytes, which are those up to `control`: by default also without spaces. */
export function isClean(bytes: Uint8Array, start = 0, end = bytes.length, control = 0x20): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! <= control || bytes[at] === 0x7f) return false;
  return true;
}

/** The offset after `http://` or `https://`, or -1. */
export function hostStart(bytes: Uint8Array, start = 0, end = bytes.length): number {
  for (let at = 0; at < 4; at++) if ((bytes[start + at]! | 0x20) !== http[at]) return -1;
  const colon = (bytes[start + 4]! | 0x20) === 0x73 ? start + 5 : start + 4;
  const isHost = bytes[colon] === 0x3a && bytes[colon + 1] === 0x2f && bytes[colon + 2] === 0x2f;
  return isHost && colon + 3 <= end ? colon + 3 : -1;
}

/** The offset where the path begins, or the query if there is no path; `start` in a URL without host. */
export function pathStart(url: Uint8Array, start = 0, end = url.length): number {
  const host = hostStart(url, start, end);
  if (host < 0) return start;
  for (let at = host; at < end; at++) if (url[at] === 0x2f || url[at] === 0x3f) return at;
  return end;
}

/** Fewest tokens first, then fewest code points, then code-point order (SPEC 8). 0 only for equal bytes. */
export function compareForms(a: Uint8Array, b: Uint8Array): number {
  const [left, right] = [a, b].map((url) => Array.from(decodeText(url)));
  return countTokens(a) - countTokens(b) || left!.length - right!.length || compareCodePoints(left!, right!);
}

function countTokens(url: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < url.length; at++) if (isBoundary(url, at)) count++;
  return count;
}

function compareCodePoints(a: readonly string[], b: readonly string[]): number {
  for (const [at, char] of a.entries()) {
    const order = char.codePointAt(0)! - b[at]!.codePointAt(0)!;
    if (order !== 0) return order;
  }
  return 0;
}
