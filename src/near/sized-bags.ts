// Prepares pages for comparison: sorts them by size |d|, their number of occurrences, with the features of each sorted
// rarest first (SpotSigs, SIGIR 2008). Features on very few or very many pages say little and are left out: those whose
// idf = ln((N + 1) / df) / ln(N + 1) is outside of a window. Pages with little left are left out too.
//
//   a page       | |d| | its number | n |  n features     in a scratch file, sorted by |d| and number
//   a feature    | rarity | lower 32 bits | count |       ascending by the first two
import { readBigEndian, readU32, RowWriter } from '../base/row.js';
import { ScratchFile } from '../base/scratch.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';
import { type BagStore, FEATURE_WORDS, HEAD_WORDS } from './bag-store.js';

export interface Window {
  /** Bounds of idf, 0 … 1, both included. */
  readonly minIdf: number;
  readonly maxIdf: number;
  /** Pages with fewer occurrences left resemble no other page. */
  readonly minSize: number;
}

export const SIZED_HEAD = 3;

interface SizedBags {
  readonly file: ScratchFile;
  /** The number of pages that were left out. */
  readonly small: number;
}

/** The idf of a feature on `df` of `pages` pages; 1 if it is on a single page. */
function idfOf(df: number, pages: number): number {
  return Math.log((pages + 1) / df) / Math.log(pages + 1);
}

/** The frequencies of the features must be known. */
export function sizedBags(store: BagStore, { minIdf, maxIdf, minSize }: Window, room: SpillRoom): SizedBags {
  const sorter = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  let small = 0;
  const isIn = (rarity: number) => {
    const idf = idfOf(rarity >>> 8, store.pages);
    return idf >= minIdf && idf <= maxIdf;
  };
  let order = new Float64Array(256);
  for (const words of store.chunks('read')) {
    for (let at = 0; at < words.length;) {
      const [page, length] = [words[at]!, words[at + 1]!];
      const first = at + HEAD_WORDS;
      at = first + FEATURE_WORDS * length;
      if (order.length < length) order = new Float64Array(2 * length);
      let [kept, size] = [0, 0];
      for (let k = 0; k < length; k++) {
        const f = first + FEATURE_WORDS * k;
        if (!isIn(words[f + 1]!)) continue;
        // Features come in the order of upper, then lower bits: those of the same rarity are in the order of the lower
        // bits.
        order[kept++] = words[f + 1]! * ORDER_STEP + k;
        size += words[f + 2]!;
      }
      if (size < minSize) {
        small++;
        continue;
      }
      row.clear().bigEndian(size).bigEndian(page).u32(kept);
      for (const place of order.subarray(0, kept).sort()) {
        const f = first + FEATURE_WORDS * (place % ORDER_STEP);
        row
          .u32(words[f + 1]!)
          .u32(words[f]!)
          .u32(words[f + 2]!);
      }
      sorter.add(row.bytes, 0, row.length, KEY_BYTES);
    }
  }
  return { file: written(sorter, room.tmpdir), small };
}

/** Greater than the number of features of any page. */
const ORDER_STEP = 1 << 15;
const KEY_BYTES = 8;
const BLOCK_WORDS = 1 << 16;

function written(sorter: SpillSorter, tmpdir: string): ScratchFile {
  const file = new ScratchFile(tmpdir);
  let block = new Uint32Array(BLOCK_WORDS);
  let used = 0;
  const flush = () => {
    file.append(new Uint8Array(block.buffer, 0, 4 * used));
    used = 0;
  };
  const rows = sorter.finish();
  for (let next = rows.next(); next !== undefined; next = rows.next()) {
    const { bytes, keyStart, keyEnd, end } = next;
    const needed = (end - keyStart) / 4;
    if (used + needed > block.length) flush();
    if (needed > block.length) block = new Uint32Array(needed);
    block[used++] = readBigEndian(bytes, keyStart);
    block[used++] = readBigEndian(bytes, keyStart + 4);
    for (let at = keyEnd; at < end; at += 4) block[used++] = readU32(bytes, at);
  }
  rows.close();
  flush();
  return file;
}

/** Reads pages one after another, from a position on. */
export class SizedReader {
  /** The page at the cursor is words[at, end). */
  words: Uint32Array = new Uint32Array(BLOCK_WORDS);
  at = 0;
  end = 0;
  readonly #file: ScratchFile;
  #filled = 0;
  /** The position of words[0] in the file, in bytes. */
  #base = 0;

  constructor(file: ScratchFile, position: number) {
    this.#file = file;
    this.#base = position;
  }

  /** The position of the page after the cursor, in bytes. */
  get nextPosition(): number {
    return this.#base + 4 * this.end;
  }

  next(): boolean {
    this.at = this.end;
    if (!this.#has(SIZED_HEAD)) return false;
    const length = SIZED_HEAD + FEATURE_WORDS * this.words[this.at + 2]!;
    if (!this.#has(length)) throw new Error('scratch file ends within a page');
    this.end = this.at + length;
    return true;
  }

  #has(length: number): boolean {
    if (this.at + length <= this.#filled) return true;
    this.#base += 4 * this.at;
    this.at = this.end = 0;
    if (length > this.words.length) this.words = new Uint32Array(2 * length);
    this.#filled = this.#file.read(new Uint8Array(this.words.buffer), this.#base) / 4;
    return length <= this.#filled;
  }
}
