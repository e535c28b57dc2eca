// By text: the chunks that other texts have too, as ascending numbers, and how many of them a similar text must share.
// In memory, or on disk if they do not fit:
//
//   words     | length, needed, chunks … | length, needed, chunks … | …
//   starts    0                            where each eighth text begins
import { ScratchFile } from '../base/scratch.js';

const BLOCK_WORDS = 1 << 16;
const GROUP = 8;

/** The entry of a text: [needed, chunk, chunk, …]. */
export type TextChunks = Uint32Array;

/** Build (`add`, for text after text), then `freeze` and read (`of`). */
export class ChunkStore {
  readonly #maxWords: number;
  readonly #tmpdir: string;
  /** Where each group of texts begins, in words. */
  #starts = new Float64Array(64);
  #count = 0;
  #words = new Uint32Array(BLOCK_WORDS);
  #used = 0;
  #written = 0;
  #file: ScratchFile | undefined;
  /** Groups from disk that were read recently. */
  readonly #kept = new Map<number, Uint32Array>();
  #keptWords = 0;

  constructor(memoryBytes: number, tmpdir: string) {
    this.#maxWords = Math.max(BLOCK_WORDS, Math.floor(memoryBytes / 8));
    this.#tmpdir = tmpdir;
  }

  get count(): number {
    return this.#count;
  }

  add(needed: number, chunks: Uint32Array): void {
    const { length } = chunks;
    if (this.#used + length + 2 > this.#words.length) this.#widen(length + 2);
    if (this.#count % GROUP === 0) this.#begin(this.#count / GROUP);
    this.#count++;
    this.#words[this.#used] = length + 1;
    this.#words[this.#used + 1] = needed;
    this.#words.set(chunks, this.#used + 2);
    this.#used += length + 2;
  }

  #begin(group: number): void {
    if (group + 1 === this.#starts.length) {
      const starts = new Float64Array(2 * this.#starts.length);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    this.#starts[group] = this.#written + this.#used;
  }

  #widen(needed: number): void {
    if (this.#used + needed > this.#maxWords && this.#used > 0) {
      this.#spill();
      if (needed <= this.#words.length) return;
    }
    const wider = new Uint32Array(Math.max(2 * this.#words.length, this.#used + needed));
    wider.set(this.#words.subarray(0, this.#used));
    this.#words = wider;
  }

  #spill(): void {
    this.#file ??= new ScratchFile(this.#tmpdir);
    this.#file.append(new Uint8Array(this.#words.buffer, 0, 4 * this.#used));
    this.#written += this.#used;
    this.#used = 0;
  }

  freeze(): this {
    if (this.#file !== undefined) {
      this.#spill();
      this.#words = new Uint32Array(0);
    }
    this.#starts[Math.ceil(this.#count / GROUP)] = this.#written + this.#used;
    return this;
  }

  /** The entry of a text, by its number in the order of `add`. Do not change it. */
  of(text: number): TextChunks {
    const group = Math.floor(text / GROUP);
    const words = this.#file === undefined ? this.#words : this.#load(group);
    let at = this.#file === undefined ? this.#starts[group]! : 0;
    for (let k = text % GROUP; k > 0; k--) at += 1 + words[at]!;
    return words.subarray(at + 1, at + 1 + words[at]!);
  }

  #load(group: number): Uint32Array {
    const known = this.#kept.get(group);
    if (known !== undefined) return known;
    const start = this.#starts[group]!;
    const read = new Uint32Array(this.#starts[group + 1]! - start);
    this.#file!.read(new Uint8Array(read.buffer), 4 * start);
    if (this.#keptWords + read.length > this.#maxWords) {
      this.#kept.clear();
      this.#keptWords = 0;
    }
    this.#kept.set(group, read);
    this.#keptWords += read.length;
    return read;
  }

  close(): void {
    this.#file?.close();
    this.#kept.clear();
  }
}
