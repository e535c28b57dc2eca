// The members of a node with few children (see children), eight SIMD lanes at a time: most members are in such nodes.
//
//   firsts   the first row of each child except the first, i32: how many are not after a row gives its child
//   places   where the next member of each child goes, i32
//   lanes    for each child a mask with all bits of its lane of sixteen
//
// A URL that would be alone counts as a child here, and goes to the position of its row.
import { take } from '../memory/heap';
import { endOfRange } from './row-ranges';
import { i32At, membersOf, sharedOf, u16At } from './walk-columns';

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

/** The number of children of a node, not counting single URLs; or MANY, if there are too many with these. */
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
  // The minimum that each child shares since its last member.
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
    // Its two bytes of the first eight, or of the others: a swizzle gives 0 for bytes that are out of range.
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
