// Buckets written down, for other threads to look at: the few nodes above all subtrees are walked by one thread, but have
// most of the buckets.
//
//   size | iLow | iHigh | jLow | jHigh | dLow | dHigh | members … | size | … of i32
import type { Box, BucketVisitor } from './envelope.js';

const HEAD = 7;
const CHUNK = 1 << 16;

export class BucketChunks {
  #chunk = new Int32Array(0);
  #used = 0;
  #full: Int32Array[] = [];

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
    if (this.#used > 0) this.#full.push(this.#chunk.subarray(0, this.#used));
    this.#chunk = new Int32Array(Math.max(CHUNK, least));
    this.#used = 0;
  }

  /** Chunks that are full; at the end the last one too. */
  take(which: 'full' | 'all'): readonly Int32Array[] {
    if (which === 'all') this.#open(0);
    const full = this.#full;
    this.#full = [];
    return full;
  }
}

/** Visits the buckets of a chunk. */
export function eachOfChunk(chunk: Int32Array, visit: BucketVisitor): void {
  for (let at = 0; at < chunk.length;) {
    const size = chunk[at]!;
    const [iLow, iHigh, jLow, jHigh, dLow, dHigh] = chunk.subarray(at + 1, at + HEAD) as unknown as Six;
    const box: Box = { iLow, iHigh, jLow, jHigh, dLow, dHigh };
    visit(chunk.subarray(at + HEAD, at + HEAD + size), size, box);
    at += HEAD + size;
  }
}

type Six = [number, number, number, number, number, number];
