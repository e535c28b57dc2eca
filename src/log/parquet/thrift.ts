// Can these bytes be given to the library? The index of a Parquet file and the head of each page are structs of
// Thrift's compact protocol, which hyparquet turns into objects. It trusts the lengths in them: a list of 2^31 elements,
// a number of a million bytes (each of which shifts all before it) or nested lists would take all memory, or hours. So
// the bytes are walked first, without making anything.
//
//    field   [delta of the id, 4 bits | kind, 4 bits]  value   …   0 ends the struct
import { damagedParquet } from './bad.js';

/** Kinds of values. Maps, sets and UUIDs do not occur in Parquet. */
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I16 = 4;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

const MOST_DEPTH = 24;
/** Of a 64-bit number. */
const MOST_VARINT_BYTES = 10;

/**
 * Where the struct at `start` ends. Throws a BadParquet if it is not one, does not end within the bytes, or has more
 * than `mostValues` values.
 */
export function endOfStruct(bytes: Uint8Array, start: number, mostValues: number): number {
  const walk = new Walk(bytes, start, mostValues);
  walk.struct(0);
  return walk.at;
}

class Walk {
  at: number;
  readonly #bytes: Uint8Array;
  #left: number;

  constructor(bytes: Uint8Array, start: number, mostValues: number) {
    this.#bytes = bytes;
    this.at = start;
    this.#left = mostValues;
  }

  struct(depth: number): void {
    if (depth > MOST_DEPTH) throw damagedParquet(`its index has more than ${MOST_DEPTH} structs inside of each other`);
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      if (head >> 4 === 0) this.#varint();
      const kind = head & 0xf;
      if (kind !== TRUE && kind !== FALSE) this.#value(kind, depth);
      else this.#count(1);
    }
  }

  #value(kind: number, depth: number): void {
    this.#count(1);
    if (kind === BYTE || kind === TRUE || kind === FALSE) this.#skip(1);
    else if (kind >= I16 && kind <= I64) this.#varint();
    else if (kind === DOUBLE) this.#skip(8);
    else if (kind === BINARY) this.#skip(this.#varint());
    else if (kind === LIST) this.#list(depth + 1);
    else if (kind === STRUCT) this.struct(depth + 1);
    else throw damagedParquet(`a value of unknown kind ${kind} in its index`);
  }

  #list(depth: number): void {
    if (depth > MOST_DEPTH) throw damagedParquet(`its index has more than ${MOST_DEPTH} lists inside of each other`);
    const head = this.#byte();
    const length = head >> 4 === 15 ? this.#varint() : head >> 4;
    if (length > this.#bytes.length - this.at) throw damagedParquet(`a list of ${length} elements in its index`);
    for (let k = 0; k < length; k++) this.#value(head & 0xf, depth);
  }

  #varint(): number {
    let value = 0;
    for (let k = 0; k < MOST_VARINT_BYTES; k++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * k);
      if (byte < 0x80) return value;
    }
    throw damagedParquet('a number of more than 64 bits in its index');
  }

  #byte(): number {
    if (this.at >= this.#bytes.length) throw damagedParquet('its index, or the head of a page, ends too early');
    return this.#bytes[this.at++]!;
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.at) throw damagedParquet(`a text of ${length} bytes in its index`);
    this.at += length;
  }

  #count(values: number): void {
    this.#left -= values;
    if (this.#left < 0) throw damagedParquet('too many values in its index');
  }
}
