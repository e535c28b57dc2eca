// Buckets end to end, as the walk writes them down for other threads (table/bucket-chunks):
//
//   size | iLow | iHigh | jLow | jHigh | dLow | dHigh | members … | size | … of i32
//
// URLs lie all over memory, and one by one each would be waited for. So what is known of where the members of some buckets are is
// read first, then both ends of their URLs; when they are compared they are in the cache.
import { addNew } from './repeat';
import { touchPlace, touchUrl } from './site';

const HEAD: usize = 28;
/** Bytes of buckets whose URLs are fetched together. */
const TOUCHED: usize = 1024;
/** So that reading ahead is not left out. */
let touched: u32 = 0;

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
