// Rows of instances from the walk: in blocks of the heap while they fit in memory.
//
// Beyond that they are partitioned on disk. Whenever memory is full, the kernel sorts its rows by the first bits of the
// hash of their core (kernel/count/deal), and they are appended to a scratch file as one run. At the end, consecutive
// parts of all runs are read together, as many as fit, and counted on their own: all rows of a core are in one part. A
// single part that does not fit is sorted on disk by core.
import { alloc, giveBack, inArena, kernel, takeU32, u8At } from '../base/heap.js';
import type { RowReader } from '../base/row.js';
import { ScratchFile } from '../base/scratch.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { bytesFor, roomFor } from '../memory-plan.js';
import { KEY_BYTES, ROW } from '../kernel/layout/instance-row.js';

/** Rows in memory: blocks of the heap. */
export interface RowBlocks {
  readonly blocks: readonly Uint8Array[];
  readonly count: number;
}

/** Rows in key order. */
export interface SortedRows {
  readonly reader: RowReader;
  readonly count: number;
}

/** Called by `eachLoad`, at least once. All rows of a core are in the same load. */
interface LoadTaker {
  readonly blocks: (rows: RowBlocks) => void;
  /** For a part that does not fit in memory. */
  readonly sorted: (rows: SortedRows) => void;
}

const PART_BITS = 10;
const PARTS = 1 << PART_BITS;
const ENDS_BYTES = 4 * PARTS;
/** Rows per block of a load that was read from disk: threads share a load by blocks. */
const BLOCK_ROWS = 1 << 14;

/** Instances: in memory while they fit into their share, then in runs on disk. */
export class InstanceRows {
  readonly #room: SpillRoom;
  readonly #mostBytes: number;
  #blocks: Uint8Array[] = [];
  #heldBytes = 0;
  #runs: ScratchFile | undefined;
  /** Where each run begins. A run is a table of where its parts end, in rows, and then the rows. */
  readonly #starts: number[] = [];
  /** The number of rows of each part, over all runs. */
  readonly #rowsOfPart = new Float64Array(PARTS);
  /** The number of all rows, in memory or not. */
  count = 0;

  /** `spareBytes`: memory that the list leaves unused. */
  constructor(room: SpillRoom, spareBytes: number) {
    this.#room = room;
    this.#mostBytes = bytesFor('instances/blocks', room.memoryBytes + spareBytes);
  }

  /** Takes ownership of a block of the heap. */
  take(block: Uint8Array): void {
    this.count += block.length / ROW;
    this.#heldBytes += block.length;
    this.#blocks.push(block);
    if (this.#heldBytes > this.#mostBytes) this.#spill();
  }

  /** Calls `take` with all rows, load by load. Each load is freed after its call. */
  eachLoad(take: LoadTaker): void {
    if (this.#runs === undefined) {
      if (this.count > 0) take.blocks({ blocks: this.#blocks, count: this.count });
      return;
    }
    if (this.#heldBytes > 0) this.#spill();
    const mostRows = Math.floor(this.#mostBytes / ROW);
    for (let part = 0; part < PARTS;) {
      const first = part;
      let rows = this.#rowsOfPart[part++]!;
      while (part < PARTS && rows + this.#rowsOfPart[part]! <= mostRows) rows += this.#rowsOfPart[part++]!;
      if (rows === 0) continue;
      if (rows <= mostRows) this.#load(first, part, rows, take);
      else take.sorted({ reader: this.#sorted(first, part), count: rows });
    }
  }

  /** Frees what is left. */
  close(): void {
    for (const block of this.#blocks.splice(0)) giveBack(block);
    this.#runs?.close();
    this.#runs = undefined;
  }

  #spill(): void {
    this.#runs ??= new ScratchFile(this.#room.tmpdir);
    this.#room.progress?.tick();
    const run = block(ENDS_BYTES + this.#heldBytes);
    const { byteOffset } = run;
    const blocks = this.#blocks.splice(0);
    inArena(() => {
      kernel().partition(blockList(blocks).byteOffset, blocks.length, PART_BITS, byteOffset + ENDS_BYTES, byteOffset);
    });
    for (const rows of blocks) giveBack(rows);
    const ends = endsIn(run);
    for (let part = 0, start = 0; part < PARTS; start = ends[part++]!) this.#rowsOfPart[part]! += ends[part]! - start;
    this.#starts.push(this.#runs.length);
    this.#runs.append(run);
    this.#room.stats.runs++;
    this.#room.stats.bytes += run.length;
    this.#heldBytes = 0;
    giveBack(run);
  }

  #load(first: number, end: number, count: number, take: LoadTaker): void {
    const all = block(count * ROW);
    let used = 0;
    for (const { at, bytes } of this.#slices(first, end)) {
      this.#runs!.read(all.subarray(used, used + bytes), at);
      used += bytes;
    }
    const blocks: Uint8Array[] = [];
    for (let at = 0; at < used; at += BLOCK_ROWS * ROW) blocks.push(all.subarray(at, at + BLOCK_ROWS * ROW));
    take.blocks({ blocks, count });
    giveBack(all);
  }

  /** The rows of parts that do not fit in memory, sorted. */
  #sorted(first: number, end: number): RowReader {
    const sorter = new SpillSorter(roomFor('instances/sort', this.#room), this.#room.stats);
    const some = block(BLOCK_ROWS * ROW);
    for (const { at, bytes } of this.#slices(first, end)) {
      for (let done = 0; done < bytes; done += some.length) {
        const rows = some.subarray(0, Math.min(some.length, bytes - done));
        this.#runs!.read(rows, at + done);
        for (let row = 0; row < rows.length; row += ROW) sorter.add(rows, row, row + ROW, KEY_BYTES);
      }
    }
    giveBack(some);
    return sorter.finish();
  }

  /** Where the rows of parts `first` to `end` are in the file, run by run. */
  *#slices(first: number, end: number): Generator<{ readonly at: number; readonly bytes: number }> {
    const head = new Uint8Array(ENDS_BYTES);
    const ends = endsIn(head);
    for (const start of this.#starts) {
      this.#runs!.read(head, start);
      const from = first === 0 ? 0 : ends[first - 1]!;
      const to = ends[end - 1]!;
      if (to > from) yield { at: start + ENDS_BYTES + from * ROW, bytes: (to - from) * ROW };
    }
  }
}

/** The blocks for the kernel, in the arena of this thread. */
export function blockList(blocks: readonly Uint8Array[]): Uint32Array {
  const list = takeU32(2 * blocks.length);
  for (const [k, { byteOffset, length }] of blocks.entries()) {
    list[2 * k] = byteOffset;
    list[2 * k + 1] = length;
  }
  return list;
}

function block(bytes: number): Uint8Array<SharedArrayBuffer> {
  return u8At(alloc(bytes), bytes);
}

/** The table at the start of a run. */
function endsIn({ buffer, byteOffset }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, PARTS);
}
