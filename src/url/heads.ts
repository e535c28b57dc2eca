// A cache of a number per *head* of a URL: `http://host/` with the slash that begins the path. Logs have a few hosts,
// or some thousands, so values that depend only on the head are computed once.
//
//   columns   | hash | offset of the head in `text` | its length | number | …    entries, by open addressing
//
// The size is bounded: a full cache is cleared.
import { sameRange } from '../base/bytes.js';
import { NUMBER_SIGN, QUESTION, SLASH } from '../base/ascii.js';
import { FNV_PRIME, FNV_SEED, mixed } from '../base/hash.js';

/** The head has no number yet, or the URL has no head. */
export const UNKNOWN = -1;

const ENTRIES = 1 << 16;
const WIDTH = 4;
const LENGTH = 2;
const NUMBER = 3;
/** Hosts are shorter than 256 bytes. Anything longer has credentials, or is no host. */
const LONGEST = 300;
const MOST_TEXT = 1 << 22;

export class Heads {
  #columns = new Int32Array(WIDTH * 16);
  #text = new Uint8Array(1 << 10);
  #used = 0;
  #count = 0;
  /** The entry found last, or the free entry for a head that was not found. */
  #entry = 0;
  #hash = 0;

  /** The number of the head of the URL bytes[start, end), or UNKNOWN. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const latest = WIDTH * this.#entry;
    const length = this.#columns[latest + LENGTH]!;
    if (length > 0 && length <= end - start && this.#standsAt(latest, bytes, start))
      return this.#columns[latest + NUMBER]!;
    const headEnd = this.#headEnd(bytes, start, end);
    return headEnd < 0 ? UNKNOWN : this.#look(bytes, start, headEnd);
  }

  /**
   * Stores a number for the head of the URL, for which `find` just returned UNKNOWN. Does nothing if the URL has no
   * head.
   */
  keep(bytes: Uint8Array, start: number, end: number, number: number): void {
    const headEnd = this.#headEnd(bytes, start, end);
    const length = headEnd - start;
    if (headEnd < 0 || length > LONGEST) return;
    if (4 * this.#count >= 3 * ENTRIES || this.#used + length > MOST_TEXT) this.clear();
    if (2 * WIDTH * (this.#count + 1) > this.#columns.length) this.#widen();
    this.#look(bytes, start, headEnd);
    while (this.#used + length > this.#text.length) {
      const wider = new Uint8Array(2 * this.#text.length);
      wider.set(this.#text);
      this.#text = wider;
    }
    for (let k = 0; k < length; k++) this.#text[this.#used + k] = bytes[start + k]!;
    this.#columns.set([this.#hash, this.#used, length, number], WIDTH * this.#entry);
    this.#used += length;
    this.#count++;
  }

  clear(): void {
    this.#columns.fill(0);
    this.#used = this.#count = this.#entry = 0;
  }

  /** The offset after the slash of `http://host/`, or -1. Hashes the bytes before it. */
  #headEnd(bytes: Uint8Array, start: number, end: number): number {
    let slashes = 0;
    let hash = FNV_SEED;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      hash = Math.imul(hash ^ byte, FNV_PRIME);
      if (byte === SLASH && ++slashes === 3) {
        this.#hash = mixed(hash);
        return isHttp(bytes, start) ? at + 1 : -1;
      }
      if (byte === QUESTION || byte === NUMBER_SIGN) return -1;
    }
    return -1;
  }

  /** The number of a head, or UNKNOWN. Sets `#entry` to its entry, or to the free entry for it. */
  #look(bytes: Uint8Array, start: number, end: number): number {
    const columns = this.#columns;
    const mask = columns.length / WIDTH - 1;
    let entry = this.#hash & mask;
    for (; columns[WIDTH * entry + LENGTH] !== 0; entry = (entry + 1) & mask) {
      const at = WIDTH * entry;
      if (columns[at] !== this.#hash || columns[at + LENGTH] !== end - start) continue;
      if (!this.#standsAt(at, bytes, start)) continue;
      this.#entry = entry;
      return columns[at + NUMBER]!;
    }
    this.#entry = entry;
    return UNKNOWN;
  }

  #standsAt(at: number, bytes: Uint8Array, start: number): boolean {
    return sameRange(this.#text, this.#columns[at + 1]!, bytes, start, this.#columns[at + LENGTH]!);
  }

  #widen(): void {
    const old = this.#columns;
    const columns = (this.#columns = new Int32Array(2 * old.length));
    const mask = columns.length / WIDTH - 1;
    for (let from = 0; from < old.length; from += WIDTH) {
      if (old[from + LENGTH] === 0) continue;
      let entry = old[from]! & mask;
      while (columns[WIDTH * entry + LENGTH] !== 0) entry = (entry + 1) & mask;
      columns.set(old.subarray(from, from + WIDTH), WIDTH * entry);
    }
  }
}

/** True for `http://` and `https://` in lower case, in a URL that has three slashes. */
function isHttp(bytes: Uint8Array, start: number): boolean {
  if (bytes[start] !== 0x68 || bytes[start + 1] !== 0x74 || bytes[start + 2] !== 0x74 || bytes[start + 3] !== 0x70) {
    return false;
  }
  const colon = bytes[start + 4] === 0x73 ? start + 5 : start + 4;
  return bytes[colon] === 0x3a && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH;
}
