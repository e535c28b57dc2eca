// Columns of numbers that grow, as there may be tens of millions.

/** A longer copy, with zeros at its end. */
export function widened(numbers: Uint32Array, length = 2 * numbers.length): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(length);
  wider.set(numbers);
  return wider;
}

/** The greatest number, or `least`. Of more than some 100,000, Math.max(...numbers) ends with a RangeError. */
export function greatest(numbers: Iterable<number>, least = -Infinity): number {
  let most = least;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}

/** A list that grows at its end. */
export class Growing {
  /** 64 bytes, which need no allocation of their own. */
  #items = new Uint32Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#items[index]!;
  }

  push(number: number): void {
    if (this.#length === this.#items.length) this.#items = widened(this.#items);
    this.#items[this.#length++] = number;
  }

  pop(): number {
    return this.#items[--this.#length]!;
  }

  clear(): void {
    this.#length = 0;
  }

  /** A copy. */
  slice(start = 0): Uint32Array<ArrayBuffer> {
    return this.#items.slice(start, this.#length);
  }
}
