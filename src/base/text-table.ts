// Interning: numbers texts in order of first occurrence. A hash table over one buffer; bytes decide equality.
import { sameRange } from './bytes.js';

const NONE = -1;
/** Bytes per text, beside its own: start, hash, two slots. */
export const TEXT_BYTES = 16;

/** The most slots of a table that is kept for reuse. */
const MOST_KEPT = 1 << 12;

/** All texts one after another, and where each begins; a last entry has the end. */
export interface SharedTexts {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly start: Int32Array<SharedArrayBuffer>;
}

export class TextTable {
  count = 0;
  #bytes: Uint8Array = new Uint8Array(1 << 10);
  /** Where each text starts, and one entry more: a text ends where the next one starts. */
  #start = new Int32Array(65);
  #hash = new Int32Array(64);
  #slots = new Int32Array(128).fill(NONE);

  /** Bytes held, approximately. */
  get heldBytes(): number {
    return this.#start[this.count]! + this.count * TEXT_BYTES;
  }

  /** Empties the table for reuse. Keeps its memory if that is little. */
  clear(): this {
    this.count = 0;
    if (this.#slots.length > MOST_KEPT) {
      this.#bytes = new Uint8Array(1 << 10);
      this.#start = new Int32Array(65);
      this.#hash = new Int32Array(64);
      this.#slots = new Int32Array(128);
    }
    this.#slots.fill(NONE);
    return this;
  }

  /** The number of bytes[at, at + length), or -1. */
  find(bytes: Uint8Array, at: number, length: number, hash: number): number {
    return this.#slots[this.#slotOf(bytes, at, length, hash)]!;
  }

  /** The number of bytes[at, at + length). A new text gets the next number. */
  intern(bytes: Uint8Array, at: number, length: number, hash: number): number {
    const slot = this.#slotOf(bytes, at, length, hash);
    const known = this.#slots[slot]!;
    if (known !== NONE) return known;
    const text = this.count++;
    if (text === this.#hash.length) this.#widen();
    const start = this.#start[text]!;
    if (start + length > this.#bytes.length) this.#grow(start, 2 * (start + length));
    for (let k = 0; k < length; k++) this.#bytes[start + k] = bytes[at + k]!;
    this.#start[text + 1] = start + length;
    this.#hash[text] = hash;
    this.#slots[slot] = text;
    if (2 * this.count > this.#slots.length) this.#rehash();
    return text;
  }

  text(number: number): Uint8Array {
    return this.#bytes.subarray(this.#start[number]!, this.#start[number + 1]!);
  }

  lengthOf(number: number): number {
    return this.#start[number + 1]! - this.#start[number]!;
  }

  /** A copy of all texts that other threads can read. */
  share(): SharedTexts {
    const start = new Int32Array(new SharedArrayBuffer(4 * (this.count + 1)));
    start.set(this.#start.subarray(0, start.length));
    const bytes = new Uint8Array(new SharedArrayBuffer(start.at(-1)!));
    bytes.set(this.#bytes.subarray(0, bytes.length));
    return { bytes, start };
  }

  #slotOf(bytes: Uint8Array, at: number, length: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const text = this.#slots[slot]!;
      if (text === NONE) return slot;
      const start = this.#start[text]!;
      if (this.#hash[text] !== hash || this.#start[text + 1]! - start !== length) continue;
      if (sameRange(this.#bytes, start, bytes, at, length)) return slot;
    }
  }

  #grow(used: number, bytes: number): void {
    const wider = new Uint8Array(bytes);
    wider.set(this.#bytes.subarray(0, used));
    this.#bytes = wider;
  }

  #widen(): void {
    const start = new Int32Array(2 * this.count + 1);
    start.set(this.#start);
    this.#start = start;
    const hash = new Int32Array(2 * this.count);
    hash.set(this.#hash);
    this.#hash = hash;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(NONE);
    const mask = this.#slots.length - 1;
    for (let text = 0; text < this.count; text++) {
      let slot = this.#hash[text]! & mask;
      while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.#slots[slot] = text;
    }
  }
}
