// Which sketches resemble each other (CS345: finding all near-duplicates)? The pairs that the naive way finds, which
// compares all with all, without comparing all:
//
//   1. The page of a sketch of n fingerprints shares at least o = ⌈T n⌉ of them with any page that it resembles by T.
//      So one of any n − o + 1 of its fingerprints is shared: the _prefix_. The rarest are taken, so that what the
//      template of a site gives to every page generates no pairs.
//   2. ⟨fingerprint, sketch⟩ for each prefix, sorted (on disk, if they are too many): a list for each fingerprint.
//   3. Pairs of a list are candidates. The fingerprints before the shared one in both prefixes are in one page only: so
//      the positions say of most pairs that too few can be shared.
//   4. r' decides, from both sketches. If these are on disk, candidates are sorted by the chunks they are in.
//
// The seed counts what two sketches share over all fingerprints, ⟨doc, doc, 1⟩; with prefixes there is a tenth of them,
// and no counts are needed.
//
// A fingerprint is in more than MAX_LIST prefixes only if those pages have hardly anything else. In such a list each
// sketch is compared with those next to it and with the first of each cluster; what is not compared is counted.
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { readU32 } from '../base/row.js';
import { RowWriter } from '../base/row-writer.js';
import { WordSorter, type WordReader } from '../base/word-sort.js';
import { MAX_LIST, takeLongList } from './long-list.js';
import { fewestShared, resemblanceFrom, type Placed } from './resemblance.js';
import type { Chunk, SketchStore } from './sketch-store.js';

export interface NearOptions {
  /** Pairs of at least this resemblance: above 0, at most 1. */
  readonly threshold: number;
  /** The size that sketches were made with. */
  readonly s: number;
  readonly room: SpillRoom;
  /** True for pairs that need not be compared: both are known to be in one cluster. */
  readonly isKnown: (a: number, b: number) => boolean;
  /** Called for each pair a < b, maybe several times. */
  readonly found: (a: number, b: number, resemblance: number) => void;
  /** The longest list whose pairs are all candidates; tests use less. */
  readonly maxList?: number;
}

export interface NearCounts {
  /** Rows of step 2. */
  prefixes: number;
  /** Pairs that were compared. */
  compared: number;
  /** Lists longer than `maxList`, and the pairs in them that were not looked at. */
  longLists: number;
  unseen: number;
}

export function findNearPairs(store: SketchStore, options: NearOptions): NearCounts {
  return new Finder(store, options).run();
}

/** Of a list in step 2, which is valid until the next one. */
interface List {
  count: number;
  sketches: Uint32Array;
  /** Their positions in the prefixes. */
  places: Uint8Array;
}

class Finder {
  readonly #store: SketchStore;
  readonly #options: NearOptions;
  readonly #counts: NearCounts = { prefixes: 0, compared: 0, longLists: 0, unseen: 0 };
  readonly #left: { -readonly [Key in keyof Placed]: Placed[Key] };
  readonly #right: { -readonly [Key in keyof Placed]: Placed[Key] };
  /** The candidates, if sketches are on disk. */
  #candidates: SpillSorter | undefined;
  readonly #row = new RowWriter();
  /** Fewest shared fingerprints by the length of a sketch. */
  readonly #fewest: readonly number[];

  constructor(store: SketchStore, options: NearOptions) {
    this.#store = store;
    this.#options = options;
    const none: Chunk = { tops: new Uint32Array(0), rests: new Uint8Array(0), first: 0 };
    this.#left = { chunk: none, start: 0, length: 0 };
    this.#right = { chunk: none, start: 0, length: 0 };
    this.#fewest = Array.from({ length: 256 }, (_, length) => fewestShared(options.threshold, length));
  }

  run(): NearCounts {
    const { room } = this.#options;
    const half = { ...room, memoryBytes: room.memoryBytes / 2 };
    if (!this.#store.isInMemory) this.#candidates = new SpillSorter(half, room.stats);
    const rows = this.#prefixes(half);
    for (const list of listsOf(rows)) this.#takeList(list);
    rows.close();
    if (this.#candidates !== undefined) this.#compareCandidates(this.#candidates);
    return this.#counts;
  }

  #prefixes(room: SpillRoom): WordReader {
    const store = this.#store;
    const rarity = new Rarity(store.minima);
    const step = Math.ceil(store.minima / MAX_COUNTED);
    for (let number = 0; number < store.chunks; number++) {
      const chunk = store.load(number);
      for (let sketch = chunk.first; sketch < store.endOf(number); sketch += step) {
        rarity.count(chunk, store.startOf(sketch), store.lengthOf(sketch));
      }
    }
    const sorter = new WordSorter(ROW_WORDS, 1, room);
    for (let number = 0; number < store.chunks; number++) {
      const chunk = store.load(number);
      for (let sketch = chunk.first; sketch < store.endOf(number); sketch++)
        this.#putPrefix(sketch, chunk, rarity, sorter);
    }
    return sorter.finish();
  }

  #putPrefix(sketch: number, chunk: Chunk, rarity: Rarity, sorter: WordSorter): void {
    const [start, length] = [this.#store.startOf(sketch), this.#store.lengthOf(sketch)];
    const wanted = length - this.#fewest[length]! + 1;
    const prefix = rarity.rarest(chunk, start, length, Math.min(wanted, length));
    for (let place = 0; place < prefix.length; place++) {
      const at = start + prefix[place]!;
      const row = sorter.add();
      sorter.words[row] = chunk.tops[at]!;
      sorter.words[row + 1] = (chunk.rests[at]! << 8) | place;
      sorter.words[row + 2] = sketch;
      this.#counts.prefixes++;
    }
  }

  #takeList({ count, sketches, places }: List): void {
    const { maxList = MAX_LIST } = this.#options;
    if (count > maxList) {
      this.#counts.longLists++;
      this.#counts.unseen += takeLongList(sketches, count, this.#options.isKnown, (a, b) => this.#take(a, b));
      return;
    }
    for (let at = 1; at < count; at++) {
      const [sketch, place] = [sketches[at]!, places[at]!];
      const length = this.#store.lengthOf(sketch);
      for (let before = 0; before < at; before++) {
        const other = sketches[before]!;
        const otherLength = this.#store.lengthOf(other);
        const fewest = this.#fewest[Math.max(length, otherLength)]!;
        // What both prefixes have before the shared fingerprint is not shared.
        if (length - place < fewest || otherLength - places[before]! < fewest) continue;
        this.#take(other, sketch);
      }
    }
  }

  #take(a: number, b: number): void {
    if (this.#options.isKnown(a, b)) return;
    if (this.#candidates === undefined) {
      this.#compare(a, this.#store.load(this.#store.chunkOf(a)), b, this.#store.load(this.#store.chunkOf(b)));
      return;
    }
    const [ofA, ofB] = [this.#store.chunkOf(a), this.#store.chunkOf(b)];
    const { bytes, length } = this.#row.clear().bigEndian(ofA).bigEndian(ofB).u32(a).u32(b);
    this.#candidates.add(bytes, 0, length, length);
  }

  #compareCandidates(candidates: SpillSorter): void {
    const store = this.#store;
    let [chunkA, chunkB] = [-1, -1];
    let [loadedA, loadedB]: [Chunk | undefined, Chunk | undefined] = [undefined, undefined];
    let [lastA, lastB] = [-1, -1];
    const rows = candidates.finish();
    for (let next = rows.next(); next !== undefined; next = rows.next()) {
      const { bytes, keyStart } = next;
      const [a, b] = [readU32(bytes, keyStart + 8), readU32(bytes, keyStart + 12)];
      // The same pair from another fingerprint.
      if (a === lastA && b === lastB) continue;
      [lastA, lastB] = [a, b];
      if (this.#options.isKnown(a, b)) continue;
      const [ofA, ofB] = [store.chunkOf(a), store.chunkOf(b)];
      if (ofA !== chunkA) [chunkA, loadedA] = [ofA, store.load(ofA)];
      if (ofB !== chunkB) [chunkB, loadedB] = [ofB, ofB === ofA ? loadedA : store.load(ofB)];
      this.#compare(a, loadedA!, b, loadedB!);
    }
    rows.close();
  }

  #compare(a: number, chunkA: Chunk, b: number, chunkB: Chunk): void {
    const { threshold, s, found } = this.#options;
    const store = this.#store;
    const [left, right] = [this.#left, this.#right];
    left.chunk = chunkA;
    left.start = store.startOf(a);
    left.length = store.lengthOf(a);
    right.chunk = chunkB;
    right.start = store.startOf(b);
    right.length = store.lengthOf(b);
    this.#counts.compared++;
    const resemblance = resemblanceFrom(threshold, s, left, right);
    if (resemblance >= threshold) found(Math.min(a, b), Math.max(a, b), resemblance);
  }
}

/** The upper 32 bits of the fingerprint; its lower 8 and the position; the sketch. */
const ROW_WORDS = 3;

/** Runs of rows with the same fingerprint, two or more: the sort is stable, so sketches ascend. */
function* listsOf(rows: WordReader): Generator<List> {
  const list: List = { count: 0, sketches: new Uint32Array(1024), places: new Uint8Array(1024) };
  // Fingerprints with the same upper bits are sorted apart by the lower ones: up to 256 lists at a time.
  const open = new Map<number, List>();
  let top = -1;
  for (let isRow = rows.next(); ; isRow = rows.next()) {
    const [next, rest, sketch] = isRow
      ? [rows.words[rows.at]!, rows.words[rows.at + 1]!, rows.words[rows.at + 2]!]
      : [-1, 0, 0];
    if (next !== top) {
      for (const one of open.values()) if (one.count > 1) yield one;
      open.clear();
      list.count = 0;
      top = next;
    }
    if (!isRow) return;
    const lower = rest >>> 8;
    let target = open.get(lower);
    if (target === undefined) {
      target = open.size === 0 ? list : { count: 0, sketches: new Uint32Array(4), places: new Uint8Array(4) };
      open.set(lower, target);
    }
    if (target.count === target.sketches.length) widen(target);
    target.sketches[target.count] = sketch;
    target.places[target.count++] = rest & 0xff;
  }
}

function widen(list: List): void {
  const sketches = new Uint32Array(list.sketches.length * 2);
  sketches.set(list.sketches);
  list.sketches = sketches;
  const places = new Uint8Array(sketches.length);
  places.set(list.places);
  list.places = places;
}

/** Fingerprints that are counted at most: those of every nth sketch. */
const MAX_COUNTED = 1 << 23;
/** Of the number of counts, which are 2 MB then and stay in a cache. */
const MAX_BITS = 20;

/** Larger ranks are not told apart in a histogram. */
const MOST_RANK = 63;

/**
 * How often fingerprints occur, by hash, in a sample of the sketches: counts of several may be in one. That changes the
 * order of fingerprints and nothing else, as it is the same for all sketches.
 */
class Rarity {
  readonly #counts: Uint16Array;
  readonly #mask: number;
  readonly #scratch = {
    ranks: new Uint16Array(256),
    order: new Uint16Array(256),
    chosen: new Uint8Array(256),
    histogram: new Uint8Array(MOST_RANK + 1),
  };

  constructor(minima: number) {
    const bits = Math.min(MAX_BITS, Math.max(10, Math.ceil(Math.log2(minima + 1))));
    this.#counts = new Uint16Array(2 ** bits);
    this.#mask = 2 ** bits - 1;
  }

  count({ tops, rests }: Chunk, start: number, length: number): void {
    const counts = this.#counts;
    for (let at = start; at < start + length; at++) {
      const slot = this.#slotOf(tops[at]!, rests[at]!);
      if (counts[slot]! < 0xffff) counts[slot]!++;
    }
  }

  /** Positions of the rarest in the sketch, the rarest first; equally rare ones in the order of the fingerprints. */
  rarest({ tops, rests }: Chunk, start: number, length: number, wanted: number): Uint8Array {
    const { chosen, ranks, order } = this.#scratch;
    const histogram = this.#scratch.histogram.fill(0);
    for (let k = 0; k < length; k++) {
      const rank = this.#counts[this.#slotOf(tops[start + k]!, rests[start + k]!)]!;
      ranks[k] = rank;
      histogram[rank < MOST_RANK ? rank : MOST_RANK]!++;
    }
    // No fingerprint above this rank is among the rarest: few are left to be sorted.
    let [limit, below] = [0, histogram[0]!];
    while (below < wanted) below += histogram[++limit]!;
    if (limit === MOST_RANK) limit = 0xffff;
    let count = 0;
    for (let k = 0; k < length; k++) {
      const rank = ranks[k]!;
      if (rank > limit || (count === wanted && rank >= order[count - 1]!)) continue;
      let at = count === wanted ? count - 1 : count++;
      for (; at > 0 && order[at - 1]! > rank; at--) {
        order[at] = order[at - 1]!;
        chosen[at] = chosen[at - 1]!;
      }
      order[at] = rank;
      chosen[at] = k;
    }
    return chosen.subarray(0, count);
  }

  #slotOf(top: number, rest: number): number {
    return (Math.imul(top, 0x9e3779b1) ^ rest) & this.#mask;
  }
}
