// How many different strings were added? As many as fit in memory are known by a set (./first-seen); the others go to an
// external sort, and are counted at the end. A string that the set knows never goes to the sort, so the sum is exact.
import { ByteBuffer } from '../base/buffer.js';
import { sameRange } from '../base/bytes.js';
import { type SpillOptions, SpillSorter } from '../base/spill.js';
import { bytesFor, roomFor } from '../memory-plan.js';
import { FirstSeen } from './first-seen.js';

export class Distinct {
  readonly #seen: FirstSeen;
  readonly #room: SpillOptions;
  #others: SpillSorter | undefined;
  #count = 0;

  constructor(room: SpillOptions) {
    this.#seen = new FirstSeen(bytesFor('distinct/seen', room.memoryBytes));
    this.#room = roomFor('distinct/sort', room);
  }

  /** Adds the string bytes[start, end). */
  add(bytes: Uint8Array, start: number, end: number): void {
    const sight = this.#seen.add(bytes, start, end);
    if (sight === 'first') this.#count++;
    if (sight !== 'unknown') return;
    this.#others ??= new SpillSorter(this.#room);
    this.#others.add(bytes, start, end, end - start);
  }

  /** The number of different strings. Nothing can be added afterwards. */
  end(): number {
    if (this.#others === undefined) return this.#count;
    const rows = this.#others.finish();
    const last = new ByteBuffer(1 << 12);
    let isFirst = true;
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const { bytes, keyStart, keyEnd } = row;
      const isSame = last.used === keyEnd - keyStart && sameRange(last.bytes, 0, bytes, keyStart, last.used);
      if (isSame && !isFirst) continue;
      isFirst = false;
      this.#count++;
      last.used = 0;
      last.add(bytes, keyStart, keyEnd);
    }
    rows.close();
    this.#others = undefined;
    return this.#count;
  }
}
