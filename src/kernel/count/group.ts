// Instances whose cores have the same hash, the input of the trees: sorted by `from` and then `to`, a column of i32
// each.
//
//   a group   | count | from | to | core offset | shape | shapes | the shapes |                     i32: numbers and addresses
//   a shape   | bytes of the core of from | of to | aLow | aHigh | bLow | bHigh | eLow | eHigh | flags |         i32 each
//
// `from` and `to` are rows of the current site, `shape` is a number (see shapes).
import { REPEATED, SIMILAR, WITNESS } from '../layout/instance-row';

export const GROUP: usize = 28;
export const SHAPE: usize = 36;

const FROM: usize = 4;
const TO: usize = 8;
const CORE_OFFSET: usize = 12;
const SHAPE_NUMBER: usize = 16;
const SHAPES: usize = 20;
const ALL_SHAPES: usize = 24;

export function writeGroup(
  group: usize,
  count: i32,
  from: usize,
  to: usize,
  coreOffset: usize,
  shape: usize,
  shapes: i32,
  allShapes: usize,
): void {
  store<i32>(group, count);
  store<u32>(group, <u32>from, FROM);
  store<u32>(group, <u32>to, TO);
  store<u32>(group, <u32>coreOffset, CORE_OFFSET);
  store<u32>(group, <u32>shape, SHAPE_NUMBER);
  store<i32>(group, shapes, SHAPES);
  store<u32>(group, <u32>allShapes, ALL_SHAPES);
}

export function sizeOf(group: usize): i32 {
  return load<i32>(group);
}

export function fromAt(group: usize, index: i32): i32 {
  return load<i32>(<usize>load<u32>(group, FROM) + ((<usize>index) << 2));
}

export function toAt(group: usize, index: i32): i32 {
  return load<i32>(<usize>load<u32>(group, TO) + ((<usize>index) << 2));
}

export function coreOffsetAt(group: usize, index: i32): i32 {
  return load<i32>(<usize>load<u32>(group, CORE_OFFSET) + ((<usize>index) << 2));
}

export function shapeNumberAt(group: usize, index: i32): i32 {
  return load<i32>(<usize>load<u32>(group, SHAPE_NUMBER) + ((<usize>index) << 2));
}

export function shapesOf(group: usize): i32 {
  return load<i32>(group, SHAPES);
}

/** Where all shapes are, end to end. */
export function allShapesOf(group: usize): usize {
  return <usize>load<u32>(group, ALL_SHAPES);
}

export function shapeAt(group: usize, shape: i32): usize {
  return allShapesOf(group) + <usize>shape * SHAPE;
}

// Of a shape at an address:

export function fromBytes(shape: usize): i32 {
  return load<i32>(shape);
}

export function toBytes(shape: usize): i32 {
  return load<i32>(shape, 4);
}

export function aLow(shape: usize): i32 {
  return load<i32>(shape, 8);
}

export function aHigh(shape: usize): i32 {
  return load<i32>(shape, 12);
}

export function bLow(shape: usize): i32 {
  return load<i32>(shape, 16);
}

export function bHigh(shape: usize): i32 {
  return load<i32>(shape, 20);
}

export function eLow(shape: usize): i32 {
  return load<i32>(shape, 24);
}

export function eHigh(shape: usize): i32 {
  return load<i32>(shape, 28);
}

export function isSimilar(shape: usize): bool {
  return (load<i32>(shape, 32) & SIMILAR) != 0;
}

/** True for an instance that counts for `low`. */
export function isWitness(shape: usize): bool {
  return (load<i32>(shape, 32) & WITNESS) == WITNESS;
}

/** True for shapes whose instances are added one by one. */
export function isRepeated(shape: usize): bool {
  return (load<i32>(shape, 32) & REPEATED) != 0;
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
