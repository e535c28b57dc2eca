// The instance table IT of Figure 1: pairs of URLs out of one bucket, as rows that sort by their *core*.
//
// The core of a pair (α, β) is what is left when their common first tokens and then their common last tokens are taken
// away. All pairs that two URLs are an instance of, over all their envelopes, have the core of the two URLs themselves
// and differ in how much of the common text around it they take along. So one row holds a whole rectangle of envelopes:
// a tokens to the left of the core, b to the right, and e = a + b in a range too.
//
// Where the common first and last parts of two URLs overlap (the shorter is the longer with something repeated left
// out: a/b/ and a/b/b/) there are several cores, one for each place of the gap: those rows are marked `bordered`, since
// there one pair of URLs may have several envelopes for one (α, β) and must count once (LITERATURE 3.2). Where the gap can
// stand in hundreds of places, as in a crawler trap, most of these envelopes are the same again one gap further on; they
// are folded onto the first of them.
//
// A row:  key = hash of the core, 2 × u32 | from u32 | to u32, so that what belongs together comes in the order of its URLs
//         payload = core offset u32 | core bytes of from u32 | of to u32 | aLow … eHigh 6 × u16 | flags
import { hashBytes, mixed } from '../base/hash.js';
import { readU32, writeU32, type Row, type RowReader } from '../base/spill.js';
import { codePoints } from '../base/bytes.js';
import { fromCollationByte, uncollate } from '../url/token.js';
import type { Box, BucketOptions, BucketVisitor } from './envelope.js';
import type { UrlOrder } from './order.js';
import { Overlap } from './overlap.js';
import { withoutRepeats } from './repeat.js';
import type { SiteUrls } from './site-urls.js';

export const LOW = 1;
export const SIMILAR = 2;
export const BORDERED = 4;

/** Instances with one hash of the core, by `from` and then `to`: a column each. */
export interface Instances {
  readonly count: number;
  /** The URL with the longer core (or, as long, the later one), and the other: pairs are written so that they shrink. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Bytes before the core, the same in both URLs. */
  readonly coreOffset: Int32Array;
  readonly fromBytes: Int32Array;
  readonly toBytes: Int32Array;
  readonly aLow: Int32Array;
  readonly aHigh: Int32Array;
  readonly bLow: Int32Array;
  readonly bHigh: Int32Array;
  readonly eLow: Int32Array;
  readonly eHigh: Int32Array;
  readonly flags: Int32Array;
}

const HASH = 8;
export const KEY = HASH + 8;
export const ROW = KEY + 12 + 12 + 1;

export interface InstanceOptions extends BucketOptions {
  readonly T_low: number;
  readonly similarity: boolean;
}

/** Takes rows of {@link ROW} bytes that sort by their first {@link KEY}. */
export interface RowSink {
  add(bytes: Uint8Array, start: number, end: number, keyLength: number): void;
}

/** Chunks grow up to so many rows: most sites are small. */
const CHUNK_ROWS = 6000;

/** Rows end to end in chunks, to be handed on from time to time. */
export class RowChunks implements RowSink {
  readonly #onFull: () => void;
  #chunk: Uint8Array = new Uint8Array(0);
  #from = 0;
  #used = 0;
  #full: Uint8Array[] = [];
  #rows = 64;

  /** `onFull` is called whenever another chunk can be taken. */
  constructor(onFull: () => void = () => undefined) {
    this.#onFull = onFull;
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    if (this.#used + ROW > this.#chunk.length) {
      if (this.#used > this.#from) this.#full.push(this.#chunk.subarray(this.#from, this.#used));
      this.#from = this.#used;
      this.#onFull();
      this.#rows = Math.min(CHUNK_ROWS, 2 * this.#rows);
      this.#chunk = new Uint8Array(new SharedArrayBuffer(this.#rows * ROW));
      this.#from = this.#used = 0;
    }
    for (let at = start; at < end; at++) this.#chunk[this.#used++] = bytes[at]!;
  }

  /** All rows since the last time. */
  take(): readonly Uint8Array[] {
    const full = this.#full;
    this.#full = [];
    if (this.#used > this.#from) full.push(this.#chunk.subarray(this.#from, this.#used));
    this.#from = this.#used;
    return full;
  }
}

/** The URLs of a row. */
export function fromOf(rows: Uint8Array, at: number): number {
  return readSortable(rows, at + HASH);
}

export function toOf(rows: Uint8Array, at: number): number {
  return readSortable(rows, at + HASH + 4);
}

/** A visitor of buckets that adds the instances in them to the sink. */
export function instanceVisitor(
  urls: SiteUrls,
  order: Pick<UrlOrder, 'tokens'>,
  options: InstanceOptions,
  sink: RowSink,
): BucketVisitor {
  const writer = new InstanceWriter(urls, order, options, sink);
  return withoutRepeats(order, writer.overlap, options, (members, size, box) => writer.addBucket(members, size, box));
}

class InstanceWriter {
  readonly #urls: SiteUrls;
  readonly #order: Pick<UrlOrder, 'tokens'>;
  readonly #options: InstanceOptions;
  readonly #sink: RowSink;
  readonly overlap: Overlap;
  readonly #row = new Uint8Array(ROW);

  constructor(urls: SiteUrls, order: Pick<UrlOrder, 'tokens'>, options: InstanceOptions, sink: RowSink) {
    this.#urls = urls;
    this.#order = order;
    this.#options = options;
    this.#sink = sink;
    this.overlap = new Overlap(urls, order, options.similarity);
  }

  addBucket(members: Int32Array, size: number, box: Readonly<Box>): void {
    for (let x = 1; x < size; x++) for (let y = 0; y < x; y++) this.addPair(members[x]!, members[y]!, size, box);
  }

  addPair(u: number, v: number, size: number, box: Readonly<Box>): void {
    const { tokens } = this.#order;
    const overlap = this.overlap;
    overlap.look(u, v);
    const flags = (size <= this.#options.T_low ? LOW : 0) | (overlap.isSimilar ? SIMILAR : 0);
    if (flags === 0) return;
    const { prefix, prefixBytes, suffix, suffixBytes } = overlap;
    const shorter = Math.min(tokens[u]!, tokens[v]!);
    if (prefix + suffix <= shorter) this.#add(u, v, prefix, prefixBytes, suffix, suffixBytes, box, flags);
    else this.#addBordered(u, v, prefix, prefixBytes, suffix, box, flags | BORDERED);
  }

  /** One row for each place of the gap; that at the right end of the common first part has all envelopes further out. */
  #addBordered(
    u: number,
    v: number,
    prefix: number,
    prefixBytes: number,
    suffix: number,
    box: Box,
    flags: number,
  ): void {
    const { tokens } = this.#order;
    const [short, long] = tokens[u]! < tokens[v]! ? [u, v] : [v, u];
    const shortBytes = this.#urls.lengthOf(short);
    const length = tokens[short]!;
    this.#add(long, short, prefix, prefixBytes, length - prefix, shortBytes - prefixBytes, box, flags);
    // Further to the left, the gap has only envelopes that end right behind it: `last` tokens from the end.
    const leastLast = Math.max(length - prefix + 1, box.jLow, box.dLow - box.iHigh);
    const mostLast = Math.min(suffix, box.jHigh, box.dHigh - box.iLow);
    if (leastLast > mostLast) return;
    // What is common repeats, from the leftmost place of the gap on, with the length of the gap or a part of it.
    const period = this.overlap.period(u, v);
    const folds = length - suffix + period;
    for (let last = leastLast; last <= mostLast; last++) {
      const least = Math.max(box.iLow, box.dLow - last);
      const most = Math.min(box.iHigh, box.dHigh - last, length - last);
      if (least < folds) this.#addPlace(long, short, last, least, Math.min(most, folds - 1), flags);
      for (let first = Math.max(least, folds); first <= most; first++) {
        const shift = Math.floor((first - folds) / period + 1) * period;
        if (this.overlap.wasSeen(long, short, first - shift, length - first - last, flags)) continue;
        this.#addPlace(long, short, last + shift, first - shift, first - shift, flags);
      }
    }
  }

  /** A row for the envelopes of `least` to `most` first and `last` last tokens, with the gap right before the last part. */
  #addPlace(long: number, short: number, last: number, least: number, most: number, flags: number): void {
    const place = this.#order.tokens[short]! - last;
    if (least > Math.min(most, place)) return;
    const offset = this.overlap.offsets.of(short)[place - 1]!;
    const box = { iLow: least, iHigh: most, jLow: last, jHigh: last, dLow: least + last, dHigh: most + last };
    this.#add(long, short, place, offset, last, this.#urls.lengthOf(short) - offset, box, flags);
  }

  /** A row for the envelopes of the box around the core that starts after `prefix` tokens and ends before `suffix`. */
  #add(
    u: number,
    v: number,
    prefix: number,
    prefixBytes: number,
    suffix: number,
    suffixBytes: number,
    box: Readonly<Box>,
    flags: number,
  ): void {
    const iHigh = Math.min(box.iHigh, prefix);
    const jHigh = Math.min(box.jHigh, suffix);
    if (iHigh < box.iLow || jHigh < box.jLow || iHigh + jHigh < box.dLow) return;
    const { bytes } = this.#urls;
    const uStart = this.#urls.at(u);
    const vStart = this.#urls.at(v);
    const uCore = uStart + prefixBytes;
    const vCore = vStart + prefixBytes;
    const uCoreEnd = uStart + this.#urls.lengthOf(u) - suffixBytes;
    const vCoreEnd = vStart + this.#urls.lengthOf(v) - suffixBytes;
    const shrinks = isLonger(bytes, uCore, uCoreEnd, vCore, vCoreEnd);
    const [from, to] = shrinks ? [u, v] : [v, u];
    const fromCore = shrinks ? uCore : vCore;
    const toCore = shrinks ? vCore : uCore;
    const fromBytes = shrinks ? uCoreEnd - uCore : vCoreEnd - vCore;
    const toBytes = shrinks ? vCoreEnd - vCore : uCoreEnd - uCore;
    const row = this.#row;
    const hash = hashBytes(bytes, fromCore, fromCore + fromBytes);
    writeU32(row, 0, hashBytes(bytes, toCore, toCore + toBytes, hash));
    writeU32(row, 4, hashBytes(bytes, toCore, toCore + toBytes, mixed(hash ^ 0x5bd1e995)));
    writeSortable(row, 8, from);
    writeSortable(row, 12, to);
    writeU32(row, 16, prefixBytes);
    writeU32(row, 20, fromBytes);
    writeU32(row, 24, toBytes);
    writeU16(row, 28, prefix - iHigh);
    writeU16(row, 30, prefix - box.iLow);
    writeU16(row, 32, suffix - jHigh);
    writeU16(row, 34, suffix - box.jLow);
    writeU16(row, 36, Math.max(0, prefix + suffix - box.dHigh));
    writeU16(row, 38, prefix + suffix - box.dLow);
    row[40] = flags;
    this.#sink.add(row, 0, ROW, KEY);
  }
}

/** SPEC 1, *shrinks*: longer in code points, or as long and later in code-point order. Collation bytes in. */
function isLonger(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): boolean {
  const difference = codePointsOf(bytes, a, aEnd) - codePointsOf(bytes, b, bEnd);
  if (difference !== 0) return difference > 0;
  for (; a < aEnd && b < bEnd; a++, b++) {
    if (bytes[a] !== bytes[b]) return fromCollationByte(bytes[a]!) > fromCollationByte(bytes[b]!);
  }
  return aEnd - a > bEnd - b;
}

function codePointsOf(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (fromCollationByte(bytes[at]!) >= 0x80) return codePoints(uncollate(bytes, start, end));
  }
  return end - start;
}

/** Big endian, so that byte order is the order of the numbers. */
function writeSortable(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

function readSortable(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

function writeU16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
}

function readU16(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

/** Rows taken apart into columns that grow as they have to. */
export class InstanceColumns {
  #columns = Array.from({ length: 12 }, () => new Int32Array(64));

  /** Takes the row at `at` as the one of that index. */
  set(index: number, bytes: Uint8Array, at: number): void {
    if (index >= this.#columns[0]!.length) this.#widen();
    const columns = this.#columns;
    columns[0]![index] = fromOf(bytes, at);
    columns[1]![index] = toOf(bytes, at);
    for (let k = 0; k < 3; k++) columns[2 + k]![index] = readU32(bytes, at + KEY + 4 * k);
    for (let k = 0; k < 6; k++) columns[5 + k]![index] = readU16(bytes, at + KEY + 12 + 2 * k);
    columns[11]![index] = bytes[at + KEY + 24]!;
  }

  /** The first `count` instances. */
  first(count: number): Instances {
    const [from, to, coreOffset, fromBytes, toBytes, aLow, aHigh, bLow, bHigh, eLow, eHigh, flags] = this
      .#columns as unknown as Twelve;
    return { count, from, to, coreOffset, fromBytes, toBytes, aLow, aHigh, bLow, bHigh, eLow, eHigh, flags };
  }

  #widen(): void {
    this.#columns = this.#columns.map((column) => {
      const wider = new Int32Array(column.length * 2);
      wider.set(column);
      return wider;
    });
  }
}

type Column = Int32Array;
type Twelve = [Column, Column, Column, Column, Column, Column, Column, Column, Column, Column, Column, Column];

/** Reads sorted rows group by group: instances whose cores have one hash. */
export class InstanceReader {
  readonly #rows: RowReader;
  readonly #hash = new Uint8Array(HASH);
  readonly #columns = new InstanceColumns();
  #row: Row | undefined;

  constructor(rows: RowReader) {
    this.#rows = rows;
    this.#row = rows.next();
  }

  /** The next group, in columns that are reused, or undefined after the last. */
  next(): Instances | undefined {
    if (this.#row === undefined) return undefined;
    for (let k = 0; k < HASH; k++) this.#hash[k] = this.#row.bytes[this.#row.keyStart + k]!;
    let count = 0;
    for (; this.#row !== undefined && this.#hasHash(this.#row); this.#row = this.#rows.next()) {
      this.#columns.set(count++, this.#row.bytes, this.#row.keyStart);
    }
    return this.#columns.first(count);
  }

  #hasHash(row: Row): boolean {
    for (let k = 0; k < HASH; k++) if (row.bytes[row.keyStart + k] !== this.#hash[k]) return false;
    return true;
  }

  close(): void {
    this.#rows.close();
  }
}
