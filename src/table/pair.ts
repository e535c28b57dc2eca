// A pair of substrings with its support, and its encoding in the rows of an external sort.
import { readU32, writeU32, type Row } from '../base/row.js';
import * as PAIR from '../kernel/layout/pair.js';
import type { Anchor } from '../rule/rule.js';

/** (α, β), a rule in each direction, written so that α → β shrinks. Raw bytes; START and END are in `anchor`. */
export interface Pair {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly anchor: Anchor;
  readonly low: number;
  readonly high: number;
  readonly against: number;
  /** Rows of up to three instances in the site's URL list, the first of those that count for `low`. */
  readonly examples: readonly (readonly [number, number])[];
}

/** Indexed by their numbers. */
const ANCHORS: readonly Anchor[] = ['both', 'end', 'none', 'start'];

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

  /** Larger numbers first; a finite number >= 0. */
  descending(value: number): this {
    this.#reserve(8);
    number[0] = value;
    // Words are little endian where Node runs.
    for (let k = 7; k >= 0; k--) this.bytes[this.length++] = numberBytes[k]! ^ 0xff;
    return this;
  }

  /**
   * One side of a pair in code-point order: nothing, then START, then END, before every byte. UTF-8 sorts in code-point
   * order; the low bytes that serve as marks are escaped.
   */
  side(text: Uint8Array, anchor: Anchor): this {
    this.#reserve(2 * text.length + 3);
    const { bytes } = this;
    let at = this.length;
    if (anchor === 'start' || anchor === 'both') bytes[at++] = 1;
    for (let k = 0; k < text.length; k++) {
      if (text[k]! <= 3) bytes[at++] = 3;
      bytes[at++] = text[k]!;
    }
    if (anchor === 'end' || anchor === 'both') bytes[at++] = 2;
    bytes[at++] = 0;
    this.length = at;
    return this;
  }

  #reserve(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(this.bytes.length * 2, this.length + bytes));
    wider.set(this.bytes);
    this.bytes = wider;
  }
}

/** Takes pairs end to end as they are in the heap, each after its length. Valid until it returns. */
export type TakePairs = (pairs: Uint8Array<SharedArrayBuffer>) => void;

/** Reads the payload (kernel/layout/pair) after the key of a row. */
export function readPair(row: Row): Pair {
  const { bytes, keyEnd } = row;
  const anchor = ANCHORS[bytes[keyEnd + PAIR.ANCHOR]!]!;
  const examples: [number, number][] = [];
  let at = keyEnd + PAIR.FIXED;
  for (let left = bytes[keyEnd + PAIR.EXAMPLES]!; left > 0; left--, at += PAIR.EXAMPLE) {
    examples.push([readU32(bytes, at), readU32(bytes, at + 4)]);
  }
  const fromEnd = at + 4 + readU32(bytes, at);
  return {
    from: bytes.slice(at + 4, fromEnd),
    to: bytes.slice(fromEnd, row.end),
    anchor,
    low: readU32(bytes, keyEnd + PAIR.LOW),
    high: readU32(bytes, keyEnd + PAIR.HIGH),
    against: readU32(bytes, keyEnd + PAIR.AGAINST),
    examples,
  };
}
