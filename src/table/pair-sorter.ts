// The pairs of a site, sorted for the next step: for printing, or for elimination. The kernel makes their rows
// (kernel/write/pair-rows), which an external sort orders (base/spill).
import { kernel, newU32, giveBack } from '../base/heap.js';
import type { HeapRowReader } from '../base/row.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';

export type PairOrder = 'printed' | 'elimination';

/** The least room to request of the sort: a pair rarely needs more. */
const ROOM_BYTES = 1 << 12;
/** For a pair that does: a row has its sides twice, and the key may have all bytes doubled. */
const ROW_FACTOR = 4;

export class PairSorter {
  readonly #order: PairOrder;
  readonly #sorter: SpillSorter;
  /** Bytes and rows that were written: see kernel/write/pair-rows. */
  readonly #result = newU32(2);
  count = 0;

  constructor(order: PairOrder, room: SpillRoom) {
    this.#order = order;
    this.#sorter = new SpillSorter(room, room.stats);
  }

  /** Takes pairs end to end, as they are in the heap. */
  add(pairs: Uint8Array<SharedArrayBuffer>): void {
    const end = pairs.byteOffset + pairs.length;
    const sort = kernel();
    let most = ROOM_BYTES;
    for (let at = pairs.byteOffset; at < end;) {
      const room = this.#sorter.room(most);
      const from = at;
      at =
        sort.pairRows(at, end, this.#order === 'printed' ? 1 : 0, room.address, room.end, this.#result.byteOffset) >>>
        0;
      const [bytes, rows] = this.#result as unknown as readonly [number, number];
      this.#sorter.wrote(bytes, rows);
      this.count += rows;
      // The pair was larger than the room.
      most = at === from ? most * ROW_FACTOR : ROOM_BYTES;
    }
  }

  /** All rows in order. The sorter takes no more pairs. */
  finish(): HeapRowReader {
    giveBack(this.#result);
    return this.#sorter.finish();
  }
}
