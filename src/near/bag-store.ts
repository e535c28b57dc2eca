// The features of very many pages, page after page, in 32-bit numbers: on disk once they outgrow their memory.
//
//   a page      | its number | n |  n features
//   a feature   | lower 32 bits | rarity | count |        rarity: its document frequency · 2^8 + the upper 8 bits
//
// Two features are the same if their rarity and lower bits are equal. Sorted by these, the rarest come first.
import { ScratchFile } from '../base/scratch.js';
import type { Bag } from '../sketch/spots.js';
import type { StoreRoom } from './sketch-store.js';

export const HEAD_WORDS = 2;
export const FEATURE_WORDS = 3;
/** Larger frequencies count as this: they only order features. */
export const MOST_FREQUENT = 2 ** 24 - 1;

const CHUNK_WORDS = 1 << 18;

/** Build (`add`), then read everything (`chunks`), several times if needed. */
export class BagStore {
  pages = 0;
  /** The number of features of all pages. */
  features = 0;
  readonly #room: StoreRoom;
  #chunks: Uint32Array[] = [];
  #open = new Uint32Array(0);
  #used = 0;
  /** The lengths of the chunks on disk. */
  #lengths: number[] = [];
  #file: ScratchFile | undefined;

  constructor(room: StoreRoom) {
    this.#room = room;
  }

  /** Adds a page with its features. Their rarity is not known yet. */
  add(page: number, { prints, counts }: Bag): void {
    const { length } = prints;
    const needed = HEAD_WORDS + FEATURE_WORDS * length;
    if (this.#used + needed > this.#open.length) this.#next(needed);
    const words = this.#open;
    let at = this.#used;
    words[at++] = page;
    words[at++] = length;
    for (let k = 0; k < length; k++) {
      const print = prints[k]!;
      const upper = Math.floor(print / 2 ** 32);
      words[at++] = print - upper * 2 ** 32;
      words[at++] = upper;
      words[at++] = counts[k]!;
    }
    this.#used = at;
    this.pages++;
    this.features += length;
  }

  #next(needed: number): void {
    this.#close();
    const inMemory = this.#chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (inMemory + 4 * Math.max(CHUNK_WORDS, needed) > this.#room.memoryBytes) this.#spill();
    this.#open = new Uint32Array(Math.max(CHUNK_WORDS, needed));
  }

  #close(): void {
    if (this.#used > 0) this.#chunks.push(this.#open.subarray(0, this.#used));
    this.#used = 0;
    this.#open = new Uint32Array(0);
  }

  #spill(): void {
    if (this.#chunks.length === 0) return;
    this.#file ??= new ScratchFile(this.#room.tmpdir);
    for (const chunk of this.#chunks.splice(0)) {
      this.#file.append(bytesOf(chunk));
      this.#lengths.push(chunk.length);
    }
  }

  /**
   * Chunks of whole pages. A chunk is valid until the next one. With 'kept', changes that the caller made to it are
   * stored.
   */
  *chunks(keeps: 'kept' | 'read'): Generator<Uint32Array> {
    this.#close();
    const renewed = keeps === 'kept' && this.#file !== undefined ? new ScratchFile(this.#room.tmpdir) : undefined;
    let at = 0;
    for (const length of this.#lengths) {
      const chunk = new Uint32Array(length);
      this.#file!.read(bytesOf(chunk), at);
      at += chunk.byteLength;
      yield chunk;
      renewed?.append(bytesOf(chunk));
    }
    if (renewed !== undefined) {
      this.#file!.close();
      this.#file = renewed;
    }
    yield* this.#chunks;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#lengths = [];
    this.#chunks = [];
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
