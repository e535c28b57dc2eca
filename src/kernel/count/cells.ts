// Counts the support of all pairs (a, b) at a node at once: a tokens of its left chain, b of its right one.
//
//   a \ b   0  1  2  3  4    An instance counts in all cells of its ranges of a, b and a + b: in each line, from one b
//   0       .  .  .  .  .    to another. So each line gets two changes: it is added at the first cell and subtracted
//   1       .  .  x  x  x    after the last one, and prefix sums along the line give the counts (a difference array).
//   2       .  x  x  x  .
//
//   a cell       | low | high | against | - |       i32, all added at once
//   seen         | last pair of URLs counted in this cell i32 | last one counted for `low` i32 |
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

/** Adds `count` instances of a shape without the flag REPEATED. */
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

/** By cell: the last pairs of URLs that it has counted, and that it has counted as witnesses. */
@unmanaged
class Seen {
  last: i32;
  lastWitness: i32;
}

/** Call this before repeated instances are added. */
export function beginRepeated(): void {
  const bytes = (<usize>cellCount()) << 3;
  seen = room(SEEN, bytes, 0);
  memory.fill(seen, 0, bytes);
  pair = 0;
}

/** Instances added from here on belong to the next pair of URLs. */
export function nextPair(): void {
  pair++;
}

/**
 * Adds an instance of a pair of URLs that may have several instances in the same cell: a cell counts the pair once,
 * with the strongest flags.
 */
export function addRepeated(shape: usize): void {
  const last = min(lastA, aHigh(shape));
  for (let a = max(firstA, aLow(shape)); a <= last; a++) {
    const to = toB(shape, a);
    for (let b = fromB(shape, a); b <= to; b++) addOnce(shape, cellAt(a, b));
  }
}

function addOnce(shape: usize, cell: usize): void {
  const seenHere = changetype<Seen>(seen + ((cell - cells) >> 1));
  const isNew = seenHere.last != pair;
  const isLow = isWitness(shape) && seenHere.lastWitness != pair;
  if (!isNew && !isLow) return;
  seenHere.last = pair;
  if (isLow) seenHere.lastWitness = pair;
  const isHigh = isSimilar(shape);
  const more = counted(i32(isLow), i32(isNew && isHigh), i32(isNew && !isHigh));
  addTo(cell, more);
  addTo(cell + CELL, i32x4.neg(more));
}

/** Writes the pairs of all cells whose `low` is at least MS. */
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
