// A counting Bloom filter with one hash function: finds hashes that occurred at all, or at least twice. Its counters
// overcount when two hashes share one, and never undercount.

const MAX_FILTER_BITS = 27;

/** Counts how often each hash was added, up to `most`. Never undercounts. A counter has as many bits. */
export class HashFilter {
  readonly #counters: Uint8Array;
  readonly #most: 1 | 2;
  /** The top bits of a hash are the index of its counter. */
  readonly #shift: number;
  #full = 0;

  constructor(most: 1 | 2, memoryBytes: number) {
    this.#most = most;
    const bits = Math.max(8, Math.min(MAX_FILTER_BITS, Math.floor(Math.log2((8 * memoryBytes) / most))));
    this.#counters = new Uint8Array((most * 2 ** bits) / 8);
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
    const share = (this.#full * this.#most) / (8 * this.#counters.length);
    return this.#full / (1 - Math.min(0.9, share));
  }

  #count(hash: number): number {
    return (this.#counters[this.#byte(hash)]! >>> this.#bit(hash)) & (this.#most === 1 ? 1 : 3);
  }

  #byte(hash: number): number {
    return hash >>> (this.#shift + 4 - this.#most);
  }

  #bit(hash: number): number {
    return ((hash >>> this.#shift) * this.#most) & 7;
  }
}
