// Texts that are added once and read in that order as often as needed: as bytes, without a JavaScript object each; in
// memory, or in a scratch file if they are too many.
import { decodeText } from './bytes.js';
import { readU32, writeU32 } from './row.js';
import { ScratchFile } from './scratch.js';
import type { SpillOptions } from './spill.js';

const LENGTH_BYTES = 4;
const LEAST_BYTES = 1 << 16;

export class TextShelf implements Iterable<string> {
  readonly #options: SpillOptions;
  #buffer = new Uint8Array(0);
  #used = 0;
  #file: ScratchFile | undefined;
  #length = 0;

  constructor(options: SpillOptions) {
    this.#options = options;
  }

  /** How many texts there are. */
  get length(): number {
    return this.#length;
  }

  /** Adds the text of bytes[start, end). */
  add(bytes: Uint8Array, start: number, end: number): void {
    const needed = LENGTH_BYTES + end - start;
    if (this.#used > 0 && this.#used + needed > this.#options.memoryBytes) this.#spill();
    if (this.#used + needed > this.#buffer.length) this.#grow(needed);
    writeU32(this.#buffer, this.#used, end - start);
    this.#buffer.set(bytes.subarray(start, end), this.#used + LENGTH_BYTES);
    this.#used += needed;
    this.#length++;
  }

  *[Symbol.iterator](): Generator<string> {
    if (this.#file !== undefined) yield* textsIn(this.#file);
    for (let at = 0; at < this.#used;) {
      const start = at + LENGTH_BYTES;
      at = start + readU32(this.#buffer, at);
      yield decodeText(this.#buffer, start, at);
    }
  }

  /** Frees memory and disk. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#buffer = new Uint8Array(0);
    this.#used = this.#length = 0;
  }

  #spill(): void {
    this.#file ??= new ScratchFile(this.#options.tmpdir);
    this.#file.append(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  #grow(needed: number): void {
    const doubled = Math.min(Math.max(2 * this.#buffer.length, LEAST_BYTES), this.#options.memoryBytes);
    const wider = new Uint8Array(Math.max(doubled, this.#used + needed));
    wider.set(this.#buffer.subarray(0, this.#used));
    this.#buffer = wider;
  }
}

function* textsIn(file: ScratchFile): Generator<string> {
  let block = new Uint8Array(LEAST_BYTES);
  let [at, end] = [0, 0];
  /** Makes sure that the block has so many bytes from `at` on. */
  const have = (bytes: number, position: number) => {
    if (end - at >= bytes) return;
    if (bytes > block.length) block = new Uint8Array(bytes);
    end = file.read(block, position);
    at = 0;
  };
  for (let position = 0; position < file.length;) {
    have(LENGTH_BYTES, position);
    const length = LENGTH_BYTES + readU32(block, at);
    have(length, position);
    yield decodeText(block, at + LENGTH_BYTES, at + length);
    at += length;
    position += length;
  }
}
