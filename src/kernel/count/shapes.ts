// The shapes of the instances of a core. Two instances have the same shape if they have the same lengths, envelopes and
// flags: they differ only in their URLs. Hundreds of thousands of instances of one core have a handful of shapes (1 M
// URLs: 228,670 have 5), so a node of the trees counts instances by shape.
//
//   a shape      | fromBytes | toBytes | aLow | aHigh | bLow | bHigh | eLow | eHigh | flags |      i32 each
//   the same, packed as in a row   | lengths, a u64 | b, e u64 | flags u32 | … |
//   a slot       | number of a shape + 1 u32 |      0: none
//
// Their memory is reused for the next group.
import { SHAPE, Shape } from './group';
import { alloc, free, moved } from '../memory/heap';
import { REPEATED } from '../layout/instance-row';
import { mixed } from '../text/text';

@unmanaged
class Packed {
  lengthsA: u64;
  bE: u64;
  flags: u32;
}

/** Aligned, so with four bytes that nothing needs. */
const PACKED: usize = 24;
const FEWEST: i32 = 16;
/** A larger capacity is freed. */
const MOST_KEPT: i32 = 1 << 14;

let packed: usize = 0;
let slots: usize = 0;
let room: i32 = 0;
let mask: u32 = 0;
let latest: i32 = 0;
export let shapes: usize = 0;
export let shapeCount: i32 = 0;

/** Begins the shapes of a group. */
export function clearShapes(): void {
  shapeCount = latest = 0;
  if (room == 0) {
    room = FEWEST;
    shapes = alloc(<usize>room * SHAPE);
    packed = alloc(<usize>room * PACKED);
    slots = alloc((<usize>room) << 3);
  }
  useSlots(FEWEST);
}

/** Frees the memory of a large group. */
export function trimShapes(): void {
  if (room <= MOST_KEPT) return;
  free(shapes);
  free(packed);
  free(slots);
  room = 0;
}

/** Uses two slots for each of so many shapes: few groups have more than a few, and each clears all slots in use. */
function useSlots(count: i32): void {
  mask = <u32>(2 * count - 1);
  memory.fill(slots, 0, (<usize>count) << 3);
}

/** The number of a shape, in order of first occurrence. */
export function shapeOf(lengthsA: u64, bE: u64, flags: u32): i32 {
  if (latest < shapeCount && isShape(latest, lengthsA, bE, flags)) return latest;
  let slot = firstSlot(lengthsA, bE, flags);
  for (; ; slot = (slot + 1) & mask) {
    const number = load<i32>(slots + ((<usize>slot) << 2)) - 1;
    if (number < 0) break;
    if (isShape(number, lengthsA, bE, flags)) return (latest = number);
  }
  return (latest = add(lengthsA, bE, flags));
}

/** The number of the same shape with the flag REPEATED. */
export function repeatedShape(number: i32): i32 {
  const known = packedAt(number);
  return shapeOf(known.lengthsA, known.bE, known.flags | REPEATED);
}

function isShape(number: i32, lengthsA: u64, bE: u64, flags: u32): bool {
  const known = packedAt(number);
  return known.lengthsA == lengthsA && known.bE == bE && known.flags == flags;
}

function packedAt(number: i32): Packed {
  return changetype<Packed>(packed + <usize>number * PACKED);
}

function add(lengthsA: u64, bE: u64, flags: u32): i32 {
  if (<u32>(2 * shapeCount) > mask) widen();
  const number = shapeCount++;
  const added = packedAt(number);
  added.lengthsA = lengthsA;
  added.bE = bE;
  added.flags = flags;
  const words = changetype<usize>(added);
  const shape = shapes + <usize>number * SHAPE;
  for (let k: usize = 0; k < 8; k++) store<u32>(shape + (k << 2), <u32>load<u16>(words + (k << 1)));
  changetype<Shape>(shape).flags = flags;
  file(number);
  return number;
}

function file(number: i32): void {
  const known = packedAt(number);
  let slot = firstSlot(known.lengthsA, known.bE, known.flags);
  while (load<i32>(slots + ((<usize>slot) << 2)) != 0) slot = (slot + 1) & mask;
  store<i32>(slots + ((<usize>slot) << 2), number + 1);
}

/** Doubles the table: uses more of the slots, or allocates more. */
function widen(): void {
  const wanted = 2 * shapeCount;
  if (wanted > room) {
    shapes = moved(shapes, <usize>shapeCount * SHAPE, <usize>wanted * SHAPE);
    packed = moved(packed, <usize>shapeCount * PACKED, <usize>wanted * PACKED);
    slots = moved(slots, 0, (<usize>wanted) << 3);
    room = wanted;
  }
  useSlots(wanted);
  for (let number = 0; number < shapeCount; number++) file(number);
}

function firstSlot(lengthsA: u64, bE: u64, flags: u32): u32 {
  return (<u32>(mixed(mixed(lengthsA ^ ((<u64>flags) << 57)) ^ bE) >> 20)) & mask;
}
