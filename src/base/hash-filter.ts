// Which hashes were seen so often, at least? A table of small counters says it, and now and then takes one for another.

const MAX_FILTER_BITS = 27;

/** How often a hash was seen, as far as `most`; never fewer than its text was. Counters of 1, 2 or 8 bits. */
export class HashFilter {
  readonly #counters: Uint8Array;
  readonly #most: number;
  /** A counter has 2^width bits; the first bits of a hash are its number. */
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

  /** True for every hash that was added so often. */
  passes(hash: number): boolean {
    return this.#count(hash) >= this.#most;
  }

  /** About how many hashes pass: counters that do, and more for each the fuller the filter is. */
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
