// Finds pages with nearly the same features. The partitions and the pruning of SpotSigs (Theobald, Siddharth, Paepcke,
// SIGIR 2008; line numbers of Vaishakhi and Regi, "Duplicate Remover", 3.1) lose no pair of resemblance T or more.
// sim(a, b) = Σ min / Σ max, and |d| is the sum of the counts.
//
//   1. sim ≥ T needs |b| ≥ T |a|. Pages are sorted by |d| and cut into partitions of sizes p … p / T, so the partners
//      of a page are in its own partition or the next. A block (a partition, or as much of it as fits in memory) is
//      loaded, and the pages after it are read as long as T |a| is at most the largest |b| of the block.
//   2. Each feature has an inverted list: the pages added last, which are the largest, come first.
//   3. Features have one order, rarest first. With x occurrences of a not in b, sim ≥ T exactly if
//      (1 + T) x ≤ |a| − T |b|. No feature before the first common one is shared. So a page is only listed under
//      features at which the condition can still hold for |a| = |b|, and only looked up by features at which it can
//      hold for some b. For most pairs the positions of both pages already show that it does not hold.
//   4. sim decides; its computation stops once x is too large.
//
// Their line 17 leaves a list if D1 + D2 > (1 − T) |d_i|, where D1 is the number of occurrences of d_i before this
// feature and D2 = |d_i| − |d_j|. But these two may count the same occurrences: for a = {w x y z 1 2 3 4 5 6}, b = {y z
// 1 2 3 4 5 6} and T = .8, sim is .8, but after w and x D1 + D2 is 4 and the bound 2. They find the pair nevertheless,
// because they also look from the shorter page, where lines 15 and 25 hold. Here each pair is looked at once, from the
// longer page, by (1 + T) D1 > |d_i| − T |d_j|, which is exact; a list is only left where |d_j| < T |d_i|.
//
// If a feature is on more than MAX_LIST pages, a page is compared only with the NEIGHBOURS pages before it in the order
// of sizes. Pages that are looked up by such a feature are counted. The result does not depend on memory.
import { FEATURE_WORDS } from './bag-store.js';
import { SIZED_HEAD, SizedReader } from './sized-bags.js';
import type { ScratchFile } from '../base/scratch.js';

export interface SpotPairOptions {
  /** The threshold T: above 0, at most 1. */
  readonly threshold: number;
  /** Memory for the pages of a block and their lists. */
  readonly memoryBytes: number;
  /** True for a pair that need not be compared. */
  readonly isKnown: (a: number, b: number) => boolean;
  /** Called once for each pair a < b. */
  readonly found: (a: number, b: number, resemblance: number) => void;
  /**
   * If a feature is on more than `maxList` pages, a page is compared only with the last `neighbours` pages that have
   * it. Tests set less.
   */
  readonly maxList?: number;
  readonly neighbours?: number;
}

export interface SpotPairCounts {
  compared: number;
  /** The number of pages that were not compared with all pages that share one of their rarest features. */
  cut: number;
  blocks: number;
}

const MAX_LIST = 4096;
const NEIGHBOURS = 1024;
const NONE = 0xffffffff;
/** Tolerance for rounding. */
const SLACK = 1e-9;

/** Finds the pairs of pages in a file of `sized-bags`. */
export function findSpotPairs(file: ScratchFile, options: SpotPairOptions): SpotPairCounts {
  const counts = { compared: 0, cut: 0, blocks: 0 };
  const block = new Block(options, counts);
  for (let [position, rank] = [0, 0]; position < file.length;) {
    const reader = new SizedReader(file, position);
    block.begin(rank);
    while (block.mayTakeMore() && reader.next()) {
      if (!block.take(reader)) break;
      rank++;
      position = reader.nextPosition;
    }
    block.index();
    const after = new SizedReader(file, position);
    for (let next = rank; after.next() && block.reaches(after.words[after.at]!); next++)
      block.lookUp(after, next, false);
    counts.blocks++;
  }
  return counts;
}

class Block {
  readonly #threshold: number;
  readonly #options: SpotPairOptions;
  readonly #counts: SpotPairCounts;
  readonly #maxWords: number;
  readonly #maxList: number;
  readonly #neighbours: number;
  #words = new Uint32Array(1 << 12);
  #used = 0;
  /** Where the pages of the block begin in `words`. */
  #starts = new Uint32Array(64);
  #pages = 0;
  #rank = 0;
  #partitionEnd = Infinity;
  /** By page of the block: the page that it was compared with last. */
  #checked = new Uint32Array(0);
  /** Slots of a hash table: the first entry of the list of a feature. */
  #heads = new Uint32Array(0);
  // Entries: the next entry of the list, the page, the feature's position, and the page's occurrences before it.
  #next = new Uint32Array(0);
  #owner = new Uint32Array(0);
  #place = new Uint32Array(0);
  #before = new Uint32Array(0);
  #entries = 0;

  constructor(options: SpotPairOptions, counts: SpotPairCounts) {
    this.#options = options;
    this.#threshold = options.threshold;
    this.#counts = counts;
    // Entries and slots take at most as much again: 32 bytes for an indexed feature, which has 12.
    this.#maxWords = Math.max(1, options.memoryBytes / 4 / 4);
    this.#maxList = options.maxList ?? MAX_LIST;
    this.#neighbours = options.neighbours ?? NEIGHBOURS;
  }

  begin(rank: number): void {
    this.#rank = rank;
    this.#pages = this.#used = this.#entries = 0;
    this.#partitionEnd = Infinity;
  }

  mayTakeMore(): boolean {
    return this.#pages === 0 || this.#used < this.#maxWords;
  }

  /** Adds a page; false if it belongs to the next partition. */
  take({ words, at, end }: SizedReader): boolean {
    const size = words[at]!;
    // Partitions end as in the authors' program: with the first size for which size − p > (1 − T) size.
    if (this.#pages === 0) this.#partitionEnd = Math.floor(size / this.#threshold) + 1;
    if (size > this.#partitionEnd) return false;
    if (this.#used + end - at > this.#words.length) {
      this.#words = grown(this.#words, Math.max(2 * this.#words.length, this.#used + end - at));
    }
    if (this.#pages === this.#starts.length) this.#starts = grown(this.#starts, 2 * this.#pages);
    this.#starts[this.#pages++] = this.#used;
    this.#words.set(words.subarray(at, end), this.#used);
    this.#used += end - at;
    return true;
  }

  /** Indexes the block, and finds the pairs inside of it. */
  index(): void {
    let wanted = 0;
    for (let page = 0; page < this.#pages; page++) wanted += this.#indexed(this.#starts[page]!);
    if (this.#next.length < wanted) {
      [this.#next, this.#owner, this.#place, this.#before] = [0, 1, 2, 3].map(() => new Uint32Array(2 * wanted)) as [
        Uint32Array<ArrayBuffer>,
        Uint32Array<ArrayBuffer>,
        Uint32Array<ArrayBuffer>,
        Uint32Array<ArrayBuffer>,
      ];
    }
    const slots = 2 ** Math.ceil(Math.log2(2 * wanted + 2));
    this.#heads = this.#heads.length === slots ? this.#heads : new Uint32Array(slots);
    this.#heads.fill(NONE);
    if (this.#checked.length < this.#pages) this.#checked = new Uint32Array(2 * this.#pages);
    this.#checked.fill(NONE);
    for (let page = 0; page < this.#pages; page++) {
      const start = this.#starts[page]!;
      this.lookUp({ words: this.#words, at: start }, this.#rank + page, true);
      this.#add(page, start);
    }
  }

  /** True if a page of this size, the least after the block, can resemble a page of the block. */
  reaches(size: number): boolean {
    return this.#threshold * size <= this.#words[this.#starts[this.#pages - 1]!]! + SLACK;
  }

  /** The number of features of a page that go into lists. */
  #indexed(start: number): number {
    const most = (1 - this.#threshold) * this.#words[start]! + SLACK;
    const count = this.#words[start + 2]!;
    let [before, k] = [0, 0];
    for (; k < count && (1 + this.#threshold) * before <= most; k++) {
      before += this.#words[start + SIZED_HEAD + FEATURE_WORDS * k + 2]!;
    }
    return k;
  }

  #add(page: number, start: number): void {
    const indexed = this.#indexed(start);
    let before = 0;
    for (let k = 0; k < indexed; k++) {
      const at = start + SIZED_HEAD + FEATURE_WORDS * k;
      const slot = this.#slotOf(this.#words[at]!, this.#words[at + 1]!);
      const entry = this.#entries++;
      this.#next[entry] = this.#heads[slot]!;
      this.#owner[entry] = page;
      this.#place[entry] = at;
      this.#before[entry] = before;
      this.#heads[slot] = entry;
      before += this.#words[at + 2]!;
    }
  }

  /** Finds the pairs of a page, given with its rank, and pages of the block that are no larger. */
  lookUp({ words, at: start }: Pick<SizedReader, 'words' | 'at'>, rank: number, isOfBlock: boolean): void {
    const t = this.#threshold;
    const [size, page, count] = [words[start]!, words[start + 1]!, words[start + 2]!];
    const least = Math.max(t * size, isOfBlock ? 0 : this.#words[0]!);
    const most = size - t * least + SLACK;
    let before = 0;
    let isCut = false;
    for (let k = 0; k < count && (1 + t) * before <= most; k++) {
      const at = start + SIZED_HEAD + FEATURE_WORDS * k;
      const isLong = words[at]! >>> 8 > this.#maxList;
      isCut ||= isLong;
      const oldest = isLong ? rank - this.#neighbours - this.#rank : 0;
      const slot = this.#slotOf(words[at]!, words[at + 1]!);
      for (let entry = this.#heads[slot]!; entry !== NONE; entry = this.#next[entry]!) {
        const other = this.#owner[entry]!;
        if (other < oldest) break;
        const otherSize = this.#words[this.#starts[other]!]!;
        if (otherSize < t * size - SLACK) break;
        if (this.#checked[other] === rank) continue;
        if ((1 + t) * before > size - t * otherSize + SLACK) continue;
        if ((1 + t) * this.#before[entry]! > otherSize - t * size + SLACK) continue;
        this.#checked[other] = rank;
        this.#compare(words, start, this.#starts[other]!, page);
      }
      before += words[at + 2]!;
    }
    if (isCut && isOfBlock) this.#counts.cut++;
  }

  #compare(words: Uint32Array, start: number, otherStart: number, page: number): void {
    const other = this.#words[otherStart + 1]!;
    if (this.#options.isKnown(page, other)) return;
    this.#counts.compared++;
    const resemblance = resemblanceFrom(this.#threshold, words, start, this.#words, otherStart);
    if (resemblance < this.#threshold) return;
    this.#options.found(Math.min(page, other), Math.max(page, other), resemblance);
  }

  /** The slot of a feature, or the free slot for it. */
  #slotOf(rarity: number, lower: number): number {
    const mask = this.#heads.length - 1;
    let slot = (Math.imul(lower, 0x9e3779b1) ^ Math.imul(rarity, 0x85ebca6b)) & mask;
    for (; this.#heads[slot] !== NONE; slot = (slot + 1) & mask) {
      const place = this.#place[this.#heads[slot]!]!;
      if (this.#words[place] === rarity && this.#words[place + 1] === lower) break;
    }
    return slot;
  }
}

/** sim of two pages, if it is at least `threshold`; otherwise some number below. */
function resemblanceFrom(threshold: number, a: Uint32Array, startA: number, b: Uint32Array, startB: number): number {
  const [sizeA, sizeB] = [a[startA]!, b[startB]!];
  let [i, j] = [startA + SIZED_HEAD, startB + SIZED_HEAD];
  const endI = i + FEATURE_WORDS * a[startA + 2]!;
  const endJ = j + FEATURE_WORDS * b[startB + 2]!;
  const most = (sizeA - threshold * sizeB) / (1 + threshold) + SLACK;
  let [shared, missing] = [0, 0];
  while (i < endI && j < endJ && missing <= most) {
    const order = a[i]! - b[j]! || a[i + 1]! - b[j + 1]!;
    if (order === 0) {
      const [countA, countB] = [a[i + 2]!, b[j + 2]!];
      shared += Math.min(countA, countB);
      missing += Math.max(0, countA - countB);
    } else if (order < 0) missing += a[i + 2]!;
    if (order <= 0) i += FEATURE_WORDS;
    if (order >= 0) j += FEATURE_WORDS;
  }
  return missing > most ? 0 : shared / (sizeA + sizeB - shared);
}

function grown(column: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(length);
  wider.set(column);
  return wider;
}
