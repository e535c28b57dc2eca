// Columns of numbers that grow (there may be tens of millions), columns of bits, and lists of numbers.

/** A longer copy, with zeros at its end. */
export function widened(numbers: Uint32Array, length = 2 * numbers.length): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(length);
  wider.set(numbers);
  return wider;
}

/** The greatest number, or `least`. `Math.max(...numbers)` throws a RangeError beyond some 100,000 numbers. */
export function greatest(numbers: Iterable<number>, least = -Infinity): number {
  let most = least;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}

/** A list that grows at its end. */
export class Growing {
  /** V8 stores 64 bytes in the object itself, without another allocation. */
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

/** A column of bits. */
export class Bits {
  readonly #bytes: Uint8Array;

  constructor(count: number) {
    this.#bytes = new Uint8Array(Math.ceil(count / 8));
  }

  set(at: number): void {
    this.#bytes[at >>> 3]! |= 1 << (at & 7);
  }

  has(at: number): boolean {
    return (this.#bytes[at >>> 3]! & (1 << (at & 7))) !== 0;
  }
}

// Lists of numbers for each of many things, as two columns: the list of k is items[starts[k], starts[k + 1]).
//
//   starts    0  2  2  5        k = 0: 7, 3    k = 1: none    k = 2: 4, 4, 9
//   items     7  3  4  4  9

export interface Lists {
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

/** Inverts `keys`: for each of `count` things, the ascending indices of `keys` that have its number. */
export function listsOf(count: number, keys: Uint32Array): Lists {
  const starts = new Uint32Array(count + 1);
  for (let number = 0; number < keys.length; number++) starts[keys[number]! + 1]!++;
  for (let k = 0; k < count; k++) starts[k + 1]! += starts[k]!;
  const next = starts.slice(0, count);
  const items = new Uint32Array(starts[count]!);
  for (let number = 0; number < keys.length; number++) items[next[keys[number]!]!++] = number;
  return { starts, items };
}
