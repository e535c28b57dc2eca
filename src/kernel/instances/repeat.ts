// Deduplicates buckets. In a crawler trap (/a/a/a/a…) the same URLs share one envelope after another, and if the
// substring is inside of the repetition, an envelope one period further on has the same bucket:
//
//   x a a a a a a y       first part | substring | last part
//   x a a a a a y         x a a | a a | a a y   and   x a a a | a a | a y   have the same URLs and the same substrings
//
// So these envelopes differ only in d = i + j, and in i modulo the period. A cache maps the members of a bucket to the
// envelopes seen. It is direct-mapped and compares full keys: it saves work and never changes a result. It also keeps
// the sets of members that have no instance, as any two members belong to one crawler trap: in a large trap most sets
// are like that.
//
//   a set of members   | head | members … | bits …        each an i32
//   bits               one for each (d - least d) · period + i modulo period
import { BOX_BYTES, Box, Bucket } from './bucket';
import { alloc, free } from '../memory/heap';
import { addPairs } from './instance';
import { isTrap, meet, mostTokens, overlaps, periodOf, prefix, suffix, tokensOf } from './overlap';
import { rows } from '../list/site';
import { isSame, mixed } from '../text/text';

@unmanaged
class SetHead {
  size: i32;
  /** Number of tokens before the repetition, and after it. */
  first: i32;
  last: i32;
  /** 0 if nothing repeats, -1 if not computed yet, -2 if the set has no instances. */
  period: i32;
  leastD: i32;
}

/** Of a head, in words. */
const HEAD: i32 = 5;
const UNKNOWN: i32 = -1;
const NONE: i32 = 0;
const TRAP: i32 = -2;
const MOST_WORDS: i64 = 1 << 21;
const SLOTS_A_ROW: i64 = 16;

/** The most tokens that a substring may have, and that a URL has: the lesser of the two. */
let longest: i32 = 0;
/** The most members of a bucket. */
let most: i32 = 0;
/** Words of a set before its bits, and in total. */
let bitsAt: i32 = 0;
let entry: i32 = 0;
let slots: i32 = 0;
/** Allocated when first needed: few sites have repetitions, and many are small. */
let sets: usize = 0;
/** The envelopes of a part of a bucket. */
let part: Box = changetype<Box>(0);

export function beginRepeats(S: i32, T_high: i32): void {
  longest = S;
  most = T_high;
}

export function endRepeats(): void {
  free(sets);
  sets = 0;
}

/** Adds the instances of a bucket, without the envelopes that an earlier bucket had. None may be left. */
export function addNew(bucket: Bucket): void {
  const members = bucket.members;
  const size = bucket.size;
  const box = bucket.box;
  const u = load<i32>(members, 4);
  const v = load<i32>(members);
  // Nothing repeats if two URLs have the same length, or if the shared parts of two do not overlap: the case for most
  // buckets.
  let comesAgain: bool = false;
  if (tokensOf(u) != tokensOf(v)) {
    meet(u, v);
    comesAgain = overlaps && isSet(members, size);
  }
  if (!comesAgain) return addPairs(members, size, box);
  const set = slotOf(members, size);
  const head = changetype<SetHead>(set);
  if (head.period == UNKNOWN) {
    if (isTrapOnly(set)) head.period = TRAP;
    else findPeriod(set);
  }
  if (head.period == TRAP) return;
  if (head.period == NONE) return addPairs(members, size, box);
  const first = head.first;
  const last = head.last;
  if (cut(box, box.iLow, min(box.iHigh, first - 1), box.jLow, box.jHigh)) addPairs(members, size, part);
  const inside = max(box.iLow, first);
  if (cut(box, inside, box.iHigh, box.jLow, min(box.jHigh, last - 1))) addPairs(members, size, part);
  if (cut(box, inside, box.iHigh, max(box.jLow, last), box.jHigh) && hasNews(set)) addPairs(members, size, part);
}

/** Sets the part to the envelopes of a box with these first and last tokens; false if there are none. */
function cut(box: Box, iLow: i32, iHigh: i32, jLow: i32, jHigh: i32): bool {
  part.iLow = iLow;
  part.iHigh = iHigh;
  part.jLow = jLow;
  part.jHigh = jHigh;
  part.dLow = max(box.dLow, iLow + jLow);
  part.dHigh = min(box.dHigh, iHigh + jHigh);
  return iLow <= iHigh && jLow <= jHigh && part.dLow <= part.dHigh;
}

/**
 * True if the set was in its slot already; stores it otherwise. The period is computed only on the second visit: most
 * sets have just one.
 */
function isSet(members: usize, size: i32): bool {
  if (sets == 0) openSets();
  const at = slotOf(members, size);
  const bytes = (<usize>size) << 2;
  const head = changetype<SetHead>(at);
  if (head.size == size && isSame(at + (HEAD << 2), members, bytes)) return true;
  head.size = size;
  head.period = UNKNOWN;
  memory.copy(at + (HEAD << 2), members, bytes);
  return false;
}

function openSets(): void {
  longest = min(longest, mostTokens());
  // The lengths in a bucket differ by at most S, so a period is at most S, and d has S + 1 values.
  bitsAt = HEAD + most;
  entry = bitsAt + <i32>((<i64>longest * <i64>(longest + 1) + 31) / 32);
  const wanted = min(SLOTS_A_ROW * <i64>rows, MOST_WORDS / <i64>entry);
  slots = 2;
  while (<i64>slots * 2 <= wanted + 1) slots <<= 1;
  const bytes = (<usize>slots * <usize>entry) << 2;
  sets = alloc(bytes + BOX_BYTES);
  memory.fill(sets, 0, bytes);
  part = changetype<Box>(sets + bytes);
}

function slotOf(members: usize, size: i32): usize {
  let hash: u64 = <u64>size;
  for (let k = 0; k < size; k++) hash = mixed(hash ^ (<u64>load<u32>(members + ((<usize>k) << 2))));
  return sets + ((((<usize>hash) & (<usize>(slots - 1))) * <usize>entry) << 2);
}

function isTrapOnly(set: usize): bool {
  const size = changetype<SetHead>(set).size;
  for (let x = 1; x < size; x++) {
    for (let y = 0; y < x; y++) {
      meet(memberOf(set, x), memberOf(set, y));
      if (!isTrap) return false;
    }
  }
  return true;
}

/** The range in which all pairs of the set repeat, and the least common multiple of their periods. */
function findPeriod(set: usize): void {
  const head = changetype<SetHead>(set);
  const size = head.size;
  let first: i32 = 0;
  let last: i32 = 0;
  let period: i32 = 1;
  let length: i32 = 0;
  for (let x = 0; x < size && period != NONE; x++) {
    const u = memberOf(set, x);
    length = max(length, tokensOf(u));
    for (let y = 0; y < x && period != NONE; y++) {
      const v = memberOf(set, y);
      meet(u, v);
      const common = overlaps ? commonMultiple(period, periodOf(u, v)) : NONE;
      period = common <= <i64>longest ? <i32>common : NONE;
      const shorter = min(tokensOf(u), tokensOf(v));
      first = max(first, shorter - suffix);
      last = max(last, shorter - prefix);
    }
  }
  head.first = first;
  head.last = last;
  head.period = period;
  head.leastD = length - longest;
  memory.fill(set + ((<usize>bitsAt) << 2), 0, (<usize>(entry - bitsAt)) << 2);
}

function memberOf(set: usize, k: i32): i32 {
  return load<i32>(set + ((<usize>(HEAD + k)) << 2));
}

/** Marks the envelopes of the part as seen; true if one of them was new. */
function hasNews(set: usize): bool {
  const period = changetype<SetHead>(set).period;
  const leastD = changetype<SetHead>(set).leastD;
  const bits = set + ((<usize>bitsAt) << 2);
  let isNew = false;
  for (let d = part.dLow; d <= part.dHigh; d++) {
    const from = max(part.iLow, d - part.jHigh);
    const to = min(min(part.iHigh, d - part.jLow), from + period - 1);
    for (let i = from; i <= to; i++) {
      const bit = (d - leastD) * period + (i % period);
      const word = bits + ((<usize>(bit >> 5)) << 2);
      const mark = 1 << (bit & 31);
      if ((load<i32>(word) & mark) != 0) continue;
      store<i32>(word, load<i32>(word) | mark);
      isNew = true;
    }
  }
  return isNew;
}

function commonMultiple(a: i32, b: i32): i64 {
  let rest = a;
  let divisor = b;
  while (rest > 0) {
    const next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  return <i64>(a / divisor) * <i64>b;
}
