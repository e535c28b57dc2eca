// The hash table of distinct URLs, while records come in: open addressing, text in blocks that never move, and numbers
// that are used together side by side.
//
//   slots     | row | hash | row | hash | … 4 bytes each, found by the hash
//   block     | the block before | URL, from a multiple of 8 on | sketch | URL | URL | …
//   columns   places, sizes and sites: see layout/url-table
//
// With a million URLs nearly every look-up misses the cache three times in a row: slot, place, bytes. So some hundred
// records are prefetched at a time, first all slots, then all places, then all bytes: the misses of different records
// overlap, and folding them in hits the cache.
import { HAS_CHANGED, WAS_SEEN_AGAIN } from '../layout/facts';
import {
  LONGEST,
  PLACE_BYTES,
  PLACES,
  PUBLIC_BYTES,
  ROWS,
  SITE_BYTES,
  SITES,
  SIZE_BYTES,
  SIZES,
} from '../layout/url-table';
import { alloc, free, moved } from '../memory/heap';
import { clearHeads, closeHeads, HEADS_BYTES, openHeads, siteNumber } from './heads';
import { Place, placeIn, Sizes, sizesIn, UNKNOWN_SIZE } from './place';
import { factsBytes, historyOf, isPage, noteHistory, timeOrder } from './facts';
import { firstBytes } from '../text/collation';
import { mixed } from '../text/text';

// A table: 4-byte numbers, after those that JavaScript reads.

/** Capacity of the columns in rows. */
const CAPACITY: usize = PUBLIC_BYTES;
const SLOTS: usize = 24;
const SLOT_COUNT: usize = 28;
/** The last block of text, where the next URL goes in it, its end, and the bytes of all blocks. */
const BLOCK: usize = 32;
const AT: usize = 36;
const END: usize = 40;
const TEXT_BYTES: usize = 44;
/** The mask for the hash. */
const HASH_BITS: usize = 48;
const HEADS: usize = 52;
/** Of the prefetched records: the hashes, then the rows they may belong to. */
const HASHES: usize = HEADS + HEADS_BYTES;
/** Records that are prefetched at a time: what they touch fits into the L1 and L2 caches. */
const AHEAD: i32 = 256;
const CANDIDATES: usize = HASHES + <usize>AHEAD * 4;
const TABLE_BYTES: usize = CANDIDATES + <usize>AHEAD * 4;

const FIRST_ROWS: u32 = 16;
const FIRST_SLOTS: u32 = 32;
const NONE: i32 = -1;

/** A slot: its row, and the hash. No record, as the compiler then no longer inlines `touch` and `entry`. */
const SLOT: usize = 8;
const HASH: usize = 4;

const BLOCK_HEAD: usize = 16;
/** A new block is as large as all blocks before it together, within these limits. */
const FIRST_BLOCK: usize = 1 << 12;
const MOST_BLOCK: usize = 1 << 20;
/** Text is read eight bytes at a time, past its end. */
export const SLACK: usize = 8;

/** An empty table. Only the bits of the hash that are set in `bits` are used. */
export function newTable(bits: u32): usize {
  const table = alloc(TABLE_BYTES);
  memory.fill(table, 0, TABLE_BYTES);
  store<u32>(table, bits, HASH_BITS);
  store<u32>(table, FIRST_ROWS, CAPACITY);
  store<u32>(table, <u32>alloc(<usize>FIRST_ROWS * PLACE_BYTES), PLACES);
  store<u32>(table, <u32>alloc(<usize>FIRST_ROWS * SIZE_BYTES), SIZES);
  store<u32>(table, <u32>alloc(<usize>FIRST_ROWS * SITE_BYTES), SITES);
  setSlots(table, FIRST_SLOTS);
  openHeads(table + HEADS);
  return table;
}

/** Removes all rows; keeps the memory for their numbers. */
export function clearTable(table: usize): void {
  freeText(table);
  store<i32>(table, 0, ROWS);
  memory.fill(<usize>load<u32>(table, SLOTS), 0xff, <usize>load<u32>(table, SLOT_COUNT) * SLOT);
  clearHeads(table + HEADS);
}

/** Frees the hash index: nothing can be added any more. */
export function freezeTable(table: usize): void {
  free(load<u32>(table, SLOTS));
  store<u32>(table, 0, SLOTS);
  closeHeads(table + HEADS);
}

/** Frees the rest of a frozen table. */
export function dropTable(table: usize): void {
  freeText(table);
  free(load<u32>(table, PLACES));
  free(load<u32>(table, SIZES));
  free(load<u32>(table, SITES));
  free(table);
}

function freeText(table: usize): void {
  for (let block = <usize>load<u32>(table, BLOCK); block != 0;) {
    const before = <usize>load<u32>(block);
    free(block);
    block = before;
  }
  store<u32>(table, 0, BLOCK);
  store<u32>(table, 0, AT);
  store<u32>(table, 0, END);
  store<u32>(table, 0, TEXT_BYTES);
}

function setSlots(table: usize, count: u32): void {
  const bytes = <usize>count * SLOT;
  const slots = alloc(bytes);
  memory.fill(slots, 0xff, bytes);
  store<u32>(table, <u32>slots, SLOTS);
  store<u32>(table, count, SLOT_COUNT);
}

/**
 * Folds the records [from, to) of a batch into the entries of their URLs. The other parameters are the addresses of
 * the batch's columns, whose offsets are relative to `bytes`. Returns the first record that it left out because a new
 * entry would not fit `maxBytes` (the first entry always fits), or `to`.
 */
export function addRecords(
  table: usize,
  bytes: usize,
  urlStart: usize,
  urlEnd: usize,
  size: usize,
  sketchStart: usize,
  sketchEnd: usize,
  from: i32,
  to: i32,
  maxBytes: f64,
): i32 {
  for (let first = from; first < to; first += AHEAD) {
    const end = min(first + AHEAD, to);
    touch(table, bytes, urlStart, urlEnd, first, end);
    for (let record = first; record < end; record++) {
      const at = (<usize>record) << 2;
      const start = bytes + <usize>load<u32>(urlStart + at);
      const hash = load<u32>(table + ((<usize>(record - first)) << 2), HASHES);
      const row = entry(table, start, bytes + <usize>load<u32>(urlEnd + at), hash, maxBytes);
      if (row == NONE) return record;
      const sizes = sizesIn(<usize>load<u32>(table, SIZES), row);
      sizes.hits += 1;
      const sketch = bytes + <usize>load<u32>(sketchStart + at);
      const sketchLength = bytes + <usize>load<u32>(sketchEnd + at) - sketch;
      const isOld = sketchLength > 0 && !setSketch(table, row, sketch, sketchLength);
      if (!isOld) widenSizes(sizes, load<f64>(size + ((<usize>record) << 3)));
    }
  }
  return to;
}

/** Prefetches the data that folding these records will read, and keeps their hashes. The loads of each loop overlap. */
function touch(table: usize, bytes: usize, urlStart: usize, urlEnd: usize, from: i32, to: i32): void {
  const bits = load<u32>(table, HASH_BITS);
  const hashes = table + HASHES;
  const hashesEnd = hashes + ((<usize>(to - from)) << 2);
  for (let hash = hashes, at = (<usize>from) << 2; hash < hashesEnd; hash += 4, at += 4) {
    store<u32>(hash, hashOfUrl(bytes + <usize>load<u32>(urlStart + at), bytes + <usize>load<u32>(urlEnd + at)) & bits);
  }
  const slots = <usize>load<u32>(table, SLOTS);
  const mask = load<u32>(table, SLOT_COUNT) - 1;
  const candidates = table + CANDIDATES;
  let last = candidates;
  for (let at = hashes; at < hashesEnd; at += 4) {
    const hash = load<u32>(at);
    const slot = slots + <usize>(hash & mask) * SLOT;
    store<i32>(last, load<i32>(slot));
    if (load<u32>(slot, HASH) == hash && load<i32>(slot) != NONE) last += 4;
  }
  const places = <usize>load<u32>(table, PLACES);
  const sizes = <usize>load<u32>(table, SIZES);
  let sum: u64 = 0;
  for (let candidate = candidates; candidate < last; candidate += 4) {
    const row = <usize>load<i32>(candidate);
    sum += load<u64>(sizes + row * SIZE_BYTES);
    store<u32>(candidate, load<u32>(places + row * PLACE_BYTES));
  }
  for (let candidate = candidates; candidate < last; candidate += 4) sum += load<u64>(<usize>load<u32>(candidate));
  // The compiler would drop a load whose result is not used.
  store<u32>(candidates, <u32>sum);
}

/** Bytes past the end are read, but masked out. */
function hashOfUrl(start: usize, end: usize): u32 {
  let hash = <u64>(end - start) * 0x9e3779b97f4a7c15;
  let k = start;
  for (; k + 8 <= end; k += 8) hash = mixed(hash ^ load<u64>(k));
  if (k < end) hash = mixed(hash ^ (load<u64>(k) & firstBytes(end - k)));
  return <u32>mixed(hash);
}

/** The row of a URL, made if new; NONE if a new one would not fit. */
function entry(table: usize, start: usize, end: usize, hash: u32, maxBytes: f64): i32 {
  const slots = <usize>load<u32>(table, SLOTS);
  const mask = load<u32>(table, SLOT_COUNT) - 1;
  const places = <usize>load<u32>(table, PLACES);
  let place = hash & mask;
  for (; ; place = (place + 1) & mask) {
    const slot = slots + <usize>place * SLOT;
    const row = load<i32>(slot);
    if (row == NONE) break;
    if (load<u32>(slot, HASH) != hash) continue;
    if (isUrlOf(changetype<Place>(places + <usize>row * PLACE_BYTES), start, end - start)) return row;
  }
  if (load<i32>(table, ROWS) > 0 && footprint(table, end - start) > maxBytes) return NONE;
  const slot = slots + <usize>place * SLOT;
  store<i32>(slot, load<i32>(table, ROWS));
  store<u32>(slot, hash, HASH);
  return addRow(table, start, end);
}

function isUrlOf(place: Place, url: usize, length: usize): bool {
  const known = place.urlStart;
  return place.urlEnd - known == length && isSameText(known, url, length);
}

/** Adds a row for a URL that is already in the slots. */
function addRow(table: usize, start: usize, end: usize): i32 {
  const row = load<i32>(table, ROWS);
  const length = end - start;
  if (<u32>row == load<u32>(table, CAPACITY)) widen(table);
  store<i32>(table, row + 1, ROWS);
  if (length > <usize>load<u32>(table, LONGEST)) store<u32>(table, <u32>length, LONGEST);
  const at = append(table, start, length);
  const place = placeIn(<usize>load<u32>(table, PLACES), row);
  place.urlStart = at;
  place.urlEnd = at + length;
  place.sketchStart = 0;
  place.sketchEnd = 0;
  const sizes = sizesIn(<usize>load<u32>(table, SIZES), row);
  sizes.hits = 0;
  sizes.min = UNKNOWN_SIZE;
  sizes.max = UNKNOWN_SIZE;
  store<i32>(<usize>load<u32>(table, SITES) + <usize>row * SITE_BYTES, siteNumber(table + HEADS, at, at + length));
  if (<u32>row >= load<u32>(table, SLOT_COUNT) / 2) rehash(table);
  return row;
}

function widenSizes(sizes: Sizes, size: f64): void {
  if (size < 0) return;
  const least = sizes.min;
  if (least < 0 || size < least) sizes.min = size;
  if (size > sizes.max) sizes.max = size;
}

/**
 * Sets the sketch of a row, and the facts before it. False if the row has those of a newer capture or of a page, which
 * stay. If the row has those of an older capture, its sizes are forgotten too.
 */
function setSketch(table: usize, row: i32, sketch: usize, length: usize): bool {
  const place = placeIn(<usize>load<u32>(table, PLACES), row);
  const old = place.sketchStart;
  const oldLength = place.sketchLength;
  // The first sketch has nothing to be compared with, and no position.
  if (oldLength == length && isSameText(old, sketch, length)) return true;
  const facts = factsBytes(sketch, length);
  const oldFacts: usize = oldLength == 0 ? 0 : factsBytes(old, oldLength);
  const seen = oldLength > 0 ? comparison(sketch, facts, length, old, oldFacts, oldLength) : 0;
  if (oldLength > 0 && isPage(sketch, facts) != isPage(old, oldFacts)) {
    if (isPage(old, oldFacts)) return false;
  } else if (oldLength > 0) {
    const order = timeOrder(sketch, facts, old, oldFacts);
    if (order < 0) {
      noteHistory(old, oldFacts, seen);
      return false;
    }
    if (order > 0) forgetSizes(sizesIn(<usize>load<u32>(table, SIZES), row));
  }
  const at = append(table, sketch, length);
  noteHistory(at, facts, seen | historyOf(old, oldFacts));
  place.sketchStart = at;
  place.sketchEnd = at + length;
  return true;
}

/** The flags of two captures with sketches: did the page change? */
function comparison(a: usize, aFacts: usize, aLength: usize, b: usize, bFacts: usize, bLength: usize): u8 {
  if (aFacts == aLength || bFacts == bLength || !isPage(a, aFacts) || !isPage(b, bFacts)) return 0;
  const isSame = aLength - aFacts == bLength - bFacts && isSameText(a + aFacts, b + bFacts, aLength - aFacts);
  return <u8>(isSame ? WAS_SEEN_AGAIN : WAS_SEEN_AGAIN | HAS_CHANGED);
}

function forgetSizes(sizes: Sizes): void {
  sizes.min = UNKNOWN_SIZE;
  sizes.max = UNKNOWN_SIZE;
}

/** Bytes past the ends are read, but masked out. */
function isSameText(a: usize, b: usize, length: usize): bool {
  let k: usize = 0;
  for (; k + 8 <= length; k += 8) if (load<u64>(a + k) != load<u64>(b + k)) return false;
  return k == length || ((load<u64>(a + k) ^ load<u64>(b + k)) & firstBytes(length - k)) == 0;
}

/** Appends `length` bytes to the blocks of text, and returns their address. */
function append(table: usize, start: usize, length: usize): usize {
  const needed = aligned(length);
  if (needed > <usize>load<u32>(table, END) - <usize>load<u32>(table, AT)) addBlock(table, needed);
  const at = <usize>load<u32>(table, AT);
  store<u32>(table, <u32>(at + needed), AT);
  for (let k: usize = 0; k < needed; k += 8) store<u64>(at + k, load<u64>(start + k));
  return at;
}

function aligned(length: usize): usize {
  return (length + 7) & ~(<usize>7);
}

function addBlock(table: usize, needed: usize): void {
  const bytes = blockBytes(table, needed);
  const block = alloc(BLOCK_HEAD + bytes + SLACK);
  store<u32>(block, load<u32>(table, BLOCK));
  store<u32>(table, <u32>block, BLOCK);
  store<u32>(table, <u32>(block + BLOCK_HEAD), AT);
  store<u32>(table, <u32>(block + BLOCK_HEAD + bytes), END);
  store<u32>(table, load<u32>(table, TEXT_BYTES) + <u32>bytes, TEXT_BYTES);
}

/** The size of the next block, which must hold at least so many bytes. */
function blockBytes(table: usize, needed: usize): usize {
  return max(needed, min(MOST_BLOCK, max(FIRST_BLOCK, <usize>load<u32>(table, TEXT_BYTES))));
}

/**
 * Bytes of the table once it has one more URL of `length` bytes, with everything that would grow: text, eight columns,
 * slots.
 */
function footprint(table: usize, length: usize): f64 {
  const needed = aligned(length);
  const isFull = needed > <usize>load<u32>(table, END) - <usize>load<u32>(table, AT);
  const text = <u64>load<u32>(table, TEXT_BYTES) + (isFull ? <u64>blockBytes(table, needed) : 0);
  const more = load<u32>(table, ROWS) + 1;
  let rows = <u64>load<u32>(table, CAPACITY);
  if (<u64>more > rows) rows *= 2;
  let slots = <u64>load<u32>(table, SLOT_COUNT);
  if (2 * <u64>more > slots) slots *= 2;
  return <f64>(text + rows * (PLACE_BYTES + SIZE_BYTES + SITE_BYTES) + slots * SLOT);
}

function widen(table: usize): void {
  const rows = <usize>load<u32>(table, CAPACITY);
  store<u32>(table, 2 * <u32>rows, CAPACITY);
  store<u32>(table, <u32>moved(load<u32>(table, PLACES), rows * PLACE_BYTES, 2 * rows * PLACE_BYTES), PLACES);
  store<u32>(table, <u32>moved(load<u32>(table, SIZES), rows * SIZE_BYTES, 2 * rows * SIZE_BYTES), SIZES);
  store<u32>(table, <u32>moved(load<u32>(table, SITES), rows * SITE_BYTES, 2 * rows * SITE_BYTES), SITES);
}

function rehash(table: usize): void {
  const old = <usize>load<u32>(table, SLOTS);
  const count = load<u32>(table, SLOT_COUNT);
  setSlots(table, 2 * count);
  const slots = <usize>load<u32>(table, SLOTS);
  const mask = 2 * count - 1;
  const end = old + <usize>count * SLOT;
  for (let from = old; from < end; from += SLOT) {
    if (load<i32>(from) == NONE) continue;
    let place = load<u32>(from, HASH) & mask;
    while (load<i32>(slots + <usize>place * SLOT) != NONE) place = (place + 1) & mask;
    store<u64>(slots + <usize>place * SLOT, load<u64>(from));
  }
  free(old);
}
