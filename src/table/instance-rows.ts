// Rows of instances, as they come from the walk: blocks of the heap, spilled to sorted runs if they do not fit.
import { giveBack } from '../base/heap.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { bytesFor, roomFor } from '../memory-plan.js';
import { KEY_BYTES, ROW } from '../kernel/layout/instance-row.js';

/** Instances, in memory while their share of the room has space for them, and then in sorted runs. */
export class InstanceRows {
  readonly #room: SpillRoom;
  #blocks: Uint8Array[] = [];
  /** Bytes of all rows. */
  bytes = 0;
  sorter: SpillSorter | undefined;

  constructor(room: SpillRoom) {
    this.#room = room;
  }

  /** All rows, if they are in memory. */
  get blocks(): readonly Uint8Array[] {
    return this.#blocks;
  }

  get count(): number {
    return this.bytes / ROW;
  }

  /** Takes ownership of a block of the heap. */
  take(block: Uint8Array): void {
    const { memoryBytes, stats } = this.#room;
    this.bytes += block.length;
    this.#blocks.push(block);
    if (this.sorter === undefined && this.bytes <= bytesFor('instances/blocks', memoryBytes)) return;
    this.sorter ??= new SpillSorter(roomFor('instances/sort', this.#room), stats);
    for (const rows of this.#blocks.splice(0)) {
      for (let at = 0; at < rows.length; at += ROW) this.sorter.add(rows, at, at + ROW, KEY_BYTES);
      giveBack(rows);
    }
  }

  /** Frees what is in memory. */
  close(): void {
    for (const block of this.#blocks.splice(0)) giveBack(block);
  }
}
