// Finds pages that resemble each other by spot signatures. Long pages are compared by these, short pages by all their
// shingles (SizeSpotSigs; sketch/spots decides which is which), each kind by the same steps:
//
//   document-frequency → sized-bags → spot-pairs
//
// Rare shingles are what distinguishes short pages. So for shingles only the lower bound of idf applies, which removes
// the template of a site.
import { hashPair, mixed } from '../base/hash.js';
import type { SpillRoom } from '../base/spill.js';
import { type BagStore, FEATURE_WORDS, HEAD_WORDS, MOST_FREQUENT } from './bag-store.js';
import type { SpotSignatures } from './signatures.js';
import { sizedBags, type Window } from './sized-bags.js';
import { findSpotPairs, type SpotPairOptions } from './spot-pairs.js';

interface NearSpotsOptions extends Omit<SpotPairOptions, 'memoryBytes'> {
  readonly window: Window;
  readonly room: SpillRoom;
}

interface NearSpotsCounts {
  /** The number of pairs that were compared. */
  compared: number;
  /** The number of pages, of each kind, with too few features left: they resemble no other page. */
  small: number;
  /** As in `spot-pairs`. */
  cut: number;
}

/** The defaults of the authors' program (SpotSigs; Theobald, Siddharth, Paepcke, SIGIR 2008). */
export const SPOT_WINDOW: Window = { minIdf: 0.2, maxIdf: 0.85, minSize: 4 };
export const SPOT_RESEMBLANCE = 0.85;

export function findNearSpots(signatures: SpotSignatures, options: NearSpotsOptions): NearSpotsCounts {
  const { spots, shingles, hasSpots } = signatures;
  const counts = { compared: 0, small: 0, cut: 0 };
  findPairs(spots, options, counts);
  const isKnown = (a: number, b: number) => (hasSpots[a] === 1 && hasSpots[b] === 1) || options.isKnown(a, b);
  findPairs(shingles, { ...options, isKnown, window: { ...options.window, maxIdf: 1 } }, counts);
  return counts;
}

function findPairs(store: BagStore, options: NearSpotsOptions, counts: NearSpotsCounts): void {
  if (store.pages === 0) return;
  const { window, room } = options;
  const memoryBytes = room.memoryBytes / 2;
  countFrequencies(store, memoryBytes);
  const { file, small } = sizedBags(store, window, { ...room, memoryBytes });
  const { compared, cut } = findSpotPairs(file, { ...options, memoryBytes });
  file.close();
  counts.compared += compared;
  counts.small += small;
  counts.cut += cut;
}

// Counts the pages that have each feature, in a hash table. If the table outgrows its memory, all pages are read
// several times, each time for a part of the features, by their hash. The count is written beside each feature
// (bag-store).

/** Bytes of a slot: two keys and a count. */
const SLOT_BYTES = 12;
const FIRST_SLOTS = 1 << 12;
/** Only features forged to have one hash need more parts; then the table exceeds its memory. */
const MOST_PARTS = 256;

/** Sets the rarity of all features. `memoryBytes` is for the table. */
export function countFrequencies(store: BagStore, memoryBytes: number): void {
  // A table grows at three quarters. While it grows, it takes half as much again.
  const most = 2 ** Math.max(12, Math.floor(Math.log2(memoryBytes / SLOT_BYTES / 1.5)));
  let parts = 1;
  for (let part = 0; part < parts;) {
    const table = countPart(store, part, parts, parts < MOST_PARTS ? most : Infinity);
    if (table === undefined) {
      // A finished part stays finished: it becomes the first two of the smaller parts.
      part *= 2;
      parts *= 2;
      continue;
    }
    for (const words of store.chunks('kept')) setPart(words, table, part, parts);
    part++;
  }
}

function countPart(store: BagStore, part: number, parts: number, most: number): Counts | undefined {
  const table = new Counts();
  for (const words of store.chunks('read')) {
    for (let at = 0; at < words.length;) {
      const end = at + HEAD_WORDS + FEATURE_WORDS * words[at + 1]!;
      for (let f = at + HEAD_WORDS; f < end; f += FEATURE_WORDS) {
        if (parts > 1 && partOf(words[f]!, words[f + 1]! & 0xff, parts) !== part) continue;
        if (!table.increment(words[f]!, words[f + 1]! & 0xff, most)) return undefined;
      }
      at = end;
    }
  }
  return table;
}

function setPart(words: Uint32Array, table: Counts, part: number, parts: number): void {
  for (let at = 0; at < words.length;) {
    const end = at + HEAD_WORDS + FEATURE_WORDS * words[at + 1]!;
    for (let f = at + HEAD_WORDS; f < end; f += FEATURE_WORDS) {
      if (parts > 1 && partOf(words[f]!, words[f + 1]! & 0xff, parts) !== part) continue;
      const upper = words[f + 1]! & 0xff;
      words[f + 1] = Math.min(table.of(words[f]!, upper), MOST_FREQUENT) * 256 + upper;
    }
    at = end;
  }
}

/** The part of a feature. When parts are halved, their order stays. Slots use another hash. */
function partOf(lower: number, upper: number, parts: number): number {
  return Math.floor(((hashPair(lower, upper) >>> 0) * parts) / 2 ** 32);
}

class Counts {
  #lower = new Uint32Array(FIRST_SLOTS);
  #upper = new Uint32Array(FIRST_SLOTS);
  /** 0 if the slot is free. */
  #counts = new Uint32Array(FIRST_SLOTS);
  #used = 0;

  /** Counts a feature; false if there is no room. */
  increment(lower: number, upper: number, most: number): boolean {
    let slot = this.#slotOf(lower, upper);
    if (this.#counts[slot] === 0) {
      if (this.#used * 4 >= this.#counts.length * 3) {
        if (this.#counts.length >= most) return false;
        this.#grow();
        slot = this.#slotOf(lower, upper);
      }
      this.#used++;
      this.#lower[slot] = lower;
      this.#upper[slot] = upper;
    }
    this.#counts[slot]!++;
    return true;
  }

  of(lower: number, upper: number): number {
    return this.#counts[this.#slotOf(lower, upper)]!;
  }

  #slotOf(lower: number, upper: number): number {
    const mask = this.#counts.length - 1;
    let slot = mixed(lower ^ upper) & mask;
    while (this.#counts[slot] !== 0 && (this.#lower[slot] !== lower || this.#upper[slot] !== upper)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [lower, upper, counts] = [this.#lower, this.#upper, this.#counts];
    this.#lower = new Uint32Array(lower.length * 2);
    this.#upper = new Uint32Array(lower.length * 2);
    this.#counts = new Uint32Array(lower.length * 2);
    for (let k = 0; k < lower.length; k++) {
      if (counts[k] === 0) continue;
      const slot = this.#slotOf(lower[k]!, upper[k]!);
      this.#lower[slot] = lower[k]!;
      this.#upper[slot] = upper[k]!;
      this.#counts[slot] = counts[k]!;
    }
  }
}
