// Pairs of numbers, sorted by the first and then the second number; on disk if they are many.
import { eachRow, readBigEndian, writeBigEndian, type RowReader } from './row.js';
import { SpillSorter, type SpillRoom } from './spill.js';

const PAIR_BYTES = 8;

/** Build (`add`), then read once: by `each` or `finish`. */
export class NumberPairs {
  readonly #sorter: SpillSorter;

  constructor(room: SpillRoom) {
    this.#sorter = new SpillSorter(room, room.stats);
  }

  add(a: number, b: number): void {
    const at = this.#sorter.open(PAIR_BYTES, PAIR_BYTES);
    const { bytes } = this.#sorter;
    writeBigEndian(bytes, at, a);
    writeBigEndian(bytes, at + 4, b);
  }

  each(take: (a: number, b: number) => void): void {
    for (const { bytes, keyStart } of eachRow(this.#sorter.finish())) {
      take(readBigEndian(bytes, keyStart), readBigEndian(bytes, keyStart + 4));
    }
  }

  /** Rows of two big-endian numbers. */
  finish(): RowReader {
    return this.#sorter.finish();
  }
}
