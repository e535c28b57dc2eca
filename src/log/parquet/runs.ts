// Small numbers as Parquet packs them: levels, and places in a dictionary. Runs of one value, or groups of eight values
// of `width` bits each, the lowest bits first:
//
//    run     length << 1              the value, in whole bytes
//    groups  (groups << 1) | 1        width bytes for each group
//
// One number is decoded when it is asked for, so that a run may be as long as it says.
import { damagedParquet } from './bad.js';

export class Runs {
  readonly #bytes: Uint8Array;
  readonly #width: number;
  readonly #end: number;
  readonly #mask: number;
  #at: number;
  #left = 0;
  #isPacked = false;
  #value = 0;
  /** The bit of the byte at `#at` where the next packed value begins. */
  #bit = 0;

  /** Throws a BadParquet for a width above 31 bits. */
  constructor(bytes: Uint8Array, start: number, end: number, width: number) {
    if (width > 31) throw damagedParquet(`packed numbers of ${width} bits`);
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#width = width;
    this.#mask = 2 ** width - 1;
    // Nothing is stored of numbers that are all 0.
    if (width === 0) this.#left = Infinity;
  }

  /** Throws a BadParquet if there is none. */
  next(): number {
    if (this.#left === 0) this.#begin();
    this.#left--;
    return this.#isPacked ? this.#unpack() : this.#value;
  }

  #begin(): void {
    while (this.#left === 0) {
      const head = this.#varint();
      this.#isPacked = (head & 1) === 1;
      this.#left = this.#isPacked ? (head >>> 1) * 8 : head >>> 1;
      if (!this.#isPacked) this.#value = this.#readValue();
    }
  }

  #readValue(): number {
    let value = 0;
    for (let shift = 0; shift < this.#width; shift += 8) value += this.#byte() * 2 ** shift;
    return value;
  }

  #unpack(): number {
    const bytes = this.#bytes;
    const at = this.#at;
    const last = this.#bit + this.#width;
    const next = at + (last >>> 3);
    if (next + ((last & 7) === 0 ? 0 : 1) > this.#end) throw damagedParquet('packed numbers end too early');
    const bit = this.#bit;
    let value: number;
    if (last <= 32) {
      // Bytes behind the end are undefined, and then 0.
      value = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> bit;
    } else {
      value = bytes[at]! >>> bit;
      for (let got = 8 - bit, k = at + 1; got < this.#width; got += 8) value += bytes[k++]! * 2 ** got;
    }
    this.#at = next;
    this.#bit = last & 7;
    return value & this.#mask;
  }

  #varint(): number {
    let value = 0;
    for (let k = 0; k < 5; k++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * k);
      if (byte < 0x80) return value >>> 0;
    }
    throw damagedParquet('a run of more than 32 bits');
  }

  #byte(): number {
    if (this.#at >= this.#end) throw damagedParquet('packed numbers end too early');
    return this.#bytes[this.#at++]!;
  }
}
