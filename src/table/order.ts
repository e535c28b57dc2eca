// Two orders of a site's URLs: forwards, as they come, and backwards. Neighbours in the first share most first tokens,
// neighbours in the second most last tokens; what others share is the least on the way between (FAST.md).
import { sortByteStrings } from '../base/sort.js';
import { FIRST_RUN_BYTE } from '../url/token.js';
import type { SiteUrls } from './url-list.js';

/** Columns over the URLs of a site. Token counts include START and END. */
export interface UrlOrder {
  /** Tokens of URL r, m + 2. */
  readonly tokens: Uint16Array;
  /** First tokens that URL r shares with URL r - 1; START counts. */
  readonly sharedFirst: Uint16Array;
  /** URLs in backward order. */
  readonly backward: Int32Array;
  /** Last tokens that the k-th URL in backward order shares with the one before; END counts. */
  readonly sharedLast: Uint16Array;
}

export function orderUrls(urls: SiteUrls): UrlOrder {
  const { count, bytes, start } = urls;
  const tokens = new Uint16Array(count);
  const sharedFirst = new Uint16Array(count);
  const backward = new Int32Array(count);
  const sharedLast = new Uint16Array(count);
  for (let row = 0; row < count; row++) {
    backward[row] = row;
    tokens[row] = countTokens(bytes, start[row]!, start[row + 1]!) + 2;
    if (row === 0) continue;
    const shared = sharedPrefix(bytes, start[row - 1]!, start[row]!, start[row]!, start[row + 1]!);
    sharedFirst[row] = countTokens(bytes, start[row]!, start[row]! + shared) + 1;
  }
  sortByteStrings(backward, { bytes, start, end: start.subarray(1) }, 'backward');
  for (let k = 1; k < count; k++) {
    const a = backward[k - 1]!;
    const b = backward[k]!;
    const shared = sharedSuffix(bytes, start[a]!, start[a + 1]!, start[b]!, start[b + 1]!);
    sharedLast[k] = countTokens(bytes, start[b + 1]! - shared, start[b + 1]!) + 1;
  }
  return { tokens, sharedFirst, backward, sharedLast };
}

/** Tokens of bytes[from, to) in collation bytes, where both ends are token boundaries. */
export function countTokens(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  let inRun = false;
  for (let at = from; at < to; at++) {
    const isRun = bytes[at]! >= FIRST_RUN_BYTE;
    if (!isRun || !inRun) count++;
    inRun = isRun;
  }
  return count;
}

/** Bytes of the longest first part of whole tokens that [a, aEnd) and [b, bEnd) share. */
export function sharedPrefix(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): number {
  const limit = Math.min(aEnd - a, bEnd - b);
  let shared = 0;
  while (shared < limit && bytes[a + shared] === bytes[b + shared]) shared++;
  const splitsRun =
    shared > 0 &&
    bytes[a + shared - 1]! >= FIRST_RUN_BYTE &&
    ((a + shared < aEnd && bytes[a + shared]! >= FIRST_RUN_BYTE) ||
      (b + shared < bEnd && bytes[b + shared]! >= FIRST_RUN_BYTE));
  if (splitsRun) while (shared > 0 && bytes[a + shared - 1]! >= FIRST_RUN_BYTE) shared--;
  return shared;
}

/** Bytes of the longest last part of whole tokens that [a, aEnd) and [b, bEnd) share. */
export function sharedSuffix(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): number {
  const limit = Math.min(aEnd - a, bEnd - b);
  let shared = 0;
  while (shared < limit && bytes[aEnd - 1 - shared] === bytes[bEnd - 1 - shared]) shared++;
  const splitsRun =
    shared > 0 &&
    bytes[aEnd - shared]! >= FIRST_RUN_BYTE &&
    ((aEnd - shared > a && bytes[aEnd - shared - 1]! >= FIRST_RUN_BYTE) ||
      (bEnd - shared > b && bytes[bEnd - shared - 1]! >= FIRST_RUN_BYTE));
  if (splitsRun) while (shared > 0 && bytes[aEnd - shared]! >= FIRST_RUN_BYTE) shared--;
  return shared;
}
