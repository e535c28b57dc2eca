// Rows that wait: first in, first out, all of one length, on disk where they are too many.
import { SpillSorter } from '../base/spill.js';
import type { Room } from './engine.js';

type Visit = (bytes: Uint8Array, at: number) => void;

export class RowQueue {
  count = 0;
  readonly #rowBytes: number;
  readonly #room: Room;
  readonly #maxRows: number;
  #bytes: Uint8Array;
  /** Rows in `bytes`; the others are in the sorter, which keeps the order of rows without a key. */
  #inMemory = 0;
  #sorter: SpillSorter | undefined;

  constructor(rowBytes: number, room: Room) {
    this.#rowBytes = rowBytes;
    this.#room = room;
    this.#maxRows = Math.max(4, Math.floor(room.memoryBytes / rowBytes));
    this.#bytes = new Uint8Array(4 * rowBytes);
  }

  add(bytes: Uint8Array, start: number): void {
    this.count++;
    if (this.#inMemory === this.#maxRows) {
      this.#sorter ??= new SpillSorter(this.#room, this.#room.stats);
      this.#sorter.add(bytes, start, start + this.#rowBytes, 0);
      return;
    }
    const at = this.#inMemory++ * this.#rowBytes;
    if (at === this.#bytes.length) {
      const wider = new Uint8Array(Math.min(2 * at, this.#maxRows * this.#rowBytes));
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    for (let k = 0; k < this.#rowBytes; k++) this.#bytes[at + k] = bytes[start + k]!;
  }

  /** Looks at the first row. */
  peek(visit: Visit): void {
    visit(this.#bytes, 0);
  }

  /** Takes out all rows. */
  drain(visit: Visit): void {
    for (let row = 0; row < this.#inMemory; row++) visit(this.#bytes, row * this.#rowBytes);
    const reader = this.#sorter?.finish();
    for (let row = reader?.next(); row !== undefined; row = reader?.next()) visit(row.bytes, row.keyStart);
    reader?.close();
    this.#reset();
  }

  clear(): void {
    this.#sorter?.finish().close();
    this.#reset();
  }

  #reset(): void {
    this.#sorter = undefined;
    this.count = this.#inMemory = 0;
  }
}
