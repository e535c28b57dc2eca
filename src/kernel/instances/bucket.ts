// How does a bucket lie in memory, as the walk writes it down for other threads and for tests (table/bucket-chunks)?
//
//   size | iLow | iHigh | jLow | jHigh | dLow | dHigh | members …      i32 each; the next bucket follows
//
// Its envelopes are a whole box of them: i first tokens, j last tokens, and d = i + j.

@unmanaged
export class Bucket {
  size: i32;
  iLow: i32;
  iHigh: i32;
  jLow: i32;
  jHigh: i32;
  dLow: i32;
  dHigh: i32;
}

const HEAD: usize = offsetof<Bucket>();

export function bucketBytes(size: i32): usize {
  return HEAD + ((<usize>size) << 2);
}

/** The rows of a bucket. */
export function membersOf(bucket: usize): usize {
  return bucket + HEAD;
}

/** Where the next one begins. */
export function nextBucket(bucket: usize): usize {
  return bucket + bucketBytes(changetype<Bucket>(bucket).size);
}

/** Writes a bucket down where there is room for it. */
export function writeBucket(
  at: usize,
  members: usize,
  size: i32,
  iLow: i32,
  iHigh: i32,
  jLow: i32,
  jHigh: i32,
  dLow: i32,
  dHigh: i32,
): void {
  const bucket = changetype<Bucket>(at);
  bucket.size = size;
  bucket.iLow = iLow;
  bucket.iHigh = iHigh;
  bucket.jLow = jLow;
  bucket.jHigh = jHigh;
  bucket.dLow = dLow;
  bucket.dHigh = dHigh;
  const bytes = (<usize>size) << 2;
  for (let k: usize = 0; k < bytes; k += 4) store<i32>(at + HEAD + k, load<i32>(members + k));
}
