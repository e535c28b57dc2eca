// The data of a walk: a block that one thread makes, and all threads of the walk read (table/envelope).
//
// Double buffering: the members of a node are on one side, those of its children on the other.
//
//   side 0   member | shared              a node is the same range [from, to) in the forward rows and in the columns
//   side 1   next member | next shared
import { alloc } from '../memory/heap';

/** Columns are addresses. The other fields are explained at the variables below. */
@unmanaged
class Walk {
  tokens: usize;
  sharedFirst: usize;
  childOf: usize;
  member: usize;
  shared: usize;
  nextMember: usize;
  nextShared: usize;
  rows: i32;
  S: i32;
  T_high: i32;
  most: i32;
  longest: i32;
}

/** The queue (walk-queue) lies after it. */
export const QUEUE: usize = offsetof<Walk>();
const BYTES: usize = 128;

/** By forward row, u16: tokens of the URL, and first tokens that it shares with the row before. */
export let tokens: usize = 0;
export let sharedFirst: usize = 0;
/** By forward row, i32: the child of an open node that the row belongs to, or -1 if it would be alone there. */
export let childOf: usize = 0;
/** Buckets have at most T_high members, with at most S tokens between the first and the last ones. */
export let S: i32 = 0;
export let T_high: i32 = 0;
/** Nodes with more members are shared by threads. */
export let most: i32 = 0;
/** Tokens of the longest URL, the greatest possible depth of a node. */
export let longestUrl: i32 = 0;
let walk: Walk = changetype<Walk>(0);

/** The columns are addresses. Returns the walk, which has to be freed with `free`. */
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
  const made = changetype<Walk>(at);
  made.tokens = tokensAt;
  made.sharedFirst = sharedFirstAt;
  made.childOf = childOfAt;
  made.member = memberAt;
  made.shared = sharedAt;
  made.nextMember = nextMemberAt;
  made.nextShared = nextSharedAt;
  made.rows = count;
  const longest = greatest(tokensAt, count);
  // Limits beyond the list's own make no difference, but would take memory.
  made.S = min(mostBetween, longest);
  made.T_high = min(mostMembers, count);
  made.most = mostUnshared;
  made.longest = longest;
  return at;
}

function greatest(column: usize, count: i32): i32 {
  let most: i32 = 0;
  for (let k = 0; k < count; k++) most = max(most, u16At(column, k));
  return most;
}

/** Makes a walk the current one of this thread. */
export function useColumns(at: usize): void {
  walk = changetype<Walk>(at);
  tokens = walk.tokens;
  sharedFirst = walk.sharedFirst;
  childOf = walk.childOf;
  S = walk.S;
  T_high = walk.T_high;
  most = walk.most;
  longestUrl = walk.longest;
}

export function rowsOf(at: usize): i32 {
  return changetype<Walk>(at).rows;
}

export function mostOf(at: usize): i32 {
  return changetype<Walk>(at).most;
}

/** The members of the open nodes on a side, i32; each node is a range, in backward order. */
export function membersOf(side: i32): usize {
  return side == 0 ? walk.member : walk.nextMember;
}

/** By member, u16: the last tokens that it shares with the member before. */
export function sharedOf(side: i32): usize {
  return side == 0 ? walk.shared : walk.nextShared;
}

export function u16At(column: usize, k: i32): i32 {
  return <i32>load<u16>(column + ((<usize>k) << 1));
}

export function i32At(column: usize, k: i32): i32 {
  return load<i32>(column + ((<usize>k) << 2));
}
