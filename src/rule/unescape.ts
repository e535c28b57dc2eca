// Which escapes mean the same as the bare character? `%28` and `(` are the same to most servers, but not to all (RFC
// 3986, 2.2), so unescaping is a step that may or may not hold for a site. Delimiters of URLs and `%` itself stay
// escaped.
import { copyOf, type NewBytes } from '../base/bytes.js';
import { escapedByte, isEscape } from '../url/token.js';

/** Characters that paths and queries may have unescaped. */
export const BARE_SIGNS = "!$'()*,:@";

const isBare = new Uint8Array(256);
for (const sign of BARE_SIGNS) isBare[sign.charCodeAt(0)] = 1;

/** `url` with these characters in place of their escapes from `start` on; `url` itself if it has none. */
export function unescape(url: Uint8Array, start: number, make?: NewBytes): Uint8Array {
  let out: Uint8Array | undefined;
  let length = start;
  for (let at = start; at < url.length; at++) {
    const sign = escapedAt(url, at);
    if (sign >= 0 && isBare[sign] === 1) {
      out ??= copyOf(url, make);
      out[length++] = sign;
      at += 2;
      continue;
    }
    if (out !== undefined) out[length] = url[at]!;
    length++;
  }
  return out === undefined ? url : out.subarray(0, length);
}

/** The byte whose escape begins at `at`, or -1. */
export function escapedAt(url: Uint8Array, at: number): number {
  return isEscape(url, at) ? escapedByte(url, at) : -1;
}
