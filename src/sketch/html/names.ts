// Which of the known names is in these bytes, whatever its case? A hash table that is asked without making strings:
// names of elements and attributes are met some thousand times a page.

export class NameTable {
  readonly #names: readonly Uint8Array[];
  readonly #slots: Uint8Array;
  readonly #mask: number;
  readonly #longest: number;

  /** Distinct names in lower case, at most 255. */
  constructor(names: readonly string[]) {
    this.#names = [new Uint8Array(0), ...names.map((name) => Buffer.from(name, 'latin1'))];
    this.#longest = Math.max(...names.map((name) => name.length));
    this.#mask = 4 * 2 ** Math.ceil(Math.log2(names.length)) - 1;
    this.#slots = new Uint8Array(this.#mask + 1);
    for (let number = 1; number < this.#names.length; number++) {
      const name = this.#names[number]!;
      let slot = hashOf(name, 0, name.length) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = number;
    }
  }

  /** The number of the name in bytes[start, end): its place among the names, from 1 on; 0 for any other name. */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.#longest) return 0;
    let slot = hashOf(bytes, start, end) & this.#mask;
    for (let number = this.#slots[slot]!; number !== 0; number = this.#slots[slot]!) {
      if (isName(this.#names[number]!, bytes, start, end)) return number;
      slot = (slot + 1) & this.#mask;
    }
    return 0;
  }

  /** The number of one of the names. */
  number(name: string): number {
    return this.find(Buffer.from(name, 'latin1'), 0, name.length);
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at]! | 0x20)) | 0;
  return hash ^ (hash >>> 7);
}

function isName(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let k = 0; k < name.length; k++) {
    const byte = bytes[start + k]!;
    if (name[k] !== (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)) return false;
  }
  return true;
}
