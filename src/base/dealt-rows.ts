// Very many rows of a few numbers each, dealt to parts that are read one after another. If only rows of one part have
// to meet, this is cheaper than a sort.
//
//   part 0   | block | block | block, half full |        part 1   | block | …        a block has whole rows
//
// Full blocks wait in memory, and all of them go to disk when they outgrow it.
import { ScratchFile } from './scratch.js';
import type { SpillRoom } from './spill.js';

/** Rows of a block, if every part has room for that many. */
const BLOCK_ROWS = 4096;
const FEWEST_ROWS = 64;
/** The first block of a part starts with so many rows and grows. */
const FIRST_ROWS = 32;

interface Part {
  /** Rows of the full blocks and of the last one. */
  rows: number;
  block: Uint32Array;
  used: number;
  full: Uint32Array[];
  /** Offsets on disk of its stored blocks, which come before those in memory. */
  stored: number[];
}

/** Build (`add`), then read parts. */
export class DealtRows {
  /** Where to write the row: at the index that {@link add} returned. */
  words: Uint32Array = new Uint32Array(0);
  readonly #width: number;
  readonly #room: SpillRoom;
  readonly #blockWords: number;
  readonly #maxFull: number;
  readonly #parts: Part[];
  #full = 0;
  #free: Uint32Array[] = [];
  #file: ScratchFile | undefined;

  constructor(parts: number, width: number, room: SpillRoom) {
    this.#width = width;
    this.#room = room;
    // The last blocks of all parts take at most half of the memory.
    const fitting = Math.floor(room.memoryBytes / (2 * 4 * width * parts));
    this.#blockWords = width * Math.max(FEWEST_ROWS, Math.min(BLOCK_ROWS, fitting));
    this.#maxFull = Math.floor(room.memoryBytes / (4 * this.#blockWords)) - parts;
    const first = Math.min(this.#blockWords, width * FIRST_ROWS);
    this.#parts = Array.from({ length: parts }, () => ({
      rows: 0,
      block: new Uint32Array(first),
      used: 0,
      full: [],
      stored: [],
    }));
  }

  rowsOf(part: number): number {
    return this.#parts[part]!.rows;
  }

  /** Reserves a row and returns where it starts in `words`; the caller fills all of it. */
  add(part: number): number {
    const one = this.#parts[part]!;
    if (one.used === one.block.length) this.#extend(one);
    this.words = one.block;
    const at = one.used;
    one.used += this.#width;
    one.rows++;
    return at;
  }

  /** The rows of a part in the order they came, some at a time: words[0, length), valid until the next iteration. */
  *blocksOf(part: number): Generator<Uint32Array> {
    const { stored, full, block, used } = this.#parts[part]!;
    if (stored.length > 0) {
      const target = new Uint32Array(this.#blockWords);
      const bytes = new Uint8Array(target.buffer);
      for (const position of stored) {
        const got = this.#file!.read(bytes, position);
        if (got < bytes.length) throw new Error(`scratch file ends ${bytes.length - got} bytes early`);
        yield target;
      }
    }
    yield* full;
    if (used > 0) yield block.subarray(0, used);
  }

  /** A copy of all rows of a part in the order they came: at the beginning of `target` if that is large enough. */
  read(part: number, target: Uint32Array): Uint32Array {
    const length = this.#parts[part]!.rows * this.#width;
    const words = length <= target.length ? target : new Uint32Array(length + (length >> 2));
    let at = 0;
    for (const block of this.blocksOf(part)) {
      words.set(block, at);
      at += block.length;
    }
    return words;
  }

  /** Frees the memory of a part that nobody reads again. */
  drop(part: number): void {
    const one = this.#parts[part]!;
    this.#full -= one.full.length;
    Object.assign(one, { rows: 0, used: 0, block: new Uint32Array(0), full: [], stored: [] } satisfies Part);
  }

  close(): void {
    for (let part = 0; part < this.#parts.length; part++) this.drop(part);
    this.#free = [];
    this.#file?.close();
    this.#file = undefined;
  }

  #extend(part: Part): void {
    const { block } = part;
    if (block.length < this.#blockWords) {
      part.block = new Uint32Array(Math.min(this.#blockWords, block.length * 4));
      part.block.set(block);
      return;
    }
    part.full.push(block);
    if (++this.#full > this.#maxFull) this.#spill();
    part.block = this.#free.pop() ?? new Uint32Array(this.#blockWords);
    part.used = 0;
  }

  #spill(): void {
    const file = (this.#file ??= new ScratchFile(this.#room.tmpdir));
    const before = file.length;
    for (const part of this.#parts) {
      for (const block of part.full) {
        part.stored.push(file.length);
        file.append(new Uint8Array(block.buffer));
        this.#free.push(block);
      }
      part.full = [];
    }
    this.#full = 0;
    this.#room.stats.runs++;
    this.#room.stats.bytes += file.length - before;
  }
}
