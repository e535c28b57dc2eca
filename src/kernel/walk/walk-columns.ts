// The data of a walk: a block that one thread makes, and all threads of the walk read (table/envelope).
//
//   | tokens | shared first | child of | member | shared | next member | next shared | rows | S | T_high | most | longest |, 32 bits each
//   | queue (walk-queue) |
//
// Double buffering: the members of a node are on one side, those of its children on the other.
//
//   side 0   member | shared              a node has the places of its forward rows: [from, to) is both
//   side 1   next member | next shared
import { alloc } from '../memory/heap';

export const QUEUE: usize = 48;
const BYTES: usize = 128;

/** By forward row: tokens of the URL, u16, and first tokens that it shares with the one before. */
export let tokens: usize = 0;
export let sharedFirst: usize = 0;
/** By forward row, i32: the child of an open node that it goes to, or -1 if it would be alone there. */
export let childOf: usize = 0;
/** Buckets have at most T_high members, of at most S tokens between the first and the last ones. */
export let S: i32 = 0;
export let T_high: i32 = 0;
/** Nodes of more members are shared by threads. */
export let most: i32 = 0;
/** Tokens of the longest URL: nothing is deeper than that. */
export let longestUrl: i32 = 0;
let walk: usize = 0;

/** The columns are addresses. Returns the walk, which is to be given back with `free`. */
export function newWalk(
  tokensAt: usize,
  sharedFirstAt: usize,
  childOfAt: usize,
  memberAt: usize,
  sharedAt: usize,
  nextMemberAt: usize,
  nextSharedAt: usize,
  count: i32,
  mostBetween: i32,
  mostMembers: i32,
  mostUnshared: i32,
): usize {
  const at = alloc(BYTES);
  memory.fill(at, 0, BYTES);
  store<u32>(at, <u32>tokensAt);
  store<u32>(at, <u32>sharedFirstAt, 4);
  store<u32>(at, <u32>childOfAt, 8);
  store<u32>(at, <u32>memberAt, 12);
  store<u32>(at, <u32>sharedAt, 16);
  store<u32>(at, <u32>nextMemberAt, 20);
  store<u32>(at, <u32>nextSharedAt, 24);
  store<i32>(at, count, 28);
  const longest = greatest(tokensAt, count);
  // What is more than there is makes no difference, but takes room.
  store<i32>(at, min(mostBetween, longest), 32);
  store<i32>(at, min(mostMembers, count), 36);
  store<i32>(at, mostUnshared, 40);
  store<i32>(at, longest, 44);
  return at;
}

function greatest(column: usize, count: i32): i32 {
  let most: i32 = 0;
  for (let k = 0; k < count; k++) most = max(most, u16At(column, k));
  return most;
}

/** Makes it the present walk of this thread. */
export function useColumns(at: usize): void {
  walk = at;
  tokens = <usize>load<u32>(at);
  sharedFirst = <usize>load<u32>(at, 4);
  childOf = <usize>load<u32>(at, 8);
  S = load<i32>(at, 32);
  T_high = load<i32>(at, 36);
  most = load<i32>(at, 40);
  longestUrl = load<i32>(at, 44);
}

export function rowsOf(at: usize): i32 {
  return load<i32>(at, 28);
}

export function mostOf(at: usize): i32 {
  return load<i32>(at, 40);
}

/** The members of the open nodes on a side, i32, each node a range in backward order. */
export function membersOf(side: i32): usize {
  return <usize>(side == 0 ? load<u32>(walk, 12) : load<u32>(walk, 20));
}

/** What each of them shares with the one before, u16 last tokens. */
export function sharedOf(side: i32): usize {
  return <usize>(side == 0 ? load<u32>(walk, 16) : load<u32>(walk, 24));
}

export function u16At(column: usize, k: i32): i32 {
  return <i32>load<u16>(column + ((<usize>k) << 1));
}

export function i32At(column: usize, k: i32): i32 {
  return load<i32>(column + ((<usize>k) << 2));
}
