// Buckets written down, for other threads to look at: the few largest nodes are looked at by one thread each, but have most of
// the buckets.
//
//   size | iLow | iHigh | jLow | jHigh | dLow | dHigh | members … | size | … of i32
import { alloc, i32At } from '../base/heap.js';
import type { BucketVisitor } from './envelope.js';

const HEAD = 7;
const CHUNK = 1 << 16;

export class BucketChunks {
  readonly #take: (chunk: Int32Array) => void;
  #chunk: Int32Array = new Int32Array(0);
  #used = 0;

  /** `take` gets chunks that are full, and at the end the last one: blocks of the heap, to be given back. */
  constructor(take: (chunk: Int32Array) => void) {
    this.#take = take;
  }

  readonly visit: BucketVisitor = (members, size, box) => {
    if (this.#used + HEAD + size > this.#chunk.length) this.#open(HEAD + size);
    const chunk = this.#chunk;
    const at = this.#used;
    chunk[at] = size;
    chunk[at + 1] = box.iLow;
    chunk[at + 2] = box.iHigh;
    chunk[at + 3] = box.jLow;
    chunk[at + 4] = box.jHigh;
    chunk[at + 5] = box.dLow;
    chunk[at + 6] = box.dHigh;
    for (let k = 0; k < size; k++) chunk[at + HEAD + k] = members[k]!;
    this.#used = at + HEAD + size;
  };

  #open(least: number): void {
    this.end();
    const size = Math.max(CHUNK, least);
    this.#chunk = i32At(alloc(4 * size), size);
  }

  end(): void {
    if (this.#used > 0) this.#take(this.#chunk.subarray(0, this.#used));
    this.#chunk = new Int32Array(0);
    this.#used = 0;
  }
}
