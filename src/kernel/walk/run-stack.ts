// Which runs of neighbours are open while the members of a node are looked at one after another (table/envelope), and what is
// known of the lengths in them?
//
//   stack   | below all | run | run inside of it | … | top
//   a run   | shared | left | reach | longest | second longest | shortest | second shortest |, i32 each
//
// A run begins at member `left`. More than T_high of its members have at most `reach` tokens, and enough for every envelope
// around here. What is below all is not visited: it shares what members from `left` on share with those before them.
export const RUN: usize = 28;
export const MOST: i32 = 0x7fffffff;

/** The present run: that which was popped last, or the member that came last. */
export let left: i32 = 0;
export let reach: i32 = MOST;
export let longest: i32 = 0;
export let secondLongest: i32 = 0;
export let shortest: i32 = 0;
export let secondShortest: i32 = 0;

export function setReach(to: i32): void {
  reach = to;
}

/** A run of one member. */
export function beginRun(member: i32, length: i32): void {
  left = member;
  reach = MOST;
  longest = shortest = length;
  secondLongest = 0;
  secondShortest = MOST;
}

/** Makes an entry what is below all: nobody is in it yet. */
export function layBottom(entry: usize, shared: i32, from: i32): void {
  store<i32>(entry, shared);
  store<i32>(entry, from, 4);
  store<i32>(entry, MOST, 8);
  store<i64>(entry, 0, 12);
  store<i32>(entry, MOST, 20);
  store<i32>(entry, MOST, 24);
}

export function isEmpty(entry: usize): bool {
  return load<i32>(entry, 20) == MOST;
}

/** Makes an entry a run of one member, with what it shares with the next. */
export function layMember(entry: usize, shared: i32, member: i32, length: i32): void {
  store<i32>(entry, shared);
  store<i32>(entry, member, 4);
  store<i32>(entry, MOST, 8);
  store<i32>(entry, length, 12);
  store<i32>(entry, 0, 16);
  store<i32>(entry, length, 20);
  store<i32>(entry, MOST, 24);
}

/** Joins one member to an open run. */
export function joinMember(entry: usize, length: i32): void {
  const most = load<i32>(entry, 12);
  const least = load<i32>(entry, 20);
  store<i32>(entry, max(min(most, length), load<i32>(entry, 16)), 16);
  store<i32>(entry, max(most, length), 12);
  store<i32>(entry, min(max(least, length), load<i32>(entry, 24)), 24);
  store<i32>(entry, min(least, length), 20);
}

/** Joins the present run to that of an entry, which begins before it. */
export function joinEntry(entry: usize): void {
  left = load<i32>(entry, 4);
  reach = min(reach, load<i32>(entry, 8));
  const most = load<i32>(entry, 12);
  const least = load<i32>(entry, 20);
  secondLongest = max(max(min(longest, most), secondLongest), load<i32>(entry, 16));
  longest = max(longest, most);
  secondShortest = min(min(max(shortest, least), secondShortest), load<i32>(entry, 24));
  shortest = min(shortest, least);
}

/** Makes an entry the present run, with what it shares with the member after it. */
export function layRun(entry: usize, shared: i32): void {
  store<i32>(entry, shared);
  store<i32>(entry, left, 4);
  store<i32>(entry, reach, 8);
  store<i32>(entry, longest, 12);
  store<i32>(entry, secondLongest, 16);
  store<i32>(entry, shortest, 20);
  store<i32>(entry, secondShortest, 24);
}

/** Makes the run of an entry the present one. */
export function resume(entry: usize): void {
  left = load<i32>(entry, 4);
  reach = load<i32>(entry, 8);
  longest = load<i32>(entry, 12);
  secondLongest = load<i32>(entry, 16);
  shortest = load<i32>(entry, 20);
  secondShortest = load<i32>(entry, 24);
}
