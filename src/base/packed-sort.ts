// Sorts up to 65,536 rows of 8 words that lie end to end, small enough for the cache, without moving them.
//
//   a row    | word 0 | word 1 | … | word 7 |     u32 each, compared in this order
//   its key  | up to 6 bytes of the row from d on | its number 16 bits |     for the built-in sort of 64-bit numbers
//
// d is where the rows of a range begin to differ: so one sort orders most of them, and rows with the same key are a range
// that differs further on. Rows with the same words keep the order of their numbers.

export const WORDS = 8;
export const MAX_PACKED_ROWS = 1 << 16;

const KEY_BITS = 48;
const NUMBER = 0xffff;
const SMALL = 24;

interface Sorting {
  readonly words: Uint32Array;
  readonly keys: BigUint64Array;
  readonly halves: Uint32Array;
}

/** Can be used again and again. */
export class PackedSorter {
  #keys = new BigUint64Array(0);
  #halves = new Uint32Array(0);

  /** Sorts the first `rows` rows. */
  sort(words: Uint32Array, rows: number): void {
    if (rows > MAX_PACKED_ROWS) throw new Error(`${rows} rows: expected ${MAX_PACKED_ROWS} at most`);
    if (rows > this.#keys.length) {
      this.#keys = new BigUint64Array(Math.min(MAX_PACKED_ROWS, 2 * rows));
      this.#halves = new Uint32Array(this.#keys.buffer);
    }
    const halves = this.#halves;
    for (let row = 0; row < rows; row++) halves[2 * row] = row;
    sortRange({ words, keys: this.#keys, halves }, 0, rows, 0);
  }

  /** The number of the k-th row in order. */
  at(k: number): number {
    return this.#halves[2 * k]! & NUMBER;
  }
}

/** Sorts rows that have the same words before `depth`. */
function sortRange(sorting: Sorting, from: number, to: number, depth: number): void {
  if (to - from <= SMALL) return insertionSort(sorting, from, to, depth);
  const { words, keys, halves } = sorting;
  const first = (halves[2 * from]! & NUMBER) * WORDS;
  let differing = 0;
  for (; depth < WORDS; depth++) {
    const word = words[first + depth]!;
    for (let k = from; k < to; k++) differing |= words[(halves[2 * k]! & NUMBER) * WORDS + depth]! ^ word;
    if (differing !== 0) break;
  }
  if (depth === WORDS) return;
  const skipped = Math.clz32(differing) & ~7;
  fetchKeys(sorting, from, to, depth, skipped);
  keys.subarray(from, to).sort();
  const deeper = skipped + KEY_BITS < 64 ? depth + 1 : depth + 2;
  if (deeper >= WORDS) return;
  for (let start = from; start < to;) {
    const high = halves[2 * start + 1];
    const low = halves[2 * start]! >>> 16;
    let end = start + 1;
    while (end < to && halves[2 * end + 1] === high && halves[2 * end]! >>> 16 === low) end++;
    if (end - start > 1) sortRange(sorting, start, end, deeper);
    start = end;
  }
}

/** Up to six bytes of words `depth` and the next one of each row, without the first `skipped` bits. */
function fetchKeys({ words, halves }: Sorting, from: number, to: number, depth: number, skipped: number): void {
  const hasSecond = depth + 1 < WORDS;
  for (let k = from; k < to; k++) {
    const number = halves[2 * k]! & NUMBER;
    const at = number * WORDS + depth;
    const first = words[at]!;
    const second = hasSecond ? words[at + 1]! : 0;
    // A shift by 32 is none.
    const high = skipped === 0 ? first : (first << skipped) | (second >>> (32 - skipped));
    const low = second << skipped;
    halves[2 * k + 1] = high;
    halves[2 * k] = (low & ~NUMBER) | number;
  }
}

function insertionSort({ words, halves }: Sorting, from: number, to: number, depth: number): void {
  for (let k = from + 1; k < to; k++) {
    const number = halves[2 * k]! & NUMBER;
    const row = number * WORDS;
    let hole = k;
    for (; hole > from; hole--) {
      const otherNumber = halves[2 * hole - 2]! & NUMBER;
      const other = otherNumber * WORDS;
      let at = depth;
      while (at < WORDS && words[row + at] === words[other + at]) at++;
      if (at === WORDS ? number > otherNumber : words[row + at]! > words[other + at]!) break;
      halves[2 * hole] = otherNumber;
    }
    halves[2 * hole] = number;
  }
}
