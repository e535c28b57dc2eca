// Buckets end to end, as the walk writes them down for other threads (table/bucket-chunks):
//
//   size | iLow | iHigh | jLow | jHigh | dLow | dHigh | members … | size | … of i32
//
// URLs lie all over memory, and one by one each would be waited for. So where the members of some buckets are is read first, then
// both ends of their URLs; when these are compared they are in the cache (1 M URLs: 121 ms for all instances, 143 without).
import { alloc, free } from '../memory/heap';
import { addNew } from './repeat';
import { touchPlace, touchUrl } from '../list/site';

const HEAD: usize = 28;
/** Bytes of buckets whose URLs are fetched together. */
const TOUCHED: usize = 256;
const QUEUE: usize = 4096;
/** Buckets that came one by one, and their bytes. */
let queue: usize = 0;
let queued: usize = 0;
/** So that reading ahead is not left out. */
let touched: u32 = 0;

/** Adds the instances in a bucket of at least two: at once, or when more have come. */
export function addBucket(
  members: usize,
  size: i32,
  iLow: i32,
  iHigh: i32,
  jLow: i32,
  jHigh: i32,
  dLow: i32,
  dHigh: i32,
): void {
  const bytes = HEAD + ((<usize>size) << 2);
  if (queued + bytes > QUEUE) {
    addQueued();
    if (bytes > QUEUE) return addNew(members, size, iLow, iHigh, jLow, jHigh, dLow, dHigh);
  }
  if (queue == 0) queue = alloc(QUEUE);
  const at = queue + queued;
  queued += bytes;
  store<i32>(at, size);
  store<i32>(at, iLow, 4);
  store<i32>(at, iHigh, 8);
  store<i32>(at, jLow, 12);
  store<i32>(at, jHigh, 16);
  store<i32>(at, dLow, 20);
  store<i32>(at, dHigh, 24);
  for (let k: usize = 0; k < bytes - HEAD; k += 4) store<i32>(at + HEAD + k, load<i32>(members + k));
}

/** Adds the instances in buckets that wait for more. */
export function addQueued(): void {
  const bytes = queued;
  queued = 0;
  addBuckets(queue, bytes);
}

/** Forgets buckets that wait. */
export function endQueue(): void {
  free(queue);
  queue = queued = 0;
}

/** Adds the instances in so many bytes of buckets. */
export function addBuckets(address: usize, bytes: usize): void {
  const end = address + bytes;
  for (let from = address; from < end;) {
    const to = touch(from, end);
    for (let at = from; at < to; at = next(at)) addOne(at);
    from = to;
  }
}

/** Fetches the URLs of the next buckets; gives where these end. */
function touch(from: usize, end: usize): usize {
  let sum: u32 = 0;
  let to = from;
  for (; to < end && to < from + TOUCHED; to = next(to)) {
    for (let at = to + HEAD; at < next(to); at += 4) sum ^= touchPlace(load<i32>(at));
  }
  for (let bucket = from; bucket < to; bucket = next(bucket)) {
    for (let at = bucket + HEAD; at < next(bucket); at += 4) sum ^= touchUrl(load<i32>(at));
  }
  touched ^= sum;
  return to;
}

function next(bucket: usize): usize {
  return bucket + HEAD + ((<usize>load<i32>(bucket)) << 2);
}

function addOne(at: usize): void {
  addNew(
    at + HEAD,
    load<i32>(at),
    load<i32>(at, 4),
    load<i32>(at, 8),
    load<i32>(at, 12),
    load<i32>(at, 16),
    load<i32>(at, 20),
    load<i32>(at, 24),
  );
}
