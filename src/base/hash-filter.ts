// A counting Bloom filter with one hash function: finds hashes that occurred at least so many times. Its small counters
// overcount when two hashes share one, and never undercount.

const MAX_FILTER_BITS = 27;

/** Counts how often each hash was added, up to `most`. Never undercounts. A counter has 1, 2 or 8 bits. */
export class HashFilter {
  readonly #counters: Uint8Array;
  readonly #most: number;
  /** A counter has 2^width bits. The top bits of a hash are the index of its counter. */
  readonly #width: number;
  readonly #shift: number;
  #full = 0;

  constructor(most: number, memoryBytes: number) {
    this.#most = Math.min(most, 255);
    this.#width = most <= 1 ? 0 : most <= 3 ? 1 : 3;
    const counters = Math.log2(memoryBytes) + 3 - this.#width;
    const bits = Math.max(8, Math.min(MAX_FILTER_BITS, Math.floor(counters)));
    this.#counters = new Uint8Array(2 ** (bits - 3 + this.#width));
    this.#shift = 32 - bits;
  }

  add(hash: number): void {
    const count = this.#count(hash);
    if (count === this.#most) return;
    this.#counters[this.#byte(hash)]! += 1 << this.#bit(hash);
    if (count + 1 === this.#most) this.#full++;
  }

  /** True for every hash that was added often enough. */
  passes(hash: number): boolean {
    return this.#count(hash) >= this.#most;
  }

  /**
   * Estimates how many hashes pass: the number of counters that do, corrected for collisions by how full the filter is.
   */
  get passing(): number {
    const share = (this.#full * 2 ** this.#width) / (8 * this.#counters.length);
    return this.#full / (1 - Math.min(0.9, share));
  }

  #count(hash: number): number {
    return (this.#counters[this.#byte(hash)]! >>> this.#bit(hash)) & ((1 << (1 << this.#width)) - 1);
  }

  #byte(hash: number): number {
    return hash >>> (this.#shift + 3 - this.#width);
  }

  #bit(hash: number): number {
    return ((hash >>> this.#shift) << this.#width) & 7;
  }
}
