// One round of a sample sort: distributes the rows of a range to buckets that can be sorted separately.
//
//   open     from a sample: the common suffix of most rows, and the splitters for even parts (backward-cuts)
//   split    find the bucket of each row            bucket of a place | 2 | 0 | 1 | 2 | …
//   place    compute where each part of the places writes in each bucket
//   gather   the rows of each bucket, end to end    | bucket 0 … | bucket 1 … | bucket 2 … |     and their packed bytes
//
//   buckets  | suffix before the sample's | < cut 0 | = cut 0 | < cut 1 | = cut 1 | … | suffix after the sample's |
//
// The URLs are all over memory, and the cost is fetching their bytes. So the last bytes of each are fetched twice in
// row order, which is fast, and sorting hits the cache. The packed bytes of all rows may not fit: then the buckets are
// gathered and sorted in several turns.
//
// Rows with exactly the words of a cut have a bucket of their own: even if there are many, they differ only further on.
// Several threads split and gather, a part each; the other steps are quick.
import { alloc, free } from '../memory/heap';
import { lengthOf, residentAt as urlAt } from '../list/site';
import { sameBehind } from '../text/text';
import { LAST_BYTES, packLast } from './backward-words';
import { compareBehind } from './backward-sort';
import { placeAmongCuts, sample, sampledCount, sampledCuts, sampledDepth, sampledRow } from './backward-cuts';

// A round, 4-byte numbers. All rows share the last `depth` bytes; the sample shares the last `skipped`.
//   | from | to | depth | skipped | row of the sample | buckets | parts | cuts wanted | there are |
//   | cuts | next places | starts of buckets | shifts | buckets of places | rows at places | packed |   addresses
//   | room in rows | buckets of the turn: from | to |
const FROM: usize = 0;
const TO: usize = 4;
const DEPTH: usize = 8;
const SKIPPED: usize = 12;
const SAMPLED: usize = 16;
const BUCKETS: usize = 20;
const PARTS: usize = 24;
const WANTED: usize = 28;
const COUNT: usize = 32;
const CUTS: usize = 36;
/** By part and bucket, i32: the number of rows, then a cursor to the next. */
const NEXT: usize = 40;
/** By bucket, i32: its start; one more entry for the end of the last. */
const START: usize = 44;
/** By bucket, i32: the distance from its start to its packed bytes, in rows; NONE if it is not packed. */
const SHIFT: usize = 48;
/** By bucket, i32: its packed bytes begin at row START - SHIFT of `packed`; NONE if it is not packed. */
const BUCKET_OF: usize = 52;
/** By place from `from` on, i32: the row that was there. Missing if rows have the numbers of their places. */
const KEPT: usize = 56;
/** The packed bytes of the rows of this turn. */
const PACKED: usize = 60;
const ROOM: usize = 64;
const TURN_FROM: usize = 68;
const TURN_TO: usize = 72;
export const ROUND_BYTES: usize = 80;

const NONE: i32 = -1;
const CACHE_LINE: usize = 64;
const MOST_BUCKETS: i32 = 1 << 10;
const PART_ROWS: i32 = 1 << 13;
const MOST_PARTS: i32 = 1 << 8;

/**
 * Begins a round over places [from, to) of `rows`, at least two, for buckets of about `bucketRows` rows. `rows` is 0 if
 * rows have the numbers of their places. Returns the number of parts for `split` and `gather`.
 */
export function openRound(
  round: usize,
  rows: usize,
  from: i32,
  to: i32,
  depth: usize,
  bucketRows: i32,
  roomRows: i32,
): i32 {
  const count = to - from;
  const wanted = max(2, min(MOST_BUCKETS, (count + bucketRows - 1) / bucketRows));
  sample(rows, from, to, depth, wanted);
  const buckets = 2 * sampledCount + 3;
  const parts = min(MOST_PARTS, (count + PART_ROWS - 1) / PART_ROWS);
  store<i32>(round, from, FROM);
  store<i32>(round, to, TO);
  store<u32>(round, <u32>depth, DEPTH);
  store<u32>(round, <u32>sampledDepth, SKIPPED);
  store<i32>(round, sampledRow, SAMPLED);
  store<i32>(round, buckets, BUCKETS);
  store<i32>(round, parts, PARTS);
  store<i32>(round, wanted, WANTED);
  store<i32>(round, sampledCount, COUNT);
  store<u32>(round, <u32>sampledCuts, CUTS);
  store<u32>(round, <u32>alloc((<usize>(parts * buckets)) << 2), NEXT);
  store<u32>(round, <u32>alloc((<usize>(buckets + 1)) << 2), START);
  store<u32>(round, <u32>alloc((<usize>buckets) << 2), SHIFT);
  store<u32>(round, <u32>alloc((<usize>count) << 1), BUCKET_OF);
  store<u32>(round, rows == 0 ? 0 : <u32>alloc((<usize>count) << 2), KEPT);
  const room = min(roomRows, count);
  store<i32>(round, room, ROOM);
  store<u32>(round, <u32>alloc(((<usize>room) << 5) + CACHE_LINE), PACKED);
  return parts;
}

/** Frees a round. */
export function closeRound(round: usize): void {
  for (let field = CUTS; field <= PACKED; field += 4) {
    free(<usize>load<u32>(round + field));
    store<u32>(round + field, 0);
  }
}

export function bucketsOf(round: usize): i32 {
  return load<i32>(round, BUCKETS);
}

export function partsOf(round: usize): i32 {
  return load<i32>(round, PARTS);
}

export function startOf(round: usize, bucket: i32): i32 {
  return load<i32>(<usize>load<u32>(round, START) + ((<usize>bucket) << 2));
}

/** Length of the common suffix of the rows of a bucket. */
export function depthOf(round: usize, bucket: i32): usize {
  if (bucket == 0 || bucket == load<i32>(round, BUCKETS) - 1) return <usize>load<u32>(round, DEPTH);
  const skipped = <usize>load<u32>(round, SKIPPED);
  return (bucket & 1) == 1 ? skipped : skipped + LAST_BYTES;
}

/** True if all rows of a bucket are shorter than the common suffix: they are few, and all lengths differ. */
export function isShort(round: usize, bucket: i32): bool {
  return bucket == 0 && load<u32>(round, SKIPPED) == load<u32>(round, DEPTH);
}

function partStart(round: usize, part: i32): i32 {
  const count = load<i32>(round, TO) - load<i32>(round, FROM);
  return <i32>((<i64>part * <i64>count) / <i64>load<i32>(round, PARTS));
}

function countsOf(round: usize, part: i32): usize {
  return <usize>load<u32>(round, NEXT) + ((<usize>(part * load<i32>(round, BUCKETS))) << 2);
}

/** Finds the bucket of each row of a part, and counts them. */
export function split(round: usize, rows: usize, part: i32): void {
  const counts = countsOf(round, part);
  memory.fill(counts, 0, (<usize>load<i32>(round, BUCKETS)) << 2);
  openSplit(round);
  const from = load<i32>(round, FROM);
  const kept = <usize>load<u32>(round, KEPT);
  const bucketOf = <usize>load<u32>(round, BUCKET_OF);
  const end = partStart(round, part + 1);
  for (let k = partStart(round, part); k < end; k++) {
    let row = from + k;
    if (kept != 0) {
      row = load<i32>(rows + ((<usize>row) << 2));
      store<i32>(kept + ((<usize>k) << 2), row);
    }
    const bucket = bucketFor(row);
    store<u16>(bucketOf + ((<usize>k) << 1), <u16>bucket);
    const count = counts + ((<usize>bucket) << 2);
    store<i32>(count, load<i32>(count) + 1);
  }
}

// Fields of the round that `bucketFor` needs.
let depth: usize = 0;
let skipped: usize = 0;
let other: i32 = 0;
let otherEnd: usize = 0;
let last: i32 = 0;
let cuts: usize = 0;
let cutCount: i32 = 0;
let wantedCuts: i32 = 0;

function openSplit(round: usize): void {
  depth = <usize>load<u32>(round, DEPTH);
  skipped = <usize>load<u32>(round, SKIPPED);
  other = load<i32>(round, SAMPLED);
  otherEnd = urlAt(other) + lengthOf(other) - depth;
  last = load<i32>(round, BUCKETS) - 1;
  cuts = <usize>load<u32>(round, CUTS);
  cutCount = load<i32>(round, COUNT);
  wantedCuts = load<i32>(round, WANTED);
}

function bucketFor(row: i32): i32 {
  const left = <isize>lengthOf(row) - <isize>skipped;
  const end = urlAt(row) + <usize>left;
  const alike = skipped - depth;
  const isSide = left < 0 || (alike > 0 && sameBehind(end + alike, otherEnd, alike) < alike);
  return isSide ? sideOf(row) : 1 + placeAmongCuts(cuts, cutCount, wantedCuts, end, left);
}

/** The first or the last bucket, for a row without the suffix of the sample. */
function sideOf(row: i32): i32 {
  return skipped == depth || compareBehind(row, other, depth) < 0 ? 0 : last;
}

/** Call this after all parts are split: turns counts into cursors. Buckets of more than `mostRows` are not packed. */
export function placeParts(round: usize, mostRows: i32): void {
  const buckets = load<i32>(round, BUCKETS);
  const parts = load<i32>(round, PARTS);
  const width = (<usize>buckets) << 2;
  let start = <usize>load<u32>(round, START);
  let shift = <usize>load<u32>(round, SHIFT);
  let at = load<i32>(round, FROM);
  for (let bucket = 0; bucket < buckets; bucket++, start += 4, shift += 4) {
    store<i32>(start, at);
    let next = <usize>load<u32>(round, NEXT) + ((<usize>bucket) << 2);
    for (let part = 0; part < parts; part++, next += width) {
      const count = load<i32>(next);
      store<i32>(next, at);
      at += count;
    }
    const isPacked = (bucket & 1) == 1 && at - load<i32>(start) <= mostRows;
    store<i32>(shift, isPacked ? 0 : NONE);
  }
  store<i32>(start, at);
  store<i32>(round, 0, TURN_TO);
}

/** Begins the next turn, with as many buckets as there is room for. False after the last one. */
export function beginTurn(round: usize): bool {
  const buckets = load<i32>(round, BUCKETS);
  const shift = <usize>load<u32>(round, SHIFT);
  const room = load<i32>(round, ROOM);
  const from = load<i32>(round, TURN_TO);
  let to = from;
  for (let used = 0; to < buckets; to++) {
    const at = shift + ((<usize>to) << 2);
    if (load<i32>(at) == NONE) continue;
    const more = startOf(round, to + 1) - startOf(round, to);
    if (used + more > room) break;
    store<i32>(at, startOf(round, to) - used);
    used += more;
  }
  store<i32>(round, from, TURN_FROM);
  store<i32>(round, to, TURN_TO);
  return from < buckets;
}

export function bucketsInTurn(round: usize): i32 {
  return load<i32>(round, TURN_TO) - load<i32>(round, TURN_FROM);
}

export function bucketOfTurn(round: usize, k: i32): i32 {
  return load<i32>(round, TURN_FROM) + k;
}

/** The address of the packed rows of a bucket of this turn; 0 if they are not packed. */
export function packedOf(round: usize, bucket: i32): usize {
  const shift = load<i32>(<usize>load<u32>(round, SHIFT) + ((<usize>bucket) << 2));
  return shift == NONE ? 0 : firstPacked(round) + ((<usize>(startOf(round, bucket) - shift)) << 5);
}

function firstPacked(round: usize): usize {
  return (<usize>load<u32>(round, PACKED) + CACHE_LINE - 1) & ~(CACHE_LINE - 1);
}

/** Puts the rows of a part into the buckets of this turn. */
export function gather(round: usize, rows: usize, part: i32): void {
  const next = countsOf(round, part);
  const from = load<i32>(round, FROM);
  const kept = <usize>load<u32>(round, KEPT);
  const bucketOf = <usize>load<u32>(round, BUCKET_OF);
  const shifts = <usize>load<u32>(round, SHIFT);
  const packed = firstPacked(round);
  const depth = <usize>load<u32>(round, SKIPPED);
  const first = load<i32>(round, TURN_FROM);
  const buckets = bucketsInTurn(round);
  const end = partStart(round, part + 1);
  for (let k = partStart(round, part); k < end; k++) {
    const bucket = <i32>load<u16>(bucketOf + ((<usize>k) << 1));
    if (<u32>(bucket - first) >= <u32>buckets) continue;
    const row = kept == 0 ? from + k : load<i32>(kept + ((<usize>k) << 2));
    const at = next + ((<usize>bucket) << 2);
    const place = load<i32>(at);
    store<i32>(at, place + 1);
    store<i32>(rows + ((<usize>place) << 2), row);
    const shift = load<i32>(shifts + ((<usize>bucket) << 2));
    if (shift == NONE) continue;
    const left = <isize>lengthOf(row) - <isize>depth;
    packLast(urlAt(row) + <usize>left, left, packed + ((<usize>(place - shift)) << 5));
  }
}
