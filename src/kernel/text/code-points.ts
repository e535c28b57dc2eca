// Compares two texts by length in code points. From 0x80 up, collation bytes are the bytes of UTF-8.
import { FROM_COLLATION, sameAhead } from './text';

const NOT_ASCII: u64 = 0x8080808080808080;

/** SPEC 1, *shrinks*: a has more code points than b, or as many and is later in code-point order. */
export function isLonger(a: usize, aEnd: usize, b: usize, bEnd: usize): bool {
  const difference = codePoints(a, aEnd) - codePoints(b, bEnd);
  if (difference != 0) return difference > 0;
  const limit = min(aEnd - a, bEnd - b);
  const same = sameAhead(a, b, limit);
  if (same == limit) return aEnd - a > bEnd - b;
  return isLater(a + same, b + same, limit - same);
}

/** True if a is later in the order of raw bytes, if they differ. The `%` of an escape and another one are one raw byte. */
function isLater(a: usize, b: usize, limit: usize): bool {
  for (let k: usize = 0; k < limit; k++) {
    const byte = load<u8>(FROM_COLLATION + <usize>load<u8>(a + k));
    const other = load<u8>(FROM_COLLATION + <usize>load<u8>(b + k));
    if (byte != other) return byte > other;
  }
  return false;
}

/** Number of code points. A byte that is not valid UTF-8 counts as one. */
export function codePoints(start: usize, end: usize): i32 {
  return isAscii(start, end) ? <i32>(end - start) : countCodePoints(start, end);
}

function isAscii(start: usize, end: usize): bool {
  let at = start;
  for (; at + 8 <= end; at += 8) if ((load<u64>(at) & NOT_ASCII) != 0) return false;
  for (; at < end; at++) if (load<u8>(at) >= 0x80) return false;
  return true;
}

function countCodePoints(start: usize, end: usize): i32 {
  let count: i32 = 0;
  for (let at = start; at < end; count++) at += max(1, utf8Length(at, end));
  return count;
}

/** Length of the well-formed UTF-8 sequence at `at`, or 0 if there is none (RFC 3629, no surrogates, no overlongs). */
function utf8Length(at: usize, end: usize): usize {
  const lead = load<u8>(at);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length: usize = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (at + length > end) return 0;
  const second = load<u8>(at + 1);
  const low: u8 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const high: u8 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let k: usize = 2; k < length; k++) if ((load<u8>(at + k) & 0xc0) != 0x80) return 0;
  return length;
}
