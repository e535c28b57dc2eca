// Sorts rows of the current site by the bytes of their URLs read backwards, and computes how many last tokens
// neighbours share. An MSD sort of 32 bytes per level.
//
//   level    all rows of a range share their last `depth` bytes; shorter ones are as if padded with zeros in front
//   pack     the 32 bytes before these are fetched, and order the rows                         (backward-packed)
//   deeper   rows with the same 32 bytes are ranges of the next level, `depth` being 32 more
//
// So each byte is read once or twice, however long and similar the URLs are.
import { take } from '../memory/heap';
import { lengthOf, residentAt as urlAt } from '../list/site';
import { countTokens, isInEscape, isRun, sameBehind, sharedSuffix } from '../text/text';
import { DIGIT_COUNTS, numberAt, sortPacked } from './backward-packed';
import { LAST_BYTES, packLast, SAME_WORDS, sharedTokens, UNKNOWN } from './backward-words';

/** Ranges up to this size are sorted by insertion sort, comparing URLs. */
const FEW: i32 = 6;

/** The rows, i32; and by place, u16, the last tokens that a row shares with the row before it. */
let rows: usize = 0;
let shared: usize = 0;

// In the arena of this thread, for `capacity` rows: their packed bytes, keys twice, and rows in input order.
let capacity: i32 = 0;
let packed: usize = 0;
let keys: usize = 0;
let spare: usize = 0;
let came: usize = 0;
let digits: usize = 0;

/** Call this first, and again after each `release` of the arena. */
export function openSorter(rowsAt: usize, sharedAt: usize): void {
  rows = rowsAt;
  shared = sharedAt;
  capacity = 0;
  digits = take(DIGIT_COUNTS);
}

function makeRoom(count: i32): void {
  if (count <= capacity) return;
  capacity = max(count + (count >> 1), 64);
  packed = take((<usize>capacity) << 5);
  keys = take((<usize>capacity) << 3);
  spare = take((<usize>capacity) << 3);
  came = take((<usize>capacity) << 2);
}

export function rowAt(k: i32): i32 {
  return load<i32>(rows + ((<usize>k) << 2));
}

function setRow(k: i32, row: i32): void {
  store<i32>(rows + ((<usize>k) << 2), row);
}

function sharedAt(k: i32): i32 {
  return <i32>load<u16>(shared + ((<usize>k) << 1));
}

function setShared(k: i32, tokens: i32): void {
  store<u16>(shared + ((<usize>k) << 1), <u16>tokens);
}

/**
 * Sorts places [from, to), at most MAX_PACKED_ROWS, whose rows share the last `depth` bytes, and sets what each row but
 * the first shares with the row before it. `gathered` has the packed rows, or is 0.
 */
export function sortRows(from: i32, to: i32, depth: usize, gathered: usize): void {
  while (to - from > FEW) {
    makeRoom(to - from);
    const short = gathered == 0 ? packRange(from, to, depth) : 0;
    if (short > 0) {
      putShortFirst(from, to, depth);
      fillShared(from + 1, min(from + short + 1, to));
      from += short;
      continue;
    }
    const isUnknown = arrange(from, to, depth, gathered || packed);
    gathered = 0;
    if (isUnknown) return sortRunsAndFill(from, to, depth + LAST_BYTES);
    const run = longestRun(from, to);
    const end = run < 0 ? run : endOfRun(run, to);
    const isWhole = run == from && end == to;
    if (!isWhole) sortRuns(from, to, depth + LAST_BYTES, run);
    if (run < 0) return;
    from = run;
    to = end;
    depth = isWhole ? sharedDepth(from, to, depth + LAST_BYTES) : depth + LAST_BYTES;
  }
  if (to - from > 1) sortFew(from, to, depth);
}

/** Packs the rows of a range; returns how many are shorter than `depth`. */
function packRange(from: i32, to: i32, depth: usize): i32 {
  let short = 0;
  let at = packed;
  for (let k = from; k < to; k++, at += LAST_BYTES) {
    const row = rowAt(k);
    const length = lengthOf(row);
    const left = <isize>length - <isize>depth;
    packLast(urlAt(row) + <usize>left, left, at);
    short += i32(left < 0);
  }
  return short;
}

/** Rows that are shorter than the common suffix come first, by length. */
function putShortFirst(from: i32, to: i32, depth: usize): void {
  const bytes = (<usize>(to - from)) << 2;
  memory.copy(came, rows + ((<usize>from) << 2), bytes);
  let short = from;
  for (let at = came; at < came + bytes; at += 4) {
    const row = load<i32>(at);
    const length = lengthOf(row);
    if (length >= depth) continue;
    let hole = short++;
    for (; hole > from && lengthOf(rowAt(hole - 1)) > length; hole--) setRow(hole, rowAt(hole - 1));
    setRow(hole, row);
  }
  for (let at = came; at < came + bytes; at += 4) {
    if (lengthOf(load<i32>(at)) >= depth) setRow(short++, load<i32>(at));
  }
}

/**
 * Puts rows in the order of their packed bytes. Returns true if for some neighbours these do not decide what they
 * share.
 */
function arrange(from: i32, to: i32, depth: usize, packed: usize): bool {
  const first = rowAt(from);
  const end = urlAt(first) + lengthOf(first);
  const inRun = depth > 0 && isRun(end - depth);
  const inEscape = depth > 0 && isInEscape(end - depth);
  const behind = 1 + countTokens(end - depth, end) + i32(inEscape);
  sortPacked(packed, to - from, keys, spare, digits);
  memory.copy(came, rows + ((<usize>from) << 2), (<usize>(to - from)) << 2);
  let isUnknown = false;
  let before: usize = 0;
  for (let k = from; k < to; k++) {
    const number = numberAt(keys, k - from);
    const here = packed + (number << 5);
    setRow(k, load<i32>(came + (number << 2)));
    if (k > from) {
      const tokens = sharedTokens(before, here, behind, inRun, inEscape);
      setShared(k, tokens);
      isUnknown = isUnknown || tokens == UNKNOWN;
    }
    before = here;
  }
  return isUnknown;
}

// A run: rows with the same words. All but its first row have SAME_WORDS in `shared`.

/** The start of the longest run in [from, to), or -1 if there is none. */
function longestRun(from: i32, to: i32): i32 {
  let longest = -1;
  let most = 1;
  for (let k = from + 1; k < to; k++) {
    if (sharedAt(k) != SAME_WORDS) continue;
    const start = k - 1;
    k = endOfRun(start, to);
    if (k - start > most) {
      most = k - start;
      longest = start;
    }
  }
  return longest;
}

function endOfRun(start: i32, to: i32): i32 {
  let end = start + 1;
  while (end < to && sharedAt(end) == SAME_WORDS) end++;
  return end;
}

/** Sorts all runs except the one at `except`. */
function sortRuns(from: i32, to: i32, depth: usize, except: i32): void {
  for (let k = from + 1; k < to; k++) {
    if (sharedAt(k) != SAME_WORDS) continue;
    const start = k - 1;
    k = endOfRun(start, to);
    if (start != except) sortRows(start, k, depth, 0);
  }
}

/** Sorts all runs, and then computes what the words did not decide. */
function sortRunsAndFill(from: i32, to: i32, depth: usize): void {
  sortRuns(from, to, depth, -1);
  for (let k = from + 1; k < to; k++) if (sharedAt(k) == UNKNOWN) fillShared(k, k + 1);
}

/** Length of the common suffix of all rows [from, to), at least `depth`. */
function sharedDepth(from: i32, to: i32, depth: usize): usize {
  const first = rowAt(from);
  const end = urlAt(first) + lengthOf(first) - depth;
  let same = <isize>lengthOf(first) - <isize>depth;
  for (let k = from + 1; k < to && same > 0; k++) {
    const row = rowAt(k);
    const left = <isize>lengthOf(row) - <isize>depth;
    if (left <= 0) return depth;
    same = <isize>sameBehind(urlAt(row) + <usize>left, end, <usize>min(same, left));
  }
  return depth + <usize>max(same, 0);
}

function sortFew(from: i32, to: i32, depth: usize): void {
  for (let k = from + 1; k < to; k++) {
    const row = rowAt(k);
    let hole = k;
    for (; hole > from && compareBehind(row, rowAt(hole - 1), depth) < 0; hole--) setRow(hole, rowAt(hole - 1));
    setRow(hole, row);
  }
  fillShared(from + 1, to);
}

/** Negative, 0 or positive, as row a sorts before, with or after row b. Both share the last `depth` bytes. */
export function compareBehind(a: i32, b: i32, depth: usize): i32 {
  const aLength = lengthOf(a);
  const bLength = lengthOf(b);
  const limit = min(aLength, bLength);
  if (depth < limit) {
    const aEnd = urlAt(a) + aLength - depth;
    const bEnd = urlAt(b) + bLength - depth;
    const same = sameBehind(aEnd, bEnd, limit - depth);
    if (same < limit - depth) return <i32>load<u8>(aEnd - same - 1) - <i32>load<u8>(bEnd - same - 1);
  }
  return <i32>aLength - <i32>bLength;
}

/** Sets what the rows at places [from, to) share with the row before each, including END. */
export function fillShared(from: i32, to: i32): void {
  for (let k = max(from, 1); k < to; k++) {
    const a = rowAt(k - 1);
    const b = rowAt(k);
    const aStart = urlAt(a);
    const bStart = urlAt(b);
    const bEnd = bStart + lengthOf(b);
    const bytes = sharedSuffix(aStart, aStart + lengthOf(a), bStart, bEnd);
    setShared(k, 1 + countTokens(bEnd - bytes, bEnd));
  }
}
