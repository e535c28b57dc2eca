// The buckets of a walk, for tests.
import { i32At } from '../../src/base/heap.js';
import { endWalk, joinWalk, newWalk, walkColumns, type BucketOptions, type Box } from '../../src/table/envelope.js';
import type { UrlOrder } from '../../src/table/order.js';

/** Called with members[0, size), 2 <= size <= T_high, and the envelopes whose bucket they are. Both are reused. */
export type BucketVisitor = (members: Int32Array, size: number, box: Readonly<Box>) => void;

const HEAD = 7;

/**
 * Visits every bucket of 2 to T_high substrings, each envelope once. Consumes the backward order. Nodes of more than
 * `most` members become tasks of their own. Returns how many rows of progress were reported.
 */
export function eachBucket(order: UrlOrder, options: BucketOptions, most: number, visit: BucketVisitor): number {
  const walk = newWalk(walkColumns(order), options, most);
  let rows = 0;
  joinWalk(walk, {
    buckets: 'written down',
    take: (address, bytes) => eachOfChunk(i32At(address, bytes / 4), visit),
    tell: (done) => (rows += done),
  });
  endWalk(walk);
  return rows;
}

/** size | iLow | iHigh | jLow | jHigh | dLow | dHigh | members … | size | … */
export function eachOfChunk(chunk: Int32Array, visit: BucketVisitor): void {
  for (let at = 0; at < chunk.length;) {
    const [size, iLow, iHigh, jLow, jHigh, dLow, dHigh] = chunk.subarray(at, at + HEAD) as unknown as Seven;
    visit(chunk.subarray(at + HEAD, at + HEAD + size), size, { iLow, iHigh, jLow, jHigh, dLow, dHigh });
    at += HEAD + size;
  }
}

type Seven = [number, number, number, number, number, number, number];
