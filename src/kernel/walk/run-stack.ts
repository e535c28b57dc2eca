// The stack of runs of neighbours that are open while the members of a node are scanned (table/envelope), with
// summaries of their lengths.
//
//   stack   | bottom | run | run inside of it | … | top
//
// A run begins at member `left`. More than T_high of its members have at most `reach` tokens, and enough tokens for
// every enclosing envelope. The bottom entry is a sentinel that is not visited: it has what member `left` shares with
// the one before it.
@unmanaged
export class Run {
  /** Number of last tokens that it shares with the member after it. */
  shared: i32;
  left: i32;
  reach: i32;
  longest: i32;
  secondLongest: i32;
  shortest: i32;
  secondShortest: i32;
}

export const RUN: usize = offsetof<Run>();
const MOST: i32 = 0x7fffffff;

/** The current run: the run popped last, or the one-member run of the last member. */
export let left: i32 = 0;
export let reach: i32 = MOST;
export let longest: i32 = 0;
export let secondLongest: i32 = 0;
export let shortest: i32 = 0;
export let secondShortest: i32 = 0;

export function setReach(to: i32): void {
  reach = to;
}

/** Makes a run of one member the current one. */
export function beginRun(member: i32, length: i32): void {
  left = member;
  reach = MOST;
  longest = shortest = length;
  secondLongest = 0;
  secondShortest = MOST;
}

/** The entry above another one on the stack. */
export function after(run: Run): Run {
  return changetype<Run>(changetype<usize>(run) + RUN);
}

/** The entry below. */
export function before(run: Run): Run {
  return changetype<Run>(changetype<usize>(run) - RUN);
}

/** Makes an entry the sentinel at the bottom, without members. */
export function layBottom(entry: Run, shared: i32, from: i32): void {
  entry.shared = shared;
  entry.left = from;
  entry.reach = MOST;
  entry.longest = 0;
  entry.secondLongest = 0;
  entry.shortest = MOST;
  entry.secondShortest = MOST;
}

export function isEmpty(entry: Run): bool {
  return entry.shortest == MOST;
}

/** Makes an entry a run of one member, with what it shares with the next. */
export function layMember(entry: Run, shared: i32, member: i32, length: i32): void {
  entry.shared = shared;
  entry.left = member;
  entry.reach = MOST;
  entry.longest = length;
  entry.secondLongest = 0;
  entry.shortest = length;
  entry.secondShortest = MOST;
}

/** Joins one member to an open run. */
export function joinMember(entry: Run, length: i32): void {
  const most = entry.longest;
  const least = entry.shortest;
  entry.secondLongest = max(min(most, length), entry.secondLongest);
  entry.longest = max(most, length);
  entry.secondShortest = min(max(least, length), entry.secondShortest);
  entry.shortest = min(least, length);
}

/** Merges the current run into the run of an entry, which begins before it. */
export function joinEntry(entry: Run): void {
  left = entry.left;
  reach = min(reach, entry.reach);
  const most = entry.longest;
  const least = entry.shortest;
  secondLongest = max(max(min(longest, most), secondLongest), entry.secondLongest);
  longest = max(longest, most);
  secondShortest = min(min(max(shortest, least), secondShortest), entry.secondShortest);
  shortest = min(shortest, least);
}

/** Stores the current run in an entry, with what it shares with the member after it. */
export function layRun(entry: Run, shared: i32): void {
  entry.shared = shared;
  entry.left = left;
  entry.reach = reach;
  entry.longest = longest;
  entry.secondLongest = secondLongest;
  entry.shortest = shortest;
  entry.secondShortest = secondShortest;
}

/** Makes the run of an entry the current one. */
export function resume(entry: Run): void {
  left = entry.left;
  reach = entry.reach;
  longest = entry.longest;
  secondLongest = entry.secondLongest;
  shortest = entry.shortest;
  secondShortest = entry.secondShortest;
}
