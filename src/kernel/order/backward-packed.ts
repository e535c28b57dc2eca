// Sorts up to 65,536 rows of packed bytes (see backward-words), stored end to end, without moving them.
//
//   a key   | 48 bits of the row from d on | its number 16 bits |     u64
//
// d is the first bit in which the rows of a range differ. So one sort of keys orders most rows, and rows with the same
// key form a range that differs further on. The sort is stable: rows with the same words keep the order of their
// numbers.
import { insertKeys, moveByByte, placeCells } from '../sort/passes';
import { sameWords, wordOf, WORDS } from './backward-words';

export const MAX_PACKED_ROWS: i32 = 1 << 16;
/** Bytes of the counters (sort/passes): one table for each digit of a key. */
export const DIGIT_COUNTS: usize = 6 << 10;

const NUMBER: u64 = 0xffff;
const NUMBER_BITS: u64 = 16;
/** The mask of a whole key. No two keys are equal. */
const WHOLE_KEY: u64 = 0xffffffffffffffff;
const KEY_BITS: u64 = 48;
/** Ranges up to these sizes are sorted by insertion sort: of rows, of keys. */
const FEW_ROWS: i32 = 8;
const FEW_KEYS: i32 = 48;

let packed: usize = 0;
let keys: usize = 0;
let spare: usize = 0;
let counts: usize = 0;

/**
 * Sorts the packed rows at `packedAt`. Needs 8 bytes per row at `keysAt` and at `spareAt`, and DIGIT_COUNTS at
 * `countsAt`.
 */
export function sortPacked(packedAt: usize, rows: i32, keysAt: usize, spareAt: usize, countsAt: usize): void {
  packed = packedAt;
  keys = keysAt;
  spare = spareAt;
  counts = countsAt;
  for (let k = 0; k < rows; k++) store<u64>(keysAt + ((<usize>k) << 3), <u64>k);
  sortRange(0, rows, 0);
}

/** The number of the k-th row in order. */
export function numberAt(keysAt: usize, k: i32): usize {
  return <usize>load<u16>(keysAt + ((<usize>k) << 3));
}

function packedOf(key: u64): usize {
  return packed + ((<usize>(key & NUMBER)) << 5);
}

/** Sorts rows that have the same words before `depth`. */
function sortRange(from: i32, to: i32, depth: i32): void {
  const start = keys + ((<usize>from) << 3);
  const end = keys + ((<usize>to) << 3);
  if (to - from <= FEW_ROWS) return insertRows(start, end, depth);
  let differing: u64 = 0;
  for (; depth < WORDS; depth++) {
    differing = differingBits(start, end, depth);
    if (differing != 0) break;
  }
  if (depth == WORDS) return;
  const skipped = clz(differing);
  fetchKeys(start, end, depth, skipped);
  if (to - from <= FEW_KEYS) insertKeys<u64>(start, end, WHOLE_KEY);
  else sortDigits(start, end);
  const deeper = skipped + KEY_BITS < 64 ? depth : depth + 1;
  if (deeper == WORDS) return;
  for (let at = from; at < to;) {
    const key = load<u64>(keys + ((<usize>at) << 3)) >> NUMBER_BITS;
    let next = at + 1;
    while (next < to && load<u64>(keys + ((<usize>next) << 3)) >> NUMBER_BITS == key) next++;
    if (next - at > 1) sortRange(at, next, deeper);
    at = next;
  }
}

/** Bits of word `depth` that differ among the rows. */
function differingBits(start: usize, end: usize, depth: i32): u64 {
  const first = wordOf(packedOf(load<u64>(start)), depth);
  let differing: u64 = 0;
  for (let at = start + 8; at < end; at += 8) differing |= wordOf(packedOf(load<u64>(at)), depth) ^ first;
  return differing;
}

/** Makes keys of 48 bits of words `depth` and `depth + 1` of each row, after the first `skipped` bits. */
function fetchKeys(start: usize, end: usize, depth: i32, skipped: u64): void {
  const hasNext = depth + 1 < WORDS && skipped > 64 - KEY_BITS;
  for (let at = start; at < end; at += 8) {
    const number = load<u64>(at) & NUMBER;
    const row = packedOf(number);
    let key = wordOf(row, depth) << skipped;
    if (hasNext) key |= wordOf(row, depth + 1) >> (64 - skipped);
    store<u64>(at, (key & ~NUMBER) | number);
  }
}

function insertRows(start: usize, end: usize, depth: i32): void {
  for (let at = start + 8; at < end; at += 8) {
    const key = load<u64>(at);
    const row = packedOf(key);
    let hole = at;
    for (; hole > start; hole -= 8) {
      const otherKey = load<u64>(hole - 8);
      const other = packedOf(otherKey);
      const w = sameWords(row, other, depth);
      if (w == WORDS || wordOf(row, w) > wordOf(other, w)) break;
      store<u64>(hole, otherKey);
    }
    store<u64>(hole, key);
  }
}

/** LSD radix sort; skips bytes that are the same in all keys. */
function sortDigits(start: usize, end: usize): void {
  countDigits(start, end);
  const bytes = end - start;
  const first = load<u64>(start);
  let source = start;
  let target = spare;
  for (let shift: u64 = NUMBER_BITS, column = counts; shift < 64; shift += 8, column += 1024) {
    if (<usize>load<u32>(column + ((<usize>((first >> shift) & 0xff)) << 2)) == bytes) continue;
    placeCells(column, column + 1024, target);
    moveByByte<u64>(source, source + bytes, (<usize>shift) >> 3, column);
    const done = target;
    target = source;
    source = done;
  }
  if (source != start) memory.copy(start, source, bytes);
}

function countDigits(start: usize, end: usize): void {
  const column = counts;
  memory.fill(column, 0, DIGIT_COUNTS);
  for (let at = start; at < end; at += 8) {
    for (let digit: usize = 0; digit < 6; digit++) {
      const value = column + (digit << 10) + ((<usize>load<u8>(at + 2 + digit)) << 2);
      store<u32>(value, load<u32>(value) + 8);
    }
  }
}
