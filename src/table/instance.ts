// The instance table IT of Figure 1: pairs of URLs out of one bucket, as rows that sort by their *core*.
//
// The core of a pair (α, β) is what is left when their common first tokens and then their common last tokens are taken
// away. All pairs that two URLs are an instance of, over all their envelopes, have the core of the two URLs themselves
// and differ in how much of the common text around it they take along. So one row holds a whole rectangle of envelopes:
// a tokens to the left of the core, b to the right, and e = a + b in a range too.
//
// Where the common first and last parts of two URLs overlap (the shorter is the longer with something repeated left
// out: a/b/ and a/b/b/) there are several cores, one for each place of the gap: those rows are marked `bordered`, since
// there one pair of URLs may have several envelopes for one (α, β) and must count once (LITERATURE 3.2).
//
// A row:  key = hash of the core, 2 × u32 | from u32 | to u32, so that what belongs together comes in the order of its URLs
//         payload = core offset u32 | core bytes of from u32 | of to u32 | aLow … eHigh 6 × u16 | flags
import { hashBytes, mixed } from '../base/hash.js';
import { readU32, writeU32, type Row, type RowReader, type SpillSorter } from '../base/spill.js';
import { codePoints } from '../base/bytes.js';
import { FIRST_RUN_BYTE, fromCollationByte, uncollate } from '../url/token.js';
import type { Box, BucketVisitor } from './envelope.js';
import { countTokens, sharedPrefix, sharedSuffix, type UrlOrder } from './order.js';
import { isSimilar } from './similar.js';
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
const KEY = HASH + 8;
const ROW = KEY + 12 + 12 + 1;

export interface InstanceOptions {
  readonly T_low: number;
  readonly similarity: boolean;
}

/** A visitor of buckets that adds the instances in them to the sorter. */
export function instanceVisitor(
  urls: SiteUrls,
  order: UrlOrder,
  options: InstanceOptions,
  sorter: SpillSorter,
): BucketVisitor {
  const writer = new InstanceWriter(urls, order, options, sorter);
  return (members, size, box) => {
    for (let x = 1; x < size; x++) for (let y = 0; y < x; y++) writer.addPair(members[x]!, members[y]!, size, box);
  };
}

class InstanceWriter {
  readonly #urls: SiteUrls;
  readonly #order: UrlOrder;
  readonly #options: InstanceOptions;
  readonly #sorter: SpillSorter;
  readonly #offsets: TokenOffsets;
  readonly #row = new Uint8Array(ROW);

  constructor(urls: SiteUrls, order: UrlOrder, options: InstanceOptions, sorter: SpillSorter) {
    this.#urls = urls;
    this.#order = order;
    this.#options = options;
    this.#sorter = sorter;
    this.#offsets = new TokenOffsets(urls, order);
  }

  addPair(u: number, v: number, size: number, box: Readonly<Box>): void {
    const { bytes } = this.#urls;
    const { tokens } = this.#order;
    const uStart = this.#urls.at(u);
    const uEnd = uStart + this.#urls.lengthOf(u);
    const vStart = this.#urls.at(v);
    const vEnd = vStart + this.#urls.lengthOf(v);
    const prefixBytes = sharedPrefix(bytes, uStart, uEnd, vStart, vEnd);
    const suffixBytes = sharedSuffix(bytes, uStart, uEnd, vStart, vEnd);
    const prefix = countTokens(bytes, uStart, uStart + prefixBytes) + 1;
    const suffix = countTokens(bytes, uEnd - suffixBytes, uEnd) + 1;
    const shorter = Math.min(tokens[u]!, tokens[v]!);
    let flags = size <= this.#options.T_low ? LOW : 0;
    if (!this.#options.similarity || isSimilar(this.#urls, u, v)) flags |= SIMILAR;
    if (flags === 0) return;
    if (prefix + suffix <= shorter) this.#add(u, v, prefix, prefixBytes, suffix, suffixBytes, box, flags);
    else this.#addBordered(u, v, prefix, prefixBytes, suffix, box, flags);
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
    const marked = flags | BORDERED;
    this.#add(long, short, prefix, prefixBytes, length - prefix, shortBytes - prefixBytes, box, marked);
    // Further to the left, the gap has only envelopes that end right behind it: `last` tokens from the end.
    const leastLast = Math.max(length - prefix + 1, box.jLow, box.dLow - box.iHigh);
    const mostLast = Math.min(suffix, box.jHigh, box.dHigh - box.iLow);
    if (leastLast > mostLast) return;
    const offsets = this.#offsets.of(short);
    for (let last = leastLast; last <= mostLast; last++) {
      const place = length - last;
      const offset = offsets[place - 1]!;
      this.#add(long, short, place, offset, last, shortBytes - offset, { ...box, jLow: last, jHigh: last }, marked);
    }
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
    this.#sorter.add(row, 0, ROW, KEY);
  }
}

/** Offsets in bytes at which the tokens of a URL start, kept for the URLs asked for last. */
class TokenOffsets {
  readonly #urls: SiteUrls;
  readonly #order: UrlOrder;
  readonly #rows = new Int32Array(64).fill(-1);
  readonly #offsets: Int32Array[] = [];

  constructor(urls: SiteUrls, order: UrlOrder) {
    this.#urls = urls;
    this.#order = order;
  }

  of(row: number): Int32Array {
    const slot = row % this.#rows.length;
    if (this.#rows[slot] !== row) {
      this.#rows[slot] = row;
      this.#offsets[slot] = this.#find(row);
    }
    return this.#offsets[slot]!;
  }

  #find(row: number): Int32Array {
    const { bytes } = this.#urls;
    // START and END have no bytes: m tokens, and the end of the last.
    const offsets = new Int32Array(this.#order.tokens[row]! - 1);
    const first = this.#urls.at(row);
    const end = first + this.#urls.lengthOf(row);
    let token = 0;
    for (let at = first; at < end; at++) {
      const insideRun = at > first && bytes[at]! >= FIRST_RUN_BYTE && bytes[at - 1]! >= FIRST_RUN_BYTE;
      if (!insideRun) offsets[token++] = at - first;
    }
    offsets[token] = end - first;
    return offsets;
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

/** Reads sorted rows group by group: instances whose cores have one hash. */
export class InstanceReader {
  readonly #rows: RowReader;
  readonly #hash = new Uint8Array(HASH);
  #row: Row | undefined;
  #columns = Array.from({ length: 12 }, () => new Int32Array(64));

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
      if (count === this.#columns[0]!.length) this.#widen();
      this.#decode(this.#row.bytes, this.#row.keyStart, count++);
    }
    const [from, to, coreOffset, fromBytes, toBytes, aLow, aHigh, bLow, bHigh, eLow, eHigh, flags] = this
      .#columns as unknown as Twelve;
    return { count, from, to, coreOffset, fromBytes, toBytes, aLow, aHigh, bLow, bHigh, eLow, eHigh, flags };
  }

  #hasHash(row: Row): boolean {
    for (let k = 0; k < HASH; k++) if (row.bytes[row.keyStart + k] !== this.#hash[k]) return false;
    return true;
  }

  #decode(bytes: Uint8Array, at: number, index: number): void {
    const columns = this.#columns;
    columns[0]![index] = readSortable(bytes, at + HASH);
    columns[1]![index] = readSortable(bytes, at + HASH + 4);
    for (let k = 0; k < 3; k++) columns[2 + k]![index] = readU32(bytes, at + KEY + 4 * k);
    for (let k = 0; k < 6; k++) columns[5 + k]![index] = readU16(bytes, at + KEY + 12 + 2 * k);
    columns[11]![index] = bytes[at + KEY + 24]!;
  }

  #widen(): void {
    this.#columns = this.#columns.map((column) => {
      const wider = new Int32Array(column.length * 2);
      wider.set(column);
      return wider;
    });
  }

  close(): void {
    this.#rows.close();
  }
}

type Column = Int32Array;
type Twelve = [Column, Column, Column, Column, Column, Column, Column, Column, Column, Column, Column, Column];
