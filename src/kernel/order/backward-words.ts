// The last bytes of a URL as a few numbers: enough to order most URLs backwards, and to count the last tokens that two
// URLs share.
//
//   URL      … | n | / | i | n | d | e | x | . | h | t | m | l |
//   packed   … | n   /   i   n | d   e   x   .   h   t   m   l |     its last 32 bytes; zeros before the URL
//   words      … word 1        | word 0                        |     u64 each: the last byte is the highest
//
// So words compare like the URLs read backwards. Where bytes may be padding, only the URLs themselves can decide.
import { inEscapesOf, runsOf } from '../text/text';

export const WORDS: i32 = 4;
/** Bytes of a URL in its words. */
export const LAST_BYTES: usize = 32;

/** Results of `sharedTokens` for equal words, and for words that do not decide. */
export const SAME_WORDS: i32 = 0;
export const UNKNOWN: i32 = 0xffff;

const HIGHEST_BIT: u64 = 0x8000000000000000;
const ALL_BITS: u64 = 0xffffffffffffffff;

/**
 * The 8 bytes before `end` as a word. Only the last `left` of them belong to the URL (none if negative); the others are
 * 0.
 */
export function wordBefore(end: usize, left: isize): u64 {
  if (left >= 8) return load<u64>(end - 8);
  if (left <= 0) return 0;
  const bits = (<u64>left) << 3;
  return (load<u64>(end - 8) >> (64 - bits)) << (64 - bits);
}

/** Word w of the packed bytes at an address. */
export function wordOf(packed: usize, w: i32): u64 {
  return load<u64>(packed + LAST_BYTES - 8 - ((<usize>w) << 3));
}

/** Packs the bytes before `end`, of which `left` belong to the URL. */
export function packLast(end: usize, left: isize, to: usize): void {
  if (left >= <isize>LAST_BYTES) {
    v128.store(to, v128.load(end - 32));
    v128.store(to + 16, v128.load(end - 16));
    return;
  }
  for (let w: usize = 0; w < <usize>WORDS; w++) {
    const skipped = w << 3;
    store<u64>(to + LAST_BYTES - 8 - skipped, wordBefore(end - skipped, left - <isize>skipped));
  }
}

/** The first word that differs, or WORDS. */
export function sameWords(a: usize, b: usize, from: i32): i32 {
  let w = from;
  while (w < WORDS && wordOf(a, w) == wordOf(b, w)) w++;
  return w;
}

/**
 * Number of whole last tokens that two URLs share, including END, from their packed bytes at a and b. `behind` is the
 * number of tokens after those bytes, including END. `inRun` says that the first of these is a run, and `inEscape` that
 * it is an escape, which may begin earlier.
 */
export function sharedTokens(a: usize, b: usize, behind: i32, inRun: bool, inEscape: bool): i32 {
  let tokens = behind;
  // The highest bit is set if the byte before is in a run.
  let carry = inRun ? HIGHEST_BIT : 0;
  let carriedDigit = inEscape ? HIGHEST_BIT : 0;
  let last: u64 = 1;
  for (let w = 0; w < WORDS; w++) {
    const word = wordOf(a, w);
    const other = wordOf(b, w);
    const runs = runsOf(word);
    // Bytes before a continuing run: no token begins after them.
    const goesOn = (runs >> 8) | carry;
    const digits = inEscapesOf(word);
    const isBeforeDigit = (digits >> 8) | carriedDigit;
    const inner = (runs & goesOn) | isBeforeDigit;
    if (word == other) {
      tokens += 8 - <i32>popcnt(inner);
      carry = runs << 56;
      carriedDigit = digits << 56;
      last = word & 0xff;
      continue;
    }
    const shared = clz(word ^ other) & ~7;
    if (shared > 0) last = (word >> (64 - shared)) & 0xff;
    if (last == 0) return UNKNOWN;
    tokens += <i32>(shared >> 3) - <i32>popcnt(inner & ~(ALL_BITS >> shared));
    const isSplit = ((((runs | runsOf(other)) & goesOn) | isBeforeDigit) << shared) & HIGHEST_BIT;
    return isSplit == 0 ? tokens : tokens - 1;
  }
  return SAME_WORDS;
}
