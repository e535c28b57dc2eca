// The hash table of distinct URLs while records come in: all bytes in one arena, numbers that are asked for together side by
// side.
//
//   slots     | row | hash | row | hash | … i32, found by the hash
//   arena     | URL | sketch | URL | URL | …
//   places    | URL start | URL end | sketch start | sketch end | … i32
//   sizes     | hits | min | max | … f64
//
// Of a million URLs nearly every look-up misses the cache three times, one after the other: slot, place, bytes. So the records
// of a batch are looked up some hundred at a time, first all slots, then all places, then all bytes: the misses of different
// records overlap, and folding them in afterwards finds all at hand.
import { createHash } from 'node:crypto';
import { encodeText } from '../base/bytes.js';
import { memoryFor } from '../base/crew.js';
import { sameBytes } from '../base/hash.js';
import { sortByteStrings } from '../base/sort.js';
import { sortShared, type SharedStrings } from '../base/sort-shared.js';
import type { RecordBatch } from '../log/record.js';
import { collate } from '../url/token.js';
import { MIN_SHARED_URLS, partsOf, type TableCrew } from './crew.js';
import type { SiteUrls } from './site-urls.js';

export type SiteOf = (url: Uint8Array, start: number, end: number) => string;

/** Where nothing is known. */
export const NONE = -1;
/** Longer sketches are kept as their SHA-256. */
export const MAX_SKETCH_BYTES = 1024;
/** Numbers of a row in `places` and in `sizes`. */
export const PLACES = 4;
export const SIZES = 3;
const ROW_BYTES = PLACES * 4 + SIZES * 8;
/** Numbers of a slot. */
const SLOT = 2;
/** Records that are fetched before they are folded in: what they touch fits into the nearest caches. */
const AHEAD = 256;

/** The rows of a table site by site, those of a site in collation order. */
export interface SitesInOrder {
  /** By the bytes of their names. */
  readonly names: readonly string[];
  /** Site s has rows[ends[s - 1], ends[s]). */
  readonly ends: Int32Array;
  readonly rows: Int32Array;
}

/** What the rows of a list are copied from. */
export interface TableColumns {
  readonly bytes: Uint8Array;
  readonly places: Int32Array;
  readonly sizes: Float64Array;
  /** The k-th row of the list is row rows[k] of the table. */
  readonly rows: Int32Array;
}

function addRow(urls: SiteUrls, { bytes, places, sizes, rows }: TableColumns, k: number): void {
  const [at, size] = [rows[k]! * PLACES, rows[k]! * SIZES];
  urls.addRanges(
    bytes,
    places[at]!,
    places[at + 1]!,
    sizes[size]!,
    sizes[size + 1]!,
    sizes[size + 2]!,
    places[at + 2]!,
    places[at + 3]!,
  );
}

/** Fills rows [from, to) of a list where they were placed. */
export function fillRows(urls: SiteUrls, columns: TableColumns, from: number, to: number): void {
  const { bytes, places, sizes, rows } = columns;
  for (let k = from; k < to; k++) {
    const [at, size] = [rows[k]! * PLACES, rows[k]! * SIZES];
    const [sketchStart, sketchEnd] = [places[at + 2]!, places[at + 3]!];
    urls.fillRanges(k, bytes, places[at]!, sizes[size]!, sizes[size + 1]!, sizes[size + 2]!, sketchStart, sketchEnd);
  }
}

export class UrlTable {
  rows = 0;
  longestUrl = 0;
  bytes: Uint8Array;
  places: Int32Array;
  sizes: Float64Array;
  #used = 0;
  #slots = new Int32Array(32 * SLOT).fill(NONE);
  /** Rows that the records ahead may be of, then where their URLs start. */
  readonly #ahead = new Int32Array(AHEAD);
  readonly #crew: TableCrew | undefined;

  constructor(crew?: TableCrew) {
    this.#crew = crew;
    this.bytes = new Uint8Array(memoryFor(crew, 1 << 12));
    this.places = new Int32Array(memoryFor(crew, 16 * PLACES * 4));
    this.sizes = new Float64Array(memoryFor(crew, 16 * SIZES * 8));
  }

  /**
   * Folds records from `from` on into the entries of their URLs. Gives the first one that it left out because a new entry
   * would not fit `maxBytes` (the first entry always fits), or the number of records.
   */
  add(batch: RecordBatch, from: number, maxBytes: number): number {
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
      const row = slots[(urlHash[record]! * SLOT) & mask]!;
      if (row !== NONE) ahead[count++] = row;
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
      this.#setSketch(row, bytes, sketchStart[record]!, sketchEnd[record]!);
    }
    return true;
  }

  /** Takes all rows out; keeps the room. */
  clear(): void {
    this.rows = this.#used = 0;
    this.#slots.fill(NONE);
  }

  /** Gives the room back; threads may go on to hold `mostBytes` of it. */
  drop(mostBytes: number): void {
    const bytes = this.bytes.length + this.places.length * 4 + this.sizes.length * 8;
    this.rows = this.#used = 0;
    this.bytes = new Uint8Array(0);
    this.#slots = this.places = new Int32Array(0);
    this.sizes = new Float64Array(0);
    this.#crew?.release(bytes, mostBytes);
  }

  /** Sorts in place of looking up: turns the URLs into collation bytes, after which nothing can be added any more. */
  sorted(siteOf: SiteOf): SitesInOrder {
    this.#slots = new Int32Array(0);
    const { names, ends, rows } = this.#grouped(siteOf);
    const start = new Int32Array(memoryFor(this.#crew, this.rows * 4));
    const end = new Int32Array(memoryFor(this.#crew, this.rows * 4));
    for (let row = 0; row < this.rows; row++) {
      start[row] = this.places[row * PLACES]!;
      end[row] = this.places[row * PLACES + 1]!;
    }
    const strings = { bytes: this.bytes, start, end };
    this.#collate(strings);
    for (let site = 0, from = 0; site < names.length; from = ends[site++]!) {
      this.#sort(rows.subarray(from, ends[site]), strings);
    }
    return { names, ends, rows };
  }

  /** Adds these rows to a list, by threads if they are many and the list is sure to stay in memory. */
  copyTo(urls: SiteUrls, rows: Int32Array): void {
    const columns = { bytes: this.bytes, places: this.places, sizes: this.sizes, rows };
    if (this.#crew === undefined || rows.length < MIN_SHARED_URLS || !this.#fits(urls, rows)) {
      for (let k = 0; k < rows.length; k++) addRow(urls, columns, k);
      return;
    }
    const { places } = this;
    for (const row of rows) {
      const at = row * PLACES;
      urls.place(places[at + 1]! - places[at]!, places[at + 3]! - places[at + 2]!);
    }
    const site = urls.share()!;
    const tasks = partsOf(this.#crew, rows.length).map((part) => ({ kind: 'fill' as const, site, columns, ...part }));
    this.#crew.run(tasks, () => undefined);
  }

  #fits(urls: SiteUrls, rows: Int32Array): boolean {
    let [urlBytes, sketchBytes] = [0, 0];
    for (const row of rows) {
      const at = row * PLACES;
      urlBytes += this.places[at + 1]! - this.places[at]!;
      sketchBytes += this.places[at + 3]! - this.places[at + 2]!;
    }
    return urls.hasRoomFor(rows.length, urlBytes, sketchBytes, this.longestUrl + MAX_SKETCH_BYTES);
  }

  #collate(strings: SharedStrings): void {
    const { bytes, start, end } = strings;
    if (this.#crew !== undefined && this.rows >= MIN_SHARED_URLS) {
      const tasks = partsOf(this.#crew, this.rows).map((part) => ({ kind: 'collate' as const, strings, ...part }));
      return this.#crew.run(tasks, () => undefined);
    }
    for (let row = 0; row < this.rows; row++) collate(bytes, start[row], end[row]);
  }

  #sort(rows: Int32Array, strings: SharedStrings): void {
    if (this.#crew === undefined || rows.length < MIN_SHARED_URLS) sortByteStrings(rows, strings, 'forward');
    else sortShared(this.#crew, rows, strings, 'forward');
  }

  /** Rows by site, as they came: a counting sort. */
  #grouped(siteOf: SiteOf): SitesInOrder {
    const numbers = new Map<string, number>();
    const siteOfRow = new Int32Array(this.rows);
    let [last, lastNumber] = ['', NONE];
    for (let row = 0; row < this.rows; row++) {
      const site = siteOf(this.bytes, this.places[row * PLACES]!, this.places[row * PLACES + 1]!);
      if (site !== last || lastNumber === NONE) {
        last = site;
        lastNumber = numbers.get(site) ?? numbers.size;
        if (lastNumber === numbers.size) numbers.set(site, lastNumber);
      }
      siteOfRow[row] = lastNumber;
    }
    const encoded = Array.from(numbers.keys(), (name) => ({ name, bytes: encodeText(name) }));
    const names = encoded.toSorted((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ name }) => name);
    const rank = new Int32Array(names.length);
    for (const [place, name] of names.entries()) rank[numbers.get(name)!] = place;
    const ends = new Int32Array(names.length);
    for (const site of siteOfRow) ends[rank[site]!]!++;
    for (let site = 1; site < ends.length; site++) ends[site]! += ends[site - 1]!;
    const rows = new Int32Array(memoryFor(this.#crew, this.rows * 4));
    const cursor = ends.slice();
    for (let row = this.rows - 1; row >= 0; row--) rows[--cursor[rank[siteOfRow[row]!]!]!] = row;
    return { names, ends, rows };
  }

  /** The row of a URL, made if new; NONE where a new one would not fit. */
  #entry(bytes: Uint8Array, start: number, end: number, hash: number, maxBytes: number): number {
    const slot = this.#slot(bytes, start, end, hash);
    const known = this.#slots[slot]!;
    if (known !== NONE) return known;
    if (this.rows > 0 && this.#footprint(end - start) > maxBytes) return NONE;
    const row = this.rows++;
    // They are ready by the time they are needed.
    if (row === MIN_SHARED_URLS) this.#crew?.start();
    if (row * SIZES === this.sizes.length) this.#widen();
    this.#slots[slot] = row;
    this.#slots[slot + 1] = hash;
    this.places[row * PLACES] = this.#append(bytes, start, end);
    this.places[row * PLACES + 1] = this.#used;
    this.places[row * PLACES + 2] = this.places[row * PLACES + 3] = 0;
    if (end - start > this.longestUrl) this.longestUrl = end - start;
    this.sizes[row * SIZES] = 0;
    this.sizes[row * SIZES + 1] = this.sizes[row * SIZES + 2] = NONE;
    if (this.rows * 2 * SLOT > this.#slots.length) this.#rehash();
    return row;
  }

  /** Where in the slots the URL is, or is to be. */
  #slot(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (hash * SLOT) & mask; ; slot = (slot + SLOT) & mask) {
      const row = slots[slot]!;
      if (row === NONE) return slot;
      if (slots[slot + 1] !== hash) continue;
      const at = this.places[row * PLACES]!;
      if (this.places[row * PLACES + 1]! - at !== end - start) continue;
      if (sameBytes(this.bytes, at, bytes, start, end - start)) return slot;
    }
  }

  #setSketch(row: number, bytes: Uint8Array, start: number, end: number): void {
    if (end - start > MAX_SKETCH_BYTES) {
      const digest = createHash('sha256').update(bytes.subarray(start, end)).digest();
      return this.#setSketch(row, digest, 0, digest.length);
    }
    const old = this.places[row * PLACES + 2]!;
    const length = end - start;
    if (this.places[row * PLACES + 3]! - old === length && sameBytes(this.bytes, old, bytes, start, length)) return;
    this.places[row * PLACES + 2] = this.#append(bytes, start, end);
    this.places[row * PLACES + 3] = this.#used;
  }

  #append(bytes: Uint8Array, start: number, end: number): number {
    const at = this.#used;
    const length = end - start;
    if (at + length > this.bytes.length) this.#grow(Math.max(at + length, 2 * at));
    for (let k = 0; k < length; k++) this.bytes[at + k] = bytes[start + k]!;
    this.#used += length;
    return at;
  }

  #grow(capacity: number): void {
    const wider = new Uint8Array(memoryFor(this.#crew, capacity));
    wider.set(this.bytes.subarray(0, this.#used));
    this.bytes = wider;
  }

  /** Bytes held, were one more URL of `length` bytes added, with what doubles for it: text, seven columns, slots. */
  #footprint(length: number): number {
    const text = this.#used + length > this.bytes.length ? 2 * this.bytes.length : this.bytes.length;
    const capacity = this.sizes.length / SIZES;
    const rows = this.rows + 1 > capacity ? 2 * capacity : capacity;
    const slots = 2 * SLOT * (this.rows + 1) > this.#slots.length ? 2 * this.#slots.length : this.#slots.length;
    return text + rows * ROW_BYTES + slots * 4;
  }

  #widen(): void {
    const rows = this.rows * 2;
    const places = new Int32Array(memoryFor(this.#crew, rows * PLACES * 4));
    const sizes = new Float64Array(memoryFor(this.#crew, rows * SIZES * 8));
    places.set(this.places);
    sizes.set(this.sizes);
    this.places = places;
    this.sizes = sizes;
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
