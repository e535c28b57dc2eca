// Where do buckets go? Into instances, or they are written down for JavaScript to look at, end to end in chunks.
import { give } from '../memory/calls';
import { alloc, free, moved } from '../memory/heap';
import { bucketBytes, writeBucket } from '../instances/bucket';
import { addBucket } from '../instances/bucket-queue';

const CHUNK: usize = 1 << 18;

/** The chunk that is being written; 0 if buckets become instances. */
let chunk: usize = 0;
let room: usize = 0;
let used: usize = 0;

/** Has the next buckets written down, or made instances of. */
export function beginBuckets(writesDown: i32): void {
  free(chunk);
  used = 0;
  room = writesDown != 0 ? CHUNK : 0;
  chunk = writesDown != 0 ? alloc(room) : 0;
}

/** URLs `members`, i32 rows, stand together in the envelopes of these first and last tokens (Box in table/envelope). */
export function visitBucket(
  members: usize,
  size: i32,
  iLow: i32,
  iHigh: i32,
  jLow: i32,
  jHigh: i32,
  dLow: i32,
  dHigh: i32,
): void {
  if (chunk == 0) return addBucket(members, size, iLow, iHigh, jLow, jHigh, dLow, dHigh);
  const bytes = bucketBytes(size);
  if (used + bytes > room) makeRoom(bytes);
  writeBucket(chunk + used, members, size, iLow, iHigh, jLow, jHigh, dLow, dHigh);
  used += bytes;
}

function makeRoom(bytes: usize): void {
  endBuckets();
  if (bytes <= room) return;
  chunk = moved(chunk, 0, bytes);
  room = bytes;
}

/** JavaScript gets what is written down; the chunk is written anew after that. */
export function endBuckets(): void {
  const bytes = used;
  used = 0;
  if (bytes > 0) give(chunk, bytes);
}
