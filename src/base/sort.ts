// Sorts byte strings that lie in one buffer, without moving them.
//
// Multikey quicksort (Bentley and Sedgewick 1997): the rows are split in three by the byte at the present depth, and only
// the middle part looks one byte deeper, so that no shared part is compared twice. The end of a string comes before
// every byte. Equal strings keep the order of their row numbers.

export interface ByteStrings {
  readonly bytes: Uint8Array;
  /** Where string r starts, and where it ends. */
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
}

/** Sorts the row numbers in `rows` by their strings, read from the first byte on or, `backward`, from the last byte on. */
export function sortByteStrings(rows: Int32Array, strings: ByteStrings, order: 'forward' | 'backward'): void {
  if (order === 'forward') {
    sortRange(rows, 0, rows.length, 0, (row, depth) => {
      const at = strings.start[row]! + depth;
      return at < strings.end[row]! ? strings.bytes[at]! : -1;
    });
  } else {
    sortRange(rows, 0, rows.length, 0, (row, depth) => {
      const at = strings.end[row]! - 1 - depth;
      return at >= strings.start[row]! ? strings.bytes[at]! : -1;
    });
  }
}

type ByteAt = (row: number, depth: number) => number;

const SMALL = 12;

function sortRange(rows: Int32Array, from: number, to: number, depth: number, byteAt: ByteAt): void {
  while (to - from > SMALL) {
    const pivot = medianByte(rows, from, to, depth, byteAt);
    let below = from;
    let above = to;
    for (let at = from; at < above;) {
      const row = rows[at]!;
      const byte = byteAt(row, depth);
      if (byte < pivot) {
        rows[at++] = rows[below]!;
        rows[below++] = row;
      } else if (byte > pivot) {
        rows[at] = rows[--above]!;
        rows[above] = row;
      } else {
        at++;
      }
    }
    sortRange(rows, from, below, depth, byteAt);
    sortRange(rows, above, to, depth, byteAt);
    if (pivot < 0) {
      rows.subarray(below, above).sort();
      return;
    }
    from = below;
    to = above;
    depth++;
  }
  insertionSort(rows, from, to, depth, byteAt);
}

function medianByte(rows: Int32Array, from: number, to: number, depth: number, byteAt: ByteAt): number {
  const a = byteAt(rows[from]!, depth);
  const b = byteAt(rows[(from + to) >>> 1]!, depth);
  const c = byteAt(rows[to - 1]!, depth);
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function insertionSort(rows: Int32Array, from: number, to: number, depth: number, byteAt: ByteAt): void {
  for (let at = from + 1; at < to; at++) {
    const row = rows[at]!;
    let hole = at;
    while (hole > from && isBefore(row, rows[hole - 1]!, depth, byteAt)) {
      rows[hole] = rows[hole - 1]!;
      hole--;
    }
    rows[hole] = row;
  }
}

function isBefore(a: number, b: number, depth: number, byteAt: ByteAt): boolean {
  for (; ; depth++) {
    const x = byteAt(a, depth);
    const y = byteAt(b, depth);
    if (x !== y) return x < y;
    if (x < 0) return a < b;
  }
}
