// Which pairs were met lately? A table of two words a pair, in which a pair may take the place of another one: so some
// are forgotten, and none is ever taken for another.
import { hashPair } from '../base/hash.js';

const PAIR_BYTES = 8;
const FEWEST_BITS = 10;
const MOST_BITS = 24;

export class RecentPairs {
  readonly #pairs: Uint32Array;
  readonly #mask: number;

  constructor(bytes: number) {
    const bits = Math.max(FEWEST_BITS, Math.min(MOST_BITS, Math.floor(Math.log2(bytes / PAIR_BYTES))));
    this.#pairs = new Uint32Array(2 * 2 ** bits);
    this.#mask = 2 ** bits - 1;
  }

  /** Whether it was met, as far as that is known; from now on it was. Numbers a < b. */
  has(a: number, b: number): boolean {
    const pairs = this.#pairs;
    const at = 2 * (hashPair(a, b) & this.#mask);
    if (pairs[at] === a && pairs[at + 1] === b) return true;
    pairs[at] = a;
    pairs[at + 1] = b;
    return false;
  }
}
