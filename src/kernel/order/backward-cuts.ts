// Chooses splitters (cuts) that divide a range of rows evenly, from a sample, and finds the bucket of a row by binary
// search.
//
//   cuts     | words 0 and 1 of each cut | words 2 and 3 of each cut |                                   u64, ascending
//   ends     | for each cut: the end of the cuts that have the same words 0 and 1 |                      i32
//
// The first two words are searched first, the other two only if some cut has the same first two. The search is
// branch-free.
import { alloc, mark, release, take } from '../memory/heap';
import { lengthOf, residentAt as urlAt } from '../list/site';
import { mixed, sameBehind } from '../text/text';
import { wordBefore } from './backward-words';
import { openSorter, rowAt, sortRows } from './backward-sort';

/** The most samples per cut. */
const SAMPLES: i32 = 32;

// The results of the last call of `sample`.

/** Length of the common suffix of the whole sample, at least `depth`. */
export let sampledDepth: usize = 0;
/** One of the sampled rows. */
export let sampledRow: i32 = 0;
/** A block, and how many cuts are in it. */
export let sampledCuts: usize = 0;
export let sampledCount: i32 = 0;

/**
 * Samples rows in places [from, to), which share the last `depth` bytes, at roughly even distances, and chooses fewer
 * than `wanted` cuts. If `rows` is 0, the row at a place has the number of the place. Uses the sorter.
 */
export function sample(rows: usize, from: i32, to: i32, depth: usize, wanted: i32): void {
  const marked = mark();
  const size = min(to - from, SAMPLES * wanted);
  const picked = take((<usize>size) << 2);
  for (let k = 0; k < size; k++) {
    const place = from + pick(k, size, to - from);
    store<i32>(picked + ((<usize>k) << 2), rows == 0 ? place : load<i32>(rows + ((<usize>place) << 2)));
  }
  openSorter(picked, take((<usize>size) << 1));
  sortRows(0, size, depth, 0);
  const first = rowAt(0);
  sampledRow = rowAt(size - 1);
  const limit = min(lengthOf(first), lengthOf(sampledRow));
  sampledDepth = max(depth, sameBehind(endOf(first), endOf(sampledRow), limit));
  setCuts(size, wanted);
  release(marked);
}

/**
 * A place in the k-th of `size` even parts of [0, count), at a random position in that part, as rows may be periodic.
 */
function pick(k: i32, size: i32, count: i32): i32 {
  const low = <i32>((<i64>k * <i64>count) / <i64>size);
  const high = <i32>((<i64>(k + 1) * <i64>count) / <i64>size);
  return low + <i32>(mixed(<u64>k + 1) % <u64>(high - low));
}

function endOf(row: i32): usize {
  return urlAt(row) + lengthOf(row);
}

/** Two words of a cut. */
@unmanaged
class Pair {
  first: u64;
  second: u64;
}

const PAIR: usize = offsetof<Pair>();
/** Bytes of a cut, in all columns. */
const CUT_BYTES: usize = 2 * PAIR + 4;

/** Takes the words of sampled rows at even distances as cuts, without duplicates. */
function setCuts(size: i32, wanted: i32): void {
  const column = (<usize>wanted) << 4;
  sampledCuts = alloc(<usize>wanted * CUT_BYTES);
  sampledCount = 0;
  for (let k = 1; k < wanted; k++) {
    const row = rowAt(<i32>((<i64>k * <i64>size) / <i64>wanted));
    const left = <isize>lengthOf(row) - <isize>sampledDepth;
    const first = sampledCuts + ((<usize>sampledCount) << 4);
    setPair(first, urlAt(row) + <usize>left, left);
    setPair(first + column, urlAt(row) + <usize>left - PAIR, left - <isize>PAIR);
    if (sampledCount == 0 || !isPairBefore(first) || !isPairBefore(first + column)) sampledCount++;
  }
  const ends = sampledCuts + 2 * column;
  for (let k = sampledCount - 1; k >= 0; k--) {
    const goesOn = k + 1 < sampledCount && isPairBefore(sampledCuts + ((<usize>(k + 1)) << 4));
    store<i32>(ends + ((<usize>k) << 2), goesOn ? load<i32>(ends + ((<usize>k) << 2), 4) : k + 1);
  }
}

function setPair(at: usize, end: usize, left: isize): void {
  const pair = changetype<Pair>(at);
  pair.first = wordBefore(end, left);
  pair.second = wordBefore(end - 8, left - 8);
}

/** True if the two words at `at` equal the two before them. */
function isPairBefore(at: usize): bool {
  const pair = changetype<Pair>(at);
  const before = changetype<Pair>(at - PAIR);
  return pair.first == before.first && pair.second == before.second;
}

/**
 * Twice the number of cuts that are less than the row, plus one if a cut equals it. The row is the `left` bytes before
 * `end`. `wanted` is the argument of `sample`.
 */
export function placeAmongCuts(cuts: usize, count: i32, wanted: i32, end: usize, left: isize): i32 {
  const first = wordBefore(end, left);
  const second = wordBefore(end - 8, left - 8);
  const low = lowerBound(cuts, 0, count, first, second);
  if (low == count || !hasPair(cuts, low, first, second)) return 2 * low;
  const column = cuts + ((<usize>wanted) << 4);
  const high = load<i32>(column + ((<usize>wanted) << 4) + ((<usize>low) << 2));
  return placeAmongAlike(column, low, high, end - PAIR, left - <isize>PAIR);
}

/** Compares the last two words, among the cuts [low, high) that have the same first two. */
function placeAmongAlike(column: usize, low: i32, high: i32, end: usize, left: isize): i32 {
  const third = wordBefore(end, left);
  const fourth = wordBefore(end - 8, left - 8);
  low = lowerBound(column, low, high, third, fourth);
  return 2 * low + <i32>(low < high && hasPair(column, low, third, fourth));
}

function hasPair(column: usize, cut: i32, first: u64, second: u64): bool {
  const pair = changetype<Pair>(column + ((<usize>cut) << 4));
  return pair.first == first && pair.second == second;
}

/**
 * How many entries of the column are less than the two words. Entries before `low` are known to be less, and entries
 * from `high` on not to be.
 */
function lowerBound(column: usize, low: i32, high: i32, first: u64, second: u64): i32 {
  let at = column + ((<usize>low) << 4);
  let count = <usize>(high - low);
  if (count == 0) return low;
  while (count > 1) {
    const half = count >> 1;
    const middle = at + (half << 4);
    at = select<usize>(middle, at, isBefore(middle - PAIR, first, second));
    count -= half;
  }
  return <i32>((at - column) >> 4) + <i32>isBefore(at, first, second);
}

function isBefore(at: usize, first: u64, second: u64): bool {
  const pair = changetype<Pair>(at);
  const word = pair.first;
  return (i32(word < first) | (i32(word == first) & i32(pair.second < second))) != 0;
}
