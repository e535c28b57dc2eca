// Finds the sketches that share a fingerprint of their prefixes. Rows of fingerprint and sketch are dealt into parts by
// the hash of the fingerprint, so all rows of a fingerprint are in one part. There a hash table that fits in a cache
// groups them.
//
//   a row    | upper 32 bits of the fingerprint | its lower 8, two places of 8 bits | sketch |
import { DealtRows } from '../base/dealt-rows.js';
import { hashPair } from '../base/hash.js';
import type { SpillRoom } from '../base/spill.js';

/** The rows of one fingerprint, in the order they came; valid until the next list. */
export interface List {
  count: number;
  sketches: Uint32Array;
  /** The two places, as they were added. */
  places: Uint8Array;
  inner: Uint8Array;
}

const PARTS = 256;
const ROW_WORDS = 3;

/** Build (`add`), then read the lists, once. */
export class PrefixLists {
  readonly #rows: DealtRows;
  readonly #list: List = {
    count: 0,
    sketches: new Uint32Array(64),
    places: new Uint8Array(64),
    inner: new Uint8Array(64),
  };
  /**
   * `slots`: the number of a row plus 1, or 0. `firsts`, by row: the first row with the same fingerprint; for that
   * first row itself, how many rows have the fingerprint.
   */
  #slots = new Uint32Array(0);
  #firsts = new Uint32Array(0);
  #counts = new Uint32Array(0);
  /** By the first row of a fingerprint: where its list ends in `order`, which has the rows of all lists. */
  #ends = new Uint32Array(0);
  #order = new Uint32Array(0);

  constructor(room: SpillRoom) {
    this.#rows = new DealtRows(PARTS, ROW_WORDS, room);
  }

  add(top: number, rest: number, place: number, inner: number, sketch: number): void {
    const rows = this.#rows;
    const at = rows.add(hashPair(top, rest) >>> 24);
    const words = rows.words;
    words[at] = top;
    words[at + 1] = (rest << 16) | (place << 8) | inner;
    words[at + 2] = sketch;
  }

  /** The lists of two rows or more. */
  *lists(): Generator<List> {
    let words: Uint32Array = new Uint32Array(0);
    for (let part = 0; part < PARTS; part++) {
      const rows = this.#rows.rowsOf(part);
      words = this.#rows.read(part, words);
      this.#rows.drop(part);
      this.#group(words, rows);
      yield* this.#listsOf(words, rows);
    }
    this.#rows.close();
  }

  #group(words: Uint32Array, rows: number): void {
    const bits = Math.max(4, Math.ceil(Math.log2(rows + 1)) + 1);
    if (this.#slots.length < 2 ** bits) this.#slots = new Uint32Array(2 ** bits);
    if (this.#firsts.length < rows) {
      this.#firsts = new Uint32Array(rows + (rows >> 2));
      this.#counts = new Uint32Array(this.#firsts.length);
      this.#ends = new Uint32Array(this.#firsts.length);
      this.#order = new Uint32Array(this.#firsts.length);
    }
    const [slots, firsts, counts, mask] = [this.#slots, this.#firsts, this.#counts, 2 ** bits - 1];
    slots.fill(0, 0, 2 ** bits);
    for (let row = 0, at = 0; row < rows; row++, at += ROW_WORDS) {
      const [top, rest] = [words[at]!, words[at + 1]! >>> 16];
      // The upper bits of the hash are the same in the whole part.
      let slot = hashPair(top, rest) & mask;
      let first = slots[slot]!;
      while (first !== 0 && !isFingerprint(words, ROW_WORDS * (first - 1), top, rest)) {
        slot = (slot + 1) & mask;
        first = slots[slot]!;
      }
      if (first === 0) {
        slots[slot] = first = row + 1;
        counts[row] = 0;
      }
      firsts[row] = first - 1;
      counts[first - 1]!++;
    }
  }

  *#listsOf(words: Uint32Array, rows: number): Generator<List> {
    const [firsts, counts, ends, order] = [this.#firsts, this.#counts, this.#ends, this.#order];
    for (let row = 0, total = 0; row < rows; row++) {
      if (firsts[row] !== row || counts[row] === 1) continue;
      ends[row] = total;
      total += counts[row]!;
    }
    for (let row = 0; row < rows; row++) {
      const first = firsts[row]!;
      if (counts[first]! > 1) order[ends[first]!++] = row;
    }
    for (let row = 0; row < rows; row++) {
      if (firsts[row] !== row || counts[row] === 1) continue;
      yield this.#read(words, ends[row]! - counts[row]!, counts[row]!);
    }
  }

  #read(words: Uint32Array, start: number, count: number): List {
    const list = this.#list;
    if (count > list.sketches.length) {
      list.sketches = new Uint32Array(2 * count);
      list.places = new Uint8Array(2 * count);
      list.inner = new Uint8Array(2 * count);
    }
    list.count = count;
    for (let k = 0; k < count; k++) {
      const at = ROW_WORDS * this.#order[start + k]!;
      const places = words[at + 1]!;
      list.places[k] = places >>> 8;
      list.inner[k] = places;
      list.sketches[k] = words[at + 2]!;
    }
    return list;
  }
}

function isFingerprint(words: Uint32Array, at: number, top: number, rest: number): boolean {
  return words[at] === top && words[at + 1]! >>> 16 === rest;
}
