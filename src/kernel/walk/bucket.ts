// The destination of buckets: they become instances, or are written for JavaScript, end to end in chunks.
import { give } from '../memory/calls';
import { alloc, free, moved } from '../memory/heap';
import { Bucket, bucketBytes } from '../instances/bucket';
import { queueBucket } from '../instances/bucket-queue';

const CHUNK: usize = 1 << 18;

/** The current chunk; 0 if buckets become instances. */
let chunk: usize = 0;
let room: usize = 0;
let used: usize = 0;

/** Chooses whether buckets are written for JavaScript or become instances. */
export function beginBuckets(writesDown: i32): void {
  free(chunk);
  used = 0;
  room = writesDown != 0 ? CHUNK : 0;
  chunk = writesDown != 0 ? alloc(room) : 0;
}

/** Adds a bucket. The caller writes its box and members before the next call. */
export function newBucket(size: i32): Bucket {
  if (chunk == 0) return changetype<Bucket>(queueBucket(size));
  const bytes = bucketBytes(size);
  if (used + bytes > room) makeRoom(bytes);
  const bucket = changetype<Bucket>(chunk + used);
  bucket.size = size;
  used += bytes;
  return bucket;
}

function makeRoom(bytes: usize): void {
  endBuckets();
  if (bytes <= room) return;
  chunk = moved(chunk, 0, bytes);
  room = bytes;
}

/** Passes the chunk to JavaScript, which must copy it: it is reused. */
export function endBuckets(): void {
  const bytes = used;
  used = 0;
  if (bytes > 0) give(chunk, bytes);
}
