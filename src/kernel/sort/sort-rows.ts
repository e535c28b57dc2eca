// Sorts the rows of an external sort (layout/sorted-row) by their keys, without moving them.
//
//   an entry   | eight bytes of the key, the first one highest u64 | address of the row u32 | 0 u32 |
//
// Multikey quicksort (Bentley and Sedgewick 1997) with eight bytes of the key beside the row (Ng and Kakehi 2007): only
// entries with the same eight bytes read the next eight. Keys are padded with zeros, so if keys end within the same
// eight bytes their lengths decide, and then the addresses, which makes the sort stable.
import { HEADER, ROW_LENGTH } from '../layout/sorted-row';
import { mark, release, take } from '../memory/heap';
import { compare, sameAhead } from '../text/text';

const ENTRY: usize = 16;
const ADDRESS: usize = 8;
const WORD: usize = 8;
const SMALL: usize = 12 * ENTRY;
/** A depth that says: the words of the entries are the whole keys, and no two are equal. */
const WHOLE: usize = 0xffffffff;

/** Writes the addresses of `rows` rows, which lie end to end, in the order of their keys. */
export function sortRows(buffer: usize, rows: i32, order: usize): void {
  const marked = mark();
  const entries = take(<usize>rows * ENTRY);
  const end = entries + <usize>rows * ENTRY;
  let row = buffer;
  for (let entry = entries; entry < end; entry += ENTRY) {
    store<u32>(entry, <u32>row, ADDRESS);
    row += <usize>load<u32>(row, ROW_LENGTH) + HEADER;
  }
  if (rows > 1) sortRange(entries, end, deepen(entries, end, 0));
  for (let entry = entries, at = order; entry < end; entry += ENTRY, at += 4) {
    store<u32>(at, load<u32>(entry, ADDRESS));
  }
  release(marked);
}

/** Eight bytes of the key of a row. May read eight bytes past the row. */
export function wordAt(row: usize, depth: usize): u64 {
  const length = <usize>load<u32>(row);
  if (depth >= length) return 0;
  const word = bswap<u64>(load<u64>(row + HEADER + depth));
  const left = length - depth;
  return left >= WORD ? word : word & ~(0xffffffffffffffff >> ((<u64>left) << 3));
}

function sortRange(from: usize, to: usize, depth: usize): void {
  while (to - from > SMALL) {
    const pivot = pivotOf(from, to);
    let below = from;
    let above = to;
    for (let at = from; at < above;) {
      const word = load<u64>(at);
      if (word < pivot) {
        swap(at, below);
        at += ENTRY;
        below += ENTRY;
      } else if (word > pivot) {
        above -= ENTRY;
        swap(at, above);
      } else {
        at += ENTRY;
      }
    }
    const ended = depth == WHOLE ? above : sortEnded(below, above, depth);
    const deeper = ended == above ? depth : deepen(ended, above, depth + WORD);
    // The largest of the three is left to this loop, so that the recursion depth is at most logarithmic.
    if (above - ended >= max(below - from, to - above)) {
      sortRange(from, below, depth);
      sortRange(above, to, depth);
      from = ended;
      to = above;
      depth = deeper;
    } else {
      sortRange(ended, above, deeper);
      if (below - from > to - above) {
        sortRange(above, to, depth);
        to = below;
      } else {
        sortRange(from, below, depth);
        from = above;
      }
    }
  }
  sortFew(from, to, depth);
}

/**
 * Among entries with the same word, moves those whose keys end within it to the front, sorted; returns where they end.
 */
function sortEnded(from: usize, to: usize, depth: usize): usize {
  const ended = endedTo(from, to, depth);
  for (let at = from; at < ended; at += ENTRY) {
    const row = load<u32>(at, ADDRESS);
    store<u64>(at, ((<u64>load<u32>(<usize>row)) << 32) | (<u64>row));
  }
  sortRange(from, ended, WHOLE);
  return ended;
}

function endedTo(from: usize, to: usize, depth: usize): usize {
  let ended = from;
  for (let at = from; at < to; at += ENTRY) {
    if (<usize>load<u32>(<usize>load<u32>(at, ADDRESS)) > depth + WORD) continue;
    swap(at, ended);
    ended += ENTRY;
  }
  return ended;
}

/** Advances entries that are equal down to `depth` to the first depth at which they differ, and returns it. */
function deepen(from: usize, to: usize, depth: usize): usize {
  const deeper = sharedDepth(from, to, depth);
  for (let entry = from; entry < to; entry += ENTRY) {
    store<u64>(entry, wordAt(<usize>load<u32>(entry, ADDRESS), deeper));
  }
  return deeper;
}

/** Length of the common prefix of the keys of all entries, which are known to be equal down to `depth`. */
function sharedDepth(from: usize, to: usize, depth: usize): usize {
  const first = <usize>load<u32>(from, ADDRESS);
  let shared = <usize>load<u32>(first) - depth;
  for (let at = from + ENTRY; at < to && shared != 0; at += ENTRY) {
    const row = <usize>load<u32>(at, ADDRESS);
    shared = sameAhead(first + HEADER + depth, row + HEADER + depth, min(shared, <usize>load<u32>(row) - depth));
  }
  return depth + shared;
}

function pivotOf(from: usize, to: usize): u64 {
  const a = load<u64>(from);
  const b = load<u64>(from + (((to - from) / ENTRY) >> 1) * ENTRY);
  const c = load<u64>(to - ENTRY);
  return max(min(a, b), min(max(a, b), c));
}

function swap(a: usize, b: usize): void {
  const one = v128.load(a);
  v128.store(a, v128.load(b));
  v128.store(b, one);
}

function sortFew(from: usize, to: usize, depth: usize): void {
  for (let at = from + ENTRY; at < to; at += ENTRY) {
    const entry = v128.load(at);
    const word = load<u64>(at);
    const row = <usize>load<u32>(at, ADDRESS);
    let hole = at;
    while (hole > from && isBefore(word, row, hole - ENTRY, depth)) {
      v128.store(hole, v128.load(hole - ENTRY));
      hole -= ENTRY;
    }
    v128.store(hole, entry);
  }
}

/** True if a row with this word comes before the row of an entry. */
function isBefore(word: u64, row: usize, entry: usize, depth: usize): bool {
  const other = load<u64>(entry);
  if (word != other || depth == WHOLE) return word < other;
  const otherRow = <usize>load<u32>(entry, ADDRESS);
  const length = <usize>load<u32>(row) - depth;
  const otherLength = <usize>load<u32>(otherRow) - depth;
  const order = compare(row + HEADER + depth, length, otherRow + HEADER + depth, otherLength);
  return order < 0 || (order == 0 && row < otherRow);
}

// Sorted rows are scattered over memory, so reading each of them waits for a cache miss. `gatherRows` copies them to
// where they are read in sequence, and the waits of many rows overlap.

/**
 * Copies rows, whose addresses are at `order`, end to end to [target, end), as many as fit. May read and write eight
 * bytes past a row. Returns the number of rows, and writes their total bytes to `size`, u32.
 */
export function gatherRows(order: usize, rows: i32, target: usize, end: usize, size: usize): i32 {
  // No load depends on the row before, so that several are under way at a time.
  let count = 0;
  let bytes: usize = 0;
  for (; count < rows; count++) {
    const length = <usize>load<u32>(<usize>load<u32>(order + ((<usize>count) << 2)), ROW_LENGTH) + HEADER;
    if (target + bytes + length > end) break;
    bytes += length;
  }
  let to = target;
  for (let row = 0; row < count; row++) {
    const from = <usize>load<u32>(order + ((<usize>row) << 2));
    const length = <usize>load<u32>(from, ROW_LENGTH) + HEADER;
    for (let at: usize = 0; at < length; at += WORD) store<u64>(to + at, load<u64>(from + at));
    to += length;
  }
  store<u32>(size, <u32>bytes);
  return count;
}
