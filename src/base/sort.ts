// Sorts byte strings that lie in one buffer, without moving them.
//
// Multikey quicksort (Bentley and Sedgewick 1997): the rows are split in three by what stands at the present depth, and
// only the middle part looks deeper, so that no shared part is compared twice. Three bytes are looked at at once and kept
// beside the row (Ng and Kakehi 2007), since fetching them is what costs: the strings lie all over memory.
//
//   a cached key:  | symbol 1 | symbol 2 | symbol 3 |   9 bits each; 0 is the end of the string, else the byte + 1
//
// So the end comes before every byte. Equal strings keep the order of their row numbers.

export interface ByteStrings {
  readonly bytes: Uint8Array;
  /** Where string r starts, and where it ends. */
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
}

/** Sorts the row numbers in `rows` by their strings, read from the first byte on or, `backward`, from the last byte on. */
export function sortByteStrings(rows: Int32Array, strings: ByteStrings, order: 'forward' | 'backward'): void {
  const keys = new Int32Array(rows.length);
  const fetch = order === 'forward' ? forwardKey : backwardKey;
  const sorter: Sorter = { rows, keys, keyAt: (row, depth) => fetch(strings, row, depth) };
  fetchKeys(sorter, 0, rows.length, 0);
  sortRange(sorter, 0, rows.length, 0);
}

interface Sorter {
  readonly rows: Int32Array;
  /** The key of the row in the same place, at the depth that its range is sorted at. */
  readonly keys: Int32Array;
  readonly keyAt: (row: number, depth: number) => number;
}

const SYMBOLS = 3;
const SMALL = 12;

function forwardKey({ bytes, start, end }: ByteStrings, row: number, depth: number): number {
  const at = start[row]! + depth;
  const left = end[row]! - at;
  if (left >= SYMBOLS) return ((bytes[at]! + 1) << 18) | ((bytes[at + 1]! + 1) << 9) | (bytes[at + 2]! + 1);
  if (left === 2) return ((bytes[at]! + 1) << 18) | ((bytes[at + 1]! + 1) << 9);
  return left === 1 ? (bytes[at]! + 1) << 18 : 0;
}

function backwardKey({ bytes, start, end }: ByteStrings, row: number, depth: number): number {
  const at = end[row]! - 1 - depth;
  const left = at - start[row]! + 1;
  if (left >= SYMBOLS) return ((bytes[at]! + 1) << 18) | ((bytes[at - 1]! + 1) << 9) | (bytes[at - 2]! + 1);
  if (left === 2) return ((bytes[at]! + 1) << 18) | ((bytes[at - 1]! + 1) << 9);
  return left === 1 ? (bytes[at]! + 1) << 18 : 0;
}

function fetchKeys({ rows, keys, keyAt }: Sorter, from: number, to: number, depth: number): void {
  for (let k = from; k < to; k++) keys[k] = keyAt(rows[k]!, depth);
}

/** True where a key has the end of the string in it: rows with this key are the same to their ends. */
function isLast(key: number): boolean {
  return (key & 0x1ff) === 0;
}

function sortRange(sorter: Sorter, from: number, to: number, depth: number): void {
  const { rows, keys } = sorter;
  while (to - from > SMALL) {
    const pivot = middle(keys[from]!, keys[(from + to) >>> 1]!, keys[to - 1]!);
    let below = from;
    let above = to;
    for (let at = from; at < above;) {
      const key = keys[at]!;
      if (key < pivot) {
        swap(sorter, at++, below++);
      } else if (key > pivot) {
        swap(sorter, at, --above);
      } else {
        at++;
      }
    }
    sortRange(sorter, from, below, depth);
    sortRange(sorter, above, to, depth);
    if (isLast(pivot)) {
      rows.subarray(below, above).sort();
      return;
    }
    from = below;
    to = above;
    depth += SYMBOLS;
    fetchKeys(sorter, from, to, depth);
  }
  insertionSort(sorter, from, to, depth);
}

function swap({ rows, keys }: Sorter, a: number, b: number): void {
  const row = rows[a]!;
  const key = keys[a]!;
  rows[a] = rows[b]!;
  keys[a] = keys[b]!;
  rows[b] = row;
  keys[b] = key;
}

function middle(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function insertionSort(sorter: Sorter, from: number, to: number, depth: number): void {
  const { rows, keys } = sorter;
  for (let at = from + 1; at < to; at++) {
    const row = rows[at]!;
    const key = keys[at]!;
    let hole = at;
    while (hole > from && isBefore(sorter, row, key, rows[hole - 1]!, keys[hole - 1]!, depth)) {
      rows[hole] = rows[hole - 1]!;
      keys[hole] = keys[hole - 1]!;
      hole--;
    }
    rows[hole] = row;
    keys[hole] = key;
  }
}

function isBefore({ keyAt }: Sorter, a: number, aKey: number, b: number, bKey: number, depth: number): boolean {
  while (aKey === bKey) {
    if (isLast(aKey)) return a < b;
    depth += SYMBOLS;
    aKey = keyAt(a, depth);
    bKey = keyAt(b, depth);
  }
  return aKey < bKey;
}
