// Which byte strings are new? A hash set with open addressing: strings are stored end to end in pages while there is
// room, and compared byte by byte. A string takes 28 bytes more than its length on average; in a `Set` of strings it
// takes over 60.
//
//     place   position of a string, counted through all pages, + 1; 0 is an empty slot   open addressing, at most two
//     hash    hash of that string                                                        thirds full
//     flags   bits that the caller sets
//     pages   [length, bytes] [length, bytes] …   no string crosses the end of a page; a long one has its own
import { sameRange } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';

const PAGE_BYTES = 1 << 20;
const LENGTH_BYTES = 4;
/** Bytes of the table per slot: 8 for `place`, 4 for `hash`, 1 for `flags`. */
const SLOT_BYTES = 13;

/** `unknown`: the string is not in the set, and there is no room to add it. */
export type Sight = 'first' | 'again' | 'unknown';

export class FirstSeen {
  readonly #maxBytes: number;
  #pageBytes = 0;
  #isFull = false;
  #place = new Float64Array(1 << 12);
  #hash = new Int32Array(1 << 12);
  #flags = new Uint8Array(1 << 12);
  /** The slot of the last string. */
  #slot = 0;
  #count = 0;
  readonly #pages: Uint8Array[] = [];
  #used = PAGE_BYTES;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Looks up bytes[start, end), and adds the string if it is new. After the first `unknown`, `add` never returns
   * `first`.
   */
  add(bytes: Uint8Array, start: number, end: number): Sight {
    const hash = hashBytes(bytes, start, end);
    const slot = (this.#slot = this.#slotOf(hash, bytes, start, end));
    if (this.#place[slot] !== 0) return 'again';
    if (!this.#makeRoom(end - start)) return 'unknown';
    this.#hash[slot] = hash;
    this.#place[slot] = this.#keep(bytes, start, end) + 1;
    if (++this.#count * 3 > this.#place.length * 2) {
      this.#grow();
      this.#slot = this.#slotOf(hash, bytes, start, end);
    }
    return 'first';
  }

  /** Sets a flag of the string that was added last, which must not be `unknown`. True if the flag was not set before. */
  flag(bit: number): boolean {
    const flags = this.#flags[this.#slot]!;
    this.#flags[this.#slot] = flags | bit;
    return (flags & bit) === 0;
  }

  /** The slot of the string in the table, or an empty slot for it. */
  #slotOf(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const mask = this.#place.length - 1;
    let slot = hash & mask;
    for (; this.#place[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#hash[slot] === hash && this.#isAt(this.#place[slot]! - 1, bytes, start, end)) break;
    }
    return slot;
  }

  /** True if one more string fits, including a new page if it needs one, and the old table during a rehash. */
  #makeRoom(length: number): boolean {
    if (this.#isFull) return false;
    const page = this.#used + LENGTH_BYTES + length > PAGE_BYTES ? pageFor(length) : 0;
    const grows = (this.#count + 1) * 3 > this.#place.length * 2;
    const table = SLOT_BYTES * this.#place.length * (grows ? 3 : 1);
    this.#isFull = this.#pageBytes + page + table > this.#maxBytes;
    return !this.#isFull;
  }

  #isAt(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    const page = this.#pages[Math.floor(place / PAGE_BYTES)]!;
    const at = place % PAGE_BYTES;
    const length = page[at]! + (page[at + 1]! << 8) + (page[at + 2]! << 16) + page[at + 3]! * 2 ** 24;
    return length === end - start && sameRange(page, at + LENGTH_BYTES, bytes, start, length);
  }

  #keep(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (this.#used + LENGTH_BYTES + length > PAGE_BYTES) {
      this.#pages.push(new Uint8Array(pageFor(length)));
      this.#pageBytes += pageFor(length);
      this.#used = 0;
    }
    const page = this.#pages.at(-1)!;
    const at = this.#used;
    for (let k = 0; k < LENGTH_BYTES; k++) page[at + k] = length >>> (8 * k);
    page.set(bytes.subarray(start, end), at + LENGTH_BYTES);
    this.#used = at + LENGTH_BYTES + length;
    return (this.#pages.length - 1) * PAGE_BYTES + at;
  }

  #grow(): void {
    const [places, hashes, flags] = [this.#place, this.#hash, this.#flags];
    this.#place = new Float64Array(2 * places.length);
    this.#hash = new Int32Array(2 * places.length);
    this.#flags = new Uint8Array(2 * places.length);
    const mask = this.#place.length - 1;
    for (let from = 0; from < places.length; from++) {
      if (places[from] === 0) continue;
      let slot = hashes[from]! & mask;
      while (this.#place[slot] !== 0) slot = (slot + 1) & mask;
      this.#place[slot] = places[from]!;
      this.#hash[slot] = hashes[from]!;
      this.#flags[slot] = flags[from]!;
    }
  }
}

function pageFor(length: number): number {
  return Math.max(PAGE_BYTES, LENGTH_BYTES + length);
}
