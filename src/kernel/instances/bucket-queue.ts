// Buckets that came one by one, or that the walk wrote down for other threads: how do their URLs get near before they
// are compared?
//
// URLs are all over memory, and reading them one by one would wait for each cache miss. So they are prefetched: first
// the positions of the members of some buckets, then both ends of their URLs; when these are compared they are in the
// cache (1 M URLs: 121 ms for all instances, 143 without).
import { alloc, free } from '../memory/heap';
import { Bucket, bucketBytes, membersOf, nextBucket, writeBucket } from './bucket';
import { addNew } from './repeat';
import { touchPlace, touchUrl } from '../list/site';

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
  const bytes = bucketBytes(size);
  if (queued + bytes > QUEUE) {
    addQueued();
    if (bytes > QUEUE) return addNew(members, size, iLow, iHigh, jLow, jHigh, dLow, dHigh);
  }
  if (queue == 0) queue = alloc(QUEUE);
  writeBucket(queue + queued, members, size, iLow, iHigh, jLow, jHigh, dLow, dHigh);
  queued += bytes;
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
    for (let at = from; at < to; at = nextBucket(at)) addOne(at);
    from = to;
  }
}

/** Fetches the URLs of the next buckets; returns where these end. */
function touch(from: usize, end: usize): usize {
  let sum: u32 = 0;
  let to = from;
  for (; to < end && to < from + TOUCHED; to = nextBucket(to)) {
    for (let at = membersOf(to); at < nextBucket(to); at += 4) sum ^= touchPlace(load<i32>(at));
  }
  for (let bucket = from; bucket < to; bucket = nextBucket(bucket)) {
    for (let at = membersOf(bucket); at < nextBucket(bucket); at += 4) sum ^= touchUrl(load<i32>(at));
  }
  touched ^= sum;
  return to;
}

function addOne(at: usize): void {
  const bucket = changetype<Bucket>(at);
  addNew(membersOf(at), bucket.size, bucket.iLow, bucket.iHigh, bucket.jLow, bucket.jHigh, bucket.dLow, bucket.dHigh);
}
