// The layout of a bucket in memory, as the walk stores it for other threads and for tests (table/bucket-chunks).
//
//   size | iLow | iHigh | jLow | jHigh | dLow | dHigh | members …      i32 each; the next bucket follows
//
// Its envelopes are a whole box: i first tokens, j last tokens, and d = i + j.

/** Its envelopes, a whole box of them: i first tokens, j last tokens, and d = i + j. */
@unmanaged
export class Box {
  iLow: i32;
  iHigh: i32;
  jLow: i32;
  jHigh: i32;
  dLow: i32;
  dHigh: i32;
}

export const BOX_BYTES: usize = offsetof<Box>();

@unmanaged
export class Bucket {
  size: i32;

  get box(): Box {
    return changetype<Box>(changetype<usize>(this) + offsetof<Bucket>());
  }

  /** Rows, i32. */
  get members(): usize {
    return changetype<usize>(this) + offsetof<Bucket>() + BOX_BYTES;
  }

  get next(): usize {
    return changetype<usize>(this) + bucketBytes(this.size);
  }
}

export function bucketBytes(size: i32): usize {
  return offsetof<Bucket>() + BOX_BYTES + ((<usize>size) << 2);
}
