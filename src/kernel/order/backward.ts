// The backward order of the current site, a list in memory, and what neighbours in it share at their ends. Any number
// of threads compute it: each calls `workOnBackward` and takes items of the current step. The thread that finishes the
// last item begins the next step.
//
//   rounds   split the list into buckets small enough for the cache, and split large ones again   (backward-round)
//   sort     sorts each bucket                                                                    (backward-sort)
//
// A job:   | items left of the step | number of the step | done | step | … | round | ranges that need a round … |
//
// A thread without an item waits for the next step, and a late thread finds nothing to do: so the number of threads
// does not matter. The number of items left and the number of the step are one atomic 8-byte word, so that no thread
// takes an item of another step.
import { alloc, free, mark, release } from '../memory/heap';
import { MAX_PACKED_ROWS } from './backward-packed';
import {
  beginTurn,
  bucketOfTurn,
  bucketsInTurn,
  bucketsOf,
  closeRound,
  depthOf,
  gather,
  isShort,
  openRound,
  packedOf,
  partsOf,
  placeParts,
  ROUND_BYTES,
  split,
  startOf,
} from './backward-round';
import { fillShared, openSorter, sortRows } from './backward-sort';
import { rows as count } from '../list/site';

const TICKET: usize = 0;
const NUMBER: usize = 4;
const ITEMS: usize = 8;
const DONE: usize = 12;
const STEP: usize = 16;
const ROWS: usize = 20;
const SHARED: usize = 24;
const BUCKET_ROWS: usize = 28;
const MOST_ROWS: usize = 32;
/** The number of ranges that wait for a round; 12 bytes each: from, to, length of the common suffix of their rows. */
const LARGE: usize = 36;
/** How many packed rows fit. */
const ROOM: usize = 40;
const ROUND: usize = 48;
const RANGES: usize = ROUND + ROUND_BYTES;

/** Rows [from, to), which share the last `depth` bytes. */
@unmanaged
class Range {
  from: i32;
  to: i32;
  depth: usize;
}

const RANGE_BYTES: usize = offsetof<Range>();

const SPLIT: i32 = 1;
const GATHER: i32 = 2;
const SORT: i32 = 3;
const END: i32 = 4;

const WAIT_NS: i64 = 1000000000;

/**
 * Makes a job that fills `rows`, i32, and `shared`, u16. Buckets should have `bucketRows` rows, and have at most
 * `mostRows`, up to MAX_PACKED_ROWS. Memory is allocated to pack `roomRows`, or at least one bucket.
 */
export function openBackward(rows: usize, shared: usize, bucketRows: i32, mostRows: i32, roomRows: i32): usize {
  const ranges = count / mostRows + 1;
  const job = alloc(RANGES + <usize>ranges * RANGE_BYTES);
  memory.fill(job, 0, RANGES);
  store<u32>(job, <u32>rows, ROWS);
  store<u32>(job, <u32>shared, SHARED);
  bucketRows = min(bucketRows, MAX_PACKED_ROWS);
  store<i32>(job, bucketRows, BUCKET_ROWS);
  store<i32>(job, min(mostRows, MAX_PACKED_ROWS), MOST_ROWS);
  store<i32>(job, max(roomRows, mostRows), ROOM);
  if (count > 0) store<u16>(shared, 0);
  const marked = mark();
  if (count > bucketRows) beginRound(job, 0, 0, count, 0);
  else sortAll(job);
  release(marked);
  return job;
}

export function closeBackward(job: usize): void {
  closeRound(job + ROUND);
  free(job);
}

/** Sorts a short list without a round. */
function sortAll(job: usize): void {
  const rows = rowsOf(job);
  for (let row = 0; row < count; row++) store<i32>(rows + ((<usize>row) << 2), row);
  openSorter(rows, <usize>load<u32>(job, SHARED));
  sortRows(0, count, 0, 0);
  begin(job, END, 0);
}

function rowsOf(job: usize): usize {
  return <usize>load<u32>(job, ROWS);
}

/** Returns when the job is done or given up. */
export function workOnBackward(job: usize): void {
  const marked = mark();
  openSorter(rowsOf(job), <usize>load<u32>(job, SHARED));
  for (;;) {
    const ticket = atomic.load<u64>(job, TICKET);
    const left = <i32>ticket;
    if (left > 0) {
      if (atomic.cmpxchg<u64>(job, ticket, ticket - 1, TICKET) != ticket) continue;
      // The step ends only after this item is done. After that, the fields may belong to the next step.
      const items = load<i32>(job, ITEMS);
      perform(job, left - 1);
      if (atomic.add<i32>(job, 1, DONE) + 1 < items) continue;
      goOn(job);
      // Sampling has used the arena.
      release(marked);
      openSorter(rowsOf(job), <usize>load<u32>(job, SHARED));
    } else if (atomic.load<i32>(job, STEP) != END) {
      atomic.wait<i32>(job + NUMBER, <i32>(ticket >> 32), WAIT_NS);
    } else {
      return release(marked);
    }
  }
}

/** Makes all threads return, because one has failed. */
export function giveUpBackward(job: usize): void {
  begin(job, END, 0);
}

function begin(job: usize, step: i32, items: i32): void {
  atomic.store<i32>(job, step, STEP);
  store<i32>(job, items, ITEMS);
  atomic.store<i32>(job, 0, DONE);
  const number = <u64>(load<u32>(job, NUMBER) + 1);
  atomic.store<u64>(job, (number << 32) | (<u64>items), TICKET);
  atomic.notify(job + NUMBER, -1);
}

function perform(job: usize, item: i32): void {
  const step = atomic.load<i32>(job, STEP);
  if (step == SPLIT) split(job + ROUND, rowsOf(job), item);
  else if (step == GATHER) gather(job + ROUND, rowsOf(job), item);
  else sortBucket(job, bucketOfTurn(job + ROUND, item));
}

function sortBucket(job: usize, bucket: i32): void {
  const round = job + ROUND;
  const from = startOf(round, bucket);
  const to = startOf(round, bucket + 1);
  if (to - from > 1 && !isLarge(job, bucket)) sortRows(from, to, depthOf(round, bucket), packedOf(round, bucket));
}

function isLarge(job: usize, bucket: i32): bool {
  const round = job + ROUND;
  const rows = startOf(round, bucket + 1) - startOf(round, bucket);
  return rows > load<i32>(job, MOST_ROWS) && !isShort(round, bucket);
}

/** Begins the next step after the current one is done. */
function goOn(job: usize): void {
  const round = job + ROUND;
  const step = atomic.load<i32>(job, STEP);
  // Given up.
  if (step == END) return;
  if (step == GATHER) return begin(job, SORT, bucketsInTurn(round));
  if (step == SPLIT) placeParts(round, load<i32>(job, MOST_ROWS));
  if (beginTurn(round)) begin(job, GATHER, partsOf(round));
  else endRound(job);
}

function beginRound(job: usize, rows: usize, from: i32, to: i32, depth: usize): void {
  const bucketRows = load<i32>(job, BUCKET_ROWS);
  begin(job, SPLIT, openRound(job + ROUND, rows, from, to, depth, bucketRows, load<i32>(job, ROOM)));
}

function endRound(job: usize): void {
  const round = job + ROUND;
  const buckets = bucketsOf(round);
  for (let bucket = 0; bucket <= buckets; bucket++) {
    // Large buckets are not sorted yet: their next round does this again.
    const at = startOf(round, bucket);
    if (at < count) fillShared(at, at + 1);
    if (bucket < buckets && isLarge(job, bucket)) addRange(job, at, startOf(round, bucket + 1), depthOf(round, bucket));
  }
  closeRound(round);
  const ranges = load<i32>(job, LARGE) - 1;
  if (ranges < 0) return begin(job, END, 0);
  store<i32>(job, ranges, LARGE);
  const range = rangeAt(job, ranges);
  beginRound(job, rowsOf(job), range.from, range.to, range.depth);
}

function rangeAt(job: usize, k: i32): Range {
  return changetype<Range>(job + RANGES + <usize>k * RANGE_BYTES);
}

function addRange(job: usize, from: i32, to: i32, depth: usize): void {
  const ranges = load<i32>(job, LARGE);
  const range = rangeAt(job, ranges);
  range.from = from;
  range.to = to;
  range.depth = depth;
  store<i32>(job, ranges + 1, LARGE);
}
