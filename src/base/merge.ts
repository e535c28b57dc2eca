// The k-way merge of sorted runs on disk, with a block of each run in memory. The kernel orders rows
// (kernel/sort/merge-rows) until a run has no whole row left in memory; then the next block of that run is read.
//
//     entries   the binary heap: one for each run with rows left (kernel/layout/sorted-row)
//     blocks    the part of each run in memory: a share of the memory, or room for its largest row
import * as MERGE from '../kernel/layout/sorted-row.js';
import { alloc, giveBack, kernel, u32At, u8At } from './heap.js';
import { readU32, ROW_HEADER, rowAt, type HeapRowReader, type RewindableReader, type Row } from './row.js';
import { ScratchFile } from './scratch.js';

const MAX_FAN_IN = 512;
const MIN_BLOCK = 4096;
const MAX_BLOCK = 1 << 20;
/** Bytes past the last row in memory that the kernel may read. */
const SPARE_BYTES = 8;
/** The most rows that one call of the kernel orders. */
const MOST_ROWS = 1024;

/** Indices of the fields of an entry, in words. */
const ROW = MERGE.ROW / 4;
const END = MERGE.END / 4;
const RUN = MERGE.RUN / 4;
const ENTRY = MERGE.ENTRY / 4;

/** A run of sorted rows: bytes [start, end) of `file`. */
export interface SortedRun {
  readonly file: { read(target: Uint8Array, position: number): number };
  readonly start: number;
  readonly end: number;
}

/** Rows that come from several runs. */
export interface RunsReader extends HeapRowReader {
  /** The number of the run, from 0, of the row that `next` returned last. */
  readonly run: number;
}

/** Merges runs: rows in key order, rows with equal keys in the order of the runs. The caller closes the files. */
export function mergeSorted(runs: readonly SortedRun[], memoryBytes: number): RunsReader {
  return new MergedRuns(runs, memoryBytes);
}

/**
 * Merges the runs in `file`, which end at `ends`; closing the reader closes the file. `written` gets the number of
 * bytes that intermediate merges wrote.
 */
export function mergeRuns(
  file: ScratchFile,
  ends: readonly number[],
  { memoryBytes, tmpdir }: { readonly memoryBytes: number; readonly tmpdir: string },
  written: (bytes: number) => void,
): RewindableReader {
  const fanIn = Math.max(2, Math.min(MAX_FAN_IN, Math.floor(memoryBytes / MIN_BLOCK)));
  let source = file;
  let runEnds = ends;
  while (runEnds.length > fanIn) {
    const merged = new ScratchFile(tmpdir);
    const mergedEnds: number[] = [];
    for (let first = 0; first < runEnds.length; first += fanIn) {
      const runs = runsOf(source, runEnds, first, Math.min(first + fanIn, runEnds.length));
      const reader = mergeSorted(runs, memoryBytes);
      const writer = new BlockWriter(merged);
      for (let row = reader.next(); row !== undefined; row = reader.next()) {
        writer.write(row.bytes, row.keyStart - ROW_HEADER, row.end);
      }
      writer.flush();
      reader.close();
      mergedEnds.push(merged.length);
    }
    source.close();
    written(merged.length);
    source = merged;
    runEnds = mergedEnds;
  }
  const runs = runsOf(source, runEnds, 0, runEnds.length);
  let reader = mergeSorted(runs, memoryBytes);
  return {
    next: () => reader.next(),
    nextRows: () => reader.nextRows(),
    rewind: () => {
      reader.close();
      reader = mergeSorted(runs, memoryBytes);
    },
    close: () => {
      reader.close();
      source.close();
    },
  };
}

function runsOf(file: ScratchFile, ends: readonly number[], first: number, last: number): SortedRun[] {
  return ends.slice(first, last).map((end, k) => ({ file, start: ends[first + k - 1] ?? 0, end }));
}

class MergedRuns implements RunsReader {
  readonly #kernel = kernel();
  readonly #runs: readonly SortedRun[];
  /** By run: the next offset to read in its file, and its block in memory. */
  readonly #positions: number[];
  readonly #blocks: Uint8Array[];
  readonly #entries: Uint32Array<SharedArrayBuffer>;
  #count = 0;
  readonly #rows = u32At(alloc(4 * MOST_ROWS), MOST_ROWS);
  readonly #runOf = u32At(alloc(4 * MOST_ROWS), MOST_ROWS);
  /** The number of ordered rows, and how many of them were returned. */
  #known = 0;
  #given = 0;

  constructor(runs: readonly SortedRun[], memoryBytes: number) {
    this.#runs = runs;
    this.#positions = runs.map(({ start }) => start);
    const share = Math.max(MIN_BLOCK, Math.min(MAX_BLOCK, Math.floor(memoryBytes / runs.length)));
    this.#blocks = runs.map(({ start, end }) => newBlock(Math.min(share, end - start)));
    this.#entries = u32At(alloc(4 * ENTRY * Math.max(1, runs.length)), ENTRY * Math.max(1, runs.length));
    for (const [run, { byteOffset }] of this.#blocks.entries()) {
      this.#entries.set([0, 0, byteOffset, byteOffset, run, 0], ENTRY * this.#count);
      if (this.#fill(this.#count)) this.#count++;
    }
    this.#kernel.beginMerge(this.#entries.byteOffset, this.#count);
  }

  next(): Row | undefined {
    if (this.#given === this.#known && !this.#order()) return undefined;
    const at = this.#given++;
    const block = this.#blocks[this.#runOf[at]!]!;
    return rowAt(block, this.#rows[at]! - block.byteOffset);
  }

  get run(): number {
    return this.#runOf[this.#given - 1]!;
  }

  nextRows(): Uint32Array<SharedArrayBuffer> {
    if (this.#given === this.#known) this.#order();
    return this.#rows.subarray(this.#given, (this.#given = this.#known));
  }

  close(): void {
    for (const column of [this.#entries, this.#rows, this.#runOf]) giveBack(column);
    for (const block of this.#blocks) giveBack(block);
    this.#known = this.#given = this.#count = 0;
  }

  /** Orders more rows; false at the end. */
  #order(): boolean {
    this.#given = this.#known = 0;
    const entries = this.#entries;
    while (this.#count > 0 && this.#known === 0) {
      this.#known = this.#kernel.mergeRows(
        entries.byteOffset,
        this.#count,
        this.#rows.byteOffset,
        this.#runOf.byteOffset,
        MOST_ROWS,
      );
      if (this.#known > 0) break;
      if (!this.#fill(0)) entries.copyWithin(0, ENTRY * --this.#count, ENTRY * (this.#count + 1));
      if (this.#count > 0) this.#kernel.replaceFirst(entries.byteOffset, this.#count);
    }
    return this.#known > 0;
  }

  /** Reads the run of an entry until there is a whole row; false at the end of the run. */
  #fill(entry: number): boolean {
    const entries = this.#entries.subarray(ENTRY * entry, ENTRY * (entry + 1));
    const run = entries[RUN]!;
    const { file, end } = this.#runs[run]!;
    for (let needed = ROW_HEADER; ;) {
      let block = this.#blocks[run]!;
      const at = entries[ROW]! - block.byteOffset;
      const left = entries[END]! - entries[ROW]!;
      if (left >= ROW_HEADER) needed = ROW_HEADER + readU32(block, at + 4);
      if (left >= needed) return true;
      if (left === 0 && this.#positions[run] === end) return false;
      if (needed > block.length) {
        const wider = newBlock(2 * needed);
        wider.set(block.subarray(at, at + left));
        giveBack(block);
        this.#blocks[run] = block = wider;
      } else block.copyWithin(0, at, at + left);
      const want = Math.min(block.length - left, end - this.#positions[run]!);
      const got = file.read(block.subarray(left, left + want), this.#positions[run]!);
      if (got < want || left + got < needed)
        throw new Error(`sorted run ends ${Math.max(want, needed - left) - got} bytes early`);
      this.#positions[run]! += got;
      entries[ROW] = block.byteOffset;
      entries[END] = block.byteOffset + left + got;
    }
  }
}

function newBlock(bytes: number): Uint8Array {
  return u8At(alloc(bytes + SPARE_BYTES), bytes);
}

/** Buffers small writes into blocks. */
export class BlockWriter {
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
