// The sketches of very many pages, in columns: five bytes for each fingerprint, in chunks that go to disk when they
// outgrow their share of memory.
//
//   chunk    tops  u32 | u32 | u32 …     the upper 32 bits of each fingerprint; a sketch lies in one chunk
//            rests  u8 |  u8 |  u8 …     the lower 8 bits
//
// Sketches are numbered in the order they come.
import { ScratchFile } from '../base/scratch.js';

/** Some fingerprints, in columns. */
export interface Chunk {
  readonly tops: Uint32Array;
  readonly rests: Uint8Array;
  /** The number of the first sketch in it. */
  readonly first: number;
}

const CHUNK_MINIMA = 1 << 19;
const BYTES = 5;
export const CHUNK_BYTES = CHUNK_MINIMA * BYTES;

export interface StoreRoom {
  readonly memoryBytes: number;
  readonly tmpdir: string;
}

/** Build (`add`), then read. */
export class SketchStore {
  count = 0;
  /** The number of fingerprints of all sketches. */
  minima = 0;
  readonly #room: StoreRoom;
  /** Where each sketch begins in its chunk. All chunks but the last are full. */
  #starts = new Uint32Array(1024);
  #lengths = new Uint8Array(1024);
  readonly #firsts: number[] = [];
  readonly #used: number[] = [];
  readonly #chunks: Chunk[] = [];
  #file: ScratchFile | undefined;

  constructor(room: StoreRoom) {
    this.#room = room;
  }

  /** False if chunks are on disk and must be loaded. */
  get isInMemory(): boolean {
    return this.#file === undefined;
  }

  get chunks(): number {
    return this.#firsts.length;
  }

  /** Adds a sketch of ascending minima, at most 255. Returns its number. */
  add(minima: Float64Array): number {
    return this.addColumns(
      Uint32Array.from(minima, (minimum) => Math.floor(minimum / 256)),
      Uint8Array.from(minima, (minimum) => minimum % 256),
      minima.length,
    );
  }

  /** Adds a sketch of [start, start + length) of two columns. Returns its number. */
  addColumns(ownTops: Uint32Array, ownRests: Uint8Array, length: number, start = 0): number {
    let chunk = this.#chunks.at(-1);
    let used = this.#used.at(-1) ?? 0;
    if (chunk === undefined || used + length > CHUNK_MINIMA) {
      chunk = this.#begin();
      used = 0;
    }
    const { tops, rests } = chunk;
    for (let k = 0; k < length; k++) {
      tops[used + k] = ownTops[start + k]!;
      rests[used + k] = ownRests[start + k]!;
    }
    if (this.count === this.#starts.length) this.#widen();
    this.#starts[this.count] = used;
    this.#lengths[this.count] = length;
    this.#used[this.#used.length - 1] = used + length;
    this.minima += length;
    return this.count++;
  }

  #begin(): Chunk {
    const { memoryBytes, tmpdir } = this.#room;
    if (this.#file === undefined && (this.#chunks.length + 1) * CHUNK_BYTES > memoryBytes) {
      this.#file = new ScratchFile(tmpdir);
    }
    const room = this.#file === undefined ? undefined : this.#spill();
    const chunk = {
      tops: room?.tops ?? new Uint32Array(CHUNK_MINIMA),
      rests: room?.rests ?? new Uint8Array(CHUNK_MINIMA),
      first: this.count,
    };
    this.#firsts.push(this.count);
    this.#used.push(0);
    this.#chunks.push(chunk);
    return chunk;
  }

  /** Writes the chunks in memory to disk. Returns one of them, whose arrays can be reused. */
  #spill(): Chunk | undefined {
    for (const { tops, rests } of this.#chunks) {
      this.#file!.append(new Uint8Array(tops.buffer));
      this.#file!.append(rests);
    }
    return this.#chunks.splice(0).at(-1);
  }

  /** Call this after the last sketch. If chunks are on disk, it writes the last ones too. */
  freeze(): this {
    if (this.#file !== undefined) this.#spill();
    return this;
  }

  lengthOf(sketch: number): number {
    return this.#lengths[sketch]!;
  }

  startOf(sketch: number): number {
    return this.#starts[sketch]!;
  }

  /** The number of the chunk with a sketch. */
  chunkOf(sketch: number): number {
    let [low, high] = [0, this.#firsts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#firsts[middle]! <= sketch) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The number after that of the last sketch of a chunk. */
  endOf(chunk: number): number {
    return this.#firsts[chunk + 1] ?? this.count;
  }

  /** The chunk, from memory or disk. If `into` is given, its arrays are reused for a chunk from disk. */
  load(number: number, into?: Chunk): Chunk {
    if (this.#file === undefined) return this.#chunks[number]!;
    const tops = into?.tops ?? new Uint32Array(CHUNK_MINIMA);
    const rests = into?.rests ?? new Uint8Array(CHUNK_MINIMA);
    const at = number * CHUNK_BYTES;
    this.#file.read(new Uint8Array(tops.buffer), at);
    this.#file.read(rests, at + tops.byteLength);
    return { tops, rests, first: this.#firsts[number]! };
  }

  close(): void {
    this.#file?.close();
  }

  #widen(): void {
    const starts = new Uint32Array(this.#starts.length * 2);
    starts.set(this.#starts);
    this.#starts = starts;
    const lengths = new Uint8Array(starts.length);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
  }
}

// The resemblance r' of two sketches of a store: as in `sketch/sketch`, but on columns, and only while it can still
// reach a threshold.

/** A sketch in its chunk: fingerprints [start, start + length). */
export interface Placed {
  readonly chunk: Chunk;
  readonly start: number;
  readonly length: number;
}

/**
 * r' of two sketches of at most s fingerprints, if it is at least `threshold`; otherwise some number below. A sketch of
 * fewer than s fingerprints has all those of its page.
 */
export function resemblanceFrom(threshold: number, s: number, a: Placed, b: Placed): number {
  const { tops, rests } = a.chunk;
  const { tops: otherTops, rests: otherRests } = b.chunk;
  let [i, j] = [a.start, b.start];
  const [endI, endJ] = [i + a.length, j + b.length];
  const limit = a.length < s && b.length < s ? Infinity : s;
  // Of a union of U fingerprints, at least threshold × U must be shared, and the union is at least as large as each
  // sketch.
  const most = mostOwn(threshold, Math.min(limit, a.length + b.length));
  let [union, shared] = [0, 0];
  for (; i < endI && j < endJ && union < limit; union++) {
    const order = tops[i]! - otherTops[j]! || rests[i]! - otherRests[j]!;
    if (order <= 0) i++;
    if (order >= 0) j++;
    if (order === 0) shared++;
    else if (union + 1 - shared > most) return 0;
  }
  union = Math.min(limit, union + (endI - i) + (endJ - j));
  return union === 0 ? 1 : shared / union;
}

/** The most fingerprints of a union of this size that may be in one sketch only. */
export function mostOwn(threshold: number, union: number): number {
  return Math.floor((1 - threshold) * union + 1e-9);
}

/**
 * The fewest fingerprints that a sketch of this length shares with one that it resembles: no union is smaller than it.
 */
export function fewestShared(threshold: number, length: number): number {
  return Math.max(0, Math.ceil(threshold * length - 1e-9));
}
