// Finds the children of a node (table/envelope), and moves members to them. The URLs of a child share more first tokens
// than all of the node, so each child is a range of rows. A URL that would be alone is in no child. Members move to the
// other side (double buffering): those of a child to the positions of its rows, in the same order. So what two
// neighbours share there is the minimum over the members that were between them.
import { take } from '../memory/heap';
import { endOfRange } from './row-ranges';
import { childOf, i32At, longestUrl, membersOf, sharedOf, u16At } from './walk-columns';

const NONE: i32 = -1;
@unmanaged
class Step {
  shared: i32;
  /** The last place that shares so little. */
  last: i32;
}

/** A cursor of a child. */
@unmanaged
class Cursor {
  next: i32;
  /** The place in the parent of the last member that came. */
  last: i32;
}

const STEP: usize = offsetof<Step>();
const CURSOR: usize = offsetof<Cursor>();
const FEWEST_CURSORS: i32 = 256;

let steps: usize = 0;
let cursors: usize = 0;
let room: i32 = 0;

/** Allocates what any node of the current walk needs. */
export function beginChildren(): void {
  steps = take((<usize>longestUrl + 2) * STEP);
  room = 0;
  beginFewChildren();
}

/** Finds the children of a node whose URLs all share exactly iHigh tokens. False if there are none. */
export function openNode(from: i32, to: i32, side: i32, iHigh: i32): bool {
  if (to - from <= 2) return false;
  let children = findFewChildren(from, to, iHigh);
  if (children > 0) moveToFew(from, to, side);
  if (children != MANY) return children > 0;
  children = findChildren(from, to, iHigh);
  if (children > 0) moveMembers(from, to, side);
  return children > 0;
}

/** Counts the children of a node, and notes the child of each row. */
function findChildren(from: i32, to: i32, iHigh: i32): i32 {
  const childAt = childOf;
  makeRoom((to - from) >> 1);
  let cursor = cursors;
  let children = 0;
  for (let row = from; row < to;) {
    const end = endOfRange(row, to, iHigh);
    const child = end - row > 1 ? children : NONE;
    for (let k = row; k < end; k++) store<i32>(childAt + ((<usize>k) << 2), child);
    if (child != NONE) {
      changetype<Cursor>(cursor).next = row;
      changetype<Cursor>(cursor).last = NONE;
      cursor += CURSOR;
      children++;
    }
    row = end;
  }
  return children;
}

function makeRoom(children: i32): void {
  if (children <= room) return;
  room = max(2 * room, max(children, FEWEST_CURSORS));
  cursors = take(<usize>room * CURSOR);
}

/** Moves the members to their children. */
function moveMembers(from: i32, to: i32, side: i32): void {
  const member = membersOf(side);
  const shared = sharedOf(side);
  const nextMember = membersOf(1 - side);
  const nextShared = sharedOf(1 - side);
  const childAt = childOf;
  const cursorsAt = cursors;
  // A monotonic stack of minima: ascending values of what is shared, each with the last place that shares so little.
  // The minimum over the members after a place is in the first step whose `last` is after it.
  let top = steps;
  changetype<Step>(top).shared = -1;
  changetype<Step>(top).last = from - 1;
  for (let k = from; k < to; k++) {
    const here = u16At(shared, k);
    while (changetype<Step>(top).shared >= here) top -= STEP;
    top += STEP;
    changetype<Step>(top).shared = here;
    changetype<Step>(top).last = k;
    const row = i32At(member, k);
    const child = i32At(childAt, row);
    if (child == NONE) continue;
    const cursor = changetype<Cursor>(cursorsAt + <usize>child * CURSOR);
    const place = cursor.next;
    const last = cursor.last;
    let least: i32 = 0;
    if (last != NONE) {
      let step = top;
      while (changetype<Step>(step - STEP).last > last) step -= STEP;
      least = changetype<Step>(step).shared;
    }
    store<i32>(nextMember + ((<usize>place) << 2), row);
    store<u16>(nextShared + ((<usize>place) << 1), <u16>least);
    cursor.next = place + 1;
    cursor.last = k;
  }
}

// Most members are in nodes with few children. There, children are found eight SIMD lanes at a time:
//
//   firsts   the first row of each child except the first, i32: the number of those not after a row is its child
//   places   where the next member of each child goes, i32
//   lanes    for each child, a mask with all bits of its lane of sixteen
//
// A URL that would be alone counts as a child here, and goes to the position of its row.

const FEW: i32 = 16;
export const MANY: i32 = -1;
const NO_ROW: i32 = i32.MAX_VALUE;

let firsts: usize = 0;
let places: usize = 0;
let lanes: usize = 0;

export function beginFewChildren(): void {
  firsts = take(4 * FEW);
  places = take(4 * FEW);
  lanes = take(32 * FEW);
  memory.fill(lanes, 0, 32 * FEW);
  for (let child = 0; child < FEW; child++) store<u16>(lanes + 34 * child, 0xffff);
}

/** The number of children of a node, without single URLs; MANY if there are too many, with single URLs. */
export function findFewChildren(from: i32, to: i32, iHigh: i32): i32 {
  for (let k = 0; k < FEW; k++) store<i32>(firsts + 4 * k, NO_ROW);
  let count = 0;
  let children = 0;
  for (let row = from; row < to;) {
    if (count == FEW) return MANY;
    const end = endOfRange(row, to, iHigh);
    if (count > 0) store<i32>(firsts + 4 * (count - 1), row);
    store<i32>(places + 4 * count, row);
    if (end - row > 1) children++;
    count++;
    row = end;
  }
  return children;
}

/** Moves the members to their children. */
export function moveToFew(from: i32, to: i32, side: i32): void {
  const member = membersOf(side);
  const shared = sharedOf(side);
  const nextMember = membersOf(1 - side);
  const nextShared = sharedOf(1 - side);
  const placesAt = places;
  const lanesAt = lanes;
  const firstsA = v128.load(firsts);
  const firstsB = v128.load(firsts, 16);
  const firstsC = v128.load(firsts, 32);
  const firstsD = v128.load(firsts, 48);
  // For each child: the minimum of what was shared since its last member.
  let leastsA = i16x8.splat(0);
  let leastsB = leastsA;
  for (let k = from; k < to; k++) {
    const row = i32At(member, k);
    const here = i16x8.splat(<i16>u16At(shared, k));
    leastsA = i16x8.min_u(leastsA, here);
    leastsB = i16x8.min_u(leastsB, here);
    const rows = i32x4.splat(row);
    const isBehindAB = i16x8.narrow_i32x4_s(i32x4.le_s(firstsA, rows), i32x4.le_s(firstsB, rows));
    const isBehindCD = i16x8.narrow_i32x4_s(i32x4.le_s(firstsC, rows), i32x4.le_s(firstsD, rows));
    const child = popcnt(i8x16.bitmask(i8x16.narrow_i16x8_s(isBehindAB, isBehindCD)));
    // The two bytes of the child are in the first eight lanes or in the other eight: a swizzle gives 0 for an index out
    // of range.
    const bytes = i16x8.splat(<i16>(child * 0x0202 + 0x0100));
    const least = v128.or(i8x16.swizzle(leastsA, bytes), i8x16.swizzle(leastsB, i8x16.sub(bytes, i8x16.splat(16))));
    const lane = lanesAt + ((<usize>child) << 5);
    leastsA = v128.or(leastsA, v128.load(lane));
    leastsB = v128.or(leastsB, v128.load(lane, 16));
    const placeAt = placesAt + ((<usize>child) << 2);
    const place = load<i32>(placeAt);
    store<i32>(placeAt, place + 1);
    store<i32>(nextMember + ((<usize>place) << 2), row);
    store<u16>(nextShared + ((<usize>place) << 1), i16x8.extract_lane_u(least, 0));
  }
}
