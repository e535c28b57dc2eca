// Passes that several sorts share. Entries of type T begin with a u64 key: LSD radix sort looks at one byte of it,
// insertion sort at the bits of a mask. Both are stable.
//
//   cells   by value of a digit, u32: first the bytes of its entries, then where the next of them goes
import { mark, release, take } from '../memory/heap';

/** Counts entries by a byte of their keys (byte 0 is the lowest); the cells must be 0. */
export function countByte<T>(source: usize, end: usize, byte: usize, cells: usize): void {
  for (let entry = source; entry < end; entry += sizeof<T>()) {
    const cell = cells + ((<usize>load<u8>(entry + byte)) << 2);
    store<u32>(cell, load<u32>(cell) + <u32>sizeof<T>());
  }
}

/** Turns the bytes of each value into its first target address, end to end from `target` on. */
export function placeCells(cells: usize, end: usize, target: usize): void {
  let goal = <u32>target;
  for (let cell = cells; cell < end; cell += 4) {
    const bytes = load<u32>(cell);
    store<u32>(cell, goal);
    goal += bytes;
  }
}

/** Moves each entry to the target address of its byte. */
export function moveByByte<T>(source: usize, end: usize, byte: usize, cells: usize): void {
  for (let entry = source; entry < end; entry += sizeof<T>()) {
    const cell = cells + ((<usize>load<u8>(entry + byte)) << 2);
    const goal = load<u32>(cell);
    store<u32>(cell, goal + <u32>sizeof<T>());
    store<T>(<usize>goal, load<T>(entry));
  }
}

/** Sorts a few entries by the bits of their keys that are in a mask. */
export function insertKeys<T>(from: usize, to: usize, mask: u64): void {
  for (let entry = from + sizeof<T>(); entry < to; entry += sizeof<T>()) {
    const inserted = load<T>(entry);
    const key = load<u64>(entry) & mask;
    let hole = entry;
    for (; hole > from && (load<u64>(hole - sizeof<T>()) & mask) > key; hole -= sizeof<T>()) {
      store<T>(hole, load<T>(hole - sizeof<T>()));
    }
    store<T>(hole, inserted);
  }
}

// A stable sort of 64-bit numbers by their upper halves: insertion sort for a few numbers, LSD radix sort for more.
//
// Skips digits that are equal in all numbers (228,670 rows of 1 M URLs: two digits are left).

const FEW: i32 = 40;
/** Bits of a digit, for fewer and for at least MANY numbers. */
const MANY: i32 = 1 << 12;
const NARROW: u32 = 8;
const WIDE: u32 = 11;
const UPPER_HALF: u64 = 0xffffffff00000000;
/** Where the upper half of a number is. */
const UPPER: usize = 4;

export function sortKeys(keys: usize, count: i32): void {
  if (count <= FEW) return insertKeys<u64>(keys, keys + ((<usize>count) << 3), UPPER_HALF);
  const bytes = (<usize>count) << 3;
  const differing = differingBits(keys, keys + bytes);
  if (differing == 0) return;
  const end: u32 = 32 - clz<u32>(differing);
  const most = count < MANY ? NARROW : WIDE;
  const first: u32 = ctz<u32>(differing);
  const digits = (end - first + most - 1) / most;
  const width = (end - first + digits - 1) / digits;
  const marked = mark();
  const starts = take((<usize>4) << width);
  let source = keys;
  let target = take(bytes);
  for (let bit = first; bit < end; bit += width) {
    deal(source, target, bytes, bit + 32, width, starts);
    const before = source;
    source = target;
    target = before;
  }
  if (source != keys) memory.copy(keys, source, bytes);
  release(marked);
}

/** Bits that differ among the upper halves. */
function differingBits(keys: usize, end: usize): u32 {
  const first = load<u32>(keys, UPPER);
  let bits: u32 = 0;
  for (let key = keys; key < end; key += 8) bits |= load<u32>(key, UPPER) ^ first;
  return bits;
}

function deal(source: usize, target: usize, bytes: usize, bit: u32, width: u32, starts: usize): void {
  const digits = (<usize>1) << width;
  const mask = <u64>digits - 1;
  memory.fill(starts, 0, digits << 2);
  const end = source + bytes;
  for (let key = source; key < end; key += 8) {
    const at = starts + ((<usize>((load<u64>(key) >> (<u64>bit)) & mask)) << 2);
    store<u32>(at, load<u32>(at) + 8);
  }
  placeCells(starts, starts + (digits << 2), target);
  for (let key = source; key < end; key += 8) {
    const number = load<u64>(key);
    const at = starts + ((<usize>((number >> (<u64>bit)) & mask)) << 2);
    const slot = load<u32>(at);
    store<u64>(<usize>slot, number);
    store<u32>(at, slot + 8);
  }
}
