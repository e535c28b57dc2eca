// Counts the tokens of each URL, and the first tokens that it shares with the URL before it in the list.
//
// Eight collation bytes at a time (SWAR): adding 62 to each sets its highest bit if it is a run byte (66 + 62 = 128). A
// byte begins a token unless it and the one before are run bytes, or it is a digit of an escape.
//
//   bytes      / c a t % 2 1 /
//   is run     0 1 1 1 0 0 0 0
//   inside     0 0 1 1 0 1 1 0      the others begin a token: 4
import { firstBytes } from '../text/collation';
import { lengthOf, urlAt } from './site';
import { inEscapesOf, isInEscape, isRun, runsOf } from '../text/text';

/** 0x80 for each of eight bytes that begins a token; `runs` are those of `runsOf`, and `carry` that of the byte before. */
function startsOf(eight: u64, runs: u64, carry: u64): u64 {
  return ~((runs & ((runs << 8) | carry)) | inEscapesOf(eight)) & 0x8080808080808080;
}

/**
 * Stores how many tokens the URL [at, at + length) has, including START and END, and how many first tokens it shares
 * with the one before it, which is at `before`; START counts, but the result is 0 without one before. Both URLs are in
 * whole units of 8 bytes.
 */
export function setForward(
  tokens: usize,
  sharedFirst: usize,
  before: usize,
  beforeLength: usize,
  at: usize,
  length: usize,
): void {
  let count: i32 = 0;
  let carry: u64 = 0;
  let k: usize = 0;
  if (before != 0) {
    const limit = min(beforeLength, length);
    for (; k + 8 <= limit; k += 8) {
      const eight = load<u64>(at + k);
      if (eight != load<u64>(before + k)) break;
      const runs = runsOf(eight);
      count += <i32>popcnt(startsOf(eight, runs, carry));
      carry = runs >> 56;
    }
    store<u16>(sharedFirst, <u16>(count + sharedIn(k, carry, before, beforeLength, at, length) + 1));
  } else {
    store<u16>(sharedFirst, 0);
  }
  for (; k + 8 <= length; k += 8) {
    const eight = load<u64>(at + k);
    const runs = runsOf(eight);
    count += <i32>popcnt(startsOf(eight, runs, carry));
    carry = runs >> 56;
  }
  if (k < length) {
    const eight = load<u64>(at + k);
    count += <i32>popcnt(startsOf(eight, runsOf(eight), carry) & firstBytes(length - k));
  }
  store<u16>(tokens, <u16>(count + 2));
}

/**
 * Number of tokens that both URLs share in the unit at `k`, where they differ or one of them ends; less one that they
 * share only in part.
 */
function sharedIn(k: usize, carry: u64, before: usize, beforeLength: usize, at: usize, length: usize): i32 {
  const limit = min(beforeLength, length);
  let count: i32 = 0;
  let shared = k;
  if (k < limit) {
    const eight = load<u64>(at + k);
    const same = min(limit - k, <usize>(ctz(eight ^ load<u64>(before + k)) >> 3));
    count = <i32>popcnt(startsOf(eight, runsOf(eight), carry) & firstBytes(same));
    shared += same;
  }
  if (shared < limit && isInEscape(at + shared)) return count - 1;
  if (shared == 0 || !isRun(at + shared - 1)) return count;
  const goesOn = (shared < length && isRun(at + shared)) || (shared < beforeLength && isRun(before + shared));
  return goesOn ? count - 1 : count;
}

/** Fills the columns of rows [from, to) of the current site. */
export function fillForward(tokens: usize, sharedFirst: usize, from: i32, to: i32): void {
  for (let row = from; row < to; row++) {
    const before = row > 0 ? urlAt(row - 1) : 0;
    const beforeLength = row > 0 ? lengthOf(row - 1) : 0;
    const column = (<usize>row) << 1;
    setForward(tokens + column, sharedFirst + column, before, beforeLength, urlAt(row), lengthOf(row));
  }
}
