// Compares candidate pairs of sketches in a store on disk once all pairs are known. So each sketch is read a few times
// at most, however the pairs are spread over the store.
//
//   1. Pairs are dealt by the ranges of numbers of their two sketches:   (0, 0) · (0, 1) · (1, 1) · (0, 2) · …
//   2. Sketches that are in a pair are copied to a smaller store, in the same order.
//   3. Blocks of ranges that fit in half of the memory are compared with themselves and with each other.
import { DealtRows } from '../base/dealt-rows.js';
import type { SpillRoom } from '../base/spill.js';
import { type Chunk, CHUNK_BYTES, type Placed, SketchStore } from './sketch-store.js';

const MOST_RANGES = 32;
const PAIR_WORDS = 2;
const NONE = 0xffffffff;

/** Compares two sketches that were added as a pair. */
type Compare = (a: number, left: Placed, b: number, right: Placed) => void;

/** Build (`add`), then `compare` once. */
export class Candidates {
  readonly #store: SketchStore;
  readonly #room: SpillRoom;
  readonly #ranges: number;
  readonly #rangeLength: number;
  readonly #pairs: DealtRows;
  readonly #isIn: Uint8Array;

  constructor(store: SketchStore, room: SpillRoom) {
    this.#store = store;
    this.#room = room;
    const halves = Math.ceil((2 * store.chunks * CHUNK_BYTES) / Math.max(1, room.memoryBytes));
    this.#rangeLength = Math.ceil(store.count / Math.max(1, Math.min(MOST_RANGES, 2 * halves, store.count)));
    this.#ranges = Math.ceil(store.count / this.#rangeLength);
    this.#pairs = new DealtRows((this.#ranges * (this.#ranges + 1)) / 2, PAIR_WORDS, room);
    this.#isIn = new Uint8Array(store.count);
  }

  /** Adds a pair of numbers, a < b. */
  add(a: number, b: number): void {
    this.#isIn[a] = this.#isIn[b] = 1;
    const pairs = this.#pairs;
    const at = pairs.add(partOf(Math.floor(a / this.#rangeLength), Math.floor(b / this.#rangeLength)));
    pairs.words[at] = a;
    pairs.words[at + 1] = b;
  }

  compare(take: Compare): void {
    const { store, numbers } = this.#gather();
    const blocks = this.#blocksOf(store, numbers);
    for (const [at, one] of blocks.entries()) {
      const left = new Block(store, numbers, one);
      this.#compareBlocks(left, left, take);
      for (const other of blocks.slice(at + 1)) this.#compareBlocks(left, new Block(store, numbers, other), take);
    }
    store.close();
    this.#pairs.close();
  }

  /** Copies the sketches that are in a pair; `numbers` maps a sketch of the whole store to its number in the copy. */
  #gather(): { readonly store: SketchStore; readonly numbers: Uint32Array } {
    const [all, isIn] = [this.#store, this.#isIn];
    const store = new SketchStore({ ...this.#room, memoryBytes: this.#room.memoryBytes / 2 });
    const numbers = new Uint32Array(all.count).fill(NONE);
    let kept: Chunk | undefined;
    for (let number = 0; number < all.chunks; number++) {
      const chunk = (kept = all.load(number, kept));
      for (let sketch = chunk.first; sketch < all.endOf(number); sketch++) {
        if (isIn[sketch] === 0) continue;
        const start = all.startOf(sketch);
        numbers[sketch] = store.addColumns(chunk.tops, chunk.rests, all.lengthOf(sketch), start);
      }
    }
    return { store: store.freeze(), numbers };
  }

  /** As few blocks as possible, each of at most half of the memory. */
  #blocksOf(store: SketchStore, numbers: Uint32Array): Range[] {
    const blocks: Range[] = [];
    const most = store.isInMemory ? Infinity : this.#room.memoryBytes / 2 / CHUNK_BYTES;
    for (let range = 0; range < this.#ranges; range++) {
      const [start, end] = [range * this.#rangeLength, Math.min((range + 1) * this.#rangeLength, numbers.length)];
      const own = numbers.subarray(start, end).filter((number) => number !== NONE);
      if (own.length === 0) continue;
      const chunks = [store.chunkOf(own[0]!), store.chunkOf(own.at(-1)!) + 1] as const;
      const last = blocks.at(-1);
      if (last !== undefined && chunks[1] - last.chunks[0] <= most) {
        last.chunks[1] = chunks[1];
        last.ranges.push(range);
      } else blocks.push({ chunks: [...chunks], ranges: [range] });
    }
    return blocks;
  }

  #compareBlocks(left: Block, right: Block, take: Compare): void {
    for (const a of left.ranges) {
      for (const b of right.ranges) {
        if (a > b) continue;
        const part = partOf(a, b);
        for (const pairs of this.#pairs.blocksOf(part)) {
          for (let at = 0; at < pairs.length; at += PAIR_WORDS) {
            take(pairs[at]!, left.place(pairs[at]!, 'left'), pairs[at + 1]!, right.place(pairs[at + 1]!, 'right'));
          }
        }
        this.#pairs.drop(part);
      }
    }
  }
}

function partOf(a: number, b: number): number {
  return (b * (b + 1)) / 2 + a;
}

/** Ranges of numbers of the whole store, and the chunks [start, end) that have the copies of their sketches. */
interface Range {
  readonly ranges: number[];
  readonly chunks: [start: number, end: number];
}

/** A block in memory. */
class Block {
  readonly ranges: readonly number[];
  readonly #store: SketchStore;
  readonly #numbers: Uint32Array;
  readonly #first: number;
  readonly #chunks: Chunk[] = [];
  readonly #placed: Record<'left' | 'right', { -readonly [Key in keyof Placed]: Placed[Key] }>;

  constructor(store: SketchStore, numbers: Uint32Array, { ranges, chunks: [start, end] }: Range) {
    this.ranges = ranges;
    this.#store = store;
    this.#numbers = numbers;
    this.#first = start;
    for (let chunk = start; chunk < end; chunk++) this.#chunks.push(store.load(chunk));
    const chunk = this.#chunks[0]!;
    this.#placed = { left: { chunk, start: 0, length: 0 }, right: { chunk, start: 0, length: 0 } };
  }

  /** The place of a sketch; overwritten by the next call for the same side. */
  place(sketch: number, side: 'left' | 'right'): Placed {
    const placed = this.#placed[side];
    const number = this.#numbers[sketch]!;
    placed.chunk = this.#chunks[this.#store.chunkOf(number) - this.#first]!;
    placed.start = this.#store.startOf(number);
    placed.length = this.#store.lengthOf(number);
    return placed;
  }
}
