// Rows for the external sorts of `measure`: a key of parts, each behind its length, so that any bytes can be a part and
// rows with the same first parts stand together.
//
//   | byte | length u32 | part … | length u32 | part … |
import { sameBytes } from '../base/hash.js';
import { readU32, type Row } from '../base/spill.js';
import { RowWriter } from '../table/pair.js';

export function putPart(row: RowWriter, part: Uint8Array): RowWriter {
  return row.u32(part.length).raw(part);
}

/** Where the part at `at` ends; it begins four bytes on. */
export function partEnd({ bytes }: Pick<Row, 'bytes'>, at: number): number {
  return at + 4 + readU32(bytes, at);
}

/** Remembers some bytes of a row and tells whether they have changed since. */
export class Run {
  #bytes: Uint8Array = new Uint8Array(0);
  #isOpen = false;

  /** True where bytes [start, end) are not those of the last call; they are remembered then. */
  isNew({ bytes }: Pick<Row, 'bytes'>, start: number, end: number): boolean {
    const length = end - start;
    if (this.#isOpen && this.#bytes.length === length && sameBytes(this.#bytes, 0, bytes, start, length)) return false;
    this.#bytes = bytes.slice(start, end);
    this.#isOpen = true;
    return true;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  forget(): void {
    this.#isOpen = false;
  }
}
