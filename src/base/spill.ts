// The external sort: rows go into a buffer; a full buffer is sorted and written out as a run; runs are merged k-way.
//
// A row in memory and on disk:   | key length u32 | row length u32 | key … | payload … |
//                                 row length = key and payload together, little endian.
// Rows come out by key bytes, equal keys in the order they were added. All runs of a sorter lie in one file.
import { sortByteStrings } from './sort.js';
import { PROGRESS_MASK, type Progress } from './progress.js';
import { ScratchFile } from './scratch.js';

const HEADER = 8;
const MAX_FAN_IN = 512;
const MIN_BLOCK = 4096;

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
  #buffer: Uint8Array;
  #used = 0;
  #rowStart = new Int32Array(64);
  #rows = 0;
  #file: ScratchFile | undefined;
  #runEnds: number[] = [];

  constructor(options: SpillOptions, stats: SpillStats = { runs: 0, bytes: 0 }) {
    this.#options = options;
    this.#stats = stats;
    this.#buffer = new Uint8Array(Math.min(1 << 12, Math.max(MIN_BLOCK, options.memoryBytes)));
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
    this.#rowStart[this.#rows++] = at;
  }

  /** All rows in key order. The sorter takes no more rows. */
  finish(): RowReader {
    if (this.#file === undefined) return this.#memoryReader();
    if (this.#rows > 0) this.#spill();
    this.#buffer = new Uint8Array(0);
    this.#rowStart = new Int32Array(0);
    return mergeRuns(this.#file, this.#runEnds, this.#options, this.#stats);
  }

  #reserve(bytes: number): void {
    // A row index costs 4 bytes, and 4 again while it is sorted; key ends and starts 8.
    const needed = this.#used + bytes + (this.#rows + 1) * 16;
    if (needed > this.#options.memoryBytes && this.#rows > 0) this.#spill();
    if (this.#used + bytes > this.#buffer.length) {
      // The last step is a long one, so that the copy of what was there stays small beside it.
      const { memoryBytes } = this.#options;
      const doubled = this.#buffer.length * 8 > memoryBytes ? memoryBytes : this.#buffer.length * 2;
      this.#buffer = grown(this.#buffer, this.#used, Math.max(this.#used + bytes, doubled));
    }
    if (this.#rows === this.#rowStart.length) {
      const wider = new Int32Array(this.#rows * 2);
      wider.set(this.#rowStart);
      this.#rowStart = wider;
    }
  }

  #sortedRows(): Int32Array {
    const starts = this.#rowStart.subarray(0, this.#rows);
    const keyStart = new Int32Array(this.#rows);
    const keyEnd = new Int32Array(this.#rows);
    const order = new Int32Array(this.#rows);
    for (let row = 0; row < this.#rows; row++) {
      order[row] = row;
      keyStart[row] = starts[row]! + HEADER;
      keyEnd[row] = keyStart[row]! + readU32(this.#buffer, starts[row]!);
    }
    sortByteStrings(order, { bytes: this.#buffer, start: keyStart, end: keyEnd }, 'forward');
    for (let k = 0; k < order.length; k++) order[k] = starts[order[k]!]!;
    return order;
  }

  #spill(): void {
    this.#file ??= new ScratchFile(this.#options.tmpdir);
    const writer = new BlockWriter(this.#file);
    let written = 0;
    for (const at of this.#sortedRows()) {
      if ((++written & PROGRESS_MASK) === 0) this.#options.progress?.tick();
      writer.write(this.#buffer, at, at + HEADER + readU32(this.#buffer, at + 4));
    }
    writer.flush();
    this.#runEnds.push(this.#file.length);
    this.#stats.runs++;
    this.#stats.bytes += this.#used;
    this.#used = 0;
    this.#rows = 0;
  }

  #memoryReader(): RowReader {
    const order = this.#sortedRows();
    const bytes = this.#buffer;
    let next = 0;
    return {
      next: () => (next < order.length ? rowAt(bytes, order[next++]!) : undefined),
      close: () => undefined,
    };
  }
}

function mergeRuns(file: ScratchFile, ends: readonly number[], options: SpillOptions, stats: SpillStats): RowReader {
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
  return { next, close: () => source.close() };
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
