// Reads and writes rows of external sorts, which have the same layout in memory and on disk (kernel/layout/sorted-row).
import { HEADER, KEY_LENGTH, ROW_LENGTH } from '../kernel/layout/sorted-row.js';

/** Bytes before the key. */
export const ROW_HEADER = HEADER;

/** The row at the cursor of a {@link RowReader}, as ranges of `bytes`. Valid until the next call of `next`. */
export interface Row {
  readonly bytes: Uint8Array;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** The payload is [keyEnd, end). */
  readonly end: number;
}

export interface RowReader {
  next(): Row | undefined;
  close(): void;
}

/** A reader whose rows can also be read in place, in the heap. */
export interface HeapRowReader extends RowReader {
  /** The addresses of the next few rows; empty at the end. Valid until the next call of any method. */
  nextRows(): Uint32Array<SharedArrayBuffer>;
}

/** Rows that can be read again. */
export interface RewindableReader extends HeapRowReader {
  /** Starts over. */
  rewind(): void;
}

/** All rows of a reader. Closes the reader at the end. */
export function* eachRow(reader: RowReader): Generator<Row> {
  for (let row = reader.next(); row !== undefined; row = reader.next()) yield row;
  reader.close();
}

export function compareKeys(a: Row, b: Row): number {
  const length = Math.min(a.keyEnd - a.keyStart, b.keyEnd - b.keyStart);
  for (let k = 0; k < length; k++) {
    const order = a.bytes[a.keyStart + k]! - b.bytes[b.keyStart + k]!;
    if (order !== 0) return order;
  }
  return a.keyEnd - a.keyStart - (b.keyEnd - b.keyStart);
}

/** The row at an offset. */
export function rowAt(bytes: Uint8Array, at: number): Row {
  const keyStart = at + ROW_HEADER;
  return {
    bytes,
    keyStart,
    keyEnd: keyStart + readU32(bytes, at + KEY_LENGTH),
    end: keyStart + readU32(bytes, at + ROW_LENGTH),
  };
}

/** Unsigned, little endian; a row is below 2 GiB. */
export function readU32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** A number whose bytes sort like the number itself: for keys. */
export function readBigEndian(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

export function writeBigEndian(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

// Written rows sort by their bytes as by their values.

const number = new Float64Array(1);
const numberBytes = new Uint8Array(number.buffer);

/** A growing row: first the key, whose bytes sort like the numbers and strings written to it, then the payload. */
export class RowWriter {
  bytes: Uint8Array = new Uint8Array(256);
  length = 0;

  clear(): this {
    this.length = 0;
    return this;
  }

  /** The bytes so far, which are not copied. */
  get taken(): Uint8Array {
    return this.bytes.subarray(0, this.length);
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

  /** Bytes that sort like the number. */
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

  /** Appends bytes[start, end) without making a view of them. */
  range(bytes: Uint8Array, start: number, end: number): this {
    const length = end - start;
    this.#reserve(length);
    const own = this.bytes;
    for (let k = 0; k < length; k++) own[this.length + k] = bytes[start + k]!;
    this.length += length;
    return this;
  }

  /** Bytes that sort larger numbers first. The number must be finite and >= 0. */
  descending(value: number): this {
    this.#reserve(8);
    number[0] = value;
    // Node's typed arrays are little endian on all its platforms.
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
