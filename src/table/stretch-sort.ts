// Puts the records of a list in order, stretch by stretch: first each is copied to its stretch, wherever in it, then each
// stretch is sorted by itself, inside the cache of a core.
//
//   scattered   | record 7 | record 2 | … |  record 5 | record 1 | …      as rows of the table came by
//   sorted      | record 2 | record 7 | … |  record 1 | record 5 | …
//
// URLs are sorted by six bytes at a time: these, and the number of the row in its stretch behind them, are one number of 64
// bits for the built-in sort. What has the same six bytes is sorted by the next six.
//
//   a key      | byte 1 | byte 2 | byte 3 | byte 4 | byte 5 | byte 6 | row u16 |
import { sortByteStrings } from '../base/sort.js';
import { setForward, type Forward } from './forward.js';
import { FIXED, headUnits, UNIT, urlUnits } from './site-urls.js';
import { keyAt } from './stretches.js';
import { PLACES, SIZES, type TableColumns } from './url-table.js';

/** A list that is being made, all sites one after another; columns by row. */
export interface ListColumns extends Forward {
  readonly bytes: Uint8Array;
  /** Where the URL is, in units: of `bytes` while the list is made, of the records of its site when it is. */
  readonly position: Uint32Array;
  readonly length: Uint16Array;
  /** Place of its site among the names. */
  readonly site: Int32Array;
  /** By place of the site: the unit where its records begin. */
  readonly firstUnit: Float64Array;
}

/** Where the next record of each stretch goes. */
export interface Cursors {
  readonly row: Int32Array;
  readonly unit: Float64Array;
}

/** Copies rows [from, to) of the table to their stretches. */
export function scatter(
  columns: TableColumns,
  placeOf: Int32Array,
  stretch: Uint16Array,
  list: ListColumns,
  next: Cursors,
  from: number,
  to: number,
): void {
  const { bytes, places, sizes, sites } = columns;
  const { position, length, site } = list;
  const [target, words, doubles, halves] = [
    list.bytes,
    wordsOf(list.bytes),
    doublesOf(list.bytes),
    halvesOf(list.bytes),
  ];
  const source = wordsOf(bytes);
  for (let row = from; row < to; row++) {
    const at = row * PLACES;
    const start = places[at]!;
    const urlLength = places[at + 1]! - start;
    const sketchStart = places[at + 2]!;
    const sketchLength = places[at + 3]! - sketchStart;
    const goesTo = stretch[row]!;
    const goal = next.row[goesTo]!++;
    const unit = next.unit[goesTo]! + headUnits(sketchLength);
    next.unit[goesTo] = unit + urlUnits(urlLength);
    position[goal] = unit;
    length[goal] = urlLength;
    site[goal] = placeOf[sites[row]!]!;
    doubles[unit - 3] = sizes[row * SIZES]!;
    doubles[unit - 2] = sizes[row * SIZES + 1]!;
    doubles[unit - 1] = sizes[row * SIZES + 2]!;
    halves[unit * 4 - FIXED / 2] = sketchLength;
    for (let word = start >> 2, k = 2 * unit, end = (start + urlLength + 3) >> 2; word < end; word++, k++) {
      words[k] = source[word]!;
    }
    for (let k = 0, sketchAt = unit * UNIT - FIXED - sketchLength; k < sketchLength; k++) {
      target[sketchAt + k] = bytes[sketchStart + k]!;
    }
  }
}

/** Numbers of rows that fit into a key. */
const MAX_ROWS = 1 << 16;
const SMALL = 12;

/** Sorts stretches, one after another, of one list or several. */
export class StretchSorter {
  /** Copies of the stretch: its records, and where they are, in units of the copy. */
  #bytes = new Uint8Array(0);
  #words: Int32Array = new Int32Array(0);
  #view = new DataView(this.#bytes.buffer);
  #unit = new Uint32Array(0);
  #length = new Uint16Array(0);
  #site = new Int32Array(0);
  #keys = new BigUint64Array(0);
  #halves = new Uint32Array(0);
  /** Rows of the stretch in order. */
  #items = new Int32Array(0);
  #rows = 0;

  /** Sorts the rows [from, to) of a list, whose records take the units [fromUnit, toUnit). */
  sort(list: ListColumns, from: number, to: number, fromUnit: number, toUnit: number): void {
    this.#load(list, from, to, fromUnit, toUnit);
    this.#order(to - from);
    this.#store(list, from, to, fromUnit);
  }

  #load(list: ListColumns, from: number, to: number, fromUnit: number, toUnit: number): void {
    const rows = (this.#rows = to - from);
    if (rows > this.#items.length) {
      this.#unit = new Uint32Array(2 * rows);
      this.#length = new Uint16Array(2 * rows);
      this.#site = new Int32Array(2 * rows);
      this.#keys = new BigUint64Array(2 * rows);
      this.#halves = new Uint32Array(this.#keys.buffer);
      this.#items = new Int32Array(2 * rows);
    }
    const size = (toUnit - fromUnit) * UNIT;
    if (size > this.#bytes.length) {
      this.#bytes = new Uint8Array(2 * size);
      this.#words = wordsOf(this.#bytes);
      this.#view = new DataView(this.#bytes.buffer);
    }
    this.#bytes.set(list.bytes.subarray(fromUnit * UNIT, toUnit * UNIT));
    const [unit, length, site, items] = [this.#unit, this.#length, this.#site, this.#items];
    for (let k = 0; k < rows; k++) {
      unit[k] = list.position[from + k]! - fromUnit;
      length[k] = list.length[from + k]!;
      site[k] = list.site[from + k]!;
      items[k] = k;
    }
  }

  #order(rows: number): void {
    const [site, items] = [this.#site, this.#items];
    let isOneSite = true;
    for (let k = 1; k < rows; k++) if (site[k] !== site[0]) isOneSite = false;
    if (isOneSite) return this.#sortRange(0, rows, -1);
    const halves = this.#halves;
    for (let k = 0; k < rows; k++) {
      halves[2 * k] = k;
      halves[2 * k + 1] = site[k]!;
    }
    this.#keys.subarray(0, rows).sort();
    for (let k = 0; k < rows; k++) items[k] = halves[2 * k]!;
    for (let start = 0; start < rows;) {
      let end = start + 1;
      while (end < rows && site[items[end]!] === site[items[start]!]) end++;
      this.#sortRange(start, end, -1);
      start = end;
    }
  }

  /** Sorts items that are known to be the same down to `depth`; -1 where nothing has been looked at. */
  #sortRange(from: number, to: number, depth: number): void {
    if (to - from <= SMALL) return this.#insertionSort(from, to, Math.max(0, depth));
    if (this.#rows > MAX_ROWS) return this.#sortMany(from, to);
    if (depth < 0) depth = this.#sharedDepth(from, to, 0);
    const [keys, halves, items, unit, length, view] = [
      this.#keys,
      this.#halves,
      this.#items,
      this.#unit,
      this.#length,
      this.#view,
    ];
    for (let alike = 0; ; alike++) {
      for (let k = from; k < to; k++) {
        const item = items[k]!;
        const at = unit[item]! * UNIT + depth;
        const left = length[item]! - depth;
        if (left >= 6) {
          halves[2 * k + 1] = view.getUint32(at);
          halves[2 * k] = (view.getUint16(at + 4) << 16) | item;
        } else {
          const key = keyAt(view, at, at + left);
          halves[2 * k + 1] = key / 2 ** 16;
          halves[2 * k] = ((key % 2 ** 16) << 16) | item;
        }
      }
      depth += 6;
      keys.subarray(from, to).sort();
      if (!isAlike(halves, from, to - 1)) break;
      // Where all go on alike for long, one look at each passes over that, not one for every six bytes of it.
      if (alike === 0) continue;
      if (this.#haveEnded(from, to, depth)) return this.#sortByLength(from, to);
      depth = this.#sharedDepth(from, to, depth);
    }
    for (let k = from; k < to; k++) items[k] = halves[2 * k]! & 0xffff;
    for (let start = from; start < to;) {
      let end = start + 1;
      while (end < to && isAlike(halves, start, end)) end++;
      if (end - start > 1) this.#sortRange(start, end, depth);
      start = end;
    }
  }

  /** How deep they are the same, at least, as they are known to be down to `depth`. */
  #sharedDepth(from: number, to: number, depth: number): number {
    const [items, unit, length, words] = [this.#items, this.#unit, this.#length, this.#words];
    const first = 2 * unit[items[from]!]!;
    const known = depth >> 2;
    let shared = length[items[from]!]! >> 2;
    for (let k = from + 1; k < to && shared > known; k++) {
      const item = items[k]!;
      const here = 2 * unit[item]!;
      const limit = Math.min(shared, length[item]! >> 2);
      for (shared = known; shared < limit && words[first + shared] === words[here + shared];) shared++;
    }
    return Math.max(depth, 4 * shared);
  }

  #haveEnded(from: number, to: number, depth: number): boolean {
    for (let k = from; k < to; k++) if (this.#length[this.#items[k]!]! > depth) return false;
    return true;
  }

  /** Of URLs that go on with nothing but zero bytes the shorter ones come first. */
  #sortByLength(from: number, to: number): void {
    const length = this.#length;
    this.#items.subarray(from, to).sort((a, b) => length[a]! - length[b]!);
  }

  /** More than have room in the keys. */
  #sortMany(from: number, to: number): void {
    const start = Float64Array.from(this.#unit, (unit) => unit * UNIT);
    const end = start.map((at, item) => at + this.#length[item]!);
    this.#items.subarray(from, to).sort();
    sortByteStrings(this.#items.subarray(from, to), { bytes: this.#bytes, start, end }, 'forward');
  }

  #insertionSort(from: number, to: number, depth: number): void {
    const items = this.#items;
    for (let k = from + 1; k < to; k++) {
      const item = items[k]!;
      let hole = k;
      for (; hole > from && this.#isBefore(item, items[hole - 1]!, depth); hole--) items[hole] = items[hole - 1]!;
      items[hole] = item;
    }
  }

  #isBefore(a: number, b: number, depth: number): boolean {
    const [words, bytes] = [this.#words, this.#bytes];
    const [aWord, bWord] = [2 * this.#unit[a]!, 2 * this.#unit[b]!];
    const [aLength, bLength] = [this.#length[a]!, this.#length[b]!];
    const limit = Math.min(aLength, bLength);
    let word = depth >> 2;
    while (word < limit >> 2 && words[aWord + word] === words[bWord + word]) word++;
    for (let k = 4 * word; k < limit; k++) {
      const difference = bytes[4 * aWord + k]! - bytes[4 * bWord + k]!;
      if (difference !== 0) return difference < 0;
    }
    return aLength < bLength;
  }

  /** Copies the records back in their order, and says of each what it shares with the one before. */
  #store(list: ListColumns, from: number, to: number, fromUnit: number): void {
    const [items, unit, length, site] = [this.#items, this.#unit, this.#length, this.#site];
    const source = this.#words;
    const sketchLengths = halvesOf(this.#bytes);
    const target = wordsOf(list.bytes);
    let next = fromUnit;
    let before = -1;
    for (let row = from; row < to; row++) {
      const item = items[row - from]!;
      const urlUnit = unit[item]!;
      const head = headUnits(sketchLengths[urlUnit * 4 - FIXED / 2]!);
      const urlLength = length[item]!;
      for (
        let word = 2 * (urlUnit - head), end = 2 * urlUnit + ((urlLength + 3) >> 2), k = 2 * next;
        word < end;
        word++, k++
      ) {
        target[k] = source[word]!;
      }
      next += head;
      const place = site[item]!;
      if (row > from && place !== list.site[row - 1]!) before = -1;
      const beforeLength = before < 0 ? 0 : list.length[row - 1]!;
      list.site[row] = place;
      list.position[row] = next - list.firstUnit[place]!;
      list.length[row] = urlLength;
      setForward(list, row, list.bytes, target, before, beforeLength, next * UNIT, urlLength);
      before = next * UNIT;
      next += urlUnits(urlLength);
    }
  }
}

/** True where two keys stand for the same six bytes. */
function isAlike(halves: Uint32Array, a: number, b: number): boolean {
  return halves[2 * a + 1] === halves[2 * b + 1] && halves[2 * a]! >>> 16 === halves[2 * b]! >>> 16;
}

function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

function halvesOf(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
}

function doublesOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3);
}
