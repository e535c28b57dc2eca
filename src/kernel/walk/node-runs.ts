// Visits the runs of neighbours that share last tokens in a node (table/envelope): every maximal run, inner runs before
// outer ones.
//
// A large node is scanned piece by piece. A run that crosses the end of a piece is cut into parts there, and visited
// after all pieces have been scanned:
//
//   members   | piece                                        | piece …
//   cut       | part | part | … part | runs | part | … | part | part …
//
// A part has the number of tokens that it shares with the next part. Along the parts of a piece that number falls to a
// minimum and then rises, so there are few parts.
import { take } from '../memory/heap';
import { useNode as useBuckets, beginRunBuckets, visitRun } from './run-buckets';
import {
  RUN,
  Run,
  after,
  before,
  beginRun,
  isEmpty,
  joinEntry,
  joinMember,
  layBottom,
  layMember,
  layRun,
  left,
  resume,
} from './run-stack';
import { i32At, longestUrl, membersOf, sharedOf, tokens, u16At } from './walk-columns';

/** The current node. */
let member: usize = 0;
let shared: usize = 0;

let stack: Run = changetype<Run>(0);
/** The parts of cut runs: entries like those of the stack. */
let parts: usize = 0;
let partsEnd: usize = 0;
/** The innermost open run, while parts are joined. */
let openPart: Run = changetype<Run>(0);

/** Allocates what any node of the current walk needs. */
export function beginRuns(): void {
  // What open runs share increases along the stack; what parts share first decreases and then increases.
  const deepest = <usize>longestUrl + 2;
  stack = changetype<Run>(take(deepest * RUN));
  parts = take(2 * deepest * RUN);
  beginRunBuckets();
}

/** Sets the node of the next runs, whose members are on this side. */
export function useNode(side: i32, low: i32, high: i32): void {
  member = membersOf(side);
  shared = sharedOf(side);
  useBuckets(side, low, high);
}

/** Visits the buckets of the current node, of members [from, to). */
export function visitNode(from: i32, to: i32): void {
  visitRuns(from, to, -1, -1);
}

/**
 * Visits the runs that lie in members [from, to). Runs that cross an end are copied to `parts`. Returns the bytes of
 * the copies.
 */
export function visitPiece(from: i32, to: i32, isFirst: bool, isLast: bool): usize {
  partsEnd = parts;
  const open = visitRuns(from, to, isFirst ? -1 : u16At(shared, from), isLast ? -1 : u16At(shared, to));
  let entry = stack;
  if (isEmpty(entry)) entry = after(entry);
  const start = changetype<usize>(entry);
  const end = changetype<usize>(after(open));
  if (start < end) {
    memory.copy(partsEnd, start, end - start);
    partsEnd += end - start;
  }
  return partsEnd - parts;
}

export function cutParts(): usize {
  return parts;
}

/**
 * Visits runs of members [from, to), which share `ahead` with the member before and `behind` with the one after.
 * Returns the last open run.
 */
function visitRuns(from: i32, to: i32, ahead: i32, behind: i32): Run {
  const tokensAt = tokens;
  const memberAt = member;
  const sharedAt = shared;
  let open = stack;
  layBottom(open, ahead, from);
  for (let k = from; k < to; k++) {
    const here = k + 1 < to ? u16At(sharedAt, k + 1) : behind;
    const length = u16At(tokensAt, i32At(memberAt, k));
    const around = open.shared;
    if (here == around) joinMember(open, length);
    else if (here > around) {
      open = after(open);
      layMember(open, here, k, length);
    } else {
      beginRun(k, length);
      open = closeRuns(open, k + 1, here);
    }
  }
  return open;
}

/** Call this before joining the parts of the current node, in order. The last part ends at `to`. */
export function beginParts(from: i32): void {
  openPart = stack;
  layBottom(stack, -1, from);
}

/** Visits the runs that end with this part. */
export function joinPart(part: Run, to: i32): void {
  const here = part.shared;
  resume(part);
  openPart = here < openPart.shared ? closeRuns(openPart, to, here) : openRun(openPart, here);
}

/** Closes and visits open runs that share more than `here`, then opens a run that shares exactly `here`. */
function closeRuns(open: Run, to: i32, here: i32): Run {
  let inner = open.shared;
  do {
    joinEntry(open);
    if (open == stack) return cutRun(to, here);
    open = before(open);
    const around = open.shared;
    visitRun(left, to, max(around, here) + 1, inner);
    inner = around;
  } while (inner > here);
  return openRun(open, here);
}

/** Merges the current run into an open run that shares as much, or opens it inside of that run. */
function openRun(open: Run, here: i32): Run {
  if (open.shared == here) joinEntry(open);
  else open = after(open);
  layRun(open, here);
  return open;
}

/** Cuts the current run, which began before this piece, into a part. */
function cutRun(to: i32, here: i32): Run {
  layRun(changetype<Run>(partsEnd), here);
  partsEnd += RUN;
  layBottom(stack, here, to);
  return stack;
}
