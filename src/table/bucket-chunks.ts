// Buckets that the kernel has written down (kernel/bucket):
//
//   size | iLow | iHigh | jLow | jHigh | dLow | dHigh | members … | size | … of i32
import { i32At } from '../base/heap.js';
import type { Box, BucketVisitor } from './envelope.js';

const HEAD = 7;

/** Visits the buckets of a chunk. */
export function eachOfChunk(address: number, bytes: number, visit: BucketVisitor): void {
  const chunk = i32At(address, bytes / 4);
  const box: Box = { iLow: 0, iHigh: 0, jLow: 0, jHigh: 0, dLow: 0, dHigh: 0 };
  for (let at = 0; at < chunk.length;) {
    const size = chunk[at]!;
    box.iLow = chunk[at + 1]!;
    box.iHigh = chunk[at + 2]!;
    box.jLow = chunk[at + 3]!;
    box.jHigh = chunk[at + 4]!;
    box.dLow = chunk[at + 5]!;
    box.dHigh = chunk[at + 6]!;
    visit(chunk.subarray(at + HEAD, at + HEAD + size), size, box);
    at += HEAD + size;
  }
}
