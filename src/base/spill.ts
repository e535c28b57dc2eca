// The external sort. Rows (base/row) go into a buffer. A full buffer is sorted and spilled to disk as a sorted run, and
// at the end a k-way merge (base/merge) reads all runs. It is stable: rows come out by key bytes, equal keys in the
// order they were added. All runs of a sorter share one file. Rows in memory are in the heap, where the kernel sorts
// them (kernel/sort/sort-rows) and can also write and read them.
import { copyTo } from './buffer.js';
import { alloc, giveBack, kernel, u32At, u8At } from './heap.js';
import { BlockWriter, mergeRuns } from './merge.js';
import type { Progress } from './progress.js';
import { ROW_HEADER, rowAt, writeU32, type RewindableReader } from './row.js';
import { ScratchFile } from './scratch.js';

const MIN_BLOCK = 4096;
/** Bytes per row while it is sorted, beside the row: an entry of the sort and its address. */
const ORDER_BYTES = 20;
/** Bytes past the last row that the kernel may read. */
const SPARE_BYTES = 8;
/** The most that one sorter takes of the heap, which has 4 GiB. Its runs are large enough at that size. */
const MOST_BYTES = 512 << 20;

/** Rows are written and read in blocks of this size. */
const COPIED_BYTES = 1 << 16;
/** The most rows of a block: a few more than fit into it. */
const MOST_GATHERED = 1 << 12;

export interface SpillOptions {
  /** Bytes that the buffer and the merge may take. */
  readonly memoryBytes: number;
  readonly tmpdir: string;
  /** Ticked while rows are spilled. */
  readonly progress?: Progress | undefined;
}

/** The memory and scratch space of one step, and the counts of what it used. */
export interface SpillRoom extends SpillOptions {
  readonly stats: SpillStats;
}

/** What spilling cost, summed over sorters. */
export interface SpillStats {
  runs: number;
  bytes: number;
}

/** Build (`add`), then freeze and read (`finish`). */
export class SpillSorter {
  readonly #options: SpillOptions;
  readonly #stats: SpillStats;
  readonly #memoryBytes: number;
  #buffer = u8At(0, 0);
  #used = 0;
  #rows = 0;
  #file: ScratchFile | undefined;
  #runEnds: number[] = [];

  constructor(options: SpillOptions, stats: SpillStats = { runs: 0, bytes: 0 }) {
    this.#options = options;
    this.#stats = stats;
    this.#memoryBytes = Math.min(options.memoryBytes, MOST_BYTES);
  }

  /** Adds a row whose key is the first `keyLength` bytes of bytes[start, end). */
  add(bytes: Uint8Array, start: number, end: number, keyLength: number): void {
    const length = end - start;
    const at = this.open(length, keyLength);
    copyTo(this.#buffer, at, bytes, start, end);
  }

  /** Adds a row of so many bytes; the caller writes all of them to `bytes` from the returned index on. */
  open(length: number, keyLength: number): number {
    this.#reserve(ROW_HEADER + length);
    const at = this.#used;
    writeU32(this.#buffer, at, keyLength);
    writeU32(this.#buffer, at + 4, length);
    this.#used = at + ROW_HEADER + length;
    this.#rows++;
    return at + ROW_HEADER;
  }

  /** The buffer with the row of the last `open`. */
  get bytes(): Uint8Array {
    return this.#buffer;
  }

  /** Memory for rows that the caller writes itself, at least `bytes`: [address, end). Report them with `wrote`. */
  room(bytes: number): { readonly address: number; readonly end: number } {
    this.#reserve(bytes);
    const { byteOffset, length } = this.#buffer;
    const address = byteOffset + this.#used;
    // A near end makes the caller come back now and then, so that `wrote` can check the cost of rows beside their
    // bytes.
    return { address, end: Math.min(byteOffset + length, address + Math.max(bytes, COPIED_BYTES)) };
  }

  /** Call this after writing rows into the `room`. */
  wrote(bytes: number, rows: number): void {
    this.#used += bytes;
    this.#rows += rows;
  }

  /** All rows in key order. The sorter takes no more rows. */
  finish(): RewindableReader {
    if (this.#file === undefined) return this.#memoryReader();
    if (this.#rows > 0) this.#spill();
    drop(this.#buffer);
    const room = { memoryBytes: this.#memoryBytes, tmpdir: this.#options.tmpdir };
    return mergeRuns(this.#file, this.#runEnds, room, (bytes) => (this.#stats.bytes += bytes));
  }

  #reserve(bytes: number): void {
    const memoryBytes = this.#memoryBytes;
    const needed = this.#used + bytes + (this.#rows + 1) * ORDER_BYTES;
    if (needed > memoryBytes && this.#rows > 0) this.#spill();
    const { length } = this.#buffer;
    if (this.#used + bytes <= length) return;
    // The last growth step is a large one, so that the copy of the old buffer is small beside it.
    const doubled = length * 8 > memoryBytes ? memoryBytes : Math.max(length * 2, Math.min(MIN_BLOCK, memoryBytes));
    const wider = Math.max(this.#used + bytes, doubled);
    const buffer = u8At(alloc(wider + SPARE_BYTES), wider);
    buffer.set(this.#buffer.subarray(0, this.#used));
    drop(this.#buffer);
    this.#buffer = buffer;
  }

  /** The addresses of all rows in key order, to be freed by the caller. */
  #sortedRows(): Uint32Array<SharedArrayBuffer> {
    const rows = this.#rows;
    if (rows === 0) return u32At(0, 0);
    const order = u32At(alloc(4 * rows), rows);
    kernel().sortRows(this.#buffer.byteOffset, rows, order.byteOffset);
    return order;
  }

  #spill(): void {
    this.#file ??= new ScratchFile(this.#options.tmpdir);
    const writer = new BlockWriter(this.#file);
    const order = this.#sortedRows();
    const rows = new GatheredRows(this.#buffer, order);
    for (let next = 0; next < order.length; next += rows.count) {
      rows.gather(next);
      this.#options.progress?.tick();
      writer.write(rows.bytes, rows.start, rows.end);
    }
    rows.close();
    drop(order);
    writer.flush();
    this.#runEnds.push(this.#file.length);
    this.#stats.runs++;
    this.#stats.bytes += this.#used;
    this.#used = 0;
    this.#rows = 0;
  }

  #memoryReader(): RewindableReader {
    const order = this.#sortedRows();
    const bytes = this.#buffer;
    const rows = new GatheredRows(bytes, order);
    let next = 0;
    let at = 0;
    return {
      next: () => {
        if (next === order.length) return undefined;
        if (at === rows.end) {
          rows.gather(next);
          at = rows.start;
        }
        next++;
        const row = rowAt(rows.bytes, at);
        at = row.end;
        return row;
      },
      nextRows: () => order.subarray(next, (next = order.length)),
      rewind: () => {
        next = 0;
        at = rows.end;
      },
      close: () => {
        rows.close();
        drop(order);
        drop(bytes);
      },
    };
  }
}

/** Copies some rows of a buffer at a time, in order, one after another (kernel/sort/sort-rows). */
class GatheredRows {
  /** The copied rows are bytes[start, end). */
  bytes: Uint8Array;
  start = 0;
  end = 0;
  count = 0;
  readonly #buffer: Uint8Array;
  readonly #order: Uint32Array<SharedArrayBuffer>;
  readonly #copies: Uint8Array<SharedArrayBuffer>;
  readonly #size = u32At(alloc(4), 1);

  constructor(buffer: Uint8Array, order: Uint32Array<SharedArrayBuffer>) {
    this.#buffer = this.bytes = buffer;
    this.#order = order;
    const bytes = Math.min(COPIED_BYTES, buffer.length);
    this.#copies = u8At(alloc(bytes + SPARE_BYTES), bytes);
  }

  /** Copies the rows from order[next] on. */
  gather(next: number): void {
    const { byteOffset, length } = this.#copies;
    const order = this.#order.subarray(next, next + MOST_GATHERED);
    const size = this.#size;
    this.count = kernel().gatherRows(order.byteOffset, order.length, byteOffset, byteOffset + length, size.byteOffset);
    this.bytes = this.#copies;
    this.start = 0;
    this.end = size[0]!;
    if (this.count > 0) return;
    // A row that is larger is read where it is.
    this.bytes = this.#buffer;
    this.start = order[0]! - this.#buffer.byteOffset;
    this.end = rowAt(this.#buffer, this.start).end;
    this.count = 1;
  }

  close(): void {
    giveBack(this.#copies);
    giveBack(this.#size);
  }
}

function drop(column: { readonly byteOffset: number; readonly length: number }): void {
  if (column.length > 0) giveBack(column);
}
