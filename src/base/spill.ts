// The external sort: rows go into a buffer; a full buffer is sorted and written out as a run; runs are merged k-way.
//
// A row in memory and on disk:   | key length u32 | row length u32 | key … | payload … |
//                                 row length = key and payload together, little endian.
// Rows come out by key bytes, equal keys in the order they were added. All runs of a sorter lie in one file. Rows in memory lie
// in the heap, where the kernel sorts them (kernel/sort-rows) and can write and read them itself.
import { alloc, giveBack, kernel, u32At, u8At } from './heap.js';
import { PROGRESS_MASK, type Progress } from './progress.js';
import { ScratchFile } from './scratch.js';

const HEADER = 8;
const MAX_FAN_IN = 512;
const MIN_BLOCK = 4096;
/** Of a row while it is sorted, beside its bytes: an entry of the sort and its address. */
const ORDER_BYTES = 20;
/** Behind the last row, which the kernel may read. */
const SPARE_BYTES = 8;
/** More than this of the heap, which is of 4 GiB, no sorter has: its runs are large enough then. */
const MOST_BYTES = 512 << 20;

/** Rows that are written or read together. */
const COPIED_BYTES = 1 << 16;

interface SortKernel {
  sortRows(buffer: number, rows: number, order: number): void;
}

export interface SpillOptions {
  /** Bytes that rows in memory and merge buffers may take. */
  readonly memoryBytes: number;
  readonly tmpdir: string;
  /** Told that time goes by while rows go to disk. */
  readonly progress?: Progress | undefined;
}

/** Where memory and scratch space of one step come from, and where what they cost is counted. */
export interface SpillRoom extends SpillOptions {
  readonly stats: SpillStats;
}

/** What spilling cost, added up over sorters. */
export interface SpillStats {
  runs: number;
  bytes: number;
}

/** One row under the cursor of a {@link RowReader}: ranges of `bytes`, valid until the next call of `next`. */
export interface Row {
  readonly bytes: Uint8Array;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** The payload is [keyEnd, end). */
  readonly end: number;
}

export interface RowReader {
  next(): Row | undefined;
  close(): void;
}

/** Rows that can be had as they lie in the heap too. */
export interface HeapRowReader extends RowReader {
  /** The addresses of some rows more, of none at the end: good until the next call of any kind. */
  nextRows(): Uint32Array<SharedArrayBuffer>;
}

/** All rows of a reader, which is closed then. */
export function* eachRow(reader: RowReader): Generator<Row> {
  for (let row = reader.next(); row !== undefined; row = reader.next()) yield row;
  reader.close();
}

/** Sorted rows: [start, end) of what `read` reads. */
export interface SortedRun {
  readonly file: { read(target: Uint8Array, position: number): number };
  readonly start: number;
  readonly end: number;
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
    this.#reserve(HEADER + length);
    const buffer = this.#buffer;
    const at = this.#used;
    writeU32(buffer, at, keyLength);
    writeU32(buffer, at + 4, length);
    if (length < 64) for (let k = 0; k < length; k++) buffer[at + HEADER + k] = bytes[start + k]!;
    else buffer.set(bytes.subarray(start, end), at + HEADER);
    this.#used = at + HEADER + length;
    this.#rows++;
  }

  /** Where rows can be written as they lie in memory, at least so many bytes of them: [address, end). See `wrote`. */
  room(bytes: number): { readonly address: number; readonly end: number } {
    this.#reserve(bytes);
    const { byteOffset, length } = this.#buffer;
    const address = byteOffset + this.#used;
    // What rows cost beside their bytes is looked at from time to time.
    return { address, end: Math.min(byteOffset + length, address + Math.max(bytes, COPIED_BYTES)) };
  }

  /** To be called when so many rows were written into the `room`, of so many bytes in all. */
  wrote(bytes: number, rows: number): void {
    this.#used += bytes;
    this.#rows += rows;
  }

  /** All rows in key order. The sorter takes no more rows. */
  finish(): HeapRowReader {
    if (this.#file === undefined) return this.#memoryReader();
    if (this.#rows > 0) this.#spill();
    drop(this.#buffer);
    return mergeRuns(this.#file, this.#runEnds, { ...this.#options, memoryBytes: this.#memoryBytes }, this.#stats);
  }

  #reserve(bytes: number): void {
    const memoryBytes = this.#memoryBytes;
    const needed = this.#used + bytes + (this.#rows + 1) * ORDER_BYTES;
    if (needed > memoryBytes && this.#rows > 0) this.#spill();
    const { length } = this.#buffer;
    if (this.#used + bytes <= length) return;
    // The last step is a long one, so that the copy of what was there stays small beside it.
    const doubled = length * 8 > memoryBytes ? memoryBytes : Math.max(length * 2, Math.min(MIN_BLOCK, memoryBytes));
    const wider = Math.max(this.#used + bytes, doubled);
    const buffer = u8At(alloc(wider + SPARE_BYTES), wider);
    buffer.set(this.#buffer.subarray(0, this.#used));
    drop(this.#buffer);
    this.#buffer = buffer;
  }

  /** The addresses of all rows in key order, to be given back. */
  #sortedRows(): Uint32Array<SharedArrayBuffer> {
    const rows = this.#rows;
    if (rows === 0) return u32At(0, 0);
    const order = u32At(alloc(4 * rows), rows);
    kernel<SortKernel>().sortRows(this.#buffer.byteOffset, rows, order.byteOffset);
    return order;
  }

  #spill(): void {
    this.#file ??= new ScratchFile(this.#options.tmpdir);
    const writer = new BlockWriter(this.#file);
    let written = 0;
    const order = this.#sortedRows();
    for (const address of order) {
      if ((++written & PROGRESS_MASK) === 0) this.#options.progress?.tick();
      const at = address - this.#buffer.byteOffset;
      writer.write(this.#buffer, at, at + HEADER + readU32(this.#buffer, at + 4));
    }
    drop(order);
    writer.flush();
    this.#runEnds.push(this.#file.length);
    this.#stats.runs++;
    this.#stats.bytes += this.#used;
    this.#used = 0;
    this.#rows = 0;
  }

  #memoryReader(): HeapRowReader {
    const order = this.#sortedRows();
    const bytes = this.#buffer;
    let next = 0;
    return {
      next: () => (next < order.length ? rowAt(bytes, order[next++]! - bytes.byteOffset) : undefined),
      nextRows: () => order.subarray(next, (next = order.length)),
      close: () => {
        drop(order);
        drop(bytes);
      },
    };
  }
}

function drop(column: { readonly byteOffset: number; readonly length: number }): void {
  if (column.length > 0) giveBack(column);
}

function mergeRuns(
  file: ScratchFile,
  ends: readonly number[],
  options: SpillOptions,
  stats: SpillStats,
): HeapRowReader {
  const fanIn = Math.max(2, Math.min(MAX_FAN_IN, Math.floor(options.memoryBytes / MIN_BLOCK)));
  let source = file;
  let runEnds = ends;
  while (runEnds.length > fanIn) {
    const merged = new ScratchFile(options.tmpdir);
    const mergedEnds: number[] = [];
    for (let first = 0; first < runEnds.length; first += fanIn) {
      const runs = runsOf(source, runEnds, first, Math.min(first + fanIn, runEnds.length));
      const reader = mergeSorted(runs, options.memoryBytes);
      const writer = new BlockWriter(merged);
      for (let row = reader(); row !== undefined; row = reader()) {
        writer.write(row.bytes, row.keyStart - HEADER, row.end);
      }
      writer.flush();
      mergedEnds.push(merged.length);
    }
    source.close();
    stats.bytes += merged.length;
    source = merged;
    runEnds = mergedEnds;
  }
  const next = mergeSorted(runsOf(source, runEnds, 0, runEnds.length), options.memoryBytes);
  const copies = new RowCopies(next);
  return {
    next: () => copies.takeWaiting() ?? next(),
    nextRows: () => copies.next(),
    close: () => {
      copies.close();
      source.close();
    },
  };
}

/** Rows of a merge, copied into the heap some at a time. */
class RowCopies {
  readonly #read: () => Row | undefined;
  #block = u8At(0, 0);
  readonly #starts: number[] = [];
  #order = u32At(0, 0);
  #waiting: Row | undefined;

  constructor(read: () => Row | undefined) {
    this.#read = read;
  }

  /** The row that was read and had no room. */
  takeWaiting(): Row | undefined {
    const row = this.#waiting;
    this.#waiting = undefined;
    return row;
  }

  next(): Uint32Array<SharedArrayBuffer> {
    this.#starts.length = 0;
    let row = this.takeWaiting() ?? this.#read();
    let used = 0;
    for (; row !== undefined; row = this.#read()) {
      const length = HEADER + row.end - row.keyStart;
      if (used + length > this.#block.length) {
        if (used > 0) {
          this.#waiting = row;
          break;
        }
        drop(this.#block);
        const bytes = Math.max(COPIED_BYTES, length);
        this.#block = u8At(alloc(bytes), bytes);
      }
      this.#block.set(row.bytes.subarray(row.keyStart - HEADER, row.end), used);
      this.#starts.push(this.#block.byteOffset + used);
      used += length;
    }
    return this.#ordered();
  }

  close(): void {
    drop(this.#block);
    drop(this.#order);
  }

  #ordered(): Uint32Array<SharedArrayBuffer> {
    const rows = this.#starts.length;
    if (rows > this.#order.length) {
      drop(this.#order);
      this.#order = u32At(alloc(8 * rows), 2 * rows);
    }
    this.#order.set(this.#starts);
    return this.#order.subarray(0, rows);
  }
}

function runsOf(file: ScratchFile, ends: readonly number[], first: number, last: number): SortedRun[] {
  return ends.slice(first, last).map((end, k) => ({ file, start: ends[first + k - 1] ?? 0, end }));
}

/**
 * The rows of all runs in key order, rows of equal keys in the order of the runs: a binary heap of cursors, each with a
 * buffer of its share of the memory.
 */
export function mergeSorted(runs: readonly SortedRun[], memoryBytes: number): () => Row | undefined {
  const block = Math.max(MIN_BLOCK, Math.min(1 << 20, Math.floor(memoryBytes / runs.length)));
  const heap: RunCursor[] = [];
  for (const [number, run] of runs.entries()) {
    const cursor = new RunCursor(run, number, block);
    if (cursor.advance()) heap.push(cursor);
  }
  for (let k = (heap.length >> 1) - 1; k >= 0; k--) siftDown(heap, k);
  let started = false;
  return () => {
    if (started && heap.length > 0) {
      if (!heap[0]!.advance()) {
        const tail = heap.pop()!;
        if (heap.length > 0) heap[0] = tail;
      }
      siftDown(heap, 0);
    }
    started = true;
    return heap[0]?.row;
  };
}

function siftDown(heap: RunCursor[], at: number): void {
  for (;;) {
    let least = at;
    const left = 2 * at + 1;
    if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
    if (left + 1 < heap.length && isBefore(heap[left + 1]!, heap[least]!)) least = left + 1;
    if (least === at) return;
    const moved = heap[at]!;
    heap[at] = heap[least]!;
    heap[least] = moved;
    at = least;
  }
}

function isBefore(a: RunCursor, b: RunCursor): boolean {
  const order = compareKeys(a.row!, b.row!);
  return order < 0 || (order === 0 && a.run < b.run);
}

export function compareKeys(a: Row, b: Row): number {
  const length = Math.min(a.keyEnd - a.keyStart, b.keyEnd - b.keyStart);
  for (let k = 0; k < length; k++) {
    const order = a.bytes[a.keyStart + k]! - b.bytes[b.keyStart + k]!;
    if (order !== 0) return order;
  }
  return a.keyEnd - a.keyStart - (b.keyEnd - b.keyStart);
}

class RunCursor {
  readonly run: number;
  row: Row | undefined;
  readonly #file: SortedRun['file'];
  #position: number;
  readonly #end: number;
  #block: Uint8Array;
  #at = 0;
  #filled = 0;

  constructor({ file, start, end }: SortedRun, run: number, blockBytes: number) {
    this.#file = file;
    this.run = run;
    this.#position = start;
    this.#end = end;
    this.#block = new Uint8Array(Math.min(blockBytes, end - start));
  }

  advance(): boolean {
    if (!this.#have(HEADER)) return false;
    const length = HEADER + readU32(this.#block, this.#at + 4);
    this.#have(length);
    this.row = rowAt(this.#block, this.#at);
    this.#at += length;
    return true;
  }

  /** Makes `bytes` bytes readable at #at, moving and refilling the block; false at the end of the run. */
  #have(bytes: number): boolean {
    if (this.#filled - this.#at >= bytes) return true;
    const rest = this.#block.subarray(this.#at, this.#filled);
    const block = bytes > this.#block.length ? new Uint8Array(bytes * 2) : this.#block;
    block.set(rest);
    const want = Math.min(block.length - rest.length, this.#end - this.#position);
    const got = this.#file.read(block.subarray(rest.length, rest.length + want), this.#position);
    if (got < want) throw new Error(`scratch file ends ${want - got} bytes early`);
    this.#block = block;
    this.#position += got;
    this.#at = 0;
    this.#filled = rest.length + got;
    return this.#filled >= bytes;
  }
}

/** Gathers small writes into blocks. */
class BlockWriter {
  readonly #file: ScratchFile;
  readonly #block = new Uint8Array(1 << 16);
  #used = 0;

  constructor(file: ScratchFile) {
    this.#file = file;
  }

  write(bytes: Uint8Array, start: number, end: number): void {
    if (this.#used + end - start > this.#block.length) this.flush();
    if (end - start > this.#block.length) return this.#file.append(bytes.subarray(start, end));
    this.#block.set(bytes.subarray(start, end), this.#used);
    this.#used += end - start;
  }

  flush(): void {
    this.#file.append(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }
}

function rowAt(bytes: Uint8Array, at: number): Row {
  const keyStart = at + HEADER;
  return { bytes, keyStart, keyEnd: keyStart + readU32(bytes, at), end: keyStart + readU32(bytes, at + 4) };
}

/** Unsigned little endian; a row is below 2 GiB. */
export function readU32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** A copy of the first `used` bytes with room for `capacity`. */
export function grown(bytes: Uint8Array, used: number, capacity: number): Uint8Array {
  const wider = new Uint8Array(capacity);
  wider.set(bytes.subarray(0, used));
  return wider;
}
