// A column of numbers that may have one for each page of a crawl: in memory, or in blocks on disk with the recently
// used blocks in memory.
//
//   file       | block 0 | block 1 | block 2 | …        a block is written when it is evicted
//   places     | block 7 | block 0 | …                  a clock chooses: blocks used since its last round stay
//
// On disk, the caller should use neighbouring numbers one after another.
import { ScratchFile } from './scratch.js';

const BLOCK_WORDS = 1024;
const FEWEST_PLACES = 2;
const NONE = -1;

export interface ColumnRoom {
  /** Larger columns (by more than a few blocks) are on disk. */
  readonly memoryBytes: number;
  readonly tmpdir: string;
}

/** Read access to a column. */
export interface Numbers {
  readonly length: number;
  get(at: number): number;
  each(): Iterable<number>;
}

interface Place {
  readonly words: Uint32Array;
  block: number;
  isChanged: boolean;
  isUsed: boolean;
}

/** All numbers are 0 at first. */
export class Column implements Numbers {
  readonly length: number;
  readonly #whole: Uint32Array | undefined;
  readonly #blocks: Blocks | undefined;

  constructor(length: number, { memoryBytes, tmpdir }: ColumnRoom) {
    this.length = length;
    if (4 * length <= memoryBytes) this.#whole = new Uint32Array(length);
    else this.#blocks = new Blocks(length, memoryBytes, tmpdir);
  }

  get isInMemory(): boolean {
    return this.#whole !== undefined;
  }

  get(at: number): number {
    if (this.#whole !== undefined) return this.#whole[at]!;
    return this.#blocks!.placeOf(at).words[at % BLOCK_WORDS]!;
  }

  set(at: number, number: number): void {
    if (this.#whole !== undefined) {
      this.#whole[at] = number;
      return;
    }
    const place = this.#blocks!.placeOf(at);
    place.words[at % BLOCK_WORDS] = number;
    place.isChanged = true;
  }

  add(at: number, more: number): void {
    this.set(at, this.get(at) + more);
  }

  *each(): Generator<number> {
    for (let at = 0; at < this.length; at++) yield this.get(at);
  }

  close(): void {
    this.#blocks?.close();
  }
}

/** The blocks of a column on disk, and the places in memory. */
class Blocks {
  readonly #file: ScratchFile;
  readonly #places: Place[] = [];
  readonly #most: number;
  /** By block: its place, or NONE. */
  readonly #placeOf: Int32Array;
  #hand = 0;
  #last: Place = { words: new Uint32Array(0), block: NONE, isChanged: false, isUsed: false };

  constructor(length: number, memoryBytes: number, tmpdir: string) {
    this.#file = new ScratchFile(tmpdir);
    this.#most = Math.max(FEWEST_PLACES, Math.floor(memoryBytes / (4 * BLOCK_WORDS)));
    this.#placeOf = new Int32Array(Math.ceil(length / BLOCK_WORDS)).fill(NONE);
  }

  placeOf(at: number): Place {
    const block = Math.floor(at / BLOCK_WORDS);
    if (this.#last.block === block) return this.#last;
    const known = this.#placeOf[block]!;
    const place = known === NONE ? this.#load(block) : this.#places[known]!;
    place.isUsed = true;
    return (this.#last = place);
  }

  #load(block: number): Place {
    const number = this.#free();
    const place = this.#places[number]!;
    place.block = block;
    this.#placeOf[block] = number;
    const bytes = new Uint8Array(place.words.buffer);
    // Blocks that were never written are zeros.
    bytes.fill(0, this.#file.read(bytes, 4 * BLOCK_WORDS * block));
    return place;
  }

  /** A place without a block. */
  #free(): number {
    if (this.#places.length < this.#most) {
      this.#places.push({ words: new Uint32Array(BLOCK_WORDS), block: NONE, isChanged: false, isUsed: false });
      return this.#places.length - 1;
    }
    while (this.#places[this.#hand]!.isUsed) {
      this.#places[this.#hand]!.isUsed = false;
      this.#hand = (this.#hand + 1) % this.#most;
    }
    const number = this.#hand;
    this.#hand = (number + 1) % this.#most;
    const place = this.#places[number]!;
    if (place.isChanged) this.#file.write(new Uint8Array(place.words.buffer), 4 * BLOCK_WORDS * place.block);
    place.isChanged = false;
    this.#placeOf[place.block] = NONE;
    return number;
  }

  close(): void {
    this.#file.close();
  }
}

/** A column view of an array. */
export function numbersOf(array: Uint32Array): Numbers {
  return { length: array.length, get: (at) => array[at]!, each: () => array };
}
