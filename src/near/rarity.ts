// Finds the rarest fingerprints of a sketch. Most are on one page only, so it is enough to know those on several pages,
// such as those of a site's template:
//
//   1. `count`: counts the fingerprints of a sample in a large table. One that was met twice is not replaced.
//   2. `freeze`: those that were met three times get a rank in a small table, which stays in a cache.
//   3. `rarest`: the first fingerprints without a rank; if these are too few, also those of the least rank.
//
// Both tables identify a fingerprint by a hash. If two have the same hash, only the order of fingerprints changes, and
// for all sketches alike.
import { hashPair } from '../base/hash.js';
import type { Chunk } from './sketch-store.js';

/** Slots of the large table, at most 32 MB. A slot has the upper bits of the hash, and a count. */
const MOST_BITS = 23;
const FEWEST_BITS = 16;
const MOST_MET = 0xffff;

/** A fingerprint with this count in the sample gets a rank. */
const OFTEN = 3;
const MOST_RANK = 255;
/** Slots of the small table for each ranked fingerprint, and their maximum: 2 MB. */
const SPARE = 8;
const MOST_RANK_BITS = 21;

/** Build (`count`), then `freeze`. */
export class Rarity {
  readonly #bits: number;
  readonly #met: Uint32Array;

  /** `minima`: the most fingerprints that will be counted. */
  constructor(minima: number) {
    this.#bits = Math.min(MOST_BITS, Math.max(FEWEST_BITS, Math.ceil(Math.log2(minima + 1))));
    this.#met = new Uint32Array(2 ** this.#bits);
  }

  count({ tops, rests }: Chunk, start: number, length: number): void {
    const [met, bits] = [this.#met, this.#bits];
    const mask = 2 ** bits - 1;
    for (let at = start; at < start + length; at++) {
      const hash = hashPair(tops[at]!, rests[at]!);
      const tag = (hash >>> bits) << 16;
      const held = met[hash & mask]!;
      const times = held & MOST_MET;
      if (times > 0 && (held ^ tag) >>> 16 === 0) {
        if (times < MOST_MET) met[hash & mask] = held + 1;
      } else if (times < 2) met[hash & mask] = tag | 1;
    }
  }

  freeze(): Ranks {
    const [met, bits] = [this.#met, this.#bits];
    let often = 0;
    for (let slot = 0; slot < met.length; slot++) if ((met[slot]! & MOST_MET) >= OFTEN) often++;
    const rankBits = Math.min(MOST_RANK_BITS, Math.ceil(Math.log2(SPARE * often + 2)));
    const ranks = new Uint8Array(2 ** rankBits);
    for (let slot = 0; slot < met.length; slot++) {
      const times = met[slot]! & MOST_MET;
      if (times < OFTEN) continue;
      const at = slotOf(((met[slot]! >>> 16) << bits) | slot, 32 - rankBits);
      ranks[at] = Math.max(ranks[at]!, Math.min(times, MOST_RANK));
    }
    return new Ranks(ranks, 32 - rankBits);
  }
}

export class Ranks {
  /** Positions in the sketch of the fingerprints that `rarest` has found. */
  readonly chosen = new Uint8Array(256);
  readonly #ranks: Uint8Array;
  readonly #shift: number;
  readonly #own = new Uint8Array(256);
  readonly #order = new Uint8Array(256);
  readonly #histogram = new Uint8Array(MOST_RANK + 1);

  constructor(ranks: Uint8Array, shift: number) {
    this.#ranks = ranks;
    this.#shift = shift;
  }

  /**
   * Finds the `wanted` rarest fingerprints (`chosen`), rarest first, equally rare ones in their own order. `wanted` is
   * at most `length`.
   */
  rarest({ tops, rests }: Chunk, start: number, length: number, wanted: number): void {
    const [ranks, shift, own, chosen] = [this.#ranks, this.#shift, this.#own, this.chosen];
    for (let k = 0, count = 0; count < wanted; k++) {
      if (k === length) return this.#sort(length, wanted);
      own[k] = ranks[slotOf(hashPair(tops[start + k]!, rests[start + k]!), shift)]!;
      if (own[k] === 0) chosen[count++] = k;
    }
  }

  #sort(length: number, wanted: number): void {
    const [own, order, chosen] = [this.#own, this.#order, this.chosen];
    const histogram = this.#histogram.fill(0);
    for (let k = 0; k < length; k++) histogram[own[k]!]!++;
    // None of the rarest has a rank above `limit`: so few are left to be sorted.
    let [limit, below] = [0, histogram[0]!];
    while (below < wanted) below += histogram[++limit]!;
    let count = 0;
    for (let k = 0; k < length; k++) {
      const rank = own[k]!;
      if (rank > limit || (count === wanted && rank >= order[count - 1]!)) continue;
      let at = count === wanted ? count - 1 : count++;
      for (; at > 0 && order[at - 1]! > rank; at--) {
        order[at] = order[at - 1]!;
        chosen[at] = chosen[at - 1]!;
      }
      order[at] = rank;
      chosen[at] = k;
    }
  }
}

function slotOf(hash: number, shift: number): number {
  return Math.imul(hash, 0x2c1b3c6d) >>> shift;
}
