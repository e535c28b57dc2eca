// Sorts byte strings anywhere in memory, without moving them: MSD by groups of seven bytes, LSD radix sort within a
// group.
//
//   an entry   | key u64 | address u32 | length u32 |
//   a key      | byte 1 | byte 2 | … | byte 7 | how many are left, 8 if more than 7 |      from some depth on
//
// The first byte is the most significant, and bytes past the end are 0: so keys have the order of their strings, and
// strings with the same key are equal, or differ after it. Many keys are sorted by LSD radix sort, skipping bytes that
// are equal in all of them; a few by insertion sort. Strings with the same key are a range of their own, sorted one
// level deeper.
import { mark, release, take } from '../memory/heap';
import { compare } from '../text/text';
import { countByte, insertKeys, moveByByte, placeCells } from './passes';

export const ENTRY: usize = 16;
const ENTRY_BITS: usize = 4;
export const ADDRESS: usize = 8;
export const LENGTH: usize = 12;
/** Bytes of a string in a key. */
export const KEY_BYTES: usize = 7;
const WHOLE_KEY: u64 = 0xffffffffffffffff;
/** The last byte of the key of a string that goes on after it. */
const GOES_ON: u64 = 8;
/** Ranges of so many entries are sorted completely by insertion sort. */
const SMALL: usize = 12;
/** More keys than this are sorted by radix sort. */
const FEW: usize = 40;
/** Bytes of `spare` for the histogram of a byte, u32 each, before its entries. */
export const COUNTS_BYTES: usize = 1024;

/** Entries [from, to) that are still to be sorted: their strings are the same down to `depth`. */
@unmanaged
class Range {
  from: usize;
  to: usize;
  depth: usize;
}

const RANGE: usize = offsetof<Range>();

/** The key of a string of which `left` bytes are left at `address`. May read 8 bytes there. */
export function keyAt(address: usize, left: usize): u64 {
  if (left == 0) return 0;
  const eight = bswap<u64>(load<u64>(address));
  if (left > KEY_BYTES) return (eight & ~(<u64>0xff)) | GOES_ON;
  return (eight & ~((<u64>-1) >> ((<u64>left) << 3))) | (<u64>left);
}

/** How many of the next `limit` bytes are equal at a and b. May read 8 bytes more. */
export function sameWithin(a: usize, b: usize, limit: usize): usize {
  let k: usize = 0;
  for (; k < limit; k += 8) {
    const differing = load<u64>(a + k) ^ load<u64>(b + k);
    if (differing != 0) return min(limit, k + <usize>(ctz(differing) >> 3));
  }
  return limit;
}

export function goesOn(key: u64): bool {
  return (key & 0xff) == GOES_ON;
}

/** Sorts entries by their strings, stably. `spare` has room for COUNTS_BYTES and as many entries. */
export function sortStrings(entries: usize, count: i32, spare: usize): void {
  const end = entries + ((<usize>count) << ENTRY_BITS);
  if (<usize>count <= SMALL) return sortFew(entries, end, 0);
  const marked = mark();
  // Ranges are disjoint and not small, so this many suffice.
  const ranges = take((<usize>count / SMALL + 1) * RANGE);
  let top = pushRange(ranges, entries, end, 0);
  while (top > ranges) {
    top -= RANGE;
    const range = changetype<Range>(top);
    top = sortRange(top, range.from, range.to, range.depth, spare);
  }
  release(marked);
}

function pushRange(top: usize, from: usize, to: usize, depth: usize): usize {
  const range = changetype<Range>(top);
  range.from = from;
  range.to = to;
  range.depth = depth;
  return top + RANGE;
}

/** Sorts entries whose strings are equal down to `depth`; pushes the ranges that have to be sorted deeper. */
function sortRange(top: usize, from: usize, to: usize, depth: usize, spare: usize): usize {
  depth = sharedDepth(from, to, depth);
  const differing = fetchKeys(from, to, depth);
  if (to - from > FEW * ENTRY) sortKeys(from, to, differing, spare);
  else insertKeys<v128>(from, to, WHOLE_KEY);
  const deeper = depth + KEY_BYTES;
  let key = load<u64>(from);
  for (let start = from; start < to;) {
    let end = start + ENTRY;
    let next: u64 = 0;
    while (end < to && (next = load<u64>(end)) == key) end += ENTRY;
    if (end - start > ENTRY && goesOn(key)) {
      if (end - start <= SMALL * ENTRY) sortFew(start, end, deeper);
      else top = pushRange(top, start, end, deeper);
    }
    start = end;
    key = next;
  }
  return top;
}

/** Length of the common prefix of all strings of a range, which are known to be equal down to `depth`. */
function sharedDepth(from: usize, to: usize, depth: usize): usize {
  const first = <usize>load<u32>(from, ADDRESS) + depth;
  let shared = <usize>load<u32>(from, LENGTH) - depth;
  for (let entry = from + ENTRY; entry < to && shared > 0; entry += ENTRY) {
    const limit = min(shared, <usize>load<u32>(entry, LENGTH) - depth);
    shared = sameWithin(first, <usize>load<u32>(entry, ADDRESS) + depth, limit);
  }
  return depth + shared;
}

/** Loads the keys of entries, and returns the bits in which they differ. */
function fetchKeys(from: usize, to: usize, depth: usize): u64 {
  const first = fetchKey(from, depth);
  let differing: u64 = 0;
  for (let entry = from + ENTRY; entry < to; entry += ENTRY) differing |= fetchKey(entry, depth) ^ first;
  return differing;
}

function fetchKey(entry: usize, depth: usize): u64 {
  const key = keyAt(<usize>load<u32>(entry, ADDRESS) + depth, <usize>load<u32>(entry, LENGTH) - depth);
  store<u64>(entry, key);
  return key;
}

/** Sorts entries by keys that differ only in some bits. */
export function sortKeys(from: usize, to: usize, differing: u64, spare: usize): void {
  let source = from;
  let target = spare + COUNTS_BYTES;
  const size = to - from;
  for (let byte: usize = 0; byte < 8; byte++) {
    if (((differing >> ((<u64>byte) << 3)) & 0xff) == 0) continue;
    sortByte(source, target, size, byte, spare);
    const other = source;
    source = target;
    target = other;
  }
  if (source != from) memory.copy(from, source, size);
}

/** Distributes entries by one byte of their keys (counting sort). */
function sortByte(source: usize, target: usize, size: usize, byte: usize, counts: usize): void {
  memory.fill(counts, 0, COUNTS_BYTES);
  countByte<v128>(source, source + size, byte, counts);
  placeCells(counts, counts + COUNTS_BYTES, target);
  moveByByte<v128>(source, source + size, byte, counts);
}

/** Completely sorts entries whose strings are equal down to `depth`. */
function sortFew(from: usize, to: usize, depth: usize): void {
  for (let entry = from; entry < to; entry += ENTRY) fetchKey(entry, depth);
  for (let entry = from + ENTRY; entry < to; entry += ENTRY) {
    const inserted = v128.load(entry);
    const key = load<u64>(entry);
    const address = <usize>load<u32>(entry, ADDRESS);
    const length = <usize>load<u32>(entry, LENGTH);
    let hole = entry;
    for (; hole > from && isBefore(key, address, length, hole - ENTRY, depth); hole -= ENTRY) {
      v128.store(hole, v128.load(hole - ENTRY));
    }
    v128.store(hole, inserted);
  }
}

/** True if a string with this key at `depth` comes before the string of another entry. */
function isBefore(key: u64, address: usize, length: usize, other: usize, depth: usize): bool {
  const otherKey = load<u64>(other);
  if (key != otherKey) return key < otherKey;
  if (!goesOn(key)) return false;
  const deeper = depth + KEY_BYTES;
  const otherLength = <usize>load<u32>(other, LENGTH);
  return (
    compare(address + deeper, length - deeper, <usize>load<u32>(other, ADDRESS) + deeper, otherLength - deeper) < 0
  );
}
