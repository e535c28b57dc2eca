// A bit for each of many things.

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
