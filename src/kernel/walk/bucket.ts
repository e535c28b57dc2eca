// Where do buckets go? Into instances, or they are written down for JavaScript to look at.
//
//   a chunk   size | iLow | iHigh | jLow | jHigh | dLow | dHigh | members … | size | … of i32
import { take } from '../memory/calls';
import { alloc, free, moved } from '../memory/heap';
import { addBucket } from '../instances/bucket-queue';

const HEAD: usize = 28;
const CHUNK: usize = 1 << 18;

/** The chunk that is being written; 0 where buckets become instances. */
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
  const bytes = HEAD + ((<usize>size) << 2);
  if (used + bytes > room) makeRoom(bytes);
  const at = chunk + used;
  store<i32>(at, size);
  store<i32>(at, iLow, 4);
  store<i32>(at, iHigh, 8);
  store<i32>(at, jLow, 12);
  store<i32>(at, jHigh, 16);
  store<i32>(at, dLow, 20);
  store<i32>(at, dHigh, 24);
  for (let k: usize = HEAD; k < bytes; k += 4) store<i32>(at + k, load<i32>(members + k - HEAD));
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
  if (bytes > 0) take(chunk, bytes);
}
