// Instances whose cores have the same hash, the input of the trees: sorted by `from` and then `to`, in columns of i32.
//
// `from` and `to` are rows of the current site, `shape` is a number (see shapes).
import { REPEATED, SIMILAR, WITNESS } from '../layout/instance-row';

@unmanaged
class Group {
  count: i32;
  /** Columns. */
  from: usize;
  to: usize;
  coreOffset: usize;
  shape: usize;
  /** The number of shapes, and the address of the first. */
  shapes: i32;
  allShapes: usize;
}

@unmanaged
export class Shape {
  /** Bytes of the core. */
  fromBytes: i32;
  toBytes: i32;
  aLow: i32;
  aHigh: i32;
  bLow: i32;
  bHigh: i32;
  eLow: i32;
  eHigh: i32;
  flags: u32;
}

export const GROUP: usize = offsetof<Group>();
export const SHAPE: usize = offsetof<Shape>();

export function writeGroup(
  at: usize,
  count: i32,
  from: usize,
  to: usize,
  coreOffset: usize,
  shape: usize,
  shapes: i32,
  allShapes: usize,
): void {
  const group = changetype<Group>(at);
  group.count = count;
  group.from = from;
  group.to = to;
  group.coreOffset = coreOffset;
  group.shape = shape;
  group.shapes = shapes;
  group.allShapes = allShapes;
}

export function sizeOf(group: usize): i32 {
  return changetype<Group>(group).count;
}

export function fromAt(group: usize, index: i32): i32 {
  return load<i32>(changetype<Group>(group).from + ((<usize>index) << 2));
}

export function toAt(group: usize, index: i32): i32 {
  return load<i32>(changetype<Group>(group).to + ((<usize>index) << 2));
}

export function coreOffsetAt(group: usize, index: i32): i32 {
  return load<i32>(changetype<Group>(group).coreOffset + ((<usize>index) << 2));
}

export function shapeNumberAt(group: usize, index: i32): i32 {
  return load<i32>(changetype<Group>(group).shape + ((<usize>index) << 2));
}

export function shapesOf(group: usize): i32 {
  return changetype<Group>(group).shapes;
}

export function allShapesOf(group: usize): usize {
  return changetype<Group>(group).allShapes;
}

export function shapeAt(group: usize, shape: i32): usize {
  return allShapesOf(group) + <usize>shape * SHAPE;
}

// Accessors of a shape at an address:

export function fromBytes(shape: usize): i32 {
  return changetype<Shape>(shape).fromBytes;
}

export function toBytes(shape: usize): i32 {
  return changetype<Shape>(shape).toBytes;
}

export function aLow(shape: usize): i32 {
  return changetype<Shape>(shape).aLow;
}

export function aHigh(shape: usize): i32 {
  return changetype<Shape>(shape).aHigh;
}

export function bLow(shape: usize): i32 {
  return changetype<Shape>(shape).bLow;
}

export function bHigh(shape: usize): i32 {
  return changetype<Shape>(shape).bHigh;
}

export function eLow(shape: usize): i32 {
  return changetype<Shape>(shape).eLow;
}

export function eHigh(shape: usize): i32 {
  return changetype<Shape>(shape).eHigh;
}

export function isSimilar(shape: usize): bool {
  return (changetype<Shape>(shape).flags & SIMILAR) != 0;
}

/** True for an instance that counts for `low`. */
export function isWitness(shape: usize): bool {
  return (changetype<Shape>(shape).flags & WITNESS) == WITNESS;
}

/** True for shapes whose instances are added one by one. */
export function isRepeated(shape: usize): bool {
  return (changetype<Shape>(shape).flags & REPEATED) != 0;
}

/** True if an instance of that shape counts at (a, b). */
export function isIn(shape: usize, a: i32, b: i32): bool {
  const e = a + b;
  return (
    aLow(shape) <= a &&
    a <= aHigh(shape) &&
    bLow(shape) <= b &&
    b <= bHigh(shape) &&
    eLow(shape) <= e &&
    e <= eHigh(shape)
  );
}
