// Rows of instances, as they come from the walk: blocks of the heap, or sorted runs where they do not fit.
import { giveBack, u8At } from '../base/heap.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { KEY, ROW } from './instance.js';

/** Rows end to end in the heap. */
export interface RowBlock {
  readonly address: number;
  readonly bytes: number;
}

/** Instances, in memory while they take no more than a third of the room, and then in sorted runs. */
export class InstanceRows {
  readonly #room: SpillRoom;
  #blocks: RowBlock[] = [];
  /** Of all that came. */
  bytes = 0;
  sorter: SpillSorter | undefined;

  constructor(room: SpillRoom) {
    this.#room = room;
  }

  /** All that came, where it is in memory. */
  get blocks(): readonly RowBlock[] {
    return this.#blocks;
  }

  get count(): number {
    return this.bytes / ROW;
  }

  /** Takes a block over, to give it back. */
  take(address: number, bytes: number): void {
    const { memoryBytes, stats } = this.#room;
    this.bytes += bytes;
    this.#blocks.push({ address, bytes });
    if (this.sorter === undefined && this.bytes <= memoryBytes / 3) return;
    this.sorter ??= new SpillSorter({ ...this.#room, memoryBytes: (memoryBytes * 2) / 3 }, stats);
    for (const block of this.#blocks.splice(0)) {
      const rows = u8At(block.address, block.bytes);
      for (let at = 0; at < rows.length; at += ROW) this.sorter.add(rows, at, at + ROW, KEY);
      giveBack(rows);
    }
  }

  /** Gives back what is in memory: it is counted. */
  close(): void {
    for (const { address } of this.#blocks.splice(0)) giveBack({ byteOffset: address });
  }
}
