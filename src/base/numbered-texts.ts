// Texts that are read by their number, in any order: as bytes, without a JavaScript object each. The last ones are in
// memory; if there are too many, the others are in a scratch file.
import { decodeText } from './bytes.js';
import { ScratchFile } from './scratch.js';
import type { SpillOptions } from './spill.js';

export class NumberedTexts {
  readonly #options: SpillOptions;
  /** Where each text ends, in the file and then in memory; it starts where the one before ends. */
  readonly #ends: number[] = [];
  #inMemory: Uint8Array[] = [];
  /** The number of the first text in memory. */
  #first = 0;
  #bytes = 0;
  #file: ScratchFile | undefined;

  constructor(options: SpillOptions) {
    this.#options = options;
  }

  /** Returns its number, from 0. The bytes must not change. */
  add(bytes: Uint8Array): number {
    if (this.#bytes + bytes.length > this.#options.memoryBytes) this.#spill();
    this.#inMemory.push(bytes);
    this.#bytes += bytes.length;
    this.#ends.push((this.#ends.at(-1) ?? 0) + bytes.length);
    return this.#ends.length - 1;
  }

  at(number: number): string {
    const end = this.#ends[number];
    if (end === undefined) throw new RangeError(`no text has the number ${number}`);
    if (number >= this.#first) return decodeText(this.#inMemory[number - this.#first]!);
    const start = this.#ends[number - 1] ?? 0;
    const bytes = new Uint8Array(end - start);
    this.#file!.read(bytes, start);
    return decodeText(bytes);
  }

  /** Frees memory and disk. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#inMemory = [];
    this.#ends.length = this.#first = this.#bytes = 0;
  }

  #spill(): void {
    this.#file ??= new ScratchFile(this.#options.tmpdir);
    for (const bytes of this.#inMemory) this.#file.append(bytes);
    this.#first = this.#ends.length;
    this.#inMemory = [];
    this.#bytes = 0;
  }
}
