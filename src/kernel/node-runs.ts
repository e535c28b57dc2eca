// Which runs of neighbours share last tokens in a node, and which buckets do they make with it (table/envelope)?
//
// Every maximal run is visited, inner ones before outer ones. Runs are nested, so not to look at all members again and again it
// is kept of each how long its two longest and two shortest URLs are, and how far its overflowing reaches: more than T_high of
// its URLs are long enough here and have at most so many tokens. They are in every run around it too, and overflow there as long
// as S lets them in (LITERATURE 3.4).
//
// A large node is looked at piece by piece. A run that reaches over an end of its piece is cut into parts there, and is visited
// when all pieces have been looked at:
//
//   members   | piece                                        | piece …
//   cut       | part | part | … part | runs | part | … | part | part …
//
// A part has what it shares with the next. That falls to the least of the piece and rises again: there are few.
import { visitBucket } from './bucket';
import { take } from './heap';
import {
  RUN,
  beginRun,
  isEmpty,
  joinEntry,
  joinMember,
  layBottom,
  layMember,
  layRun,
  left,
  longest,
  reach,
  resume,
  secondLongest,
  secondShortest,
  setReach,
  shortest,
} from './run-stack';
import { S, T_high, i32At, longestUrl, membersOf, sharedOf, tokens, u16At } from './walk-columns';

/** The present node. */
let member: usize = 0;
let shared: usize = 0;
let iLow: i32 = 0;
let iHigh: i32 = 0;

let stack: usize = 0;
/** Parts of runs that are cut, entries as on the stack. */
let parts: usize = 0;
let partsEnd: usize = 0;
/** How many members have a length, i32. */
let ofLength: usize = 0;
let bucket: usize = 0;

/** Takes what is needed for any node of the present walk. */
export function beginRuns(): void {
  // Runs that are open share more and more, parts at first less and less and then more and more.
  const deepest = <usize>longestUrl + 2;
  stack = take(deepest * RUN);
  parts = take(2 * deepest * RUN);
  // From the shortest to the longest envelope, and S more.
  ofLength = take((3 * deepest + 16) << 2);
  bucket = take((<usize>T_high) << 2);
}

export function useNode(side: i32, low: i32, high: i32): void {
  member = membersOf(side);
  shared = sharedOf(side);
  iLow = low;
  iHigh = high;
}

/** Visits the buckets of the present node, of members [from, to). */
export function visitNode(from: i32, to: i32): void {
  visitRuns(from, to, -1, -1);
}

/** Visits those of the runs in members [from, to) that end there; gives the bytes of the parts of others, which lie at `parts`. */
export function visitPiece(from: i32, to: i32, isFirst: bool, isLast: bool): usize {
  partsEnd = parts;
  const open = visitRuns(from, to, isFirst ? -1 : u16At(shared, from), isLast ? -1 : u16At(shared, to));
  let entry = stack;
  if (isEmpty(entry)) entry += RUN;
  if (entry <= open) {
    memory.copy(partsEnd, entry, open + RUN - entry);
    partsEnd += open + RUN - entry;
  }
  return partsEnd - parts;
}

export function cutParts(): usize {
  return parts;
}

/** Members [from, to) share `before` with the one before and `behind` with the one behind. Gives the last run that is open. */
function visitRuns(from: i32, to: i32, before: i32, behind: i32): usize {
  const tokensAt = tokens;
  const memberAt = member;
  const sharedAt = shared;
  let open = stack;
  layBottom(open, before, from);
  for (let k = from; k < to; k++) {
    const here = k + 1 < to ? u16At(sharedAt, k + 1) : behind;
    const length = u16At(tokensAt, i32At(memberAt, k));
    const around = load<i32>(open);
    if (here == around) joinMember(open, length);
    else if (here > around) {
      open += RUN;
      layMember(open, here, k, length);
    } else {
      beginRun(k, length);
      open = closeRuns(open, k + 1, here);
    }
  }
  return open;
}

let openPart: usize = 0;

/** To be called before the parts of the present node are joined, from the first to the last, which ends at `to`. */
export function beginParts(from: i32): void {
  openPart = stack;
  layBottom(stack, -1, from);
}

/** Visits the runs that end with a part, where the next one begins. */
export function joinPart(part: usize, to: i32): void {
  const here = load<i32>(part);
  resume(part);
  openPart = here < load<i32>(openPart) ? closeRuns(openPart, to, here) : openRun(openPart, here);
}

/** Visits open runs that share more than `here`, as they end, and then opens one that shares that. */
function closeRuns(open: usize, to: i32, here: i32): usize {
  let inner = load<i32>(open);
  do {
    joinEntry(open);
    if (open == stack) return cutRun(to, here);
    open -= RUN;
    const around = load<i32>(open);
    visitRun(left, to, max(around, here) + 1, inner);
    inner = around;
  } while (inner > here);
  return openRun(open, here);
}

/** Joins the present run to an open one that shares as much, or opens it inside of that. */
function openRun(open: usize, here: i32): usize {
  if (load<i32>(open) == here) joinEntry(open);
  else open += RUN;
  layRun(open, here);
  return open;
}

/** The present run goes on before the piece. */
function cutRun(to: i32, here: i32): usize {
  layRun(partsEnd, here);
  partsEnd += RUN;
  layBottom(stack, here, to);
  return stack;
}

/** Members [from, to), the present run, share the last jLow to jHigh tokens and no other member does. */
function visitRun(from: i32, to: i32, jLow: i32, jHigh: i32): void {
  const least = iLow + jLow;
  const most = least + S;
  // URLs of these lengths are in for every d, up to `most`.
  const always = iHigh + jHigh;
  if (reach <= most || secondLongest < least || secondShortest > always + S) return;
  const size = to - from;
  if (size > T_high) {
    if (always <= most) findReach(from, to, always, most);
    if (reach <= most) return;
  } else if (shortest >= always && longest <= most) {
    return visitBucket(member + ((<usize>from) << 2), size, iLow, iHigh, jLow, jHigh, least, always);
  }
  splitByLength(from, to, jLow, jHigh);
}

/** Where too many have a length of `least` to `most`, so that every envelope overflows: sets how far that reaches. */
function findReach(from: i32, to: i32, least: i32, most: i32): void {
  const memberAt = member;
  const tokensAt = tokens;
  const counts = ofLength;
  // Some more than needed, to take the shortest ones.
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

/** The run again, for each range of d in which the same URLs are long enough and not too long. */
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
    // The same URLs are in at d + 1, unless the shortest falls out or a longer one comes in.
    if (d == dMax || i32At(counts, d - dMin) > 0 || i32At(counts, d + 1 + S - dMin) > 0) {
      if (size >= 2 && size <= T_high) {
        gather(from, to, d, dLow + S);
        visitBucket(bucket, size, iLow, iHigh, jLow, jHigh, dLow, d);
      }
      dLow = d + 1;
    }
    size -= i32At(counts, d - dMin);
  }
}

/** How many members [from, to) have each of the lengths from `least` to `most`. */
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

/** Makes those of `least` to `most` tokens the bucket: they fit. */
function gather(from: i32, to: i32, least: i32, most: i32): void {
  const memberAt = member;
  const tokensAt = tokens;
  let at = bucket;
  for (let k = from; k < to; k++) {
    const row = i32At(memberAt, k);
    const length = u16At(tokensAt, row);
    if (length < least || length > most) continue;
    store<i32>(at, row);
    at += 4;
  }
}

/** So many counts are 0, and a few more may be: `ofLength` has room for them. */
function clear(counts: usize, count: i32): void {
  const end = counts + ((<usize>count) << 2);
  for (let at = counts; at < end; at += 16) v128.store(at, i32x4.splat(0));
}

function countOne(counts: usize, k: i32): void {
  const at = counts + ((<usize>k) << 2);
  store<i32>(at, load<i32>(at) + 1);
}
