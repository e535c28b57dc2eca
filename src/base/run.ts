// Detects where a new run of equal keys begins among sorted rows.
import { copyTo } from './buffer.js';
import { sameRange } from './bytes.js';
import type { Row } from './row.js';

/**
 * Remembers some bytes of a row and tests whether those of another row differ. They are copied into a reused buffer, as
 * few of them are needed later.
 */
export class Run {
  #held: Uint8Array = new Uint8Array(0);
  #length = 0;
  #copy: Uint8Array | undefined;
  #isOpen = false;

  /** True if bytes [start, end) differ from those remembered; then remembers them. */
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
    copyTo(this.#held, 0, bytes, start, end);
    this.#length = length;
    this.#copy = undefined;
    this.#isOpen = true;
  }

  /** A copy of the remembered bytes. */
  get bytes(): Uint8Array {
    return (this.#copy ??= this.#held.slice(0, this.#length));
  }

  /** The remembered bytes, valid until others are remembered. */
  get view(): Uint8Array {
    return this.#held.subarray(0, this.#length);
  }

  forget(): void {
    this.#isOpen = false;
  }
}
