// The URL list of the paper (§5.1): the distinct URLs, each with hits, size range and sketch, site by site.
//
// Records are folded into a hash table of URLs; when the table outgrows its share it goes, sorted by (site, URL), to disk
// as a run. Merging the runs gives the sites one after another, each with its URLs in collation order.
//
// A row of the sort:   key = site | 0x00 | URL in collation bytes      payload = hits f64 | min f64 | max f64 | sketch
import { createHash } from 'node:crypto';
import { decodeText } from '../base/bytes.js';
import { hashBytes, sameBytes } from '../base/hash.js';
import { grown, SpillSorter, type Row, type RowReader, type SpillOptions, type SpillStats } from '../base/spill.js';
import type { RecordBatch } from '../log/record.js';
import { collate } from '../url/token.js';
import { pageBytesFor, SiteUrls } from './site-urls.js';

export type SiteOf = (url: Uint8Array, start: number, end: number) => string;

const NONE = -1;
const PAYLOAD = 24;
/** Of the hash table: five columns of 4 bytes, three of 8. */
const ROW_BYTES = 44;
/** Longer sketches are kept as their SHA-256. */
const MAX_SKETCH_BYTES = 1024;

/** Build (`add`), then freeze and read (`finish`). */
export class UrlListBuilder {
  readonly #siteOf: SiteOf;
  readonly #sorter: SpillSorter;
  readonly #maxBytes: number;
  readonly #tmpdir: string;
  readonly #stats: SpillStats;
  #longestUrl = 0;
  #bytes: Uint8Array = new Uint8Array(1 << 12);
  #used = 0;
  #rows = 0;
  #start = new Int32Array(16);
  #urlEnd = new Int32Array(16);
  #sketchStart = new Int32Array(16);
  #sketchEnd = new Int32Array(16);
  #hash = new Int32Array(16);
  #hits = new Float64Array(16);
  #min = new Float64Array(16);
  #max = new Float64Array(16);
  #slots = new Int32Array(32).fill(NONE);

  constructor(siteOf: SiteOf, options: SpillOptions, stats: SpillStats) {
    this.#siteOf = siteOf;
    // Half for the hash table, half for sorting and merging what left it.
    this.#maxBytes = options.memoryBytes / 2;
    this.#tmpdir = options.tmpdir;
    this.#stats = stats;
    this.#sorter = new SpillSorter({ ...options, memoryBytes: options.memoryBytes / 2 }, stats);
  }

  add(batch: RecordBatch): void {
    for (let row = 0; row < batch.rows; row++) this.#addRecord(batch, row);
  }

  finish(): SiteReader {
    this.#flush();
    this.#drop();
    const memoryBytes = this.#maxBytes;
    const pageBytes = pageBytesFor(this.#longestUrl, MAX_SKETCH_BYTES, memoryBytes);
    return new SiteReader(
      this.#sorter.finish(),
      new SiteUrls({ memoryBytes, tmpdir: this.#tmpdir, pageBytes, stats: this.#stats }),
    );
  }

  #drop(): void {
    this.#bytes = new Uint8Array(0);
    this.#slots = this.#start = this.#urlEnd = this.#sketchStart = this.#sketchEnd = this.#hash = new Int32Array(0);
    this.#hits = this.#min = this.#max = new Float64Array(0);
  }

  #addRecord(batch: RecordBatch, row: number): void {
    const { bytes, urlStart, urlEnd, size, sketchStart, sketchEnd } = batch;
    const url = this.#entry(bytes, urlStart[row]!, urlEnd[row]!);
    this.#hits[url]!++;
    const bytesSent = size[row]!;
    if (bytesSent >= 0) {
      if (this.#min[url]! < 0 || bytesSent < this.#min[url]!) this.#min[url] = bytesSent;
      if (bytesSent > this.#max[url]!) this.#max[url] = bytesSent;
    }
    if (sketchEnd[row]! > sketchStart[row]!) this.#setSketch(url, bytes, sketchStart[row]!, sketchEnd[row]!);
  }

  /** The entry of a URL, made if new. The table is flushed first where a new one would not fit. */
  #entry(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    let slot = this.#slot(bytes, start, end, hash);
    if (this.#slots[slot]! !== NONE) return this.#slots[slot]!;
    if (this.#footprint(end - start) > this.#maxBytes && this.#rows > 0) {
      this.#flush();
      slot = this.#slot(bytes, start, end, hash);
    }
    const row = this.#rows++;
    if (row === this.#hash.length) this.#widen();
    this.#slots[slot] = row;
    this.#hash[row] = hash;
    this.#start[row] = this.#append(bytes, start, end);
    this.#urlEnd[row] = this.#used;
    if (end - start > this.#longestUrl) this.#longestUrl = end - start;
    this.#sketchStart[row] = this.#sketchEnd[row] = 0;
    this.#hits[row] = 0;
    this.#min[row] = this.#max[row] = NONE;
    if (this.#rows * 2 > this.#slots.length) this.#rehash();
    return row;
  }

  #slot(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]!;
      if (row === NONE) return slot;
      if (this.#hash[row] !== hash || this.#urlEnd[row]! - this.#start[row]! !== end - start) continue;
      if (sameBytes(this.#bytes, this.#start[row]!, bytes, start, end - start)) return slot;
    }
  }

  #setSketch(row: number, bytes: Uint8Array, start: number, end: number): void {
    if (end - start > MAX_SKETCH_BYTES) {
      const digest = createHash('sha256').update(bytes.subarray(start, end)).digest();
      return this.#setSketch(row, digest, 0, digest.length);
    }
    const old = this.#sketchStart[row]!;
    const length = end - start;
    if (this.#sketchEnd[row]! - old === length && sameBytes(this.#bytes, old, bytes, start, length)) return;
    this.#sketchStart[row] = this.#append(bytes, start, end);
    this.#sketchEnd[row] = this.#used;
  }

  #append(bytes: Uint8Array, start: number, end: number): number {
    const at = this.#used;
    const length = end - start;
    if (at + length > this.#bytes.length) this.#bytes = grown(this.#bytes, at, Math.max(at + length, 2 * at));
    for (let k = 0; k < length; k++) this.#bytes[at + k] = bytes[start + k]!;
    this.#used += length;
    return at;
  }

  /** Bytes held, were one more URL of `length` bytes added, with what doubles for it: text, eight columns, slots. */
  #footprint(length: number): number {
    const text = this.#used + length > this.#bytes.length ? 2 * this.#bytes.length : this.#bytes.length;
    const rows = this.#rows + 1 > this.#hash.length ? 2 * this.#hash.length : this.#hash.length;
    const slots = 2 * (this.#rows + 1) > this.#slots.length ? 2 * this.#slots.length : this.#slots.length;
    return text + rows * ROW_BYTES + slots * 4;
  }

  #widen(): void {
    const length = this.#rows * 2;
    this.#start = widerInts(this.#start, length);
    this.#urlEnd = widerInts(this.#urlEnd, length);
    this.#sketchStart = widerInts(this.#sketchStart, length);
    this.#sketchEnd = widerInts(this.#sketchEnd, length);
    this.#hash = widerInts(this.#hash, length);
    this.#hits = widerFloats(this.#hits, length);
    this.#min = widerFloats(this.#min, length);
    this.#max = widerFloats(this.#max, length);
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(NONE);
    const mask = this.#slots.length - 1;
    for (let row = 0; row < this.#rows; row++) {
      let slot = this.#hash[row]! & mask;
      while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.#slots[slot] = row;
    }
  }

  #flush(): void {
    let line = new Uint8Array(4096);
    const numbers = new Float64Array(3);
    const numberBytes = new Uint8Array(numbers.buffer);
    for (let row = 0; row < this.#rows; row++) {
      const start = this.#start[row]!;
      const end = this.#urlEnd[row]!;
      const site = Buffer.from(this.#siteOf(this.#bytes, start, end), 'utf8');
      const keyLength = site.length + 1 + end - start;
      const sketch = this.#bytes.subarray(this.#sketchStart[row]!, this.#sketchEnd[row]!);
      const length = keyLength + PAYLOAD + sketch.length;
      if (length > line.length) line = new Uint8Array(length * 2);
      line.set(site);
      line[site.length] = 0;
      line.set(this.#bytes.subarray(start, end), site.length + 1);
      collate(line, site.length + 1, keyLength);
      numbers[0] = this.#hits[row]!;
      numbers[1] = this.#min[row]!;
      numbers[2] = this.#max[row]!;
      line.set(numberBytes, keyLength);
      line.set(sketch, keyLength + PAYLOAD);
      this.#sorter.add(line, 0, length, keyLength);
    }
    this.#rows = 0;
    this.#used = 0;
    this.#slots.fill(NONE);
  }
}

/** Reads the merged rows site by site, into a list that is used again for the next site. */
export class SiteReader {
  readonly #rows: RowReader;
  readonly #urls: SiteUrls;
  readonly #url = new PendingUrl();
  #row: Row | undefined;

  constructor(rows: RowReader, urls: SiteUrls) {
    this.#rows = rows;
    this.#urls = urls;
    this.#row = rows.next();
  }

  /** The URL list of the next site in byte order of the site names, or undefined after the last. */
  next(): SiteUrls | undefined {
    if (this.#row === undefined) return undefined;
    const first = this.#row;
    const site = first.bytes.slice(first.keyStart, first.bytes.indexOf(0, first.keyStart));
    this.#urls.clear(decodeText(site));
    for (; this.#row !== undefined && hasSite(this.#row, site); this.#row = this.#rows.next()) {
      const urlAt = this.#row.keyStart + site.length + 1;
      if (!this.#url.isUrl(this.#row, urlAt)) {
        this.#url.addTo(this.#urls);
        this.#url.begin(this.#row, urlAt);
      }
      this.#url.fold(this.#row);
    }
    this.#url.addTo(this.#urls);
    return this.#urls.freeze();
  }

  close(): void {
    this.#urls.close();
    this.#rows.close();
  }
}

function hasSite(row: Row, site: Uint8Array): boolean {
  const { bytes, keyStart } = row;
  return bytes[keyStart + site.length] === 0 && sameBytes(bytes, keyStart, site, 0, site.length);
}

/** One URL while the rows of it, from several runs, are joined in the order they came. */
class PendingUrl {
  #isOpen = false;
  #url: Uint8Array = new Uint8Array(0);
  #sketch: Uint8Array = new Uint8Array(0);
  #hits = 0;
  #min = NONE;
  #max = NONE;
  readonly #numbers = new Float64Array(3);
  readonly #numberBytes = new Uint8Array(this.#numbers.buffer);

  isUrl({ bytes, keyEnd }: Row, urlAt: number): boolean {
    const length = keyEnd - urlAt;
    return this.#isOpen && this.#url.length === length && sameBytes(this.#url, 0, bytes, urlAt, length);
  }

  begin({ bytes, keyEnd }: Row, urlAt: number): void {
    this.#isOpen = true;
    this.#url = bytes.slice(urlAt, keyEnd);
    this.#sketch = new Uint8Array(0);
    this.#hits = 0;
    this.#min = this.#max = NONE;
  }

  fold({ bytes, keyEnd, end }: Row): void {
    for (let k = 0; k < PAYLOAD; k++) this.#numberBytes[k] = bytes[keyEnd + k]!;
    const [hits, min, max] = this.#numbers as unknown as [number, number, number];
    this.#hits += hits;
    if (min >= 0 && (this.#min < 0 || min < this.#min)) this.#min = min;
    if (max > this.#max) this.#max = max;
    if (end > keyEnd + PAYLOAD) this.#sketch = bytes.slice(keyEnd + PAYLOAD, end);
  }

  addTo(urls: SiteUrls): void {
    if (this.#isOpen) urls.add(this.#url, this.#hits, this.#min, this.#max, this.#sketch);
    this.#isOpen = false;
  }
}

function widerInts(column: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(length);
  wider.set(column);
  return wider;
}

function widerFloats(column: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(length);
  wider.set(column);
  return wider;
}
