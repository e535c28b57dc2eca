// An external sort of very many rows of a few numbers each, by the first of them: in typed arrays as long as they fit,
// spilled to disk as sorted runs otherwise.
//
//   a row      | word 0 | word 1 | … | word w - 1 |      u32 each; the first `keyWords` are the key
//   its order  | index of the row u32 | word of the key u32 |   one number of 64 bits, for the built-in sort
//
// Rows are never moved in memory: only these numbers are sorted, by the first key word, then, within equal ones, by the
// next. The sort is stable.
import { ScratchFile } from './scratch.js';
import type { SpillRoom } from './spill.js';

const ORDER_BYTES = 8;
const MIN_BLOCK = 4096;
const MAX_FAN_IN = 256;
const SMALL = 12;
/** Small, as there may be ten thousand sorters, one per small site. */
const FIRST_ROWS = 256;
/** Keeps arrays within the maximum length. */
const MAX_ROWS = 2 ** 27;

/** The row at the cursor is words[at, at + width), valid until the next call of `next`. */
export interface WordReader {
  words: Uint32Array;
  at: number;
  /** Advances; false at the end. */
  next(): boolean;
  /** Starts over. */
  rewind(): void;
  close(): void;
}

/** Build (`add`), then freeze and read (`finish`). */
export class WordSorter {
  /** Where rows are written, at the index that {@link add} returns. */
  words: Uint32Array;
  readonly #width: number;
  readonly #keyWords: number;
  readonly #room: SpillRoom;
  readonly #maxRows: number;
  #rows = 0;
  #file: ScratchFile | undefined;
  readonly #runEnds: number[] = [];

  constructor(width: number, keyWords: number, room: SpillRoom) {
    this.#width = width;
    this.#keyWords = keyWords;
    this.#room = room;
    this.#maxRows = Math.max(4, Math.min(MAX_ROWS, Math.floor(room.memoryBytes / (4 * width + ORDER_BYTES))));
    this.words = new Uint32Array(width * Math.min(FIRST_ROWS, this.#maxRows));
  }

  /** Makes room for a row and returns where in `words` it starts; the caller fills all of it. */
  add(): number {
    if (this.#rows === this.#maxRows) this.#spill();
    const at = this.#rows++ * this.#width;
    if (at === this.words.length) this.#widen();
    return at;
  }

  /** All rows in order, possibly without rows whose first word no other row has. The sorter takes no more. */
  finish(): WordReader {
    if (this.#file === undefined) {
      const order = sortedOrder(this.words, this.#rows, this.#width, this.#keyWords, 'repeated');
      return new MemoryReader(this.words, this.#width, order);
    }
    if (this.#rows > 0) this.#spill();
    this.words = new Uint32Array(0);
    return new RunReader(this.#file, this.#runEnds, this.#width, this.#keyWords, this.#room);
  }

  /** The last growth step is a large one, so that the copy of the old array is small beside it. */
  #widen(): void {
    const most = this.#maxRows * this.#width;
    const { length } = this.words;
    const wider = new Uint32Array(length * 8 > most ? most : length * 2);
    wider.set(this.words);
    this.words = wider;
  }

  #spill(): void {
    this.#file ??= new ScratchFile(this.#room.tmpdir);
    const { stats } = this.#room;
    const order = sortedOrder(this.words, this.#rows, this.#width, this.#keyWords, 'all');
    const before = this.#file.length;
    const writer = new BlockWriter(this.#file, this.#width);
    for (let k = 0; k < this.#rows; k++) writer.write(this.words, order[2 * k]! * this.#width);
    writer.flush();
    this.#runEnds.push(this.#file.length);
    stats.runs++;
    stats.bytes += this.#file.length - before;
    this.#rows = 0;
  }
}

/**
 * Indices of the rows in order, in every second number: of all, or of those that share their first word with another.
 */
function sortedOrder(
  words: Uint32Array,
  rows: number,
  width: number,
  keyWords: number,
  which: 'all' | 'repeated',
): Uint32Array {
  const keys = new BigUint64Array(rows);
  const halves = new Uint32Array(keys.buffer);
  for (let row = 0; row < rows; row++) {
    halves[2 * row] = row;
    halves[2 * row + 1] = words[row * width]!;
  }
  keys.sort();
  const sorting = { words, width, keyWords, keys, halves };
  let kept = 0;
  for (let start = 0; start < rows;) {
    let end = start + 1;
    while (end < rows && halves[2 * end + 1] === halves[2 * start + 1]) end++;
    if (end - start > 1 || which === 'all') {
      const first = kept;
      for (let k = start; k < end; k++) halves[2 * kept++] = halves[2 * k]!;
      if (end - start > 1 && keyWords > 1) sortRange(sorting, first, kept, 1);
    }
    start = end;
  }
  return halves.subarray(0, 2 * kept);
}

interface Sorting {
  readonly words: Uint32Array;
  readonly width: number;
  readonly keyWords: number;
  readonly keys: BigUint64Array;
  readonly halves: Uint32Array;
}

function sortRange(sorting: Sorting, from: number, to: number, depth: number): void {
  const { words, width, keyWords, keys, halves } = sorting;
  if (to - from <= SMALL) return insertionSort(sorting, from, to, depth);
  for (let k = from; k < to; k++) halves[2 * k + 1] = words[halves[2 * k]! * width + depth]!;
  keys.subarray(from, to).sort();
  if (depth + 1 === keyWords) return;
  for (let start = from; start < to;) {
    let end = start + 1;
    while (end < to && halves[2 * end + 1] === halves[2 * start + 1]) end++;
    if (end - start > 1) sortRange(sorting, start, end, depth + 1);
    start = end;
  }
}

function insertionSort({ words, width, keyWords, halves }: Sorting, from: number, to: number, depth: number): void {
  for (let k = from + 1; k < to; k++) {
    const row = halves[2 * k]!;
    let hole = k;
    for (; hole > from; hole--) {
      const other = halves[2 * hole - 2]!;
      const order = compareWords(words, row * width, words, other * width, depth, keyWords) || row - other;
      if (order > 0) break;
      halves[2 * hole] = other;
    }
    halves[2 * hole] = row;
  }
}

function compareWords(a: Uint32Array, atA: number, b: Uint32Array, atB: number, from: number, to: number): number {
  for (let k = from; k < to; k++) {
    const order = a[atA + k]! - b[atB + k]!;
    if (order !== 0) return order;
  }
  return 0;
}

class MemoryReader implements WordReader {
  words: Uint32Array;
  at = 0;
  readonly #width: number;
  #order: Uint32Array;
  #next = 0;

  constructor(words: Uint32Array, width: number, order: Uint32Array) {
    this.words = words;
    this.#width = width;
    this.#order = order;
  }

  next(): boolean {
    if (this.#next === this.#order.length) return false;
    this.at = this.#order[this.#next]! * this.#width;
    this.#next += 2;
    return true;
  }

  rewind(): void {
    this.#next = 0;
  }

  close(): void {
    this.words = this.#order = new Uint32Array(0);
    this.#next = 0;
  }
}

class RunReader implements WordReader {
  words: Uint32Array = new Uint32Array(0);
  at = 0;
  readonly #file: ScratchFile;
  readonly #runEnds: readonly number[];
  readonly #width: number;
  readonly #keyWords: number;
  readonly #memoryBytes: number;
  /** A binary heap, by key and then by run. */
  #heap: RunCursor[] = [];

  constructor(file: ScratchFile, runEnds: readonly number[], width: number, keyWords: number, room: SpillRoom) {
    this.#width = width;
    this.#keyWords = keyWords;
    this.#memoryBytes = room.memoryBytes;
    const fanIn = Math.max(2, Math.min(MAX_FAN_IN, Math.floor(room.memoryBytes / MIN_BLOCK)));
    while (runEnds.length > fanIn) {
      const merged = new ScratchFile(room.tmpdir);
      runEnds = this.#mergeAll(file, runEnds, fanIn, merged);
      room.stats.bytes += merged.length;
      file.close();
      file = merged;
    }
    this.#file = file;
    this.#runEnds = runEnds;
    this.rewind();
  }

  rewind(): void {
    this.#open(this.#file, this.#runEnds, 0, this.#runEnds.length);
  }

  close(): void {
    this.#file.close();
  }

  next(): boolean {
    const heap = this.#heap;
    if (this.words.length > 0) {
      if (!heap[0]!.advance()) {
        const last = heap.pop()!;
        if (heap.length > 0) heap[0] = last;
      }
      this.#siftDown(0);
    }
    const least = heap[0];
    if (least === undefined) return false;
    this.words = least.words;
    this.at = least.at;
    return true;
  }

  #mergeAll(file: ScratchFile, runEnds: readonly number[], fanIn: number, merged: ScratchFile): number[] {
    const ends: number[] = [];
    for (let first = 0; first < runEnds.length; first += fanIn) {
      this.#open(file, runEnds, first, Math.min(first + fanIn, runEnds.length));
      const writer = new BlockWriter(merged, this.#width);
      while (this.next()) writer.write(this.words, this.at);
      writer.flush();
      ends.push(merged.length);
    }
    return ends;
  }

  #open(file: ScratchFile, runEnds: readonly number[], first: number, last: number): void {
    const rowBytes = 4 * this.#width;
    const share = Math.max(MIN_BLOCK, Math.min(1 << 20, Math.floor(this.#memoryBytes / (last - first))));
    const blockBytes = Math.ceil(share / rowBytes) * rowBytes;
    this.words = new Uint32Array(0);
    this.#heap = [];
    for (let run = first; run < last; run++) {
      const start = run === 0 ? 0 : runEnds[run - 1]!;
      const cursor = new RunCursor(file, run, start, runEnds[run]!, this.#width, blockBytes);
      if (cursor.advance()) this.#heap.push(cursor);
    }
    for (let k = (this.#heap.length >> 1) - 1; k >= 0; k--) this.#siftDown(k);
  }

  #siftDown(at: number): void {
    const heap = this.#heap;
    for (;;) {
      const left = 2 * at + 1;
      let least = at;
      if (left < heap.length && this.#isBefore(heap[left]!, heap[least]!)) least = left;
      if (left + 1 < heap.length && this.#isBefore(heap[left + 1]!, heap[least]!)) least = left + 1;
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  }

  #isBefore(a: RunCursor, b: RunCursor): boolean {
    return (compareWords(a.words, a.at, b.words, b.at, 0, this.#keyWords) || a.run - b.run) < 0;
  }
}

/** Reads one run block by block; a block has whole rows. */
class RunCursor {
  readonly run: number;
  readonly words: Uint32Array;
  at: number;
  readonly #file: ScratchFile;
  readonly #width: number;
  readonly #bytes: Uint8Array;
  #position: number;
  readonly #end: number;
  #filled = 0;

  constructor(file: ScratchFile, run: number, start: number, end: number, width: number, blockBytes: number) {
    this.#file = file;
    this.run = run;
    this.#width = width;
    this.#position = start;
    this.#end = end;
    this.words = new Uint32Array(Math.min(blockBytes, end - start) / 4);
    this.#bytes = new Uint8Array(this.words.buffer);
    this.at = -width;
  }

  advance(): boolean {
    this.at += this.#width;
    if (this.at < this.#filled) return true;
    const want = Math.min(this.#bytes.length, this.#end - this.#position);
    if (want === 0) return false;
    const got = this.#file.read(this.#bytes.subarray(0, want), this.#position);
    if (got < want) throw new Error(`scratch file ends ${want - got} bytes early`);
    this.#position += want;
    this.#filled = want / 4;
    this.at = 0;
    return true;
  }
}

/** Buffers rows into blocks. */
class BlockWriter {
  readonly #file: ScratchFile;
  readonly #width: number;
  readonly #block: Uint32Array;
  #used = 0;

  constructor(file: ScratchFile, width: number) {
    this.#file = file;
    this.#width = width;
    this.#block = new Uint32Array(width * Math.ceil((1 << 14) / width));
  }

  write(words: Uint32Array, at: number): void {
    if (this.#used === this.#block.length) this.flush();
    for (let k = 0; k < this.#width; k++) this.#block[this.#used++] = words[at + k]!;
  }

  flush(): void {
    this.#file.append(new Uint8Array(this.#block.buffer, 0, 4 * this.#used));
    this.#used = 0;
  }
}
