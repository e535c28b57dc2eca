// Rows of a few numbers each, sorted by the first; on disk if they are many. They can be read as often as needed.
import { readBigEndian, writeBigEndian, type RewindableReader } from './row.js';
import { SpillSorter, type SpillRoom } from './spill.js';

export interface WordReader {
  /** The row at the cursor, until the next call of `next`. */
  readonly words: Uint32Array;
  /** Advances; false at the end. */
  next(): boolean;
  /** Starts over. */
  rewind(): void;
  close(): void;
}

/** Build (`add`), then freeze and read (`finish`). */
export class WordSorter {
  /** Fill this, then call {@link add}. */
  readonly row: Uint32Array;
  readonly #keyBytes: number;
  readonly #sorter: SpillSorter;

  constructor(width: number, keyWords: number, room: SpillRoom) {
    this.row = new Uint32Array(width);
    this.#keyBytes = 4 * keyWords;
    this.#sorter = new SpillSorter(room, room.stats);
  }

  add(): void {
    const { row } = this;
    const at = this.#sorter.open(4 * row.length, this.#keyBytes);
    const { bytes } = this.#sorter;
    for (let k = 0; k < row.length; k++) writeBigEndian(bytes, at + 4 * k, row[k]!);
  }

  /** All rows in order. The sorter takes no more. */
  finish(): WordReader {
    return new Words(this.row.length, this.#sorter.finish());
  }
}

class Words implements WordReader {
  readonly words: Uint32Array;
  readonly #rows: RewindableReader;

  constructor(width: number, rows: RewindableReader) {
    this.words = new Uint32Array(width);
    this.#rows = rows;
  }

  next(): boolean {
    const row = this.#rows.next();
    if (row === undefined) return false;
    const { words } = this;
    for (let k = 0; k < words.length; k++) words[k] = readBigEndian(row.bytes, row.keyStart + 4 * k);
    return true;
  }

  rewind(): void {
    this.#rows.rewind();
  }

  close(): void {
    this.#rows.close();
  }
}
