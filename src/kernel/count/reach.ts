// The shapes of the instances of a node: how many tokens they reach, and how many tokens MS witnesses reach.
//
//   by shape   the number of instances of the node that have it; the tokens that they reach
//   found      the shapes that occur in the node
import { ENTRY, shapeOf } from './column';
import { aHigh, aLow, bHigh, eHigh, isWitness, shapeAt, shapesOf } from './group';
import { BY_REACH, FOUND_SHAPES, room, SHAPE_COUNTS, SHAPE_REACHES } from '../memory/rooms';

let counts: usize = 0;
let reaches: usize = 0;
let found: usize = 0;
let foundEnd: usize = 0;

export function beginShapes(group: usize): void {
  const bytes = (<usize>shapesOf(group)) << 2;
  counts = room(SHAPE_COUNTS, bytes, 0);
  reaches = room(SHAPE_REACHES, bytes, 0);
  foundEnd = found = room(FOUND_SHAPES, bytes, 0);
  memory.fill(counts, 0, bytes);
}

/** Finds the shapes of the entries [start, end). */
export function countShapes(start: usize, end: usize): void {
  const counts_ = counts;
  for (let at = found; at < foundEnd; at += 4) store<i32>(counts_ + ((<usize>load<i32>(at)) << 2), 0);
  foundEnd = found;
  for (let entry = start; entry < end;) {
    const shape = shapeOf(entry);
    const first = entry;
    do entry += ENTRY;
    while (entry < end && shapeOf(entry) == shape);
    const at = counts_ + ((<usize>shape) << 2);
    const before = load<i32>(at);
    store<i32>(at, before + <i32>((entry - first) / ENTRY));
    if (before != 0) continue;
    store<i32>(foundEnd, shape);
    foundEnd += 4;
  }
}

export function foundShapes(): i32 {
  return <i32>((foundEnd - found) >> 2);
}

export function foundShape(k: i32): i32 {
  return load<i32>(found + ((<usize>k) << 2));
}

export function countOf(shape: i32): i32 {
  return load<i32>(counts + ((<usize>shape) << 2));
}

export function reachOf(shape: i32): i32 {
  return load<i32>(reaches + ((<usize>shape) << 2));
}

/** How far the shapes reach to the left of the core. */
export function reachLeft(group: usize): void {
  for (let at = found; at < foundEnd; at += 4) {
    const number = load<i32>(at);
    const shape = shapeAt(group, number);
    setReach(number, min(aHigh(shape), eHigh(shape)));
  }
}

/** How far the shapes reach to the right of the core, with at least `leastLeft` tokens to the left of it. */
export function reachRight(group: usize, leastLeft: i32): void {
  for (let at = found; at < foundEnd; at += 4) {
    const number = load<i32>(at);
    const shape = shapeAt(group, number);
    setReach(number, min(bHigh(shape), eHigh(shape) - max(leastLeft, aLow(shape))));
  }
}

function setReach(shape: i32, reach: i32): void {
  store<i32>(reaches + ((<usize>shape) << 2), reach);
}

/** The most tokens that MS witnesses reach; less than `least` if fewer do. */
export function commonReach(group: usize, least: i32, MS: i32): i32 {
  const most = mostReach(group, least);
  if (most < least) return most;
  const bytes = (<usize>(most - least + 1)) << 2;
  const byReach = room(BY_REACH, bytes, 0);
  memory.fill(byReach, 0, bytes);
  for (let at = found; at < foundEnd; at += 4) {
    const shape = load<i32>(at);
    const reach = reachOf(shape);
    if (reach < least || !isWitness(shapeAt(group, shape))) continue;
    const sum = byReach + ((<usize>(reach - least)) << 2);
    store<i32>(sum, load<i32>(sum) + countOf(shape));
  }
  let reach = most;
  for (let sum = 0; reach >= least; reach--) {
    sum += load<i32>(byReach + ((<usize>(reach - least)) << 2));
    if (sum >= MS) break;
  }
  return reach;
}

/** The most tokens that any witness reaches; less than `least` if none reaches so many. */
function mostReach(group: usize, least: i32): i32 {
  let most = least - 1;
  for (let at = found; at < foundEnd; at += 4) {
    const shape = load<i32>(at);
    if (isWitness(shapeAt(group, shape))) most = max(most, reachOf(shape));
  }
  return most;
}
