// Rows for the external sorts of `measure`: a key of parts, each after its length, so that any bytes can be a part and
// rows with the same first parts are adjacent.
//
//   | byte | length u32 | part … | length u32 | part … |
import { sameRange } from '../base/bytes.js';
import { readU32, type Row } from '../base/row.js';
import { RowWriter } from '../base/row-writer.js';

export function putPart(row: RowWriter, part: Uint8Array): RowWriter {
  return row.u32(part.length).raw(part);
}

/** Where the part at `at` ends; it begins four bytes later. */
export function partEnd({ bytes }: Pick<Row, 'bytes'>, at: number): number {
  return at + 4 + readU32(bytes, at);
}

/**
 * Remembers some bytes of a row and tests whether they have changed since. Copied into a reused buffer, as few are
 * needed later.
 */
export class Run {
  #held: Uint8Array = new Uint8Array(0);
  #length = 0;
  #copy: Uint8Array | undefined;
  #isOpen = false;

  /** True if bytes [start, end) are not those of the last call; they are remembered then. */
  isNew(row: Pick<Row, 'bytes'>, start: number, end: number): boolean {
    if (this.is(row, start, end)) return false;
    this.remember(row, start, end);
    return true;
  }

  is({ bytes }: Pick<Row, 'bytes'>, start: number, end: number): boolean {
    return this.#isOpen && this.#length === end - start && sameRange(this.#held, 0, bytes, start, this.#length);
  }

  remember({ bytes }: Pick<Row, 'bytes'>, start: number, end: number): void {
    const length = end - start;
    if (length > this.#held.length) this.#held = new Uint8Array(2 * length);
    for (let k = 0; k < length; k++) this.#held[k] = bytes[start + k]!;
    this.#length = length;
    this.#copy = undefined;
    this.#isOpen = true;
  }

  /** A copy in its own memory. */
  get bytes(): Uint8Array {
    return (this.#copy ??= this.#held.slice(0, this.#length));
  }

  /** The same until others are remembered. */
  get view(): Uint8Array {
    return this.#held.subarray(0, this.#length);
  }

  forget(): void {
    this.#isOpen = false;
  }
}
