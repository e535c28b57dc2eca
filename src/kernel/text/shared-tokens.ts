// Counts the tokens that two URLs share at their beginnings, and at their ends, eight bytes at a time (SWAR): a byte
// begins a token unless it and the byte before are run bytes or it is a digit of an escape, and ends one unless it and
// the next are run bytes or the next is such a digit.
//
//   bytes      / c a t % 2 1 /
//   is run     0 1 1 1 0 0 0 0
//   inside     0 0 1 1 0 1 1 0      the others begin a token: 4
//
// Where two URLs part, a run that continues in only one of them is no shared token, nor is a part of an escape.
//
// URLs start at multiples of 8, and no URL is the first thing in memory. So it is safe to read eight bytes at any
// multiple of 8 from the start of a URL, and the eight bytes before any byte of it.
import { inEscapesOf, isInEscape, isRun, runsOf } from './text';

/** Bytes of the tokens counted last. */
export let sharedBytes: usize = 0;

/** Number of tokens in the longest common prefix of whole tokens of the URLs at a and b. */
export function countFirst(a: usize, aLength: usize, b: usize, bLength: usize): i32 {
  const limit = min(aLength, bLength);
  let count: i32 = 0;
  /** 0x80 if the byte before is a run byte. */
  let carry: u64 = 0;
  let k: usize = 0;
  for (; k + 8 <= limit; k += 8) {
    const eight = load<u64>(a + k);
    if (eight != load<u64>(b + k)) break;
    const runs = runsOf(eight);
    count += 8 - <i32>popcnt((runs & ((runs << 8) | carry)) | inEscapesOf(eight));
    carry = runs >> 56;
  }
  if (k < limit) {
    // Fewer than eight bytes are left, or they differ.
    const eight = load<u64>(a + k);
    const same = min(limit - k, <usize>(ctz(eight ^ load<u64>(b + k)) >> 3));
    if (same > 0) {
      const bytes = ((<u64>1) << (same << 3)) - 1;
      const runs = runsOf(eight) & bytes;
      count += <i32>same - <i32>popcnt((runs & ((runs << 8) | carry)) | (inEscapesOf(eight) & bytes));
      carry = runs >> ((same << 3) - 8);
      k += same;
    }
  }
  if (carry != 0 && ((k < aLength && isRun(a + k)) || (k < bLength && isRun(b + k)))) {
    count--;
    do k--;
    while (k > 0 && isRun(a + k - 1));
  } else if (k < aLength && k < bLength && isInEscape(a + k)) {
    count--;
    do k--;
    while (isInEscape(a + k));
  }
  sharedBytes = k;
  return count;
}

/** Number of tokens in the longest common suffix of whole tokens of the URLs that end at a and b. */
export function countLast(a: usize, aLength: usize, b: usize, bLength: usize): i32 {
  const limit = min(aLength, bLength);
  let count: i32 = 0;
  /** Not 0 if the byte after is a run byte. */
  let carry: u64 = 0;
  /** Not 0 if the byte after is a digit of an escape. */
  let carriedDigit: u64 = 0;
  let k: usize = 0;
  for (; k + 8 <= limit; k += 8) {
    const eight = load<u64>(a - k - 8);
    if (eight != load<u64>(b - k - 8)) break;
    const runs = runsOf(eight);
    const digits = inEscapesOf(eight);
    count += 8 - <i32>popcnt((runs & ((runs >> 8) | carry)) | (digits >> 8) | carriedDigit);
    carry = runs << 56;
    carriedDigit = digits << 56;
  }
  if (k < limit) {
    const eight = load<u64>(a - k - 8);
    const same = min(limit - k, <usize>(clz(eight ^ load<u64>(b - k - 8)) >> 3));
    if (same > 0) {
      const bytes = (<u64>-1) << (64 - (same << 3));
      const runs = runsOf(eight) & bytes;
      const innerOfEscapes = ((inEscapesOf(eight) >> 8) | carriedDigit) & bytes;
      count += <i32>same - <i32>popcnt((runs & ((runs >> 8) | carry)) | innerOfEscapes);
      carry = runs << ((same << 3) - 8);
      k += same;
    }
  }
  if (carry != 0 && ((k < aLength && isRun(a - k - 1)) || (k < bLength && isRun(b - k - 1)))) {
    count--;
    do k--;
    while (k > 0 && isRun(a - k));
  } else if (k > 0 && isInEscape(a - k)) {
    count--;
    do k--;
    while (k > 0 && isInEscape(a - k));
  }
  sharedBytes = k;
  return count;
}
