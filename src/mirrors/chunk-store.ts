// The chunks of texts that other texts have too, as ascending numbers: in memory, or on disk if they do not fit.
import { ScratchFile } from '../base/scratch.js';

const BLOCK_WORDS = 1 << 16;
/** Lists from disk that are kept in memory. */
const MOST_KEPT = 4096;

/** Build (`add`, for text after text), then `freeze` and read (`of`). */
export class ChunkStore {
  readonly #maxWords: number;
  readonly #tmpdir: string;
  /** Where the list of each text begins, in words. */
  readonly #starts: Float64Array;
  readonly #lengths: Uint32Array;
  #words = new Uint32Array(BLOCK_WORDS);
  #used = 0;
  #written = 0;
  #file: ScratchFile | undefined;
  readonly #kept = new Map<number, Uint32Array>();

  constructor(texts: number, memoryBytes: number, tmpdir: string) {
    this.#starts = new Float64Array(texts);
    this.#lengths = new Uint32Array(texts);
    this.#maxWords = Math.max(BLOCK_WORDS, Math.floor(memoryBytes / 8));
    this.#tmpdir = tmpdir;
  }

  add(text: number, chunks: Uint32Array): void {
    const { length } = chunks;
    if (this.#used + length > this.#words.length) this.#widen(length);
    this.#words.set(chunks, this.#used);
    this.#starts[text] = this.#written + this.#used;
    this.#lengths[text] = length;
    this.#used += length;
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
    return this;
  }

  /** Ascending. Read only. */
  of(text: number): Uint32Array {
    const [start, length] = [this.#starts[text]!, this.#lengths[text]!];
    if (this.#file === undefined) return this.#words.subarray(start, start + length);
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    if (this.#kept.size === MOST_KEPT) this.#kept.clear();
    const read = new Uint32Array(length);
    this.#file.read(new Uint8Array(read.buffer), 4 * start);
    this.#kept.set(text, read);
    return read;
  }

  close(): void {
    this.#file?.close();
    this.#kept.clear();
  }
}
