// Makes the buckets of a run of neighbours and its node (table/envelope): one bucket for all envelopes or, if some URLs
// are too short or too long for some d, one for each range of d that admits the same URLs.
//
// Runs are nested. To avoid scanning all members again and again, each run has the lengths of its two longest and two
// shortest URLs, and its reach: more than T_high of its URLs are long enough and have at most `reach` tokens. Every
// enclosing run has these URLs too, and overflows as long as S admits them (SPEC 3.2).
import { newBucket } from './bucket';
import { Bucket } from '../instances/bucket';
import { take } from '../memory/heap';
import { longest, reach, secondLongest, secondShortest, setReach, shortest } from './run-stack';
import { S, T_high, i32At, longestUrl, membersOf, tokens, u16At } from './walk-columns';

/** The current node. */
let member: usize = 0;
let iLow: i32 = 0;
let iHigh: i32 = 0;

/** A histogram of lengths, i32. */
let ofLength: usize = 0;

/** Allocates what any run of the current walk needs. */
export function beginRunBuckets(): void {
  // Lengths from the shortest envelope to the longest, plus S.
  ofLength = take((3 * <usize>longestUrl + 16) << 2);
}

/** Sets the node of the next runs, whose members are on this side. */
export function useNode(side: i32, low: i32, high: i32): void {
  member = membersOf(side);
  iLow = low;
  iHigh = high;
}

/**
 * Visits the current run, members [from, to), which share the last jLow to jHigh tokens. No other member shares them.
 */
export function visitRun(from: i32, to: i32, jLow: i32, jHigh: i32): void {
  const least = iLow + jLow;
  const most = least + S;
  // URLs of lengths from `always` to `most` belong to the bucket for every d.
  const always = iHigh + jHigh;
  if (reach <= most || secondLongest < least || secondShortest > always + S) return;
  const size = to - from;
  if (size > T_high) {
    if (always <= most) findReach(from, to, always, most);
    if (reach <= most) return;
  } else if (shortest >= always && longest <= most) {
    return copyMembers(from, visitBucket(size, jLow, jHigh, least, always));
  }
  splitByLength(from, to, jLow, jHigh);
}

/** Adds a bucket with the envelopes of this node, of these last tokens and this d. Its members are still to come. */
function visitBucket(size: i32, jLow: i32, jHigh: i32, dLow: i32, dHigh: i32): Bucket {
  const bucket = newBucket(size);
  const box = bucket.box;
  box.iLow = iLow;
  box.iHigh = iHigh;
  box.jLow = jLow;
  box.jHigh = jHigh;
  box.dLow = dLow;
  box.dHigh = dHigh;
  return bucket;
}

/** Copies consecutive members, from `from` on. */
function copyMembers(from: i32, bucket: Bucket): void {
  const end = bucket.next;
  let source = member + ((<usize>from) << 2);
  for (let at = bucket.members; at < end; at += 4, source += 4) store<i32>(at, load<i32>(source));
}

/** Sets `reach` if so many members have a length of `least` to `most` that every envelope overflows. */
function findReach(from: i32, to: i32, least: i32, most: i32): void {
  const memberAt = member;
  const tokensAt = tokens;
  const counts = ofLength;
  // Some more than needed, to choose the shortest ones.
  const enough = 4 * T_high + 4;
  clear(counts, most - least + 1);
  let count = 0;
  for (let k = from; k < to && count < enough; k++) {
    const length = u16At(tokensAt, i32At(memberAt, k));
    if (length < least || length > most) continue;
    countOne(counts, length - least);
    count++;
  }
  if (count <= T_high) return;
  let length = least;
  for (let sum = i32At(counts, 0); sum <= T_high; sum += i32At(counts, length - least)) length++;
  setReach(length);
}

/** Visits the run once for each range of d in which the same URLs are long enough and not too long. */
function splitByLength(from: i32, to: i32, jLow: i32, jHigh: i32): void {
  const counts = ofLength;
  const dMin = iLow + jLow;
  const dMax = iHigh + jHigh;
  countLengths(from, to, dMin, dMax + S);
  let size = 0;
  for (let length = dMin; length < dMin + S; length++) size += i32At(counts, length - dMin);
  let dLow = dMin;
  for (let d = dMin; d <= dMax; d++) {
    size += i32At(counts, d + S - dMin);
    // The bucket at d + 1 is the same, unless the shortest URL leaves or a longer one enters.
    if (d == dMax || i32At(counts, d - dMin) > 0 || i32At(counts, d + 1 + S - dMin) > 0) {
      if (size >= 2 && size <= T_high) {
        gather(from, to, d, dLow + S, visitBucket(size, jLow, jHigh, dLow, d));
      }
      dLow = d + 1;
    }
    size -= i32At(counts, d - dMin);
  }
}

/** Counts how many members [from, to) have each of the lengths from `least` to `most`. */
function countLengths(from: i32, to: i32, least: i32, most: i32): void {
  const memberAt = member;
  const tokensAt = tokens;
  const counts = ofLength;
  clear(counts, most - least + 2);
  for (let k = from; k < to; k++) {
    const length = u16At(tokensAt, i32At(memberAt, k));
    if (length >= least && length <= most) countOne(counts, length - least);
  }
}

/** Fills the bucket with the members of `least` to `most` tokens: exactly as many as it has room for. */
function gather(from: i32, to: i32, least: i32, most: i32, bucket: Bucket): void {
  const memberAt = member;
  const tokensAt = tokens;
  let at = bucket.members;
  for (let k = from; k < to; k++) {
    const row = i32At(memberAt, k);
    const length = u16At(tokensAt, row);
    if (length < least || length > most) continue;
    store<i32>(at, row);
    at += 4;
  }
}

/** Clears `count` counts, and maybe a few more: `ofLength` has room for them. */
function clear(counts: usize, count: i32): void {
  const end = counts + ((<usize>count) << 2);
  for (let at = counts; at < end; at += 16) v128.store(at, i32x4.splat(0));
}

function countOne(counts: usize, k: i32): void {
  const at = counts + ((<usize>k) << 2);
  store<i32>(at, load<i32>(at) + 1);
}
