// Unpacks whole numbers. Larger ones are stored as differences (DELTA_BINARY_PACKED): blocks with a least difference,
// and miniblocks of what the differences exceed it by. Each miniblock has its own bit width; lowest bits come first:
//
//    block size · miniblocks · count · first value      least · widths · miniblock · miniblock …      least · …
//
// Arithmetic is modulo 2^32 or 2^64.
import { damagedParquet } from './magic.js';

/** The values of a miniblock are decoded together; there are usually 32 to 128. */
const MOST_BLOCK = 1 << 16;

export class Deltas {
  /** The number of values, by the head. */
  readonly count: number;
  readonly #bytes: Uint8Array;
  readonly #bits: 32 | 64;
  readonly #miniblocks: number;
  readonly #perMiniblock: number;
  readonly #end: number;
  #at: number;
  #value: bigint;
  #least = 0n;
  #isFirst = true;
  /** Where the widths of the block are, and the next miniblock. */
  #widths = 0;
  #miniblock: number;
  /** Of the open miniblock: the number of values left, their width in bits, the next bit. */
  #left = 0;
  #width = 0;
  #bit = 0;
  #miniblockEnd = 0;

  /** Throws a BadParquet if the head is invalid. */
  constructor(bytes: Uint8Array, start: number, end: number, bits: 32 | 64) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#bits = bits;
    const blockSize = Number(this.#varint());
    this.#miniblocks = this.#miniblock = Number(this.#varint());
    this.count = Number(this.#varint());
    this.#value = this.#zigzag();
    this.#perMiniblock = blockSize / this.#miniblocks;
    const isSane = blockSize > 0 && blockSize <= MOST_BLOCK && this.#perMiniblock % 8 === 0;
    if (!isSane) throw damagedParquet(`blocks of ${blockSize} numbers in ${this.#miniblocks} pieces`);
  }

  next(): bigint {
    if (this.#isFirst) this.#isFirst = false;
    else {
      if (this.#left === 0) this.#openMiniblock();
      this.#left--;
      this.#value += this.#least + this.#unpack();
    }
    return (this.#value = BigInt.asIntN(this.#bits, this.#value));
  }

  /** Where the bytes of all values end, after `next` has returned the last one. */
  endOfAll(): number {
    return Math.max(this.#at, this.#miniblockEnd);
  }

  #openMiniblock(): void {
    this.#at = Math.max(this.#at, this.#miniblockEnd);
    if (this.#miniblock === this.#miniblocks) {
      this.#least = this.#zigzag();
      this.#widths = this.#at;
      this.#at += this.#miniblocks;
      if (this.#at > this.#end) throw damagedParquet('differences end too early');
      this.#miniblock = 0;
    }
    this.#width = this.#bytes[this.#widths + this.#miniblock++]!;
    if (this.#width > 64) throw damagedParquet(`differences of ${this.#width} bits`);
    this.#left = this.#perMiniblock;
    this.#bit = 0;
    this.#miniblockEnd = this.#at + (this.#perMiniblock * this.#width) / 8;
  }

  #unpack(): bigint {
    const [bytes, width] = [this.#bytes, this.#width];
    if (width === 0) return 0n;
    const from = this.#at + (this.#bit >>> 3);
    const shift = this.#bit & 7;
    const length = (shift + width + 7) >>> 3;
    if (from + length > this.#end) throw damagedParquet('differences end too early');
    this.#bit += width;
    if (shift + width <= 48) {
      let value = 0;
      for (let k = length - 1; k >= 0; k--) value = value * 256 + bytes[from + k]!;
      return BigInt(Math.floor(value / 2 ** shift) % 2 ** width);
    }
    let value = 0n;
    for (let k = length - 1; k >= 0; k--) value = (value << 8n) | BigInt(bytes[from + k]!);
    return BigInt.asUintN(width, value >> BigInt(shift));
  }

  #zigzag(): bigint {
    const value = this.#varint();
    return (value >> 1n) ^ -(value & 1n);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.#at >= this.#end) throw damagedParquet('differences end too early');
      const byte = this.#bytes[this.#at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw damagedParquet('a difference of more than 64 bits');
  }
}

// Small numbers (levels, and indices of a dictionary) are stored as runs of one value, or groups of eight values of
// `width` bits each; lowest bits come first:
//
//    run     length << 1              the value, in whole bytes
//    groups  (groups << 1) | 1        width bytes for each group
//
// Numbers are decoded one at a time, so a run may be as long as it claims.

export class Runs {
  readonly #bytes: Uint8Array;
  readonly #width: number;
  readonly #end: number;
  readonly #mask: number;
  #at: number;
  #left = 0;
  #isPacked = false;
  #value = 0;
  /** The bit in the byte at `#at` where the next packed value begins. */
  #bit = 0;

  /** Throws a BadParquet for a width above 31 bits. */
  constructor(bytes: Uint8Array, start: number, end: number, width: number) {
    if (width > 31) throw damagedParquet(`packed numbers of ${width} bits`);
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#width = width;
    this.#mask = 2 ** width - 1;
    // If all numbers are 0, nothing is stored.
    if (width === 0) this.#left = Infinity;
  }

  /** The next number. Throws a BadParquet if there is none. */
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
      // Bytes beyond the end are undefined, which becomes 0.
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
