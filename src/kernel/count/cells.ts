// The support of all pairs (a, b) at a node at once: a tokens of its left chain, b of its right one.
//
//   a \ b   0  1  2  3  4    An instance counts in a rectangle of cells that a range of a + b cuts at two corners: in
//   0       .  .  .  .  .    each line from one b to another. So it is added at the beginning and subtracted after the
//   1       .  .  x  x  x    end, and prefix sums along a line give the counts (a difference array).
//   2       .  x  x  x  .
//
//   a cell       | low | high | against | - |       i32, all added at once
//   seen there   | the pair of URLs that was counted last i32 | and that for `low` i32 |
import { aHigh, aLow, bHigh, bLow, eHigh, eLow, isSimilar, isWitness } from './group';
import { writePair } from './pairs';
import { CELLS, room, SEEN } from '../memory/rooms';

const CELL: usize = 16;

let firstA: i32 = 0;
let lastA: i32 = 0;
let firstB: i32 = 0;
let lastB: i32 = 0;
let width: i32 = 0;
let cells: usize = 0;
let seen: usize = 0;
let pair: i32 = 0;

/** Clears the cells [aFrom, aTo] × [bFrom, bTo]. */
export function beginCells(aFrom: i32, aTo: i32, bFrom: i32, bTo: i32): void {
  firstA = aFrom;
  lastA = aTo;
  firstB = bFrom;
  lastB = bTo;
  width = bTo - bFrom + 2;
  const bytes = <usize>cellCount() * CELL;
  cells = room(CELLS, bytes, 0);
  memory.fill(cells, 0, bytes);
}

function cellCount(): i32 {
  return width * (lastA - firstA + 1);
}

/** Adds so many instances of a shape that is not repeated. */
export function addInstances(shape: usize, count: i32): void {
  const isHigh = isSimilar(shape);
  const more = counted(isWitness(shape) ? count : 0, isHigh ? count : 0, isHigh ? 0 : count);
  const last = min(lastA, aHigh(shape));
  for (let a = max(firstA, aLow(shape)); a <= last; a++) {
    const from = fromB(shape, a);
    const to = toB(shape, a);
    if (from > to) continue;
    addTo(cellAt(a, from), more);
    addTo(cellAt(a, to + 1), i32x4.neg(more));
  }
}

function counted(low: i32, high: i32, against: i32): v128 {
  const more = i32x4.replace_lane(i32x4.splat(0), 0, low);
  return i32x4.replace_lane(i32x4.replace_lane(more, 1, high), 2, against);
}

function addTo(cell: usize, more: v128): void {
  v128.store(cell, i32x4.add(v128.load(cell), more));
}

function cellAt(a: i32, b: i32): usize {
  return cells + <usize>((a - firstA) * width + b - firstB) * CELL;
}

function fromB(shape: usize, a: i32): i32 {
  return max(max(firstB, bLow(shape)), eLow(shape) - a);
}

function toB(shape: usize, a: i32): i32 {
  return min(min(lastB, bHigh(shape)), eHigh(shape) - a);
}

/** Call this before repeated instances are added. */
export function beginRepeated(): void {
  const bytes = (<usize>cellCount()) << 3;
  seen = room(SEEN, bytes, 0);
  memory.fill(seen, 0, bytes);
  pair = 0;
}

/** Instances added from here on are of another pair of URLs than those before. */
export function nextPair(): void {
  pair++;
}

/**
 * Adds an instance whose pair of URLs may have others in the same cells: the pair counts once, for the best of them.
 */
export function addRepeated(shape: usize): void {
  const last = min(lastA, aHigh(shape));
  for (let a = max(firstA, aLow(shape)); a <= last; a++) {
    const to = toB(shape, a);
    for (let b = fromB(shape, a); b <= to; b++) addOnce(shape, cellAt(a, b));
  }
}

function addOnce(shape: usize, cell: usize): void {
  const seenHere = seen + ((cell - cells) >> 1);
  const isNew = load<i32>(seenHere) != pair;
  const isLow = isWitness(shape) && load<i32>(seenHere, 4) != pair;
  if (!isNew && !isLow) return;
  store<i32>(seenHere, pair);
  if (isLow) store<i32>(seenHere, pair, 4);
  const isHigh = isSimilar(shape);
  const more = counted(i32(isLow), i32(isNew && isHigh), i32(isNew && !isHigh));
  addTo(cell, more);
  addTo(cell + CELL, i32x4.neg(more));
}

/** Writes the pairs of the cells in which at least so many instances count for `low`. */
export function writeCells(MS: i32): void {
  for (let a = firstA; a <= lastA; a++) {
    let cell = cellAt(a, firstB);
    let sum = i32x4.splat(0);
    for (let b = firstB; b <= lastB; b++, cell += CELL) {
      sum = i32x4.add(sum, v128.load(cell));
      const low = i32x4.extract_lane(sum, 0);
      if (low >= MS) writePair(a, b, low, i32x4.extract_lane(sum, 1), i32x4.extract_lane(sum, 2));
    }
  }
}
