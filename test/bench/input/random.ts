// Numbers that follow from a seed: in sequence, by index, and an order without a list.

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** 32 bits that belong to a number (the finalizer of MurmurHash3): what a document is, without a table of documents. */
export function mix(value: number, seed = 0): number {
  let x = (value ^ Math.imul(seed + 1, 0x9e3779b9)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/**
 * All of 0 … count - 1 in a seeded order, in constant memory: steps that permute the numbers of k bits, repeated for as
 * long as the result is too large (cycle walking, so at most twice on average).
 */
export function* permuted(count: number, seed: number): Generator<number> {
  const bits = Math.max(2, Math.ceil(Math.log2(count)));
  const mask = 2 ** bits - 1; // at most 2^30 numbers
  const factors = [1, 2, 3].map((round) => mix(round, seed) | 1);
  for (let k = 0; k < count; k++) {
    let x = k;
    do {
      x ^= factors[0]! & mask;
      for (const factor of factors) {
        x = Math.imul(x, factor) & mask;
        x ^= x >>> (bits >> 1);
      }
    } while (x >= count);
    yield x;
  }
}
