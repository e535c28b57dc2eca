// The hash table of distinct URLs while records come in. It is in the heap, with the layout of kernel/list/url-table.
// This copies batches into the heap, and numbers sites.
import { createHash } from 'node:crypto';
import { alloc, calls, f64At, giveBack, i32At, kernel, u32At, u8At } from '../base/heap.js';
import * as TABLE from '../kernel/layout/url-table.js';
import type { RecordBatch } from '../log/record.js';
import { DamagedLabels } from '../sketch/label-reader.js';
import { factsBytes } from './facts.js';
import { MIN_SHARED_URLS, type TableCrew } from './crew.js';

export type SiteOf = (url: Uint8Array, start: number, end: number) => string;

/** No known value. */
export const NONE = -1;
/** Longer sketches are replaced by their SHA-256. */
export const MAX_SKETCH_BYTES = 1024;
/** Numbers per row in `places` and in `sizes`. */
export const PLACES = TABLE.PLACE_BYTES / 4;
export const SIZES = TABLE.SIZE_BYTES / 8;

/** Fields at the head of the kernel's table. */
const FIELDS = {
  rows: TABLE.ROWS / 4,
  longestUrl: TABLE.LONGEST / 4,
  places: TABLE.PLACES / 4,
  sizes: TABLE.SIZES / 4,
  sites: TABLE.SITES / 4,
} as const;

/** The frozen table, from which the list is made. */
export interface TableColumns {
  readonly rows: number;
  /** Addresses in the heap. */
  readonly places: Uint32Array;
  readonly sizes: Float64Array;
  readonly sites: Int32Array;
}

export class UrlTable {
  readonly siteNames: string[] = [];
  readonly #kernel = kernel();
  readonly #table: number;
  readonly #fields: Uint32Array;
  readonly #given = new GivenBatch();
  readonly #siteOf: SiteOf;
  readonly #siteNumbers = new Map<string, number>();
  /** The site looked up last: many URLs without a host belong to one site. */
  #latest: { readonly site: string; readonly number: number } | undefined;
  #bytes = u8At(0, 0);
  readonly #crew: TableCrew | undefined;

  /** Only the bits in `hashBits` of the hash of a URL are used. */
  constructor(siteOf: SiteOf, crew?: TableCrew, hashBits = ALL_BITS) {
    this.#siteOf = siteOf;
    this.#crew = crew;
    this.#table = this.#kernel.newTable(hashBits) >>> 0;
    this.#fields = u32At(this.#table, TABLE.PUBLIC_BYTES / 4);
  }

  get rows(): number {
    return this.#fields[FIELDS.rows]!;
  }

  get longestUrl(): number {
    return this.#fields[FIELDS.longestUrl]!;
  }

  /** Sketches that were left out because they are damaged. */
  get damagedSketches(): number {
    return this.#given.damaged;
  }

  /**
   * Folds records from `from` on into the entries of their URLs. Returns the first record that it left out because a
   * new entry would exceed `maxBytes` (the first entry always fits), or the number of records. A `from` other than 0
   * continues the batch of the previous call.
   */
  add(batch: RecordBatch, from: number, maxBytes: number): number {
    if (from === 0) this.#given.take(batch);
    const { bytes, urlStart, urlEnd, size, sketchStart, sketchEnd } = this.#given;
    calls.siteOf = (start, end) => this.#siteNumber(start, end);
    const { rows } = this;
    const args = [bytes, urlStart, urlEnd, size, sketchStart, sketchEnd] as const;
    const record = this.#kernel.addRecords(this.#table, ...args, from, batch.rows, maxBytes);
    // Starts threads early, so that they are ready when needed.
    if (rows < MIN_SHARED_URLS && this.rows >= MIN_SHARED_URLS) this.#crew?.start();
    return record;
  }

  /** Removes all rows; keeps the memory for their numbers. */
  clear(): void {
    this.#kernel.clearTable(this.#table);
    this.siteNames.length = 0;
    this.#siteNumbers.clear();
    this.#latest = undefined;
  }

  /** Frees the hash index: nothing can be added any more. */
  freeze(): TableColumns {
    this.#kernel.freezeTable(this.#table);
    this.#given.close();
    return this.columns();
  }

  /** Frees the rest of a frozen table. */
  drop(): void {
    this.#kernel.dropTable(this.#table);
  }

  /** The current contents of the table. */
  columns(): TableColumns {
    const { rows } = this;
    const [places, sizes, sites] = [FIELDS.places, FIELDS.sizes, FIELDS.sites].map((field) => this.#fields[field]!);
    return {
      rows,
      places: u32At(places!, rows * PLACES),
      sizes: f64At(sizes!, rows * SIZES),
      sites: i32At(sites!, rows),
    };
  }

  /** The whole heap: positions of text are offsets in it. */
  get bytes(): Uint8Array {
    const all = this.#kernel.heapBytes();
    if (all > this.#bytes.length) this.#bytes = u8At(0, all);
    return this.#bytes;
  }

  #siteNumber(start: number, end: number): number {
    const site = this.#siteOf(end > this.#bytes.length ? this.bytes : this.#bytes, start, end);
    if (this.#latest?.site === site) return this.#latest.number;
    let number = this.#siteNumbers.get(site);
    if (number === undefined) {
      number = this.siteNames.push(site) - 1;
      this.#siteNumbers.set(site, number);
    }
    this.#latest = { site, number };
    return number;
  }
}

const ALL_BITS = 0xffffffff;

/**
 * A batch in the heap; columns are addresses. Long sketches are replaced by their digests, and damaged ones left out. A
 * batch outside of the heap is copied:
 *
 *   sizes f64 | urlStart | urlEnd | sketchStart | sketchEnd i32 | bytes | slack that may be read
 */
class GivenBatch {
  bytes = 0;
  urlStart = 0;
  urlEnd = 0;
  size = 0;
  sketchStart = 0;
  sketchEnd = 0;
  /** Sketches that were left out. */
  damaged = 0;
  readonly #labels = new DamagedLabels();
  /** The block that batches are copied to, and its size. */
  #own = 0;
  #room = 0;

  take(batch: RecordBatch): void {
    const { rows } = batch;
    if (batch.block !== null) return this.#look(batch);
    const used = rows === 0 ? 0 : batch.sketchEnd[rows - 1]!;
    this.#reserve(ROW_BYTES * rows + used + SLACK);
    this.size = this.#own;
    this.urlStart = this.size + 8 * rows;
    this.urlEnd = this.urlStart + 4 * rows;
    this.sketchStart = this.urlEnd + 4 * rows;
    this.sketchEnd = this.sketchStart + 4 * rows;
    this.bytes = this.sketchEnd + 4 * rows;
    f64At(this.size, rows).set(batch.size.subarray(0, rows));
    i32At(this.urlStart, rows).set(batch.urlStart.subarray(0, rows));
    i32At(this.urlEnd, rows).set(batch.urlEnd.subarray(0, rows));
    i32At(this.sketchStart, rows).set(batch.sketchStart.subarray(0, rows));
    const sketchEnd = i32At(this.sketchEnd, rows);
    sketchEnd.set(batch.sketchEnd.subarray(0, rows));
    const bytes = u8At(this.bytes, used);
    bytes.set(batch.bytes.subarray(0, used));
    this.#settle(bytes, batch.sketchStart, sketchEnd);
  }

  /** Uses a batch that is in the heap already. */
  #look({ rows, bytes, urlStart, urlEnd, size, sketchStart, sketchEnd }: RecordBatch): void {
    this.bytes = bytes.byteOffset;
    this.urlStart = urlStart.byteOffset;
    this.urlEnd = urlEnd.byteOffset;
    this.size = size.byteOffset;
    this.sketchStart = sketchStart.byteOffset;
    this.sketchEnd = sketchEnd.byteOffset;
    this.#settle(bytes, sketchStart, sketchEnd.subarray(0, rows));
  }

  #settle(bytes: Uint8Array, starts: Int32Array, ends: Int32Array): void {
    for (let row = 0; row < ends.length; row++) {
      const [first, end] = [starts[row]!, ends[row]!];
      if (end === first) continue;
      const start = first + factsBytes(bytes, first, end);
      if (this.#labels.has(bytes, start, end)) {
        this.damaged++;
        ends[row] = start;
      } else if (end - first > MAX_SKETCH_BYTES) ends[row] = digest(bytes, start, end);
    }
  }

  close(): void {
    if (this.#room > 0) giveBack({ byteOffset: this.#own });
    this.#room = 0;
  }

  #reserve(needed: number): void {
    if (needed <= this.#room) return;
    this.close();
    this.#room = 2 * needed;
    this.#own = alloc(this.#room);
  }
}

/** Bytes per row in all columns of a batch. */
const ROW_BYTES = 24;
const SLACK = 16;

/** Replaces a long sketch by its digest, and returns its new end. */
function digest(bytes: Uint8Array, start: number, end: number): number {
  const hash = createHash('sha256').update(bytes.subarray(start, end)).digest();
  bytes.set(hash, start);
  return start + hash.length;
}
