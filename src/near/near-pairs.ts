// Finds the sketches that resemble each other (CS345: finding all near-duplicates): the same pairs as comparing all
// with all, but without doing that:
//
//   1. A page whose sketch has n fingerprints shares at least o = ⌈T n⌉ of them with any page that it resembles by T.
//      So at least one of any n − o + 1 of them, the _prefix_, is shared. The prefix has the rarest fingerprints, so
//      that those of a site's template, which all its pages have, generate no pairs.
//   2. ⟨fingerprint, sketch⟩ for each prefix, grouped (on disk, if they are too many): a list for each fingerprint.
//   3. Pairs of a list are candidates. No fingerprint before the first common one is shared, in either prefix: so for
//      most pairs the positions already show that too few can be shared (`isNear`).
//   4. r' decides, from both sketches. If these are on disk, candidates wait until all are known (`candidates`).
//
// The textbook way (CS345) counts what two sketches share over all fingerprints, ⟨doc, doc, 1⟩; prefixes are a tenth of
// those, and need no counts.
//
// A fingerprint is in more than MAX_LIST prefixes only if those pages have hardly anything else. In such a list each
// sketch is compared with those next to it and with the first of each cluster; the pairs left out are counted.
import { hashPair } from '../base/hash.js';
import type { SpillRoom } from '../base/spill.js';
import { Candidates } from './candidates.js';
import { MAX_LIST, possiblePairs, takeLongList } from './long-list.js';
import { type List, PrefixLists } from './prefix-lists.js';
import { type Ranks, Rarity } from './rarity.js';
import { type Chunk, fewestShared, mostOwn, type Placed, resemblanceFrom, type SketchStore } from './sketch-store.js';

export interface NearOptions {
  /** Find pairs of at least this resemblance: above 0, at most 1. */
  readonly threshold: number;
  /** The size of the sketches (s). */
  readonly s: number;
  readonly room: SpillRoom;
  /** True for a pair that need not be compared, as both are known to be in one cluster. */
  readonly isKnown: (a: number, b: number) => boolean;
  /** Called for each pair a < b, possibly several times. */
  readonly found: (a: number, b: number, resemblance: number) => void;
  /** The longest list whose pairs are all candidates; tests set less. */
  readonly maxList?: number;
}

export interface NearCounts {
  /** The number of rows of step 2. */
  prefixes: number;
  /** The number of pairs that were compared. */
  compared: number;
  /** The number of lists longer than `maxList`, and the most pairs that were not compared, of all possible ones. */
  longLists: number;
  unseen: number;
}

export function findNearPairs(store: SketchStore, options: NearOptions): NearCounts {
  return new Finder(store, options).run();
}

class Finder {
  readonly #store: SketchStore;
  readonly #options: NearOptions;
  readonly #counts: NearCounts = { prefixes: 0, compared: 0, longLists: 0, unseen: 0 };
  readonly #left: { -readonly [Key in keyof Placed]: Placed[Key] };
  readonly #right: { -readonly [Key in keyof Placed]: Placed[Key] };
  /** Set if sketches are on disk. */
  readonly #candidates: Candidates | undefined;
  /** Skips repeated pairs: most pairs share several fingerprints of their prefixes. */
  readonly #recent: RecentPairs;
  /** By length of the longer sketch: the fewest fingerprints that must be shared. */
  readonly #fewest: Uint8Array;
  /**
   * By length of the shorter sketch: the most fingerprints of the union that may be in one sketch only. One column if
   * both sketches are whole pages, one if not.
   */
  readonly #mostOwn: readonly [Uint8Array, Uint8Array];

  constructor(store: SketchStore, options: NearOptions) {
    this.#store = store;
    this.#options = options;
    const none: Chunk = { tops: new Uint32Array(0), rests: new Uint8Array(0), first: 0 };
    this.#left = { chunk: none, start: 0, length: 0 };
    this.#right = { chunk: none, start: 0, length: 0 };
    this.#fewest = Uint8Array.from({ length: 256 }, (_, length) => fewestShared(options.threshold, length));
    const mostOwnOf = (limit: number) =>
      Uint8Array.from({ length: 256 }, (_, length) =>
        Math.min(255, mostOwn(options.threshold, Math.min(limit, length / options.threshold))),
      );
    this.#mostOwn = [mostOwnOf(Infinity), mostOwnOf(options.s)];
    const { room } = options;
    if (!store.isInMemory) this.#candidates = new Candidates(store, { ...room, memoryBytes: room.memoryBytes / 2 });
    this.#recent = new RecentPairs(Math.min(32 * store.count, room.memoryBytes / 8));
  }

  run(): NearCounts {
    const { room } = this.#options;
    const prefixes = this.#prefixes({ ...room, memoryBytes: room.memoryBytes / 2 });
    for (const list of prefixes.lists()) this.#takeList(list);
    this.#candidates?.compare((a, left, b, right) => {
      if (!this.#options.isKnown(a, b)) this.#compare(a, left, b, right);
    });
    // A pair may be in several lists, but it is one pair.
    this.#counts.unseen = Math.min(this.#counts.unseen, possiblePairs(this.#store.count));
    return this.#counts;
  }

  #prefixes(room: SpillRoom): PrefixLists {
    const store = this.#store;
    const ranks = this.#ranks();
    const lists = new PrefixLists(room);
    let kept: Chunk | undefined;
    for (let number = 0; number < store.chunks; number++) {
      const chunk = (kept = store.load(number, kept));
      for (let sketch = chunk.first; sketch < store.endOf(number); sketch++)
        this.#putPrefix(sketch, chunk, ranks, lists);
    }
    return lists;
  }

  /**
   * Ranks fingerprints by a sample of sketches in equal steps. Whole chunks would be no sample: pages of one site are
   * adjacent.
   */
  #ranks(): Ranks {
    const store = this.#store;
    const counted = Math.min(Math.max(store.minima / ONE_IN, FEWEST_COUNTED), MOST_COUNTED, store.minima);
    const rarity = new Rarity(counted);
    const step = Math.ceil(store.minima / counted);
    let kept: Chunk | undefined;
    for (let number = 0, sketch = 0; number < store.chunks; number++) {
      const chunk = (kept = store.load(number, kept));
      for (; sketch < store.endOf(number); sketch += step) {
        rarity.count(chunk, store.startOf(sketch), store.lengthOf(sketch));
      }
    }
    return rarity.freeze();
  }

  #putPrefix(sketch: number, chunk: Chunk, ranks: Ranks, lists: PrefixLists): void {
    const [start, length] = [this.#store.startOf(sketch), this.#store.lengthOf(sketch)];
    const fewest = this.#fewest[length]!;
    const wanted = Math.min(length - fewest + 1, length);
    ranks.rarest(chunk, start, length, wanted);
    const { chosen } = ranks;
    for (let place = 0, inner = 0; place < wanted; place++) {
      const position = chosen[place]!;
      lists.add(chunk.tops[start + position]!, chunk.rests[start + position]!, place, inner, sketch);
      if (position < fewest) inner++;
    }
    this.#counts.prefixes += wanted;
  }

  #takeList({ count, sketches, places, inner }: List): void {
    const { maxList = MAX_LIST } = this.#options;
    if (count > maxList) {
      this.#counts.longLists++;
      this.#counts.unseen += takeLongList(sketches, count, this.#options.isKnown, (a, b) => this.#take(a, b));
      return;
    }
    const store = this.#store;
    for (let at = 1; at < count; at++) {
      const [sketch, place, own] = [sketches[at]!, places[at]!, inner[at]!];
      const length = store.lengthOf(sketch);
      for (let before = 0; before < at; before++) {
        const otherLength = store.lengthOf(sketches[before]!);
        const [least, most] = length < otherLength ? [length, otherLength] : [otherLength, length];
        if (own + inner[before]! > this.#mostOwn[most === this.#options.s ? 1 : 0][least]!) continue;
        // Fingerprints before the common one, in either prefix, are not shared.
        if (length - place < this.#fewest[most]! || otherLength - places[before]! < this.#fewest[most]!) continue;
        this.#take(sketches[before]!, sketch);
      }
    }
  }

  #take(a: number, b: number): void {
    if (this.#options.isKnown(a, b) || this.#recent.has(a, b)) return;
    if (this.#candidates !== undefined) return this.#candidates.add(a, b);
    this.#compare(a, this.#place(this.#left, a), b, this.#place(this.#right, b));
  }

  #place(placed: { -readonly [Key in keyof Placed]: Placed[Key] }, sketch: number): Placed {
    const store = this.#store;
    placed.chunk = store.load(store.chunkOf(sketch));
    placed.start = store.startOf(sketch);
    placed.length = store.lengthOf(sketch);
    return placed;
  }

  #compare(a: number, left: Placed, b: number, right: Placed): void {
    const { threshold, s, found } = this.#options;
    this.#counts.compared++;
    const resemblance = resemblanceFrom(threshold, s, left, right);
    if (resemblance >= threshold) found(a, b, resemblance);
  }
}

/** Counts one in so many of all fingerprints, but at least FEWEST_COUNTED. */
const ONE_IN = 32;
const FEWEST_COUNTED = 1 << 21;
const MOST_COUNTED = 1 << 23;

/**
 * The pairs met recently: a table of two words per pair, in which a pair may replace another. So some pairs are
 * forgotten, but none is mistaken for another.
 */
const PAIR_BYTES = 8;
const FEWEST_BITS = 10;
const MOST_BITS = 24;

class RecentPairs {
  readonly #pairs: Uint32Array;
  readonly #mask: number;

  constructor(bytes: number) {
    const bits = Math.max(FEWEST_BITS, Math.min(MOST_BITS, Math.floor(Math.log2(bytes / PAIR_BYTES))));
    this.#pairs = new Uint32Array(2 * 2 ** bits);
    this.#mask = 2 ** bits - 1;
  }

  /** True if the pair, a < b, is known to have been met. Remembers it. */
  has(a: number, b: number): boolean {
    const pairs = this.#pairs;
    const at = 2 * (hashPair(a, b) & this.#mask);
    if (pairs[at] === a && pairs[at + 1] === b) return true;
    pairs[at] = a;
    pairs[at + 1] = b;
    return false;
  }
}
