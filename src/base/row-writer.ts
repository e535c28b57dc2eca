// How are the rows of external sorts written (row), so that the order of their bytes is the order of what they say?
import { writeU32 } from './row.js';

const number = new Float64Array(1);
const numberBytes = new Uint8Array(number.buffer);

/**
 * A growing row of bytes: keys whose byte order is the order of the numbers and strings that were written, then the
 * payload.
 */
export class RowWriter {
  bytes: Uint8Array = new Uint8Array(256);
  length = 0;

  clear(): this {
    this.length = 0;
    return this;
  }

  byte(value: number): this {
    this.#reserve(1);
    this.bytes[this.length++] = value;
    return this;
  }

  u32(value: number): this {
    this.#reserve(4);
    writeU32(this.bytes, this.length, value);
    this.length += 4;
    return this;
  }

  /** Sorts as the number. */
  bigEndian(value: number): this {
    return this.byte(value >>> 24)
      .byte((value >>> 16) & 0xff)
      .byte((value >>> 8) & 0xff)
      .byte(value & 0xff);
  }

  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  /** bytes[start, end), without a view of them. */
  range(bytes: Uint8Array, start: number, end: number): this {
    const length = end - start;
    this.#reserve(length);
    const own = this.bytes;
    for (let k = 0; k < length; k++) own[this.length + k] = bytes[start + k]!;
    this.length += length;
    return this;
  }

  /** Larger numbers first; a finite number >= 0. */
  descending(value: number): this {
    this.#reserve(8);
    number[0] = value;
    // Words are little endian where Node runs.
    for (let k = 7; k >= 0; k--) this.bytes[this.length++] = numberBytes[k]! ^ 0xff;
    return this;
  }

  #reserve(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(this.bytes.length * 2, this.length + bytes));
    wider.set(this.bytes);
    this.bytes = wider;
  }
}
