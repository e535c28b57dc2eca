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
// A row, nine words:   hash of the core 2 | from | to | core offset u16, flags u16 | core bytes of from u16, of to u16
//                      | aLow u16, aHigh u16 | bLow, bHigh | eLow, eHigh
// The first four are the key, so that what belongs together comes in the order of its URLs.
import { alloc, i32At, u8At } from '../base/heap.js';
import { hashBytes, mixed } from '../base/hash.js';
import { codePoints } from '../base/bytes.js';
import { fromCollationByte, uncollate } from '../url/token.js';
import type { Box, BucketOptions, BucketVisitor } from './envelope.js';
import type { UrlOrder } from './order.js';
import { Overlap } from './overlap.js';
import { withoutRepeats } from './repeat.js';
import { BORDERED, LOW, SIMILAR } from './shape.js';
import type { SiteUrls } from './site-urls.js';

/** Words of a row. */
export const WORD = { hash: 0, more: 1, from: 2, to: 3, place: 4, lengths: 5, a: 6, b: 7, e: 8 } as const;
export const WORDS = 9;
/** Bytes of a row, of its key, and of the hash that the key begins with. */
export const ROW = 4 * WORDS;
export const KEY = 16;
export const HASH = 8;

export interface InstanceOptions extends BucketOptions {
  readonly T_low: number;
  readonly similarity: boolean;
}

/** Takes rows of {@link WORDS} words, which are the caller's again after that. */
export interface RowSink {
  add(row: Int32Array): void;
}

/** Chunks grow up to so many rows: most sites are small. */
const CHUNK_ROWS = 6000;

const nothing = new Int32Array(0) as Int32Array<ArrayBufferLike>;

/** Rows end to end in blocks of the heap, to be handed on from time to time: they are the taker's then. */
export class RowChunks implements RowSink {
  readonly #onFull: () => void;
  #chunk = nothing;
  #used = 0;
  #full: Uint8Array[] = [];
  #rows = 64;

  /** `onFull` is called whenever another chunk can be taken. */
  constructor(onFull: () => void = () => undefined) {
    this.#onFull = onFull;
  }

  add(row: Int32Array): void {
    if (this.#used === this.#chunk.length) this.#open();
    const chunk = this.#chunk;
    const at = this.#used;
    for (let k = 0; k < WORDS; k++) chunk[at + k] = row[k]!;
    this.#used = at + WORDS;
  }

  #open(): void {
    this.#close();
    this.#onFull();
    this.#rows = Math.min(CHUNK_ROWS, 2 * this.#rows);
    this.#chunk = i32At(alloc(this.#rows * ROW), this.#rows * WORDS);
  }

  #close(): void {
    if (this.#used > 0) this.#full.push(u8At(this.#chunk.byteOffset, 4 * this.#used));
    this.#chunk = nothing;
    this.#used = 0;
  }

  /** All rows since the last time. */
  take(): readonly Uint8Array[] {
    this.#close();
    const full = this.#full;
    this.#full = [];
    this.#rows = 64;
    return full;
  }
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
  readonly #row = new Int32Array(WORDS);

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
    row[WORD.hash] = hashBytes(bytes, toCore, toCore + toBytes, hash);
    row[WORD.more] = hashBytes(bytes, toCore, toCore + toBytes, mixed(hash ^ 0x5bd1e995));
    row[WORD.from] = sortable(from);
    row[WORD.to] = sortable(to);
    row[WORD.place] = packed(prefixBytes, flags);
    row[WORD.lengths] = packed(fromBytes, toBytes);
    row[WORD.a] = packed(prefix - iHigh, prefix - box.iLow);
    row[WORD.b] = packed(suffix - jHigh, suffix - box.jLow);
    row[WORD.e] = packed(Math.max(0, prefix + suffix - box.dHigh), prefix + suffix - box.dLow);
    this.#sink.add(row);
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

/** Two numbers of 16 bits: URLs, and so all that is counted in them, are shorter (MAX_URL_BYTES). */
function packed(low: number, high: number): number {
  return low | (high << 16);
}

/** A word whose bytes in memory are big endian, so that they sort as the numbers do. Words are little endian where Node runs. */
export function sortable(value: number): number {
  return (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
}

/** The number in such a word. */
export function readSortable(word: number): number {
  return sortable(word) >>> 0;
}
