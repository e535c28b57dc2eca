// The hash table of distinct URLs while records come in: all bytes in one arena, numbers that are asked for together side by
// side.
//
//   slots     | row | hash | row | hash | … i32, found by the hash
//   arena     | URL, from a multiple of 4 on | sketch | URL | URL | …
//   places    | URL start | URL end | sketch start | sketch end | … i32
//   sizes     | hits | min | max | … f64
//   sites     | number of the site | … i32, in the order in which sites came
//
// Of a million URLs nearly every look-up misses the cache three times, one after the other: slot, place, bytes. So the records
// of a batch are looked up some hundred at a time, first all slots, then all places, then all bytes: the misses of different
// records overlap, and folding them in afterwards finds all at hand. The site of a new URL is asked for while its bytes are
// at hand. Bytes are copied and compared four at a time.
import { createHash } from 'node:crypto';
import { giveBack, newF64, newI32, newU8 } from '../base/heap.js';
import type { RecordBatch } from '../log/record.js';
import { Heads, UNKNOWN } from '../url/heads.js';
import { MIN_SHARED_URLS, type TableCrew } from './crew.js';

export type SiteOf = (url: Uint8Array, start: number, end: number) => string;

/** Where nothing is known. */
export const NONE = -1;
/** Longer sketches are kept as their SHA-256. */
export const MAX_SKETCH_BYTES = 1024;
/** Numbers of a row in `places` and in `sizes`. */
export const PLACES = 4;
export const SIZES = 3;
const ROW_BYTES = PLACES * 4 + SIZES * 8 + 4;
/** Numbers of a slot. */
const SLOT = 2;
/** Records that are fetched before they are folded in: what they touch fits into the nearest caches. */
const AHEAD = 256;

/** What the list is made from, once all records are in. */
export interface TableColumns {
  readonly rows: number;
  readonly bytes: Uint8Array;
  readonly places: Int32Array;
  readonly sizes: Float64Array;
  readonly sites: Int32Array;
}

export class UrlTable {
  rows = 0;
  longestUrl = 0;
  bytes: Uint8Array;
  /** The same, four bytes each. */
  #words: Int32Array;
  /** The bytes of the batch that is being added. */
  #given: DataView = new DataView(new ArrayBuffer(0));
  places: Int32Array;
  sizes: Float64Array;
  sites: Int32Array;
  siteNames: string[] = [];
  readonly #siteOf: SiteOf;
  readonly #siteNumbers = new Map<string, number>();
  readonly #heads = new Heads();
  #used = 0;
  #slots = new Int32Array(32 * SLOT).fill(NONE);
  /** Rows that the records ahead may be of, then where their URLs start. */
  readonly #ahead = new Int32Array(AHEAD);
  readonly #crew: TableCrew | undefined;

  constructor(siteOf: SiteOf, crew?: TableCrew) {
    this.#siteOf = siteOf;
    this.#crew = crew;
    this.bytes = newU8(1 << 12);
    this.#words = wordsOf(this.bytes);
    this.places = newI32(16 * PLACES);
    this.sizes = newF64(16 * SIZES);
    this.sites = newI32(16);
  }

  /**
   * Folds records from `from` on into the entries of their URLs. Gives the first one that it left out because a new entry
   * would not fit `maxBytes` (the first entry always fits), or the number of records.
   */
  add(batch: RecordBatch, from: number, maxBytes: number): number {
    const { bytes } = batch;
    this.#given = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let record = from; record < batch.rows;) {
      const end = Math.min(record + AHEAD, batch.rows);
      this.#touch(batch, record, end);
      for (; record < end; record++) if (!this.#fold(batch, record, maxBytes)) return record;
    }
    return batch.rows;
  }

  /** Brings what folding these records will read into the cache. Changes nothing; the loads of each loop overlap. */
  #touch({ urlHash }: RecordBatch, from: number, to: number): void {
    const { places, sizes, bytes } = this;
    const slots = this.#slots;
    const ahead = this.#ahead;
    const mask = slots.length - 1;
    let count = 0;
    for (let record = from; record < to; record++) {
      const hash = urlHash[record]!;
      const slot = (hash * SLOT) & mask;
      if (slots[slot + 1] === hash && slots[slot] !== NONE) ahead[count++] = slots[slot]!;
    }
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const row = ahead[k]!;
      sum += sizes[row * SIZES]!;
      ahead[k] = places[row * PLACES]!;
    }
    for (let k = 0; k < count; k++) sum += bytes[ahead[k]!]!;
    // A load that nothing comes of would be left out by the compiler.
    ahead[0] = sum;
  }

  /** Folds a record into the entry of its URL; false, with nothing done, where a new entry would not fit `maxBytes`. */
  #fold(batch: RecordBatch, record: number, maxBytes: number): boolean {
    const { bytes, urlStart, urlEnd, urlHash, size, sketchStart, sketchEnd } = batch;
    const row = this.#entry(bytes, urlStart[record]!, urlEnd[record]!, urlHash[record]!, maxBytes);
    if (row === NONE) return false;
    const { sizes } = this;
    const hits = row * SIZES;
    sizes[hits]!++;
    const bytesSent = size[record]!;
    if (bytesSent >= 0) {
      if (sizes[hits + 1]! < 0 || bytesSent < sizes[hits + 1]!) sizes[hits + 1] = bytesSent;
      if (bytesSent > sizes[hits + 2]!) sizes[hits + 2] = bytesSent;
    }
    if (sketchEnd[record]! > sketchStart[record]!) {
      this.#setSketch(row, this.#given, sketchStart[record]!, sketchEnd[record]!);
    }
    return true;
  }

  /** Takes all rows out; keeps the room. */
  clear(): void {
    this.rows = this.#used = 0;
    this.#slots.fill(NONE);
    this.siteNames = [];
    this.#siteNumbers.clear();
    this.#heads.clear();
  }

  /** Gives the room back. */
  drop(): void {
    for (const column of [this.bytes, this.places, this.sizes, this.sites]) giveBack(column);
    this.rows = this.#used = 0;
    this.bytes = new Uint8Array(0);
    this.#words = new Int32Array(0);
    this.#slots = this.places = this.sites = new Int32Array(0);
    this.sizes = new Float64Array(0);
  }

  /** Gives back what finds rows: nothing can be added any more. */
  freeze(): TableColumns {
    this.#slots = new Int32Array(0);
    const { rows, bytes, places, sizes, sites } = this;
    return { rows, bytes, places, sizes, sites };
  }

  /** The number of the site of a URL: which site that is hangs on its head alone. */
  #siteNumber(bytes: Uint8Array, start: number, end: number): number {
    const known = this.#heads.find(bytes, start, end);
    if (known !== UNKNOWN) return known;
    const site = this.#siteOf(bytes, start, end);
    let number = this.#siteNumbers.get(site);
    if (number === undefined) {
      number = this.siteNames.push(site) - 1;
      this.#siteNumbers.set(site, number);
    }
    this.#heads.keep(bytes, start, end, number);
    return number;
  }

  /** The row of a URL, made if new; NONE where a new one would not fit. */
  #entry(bytes: Uint8Array, start: number, end: number, hash: number, maxBytes: number): number {
    const slot = this.#slot(start, end, hash);
    const known = this.#slots[slot]!;
    if (known !== NONE) return known;
    if (this.rows > 0 && this.#footprint(end - start) > maxBytes) return NONE;
    const row = this.rows++;
    // They are ready by the time they are needed.
    if (row === MIN_SHARED_URLS) this.#crew?.start();
    if (row * SIZES === this.sizes.length) this.#widen();
    this.#slots[slot] = row;
    this.#slots[slot + 1] = hash;
    this.places[row * PLACES] = this.#append(this.#given, start, end);
    this.places[row * PLACES + 1] = this.#used;
    this.places[row * PLACES + 2] = this.places[row * PLACES + 3] = 0;
    if (end - start > this.longestUrl) this.longestUrl = end - start;
    this.sizes[row * SIZES] = 0;
    this.sizes[row * SIZES + 1] = this.sizes[row * SIZES + 2] = NONE;
    this.sites[row] = this.#siteNumber(bytes, start, end);
    if (this.rows * 2 * SLOT > this.#slots.length) this.#rehash();
    return row;
  }

  /** Where in the slots the URL is, or is to be. */
  #slot(start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (hash * SLOT) & mask; ; slot = (slot + SLOT) & mask) {
      const row = slots[slot]!;
      if (row === NONE) return slot;
      if (slots[slot + 1] !== hash) continue;
      const at = this.places[row * PLACES]!;
      if (this.places[row * PLACES + 1]! - at !== end - start) continue;
      if (this.#isSame(at, this.#given, start, end)) return slot;
    }
  }

  #setSketch(row: number, given: DataView, start: number, end: number): void {
    if (end - start > MAX_SKETCH_BYTES) {
      const sketch = new Uint8Array(given.buffer, given.byteOffset + start, end - start);
      const digest = Uint8Array.from(createHash('sha256').update(sketch).digest());
      return this.#setSketch(row, new DataView(digest.buffer), 0, digest.length);
    }
    const { places } = this;
    const old = places[row * PLACES + 2]!;
    const length = places[row * PLACES + 3]! - old;
    // The first one has nothing to be compared with, and starts nowhere.
    if (length === end - start && this.#isSame(old, given, start, end)) return;
    places[row * PLACES + 2] = this.#append(given, start, end);
    places[row * PLACES + 3] = this.#used;
  }

  #append(given: DataView, start: number, end: number): number {
    const at = this.#reserve(aligned(this.#used), end - start);
    const [own, words] = [this.bytes, this.#words];
    let from = start;
    for (let word = at >> 2; from + 4 <= end; from += 4) words[word++] = given.getInt32(from, true);
    for (let to = at + from - start; from < end; from++) own[to++] = given.getUint8(from);
    return at;
  }

  /** True where the bytes from `at` on, a multiple of 4, are those of given[start, end). */
  #isSame(at: number, given: DataView, start: number, end: number): boolean {
    const [own, words] = [this.bytes, this.#words];
    let from = start;
    for (let word = at >> 2; from + 4 <= end; from += 4) if (words[word++] !== given.getInt32(from, true)) return false;
    for (let k = at + from - start; from < end; from++) if (own[k++] !== given.getUint8(from)) return false;
    return true;
  }

  /** Takes the bytes from `at` on. */
  #reserve(at: number, length: number): number {
    if (at + length > this.bytes.length) this.#grow(Math.max(aligned(at + length), 2 * this.bytes.length));
    this.#used = at + length;
    return at;
  }

  #grow(capacity: number): void {
    const wider = newU8(capacity);
    wider.set(this.bytes.subarray(0, this.#used));
    giveBack(this.bytes);
    this.bytes = wider;
    this.#words = wordsOf(wider);
  }

  /** Bytes held, were one more URL of `length` bytes added, with what doubles for it: text, eight columns, slots. */
  #footprint(length: number): number {
    const text = aligned(this.#used) + length > this.bytes.length ? 2 * this.bytes.length : this.bytes.length;
    const capacity = this.sizes.length / SIZES;
    const rows = this.rows + 1 > capacity ? 2 * capacity : capacity;
    const slots = 2 * SLOT * (this.rows + 1) > this.#slots.length ? 2 * this.#slots.length : this.#slots.length;
    return text + rows * ROW_BYTES + slots * 4;
  }

  #widen(): void {
    const rows = this.rows * 2;
    const places = newI32(rows * PLACES);
    const sizes = newF64(rows * SIZES);
    const sites = newI32(rows);
    places.set(this.places);
    sizes.set(this.sizes);
    sites.set(this.sites);
    for (const column of [this.places, this.sizes, this.sites]) giveBack(column);
    this.places = places;
    this.sizes = sizes;
    this.sites = sites;
  }

  #rehash(): void {
    const old = this.#slots;
    const slots = (this.#slots = new Int32Array(old.length * 2).fill(NONE));
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from] === NONE) continue;
      let slot = (old[from + 1]! * SLOT) & mask;
      while (slots[slot] !== NONE) slot = (slot + SLOT) & mask;
      slots[slot] = old[from]!;
      slots[slot + 1] = old[from + 1]!;
    }
  }
}

function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

/** Entries and the end of the arena lie at multiples of 4. */
function aligned(at: number): number {
  return Math.ceil(at / 4) * 4;
}
