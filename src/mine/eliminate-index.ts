// Finds pairs of a window that refine one another (Lemma 5.3).
//
// A pair α' → β' refines exactly the pairs that remain when the same tokens are removed from both sides at the left and
// at the right, START and END included. The direction stays, as every pair is written in its shrinking direction.
//
//   news/old.php?id → news/?id   refines   /old.php? → /?   /old.php → /   old.php →   news/old.php → news/   …
//
// So the broader pairs of a pair are looked up, each by a hash computed from prefix hashes; bytes decide equality. With
// S tokens per side that takes at most S² / 4 look-ups, or S² / 2 if the sides are periodic, whatever the size of the
// window.
import { sameRange } from '../base/bytes.js';
import { FNV_PRIME, mixed } from '../base/hash.js';
import type { Pair } from '../table/pair.js';
import { isBoundary } from '../url/token.js';

/** A pair in a window. `next` chains the entries of one slot. */
export interface Indexed {
  readonly pair: Pair;
  readonly hash: number;
  next: Indexed | undefined;
}

/**
 * The lengths of `from` over all pairs of one core: a bitmap modulo 64. Few of the possible remainders of a pair have
 * such a length, and only these are looked up.
 */
export interface Lengths {
  low: number;
  high: number;
}

export function addLength(lengths: Lengths, { from }: Pair): void {
  if ((from.length & 32) === 0) lengths.low |= 1 << from.length;
  else lengths.high |= 1 << from.length;
}

/** The pairs of a window by their bytes. */
export class PairIndex<Entry extends Indexed> {
  #slots = emptySlots<Entry>(64);
  #count = 0;
  readonly #broader = new Broader();

  add(entry: Entry): void {
    if (4 * ++this.#count > this.#slots.length) this.#widen();
    this.#link(entry);
  }

  remove(entry: Entry): void {
    this.#count--;
    const slot = entry.hash & (this.#slots.length - 1);
    let at = this.#slots[slot]!;
    if (at === entry) this.#slots[slot] = entry.next as Entry | undefined;
    else {
      while (at.next !== entry) at = at.next as Entry;
      at.next = entry.next;
    }
  }

  /**
   * Calls `visit` for every pair in the index that `fine` refines, possibly several times if sides repeat themselves.
   * `lengths` are those of its core.
   */
  eachBroader(fine: Pair, lengths: Lengths, visit: (entry: Entry) => void): void {
    const broader = this.#broader.read(fine);
    const { low, high } = lengths;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let left = 0; left < broader.lefts; left++) {
      for (let right = 0; right < broader.rights && broader.fits(left, right); right++) {
        const length = broader.lengthOf(left, right);
        if ((((length & 32) === 0 ? low : high) & (1 << length)) === 0) continue;
        const hash = broader.hash(left, right);
        let entry = slots[hash & mask];
        for (; entry !== undefined; entry = entry.next as Entry | undefined) {
          if (entry.hash === hash && broader.is(left, right, entry.pair)) visit(entry);
        }
      }
    }
  }

  #link(entry: Entry): void {
    const slot = entry.hash & (this.#slots.length - 1);
    entry.next = this.#slots[slot];
    this.#slots[slot] = entry;
  }

  #widen(): void {
    const slots = this.#slots;
    this.#slots = emptySlots(2 * slots.length);
    for (const first of slots) {
      for (let entry = first; entry !== undefined;) {
        const next = entry.next as Entry | undefined;
        this.#link(entry);
        entry = next;
      }
    }
  }
}

function emptySlots<Entry>(count: number): (Entry | undefined)[] {
  return Array.from<Entry | undefined>({ length: count });
}

/** The hash that a pair is indexed by. */
export function pairHash({ from, to, anchor }: Pair): number {
  let [a, b] = [0, 0];
  for (let k = 0; k < from.length; k++) a = Math.imul(a, FNV_PRIME) + from[k]! + 1;
  for (let k = 0; k < to.length; k++) b = Math.imul(b, FNV_PRIME) + to[k]! + 1;
  return combined(a, from.length, b, to.length, hasStart(anchor), hasEnd(anchor));
}

function combined(a: number, aLength: number, b: number, bLength: number, start: boolean, end: boolean): number {
  const lengths = Math.imul(aLength, 0x9e3779b1) + bLength;
  return mixed(Math.imul(mixed(a ^ lengths), 31) + b + (start ? 1 : 0) + (end ? 2 : 0));
}

function hasStart(anchor: Pair['anchor']): boolean {
  return anchor === 'start' || anchor === 'both';
}

function hasEnd(anchor: Pair['anchor']): boolean {
  return anchor === 'end' || anchor === 'both';
}

/**
 * What can be removed from a pair: `lefts` choices at the left and `rights` at the right. The first choice removes
 * nothing.
 */
class Broader {
  lefts = 0;
  rights = 0;
  #from: Uint8Array = new Uint8Array(0);
  #to: Uint8Array = new Uint8Array(0);
  /**
   * Bytes to remove by choice. If START or END can stay, the first choice keeps it, and the second removes nothing
   * else.
   */
  #left = new Int32Array(64);
  #right = new Int32Array(64);
  #keepsStart = false;
  #keepsEnd = false;
  #isHashed = false;
  /** Hashes of the first k bytes, and powers of the prime. */
  #fromHash = new Int32Array(256);
  #toHash = new Int32Array(256);
  #power = new Int32Array(256);

  read({ from, to, anchor }: Pair): this {
    this.#from = from;
    this.#to = to;
    this.#keepsStart = hasStart(anchor);
    this.#keepsEnd = hasEnd(anchor);
    this.#reserve(Math.max(from.length, to.length));
    this.#isHashed = false;
    this.#findLefts();
    this.#findRights();
    return this;
  }

  /** True if both sides are long enough for both choices. With ascending `right`, it stays false once it is. */
  fits(left: number, right: number): boolean {
    return this.#left[left]! + this.#right[right]! <= Math.min(this.#from.length, this.#to.length);
  }

  /** Bytes of `from` that remain. */
  lengthOf(left: number, right: number): number {
    return this.#from.length - this.#left[left]! - this.#right[right]!;
  }

  hash(left: number, right: number): number {
    if (!this.#isHashed) this.#hashPrefixes();
    const start = this.#left[left]!;
    const fromEnd = this.#from.length - this.#right[right]!;
    const toEnd = this.#to.length - this.#right[right]!;
    const power = this.#power;
    const a = this.#fromHash[fromEnd]! - Math.imul(this.#fromHash[start]!, power[fromEnd - start]!);
    const b = this.#toHash[toEnd]! - Math.imul(this.#toHash[start]!, power[toEnd - start]!);
    return combined(a, fromEnd - start, b, toEnd - start, this.#hasStart(left), this.#hasEnd(right));
  }

  /** True if this pair is what remains after both choices. */
  is(left: number, right: number, { from, to, anchor }: Pair): boolean {
    if (hasStart(anchor) !== this.#hasStart(left) || hasEnd(anchor) !== this.#hasEnd(right)) return false;
    const start = this.#left[left]!;
    const taken = start + this.#right[right]!;
    if (from.length !== this.#from.length - taken || to.length !== this.#to.length - taken) return false;
    return sameRange(this.#from, start, from, 0, from.length) && sameRange(this.#to, start, to, 0, to.length);
  }

  /** Deferred until there is something to look up. */
  #hashPrefixes(): void {
    prefixHashes(this.#from, this.#fromHash);
    prefixHashes(this.#to, this.#toHash);
    this.#isHashed = true;
  }

  #hasStart(left: number): boolean {
    return this.#keepsStart && left === 0;
  }

  #hasEnd(right: number): boolean {
    return this.#keepsEnd && right === 0;
  }

  #findLefts(): void {
    const [from, to] = [this.#from, this.#to];
    this.lefts = 0;
    this.#left[this.lefts++] = 0;
    if (this.#keepsStart) this.#left[this.lefts++] = 0;
    const most = Math.min(from.length, to.length);
    for (let at = 1; at <= most && from[at - 1] === to[at - 1]; at++) {
      if (isBoundary(from, at) && isBoundary(to, at)) this.#left[this.lefts++] = at;
    }
  }

  #findRights(): void {
    const [from, to] = [this.#from, this.#to];
    this.rights = 0;
    this.#right[this.rights++] = 0;
    if (this.#keepsEnd) this.#right[this.rights++] = 0;
    const most = Math.min(from.length, to.length);
    for (let taken = 1; taken <= most && from[from.length - taken] === to[to.length - taken]; taken++) {
      if (isBoundary(from, from.length - taken) && isBoundary(to, to.length - taken)) {
        this.#right[this.rights++] = taken;
      }
    }
  }

  #reserve(length: number): void {
    if (length + 3 > this.#left.length) {
      this.#left = new Int32Array(2 * length + 3);
      this.#right = new Int32Array(2 * length + 3);
    }
    if (this.#power[0] === 1 && length < this.#power.length) return;
    const wider = Math.max(256, 2 * length);
    this.#fromHash = new Int32Array(wider);
    this.#toHash = new Int32Array(wider);
    this.#power = new Int32Array(wider);
    this.#power[0] = 1;
    for (let k = 1; k < wider; k++) this.#power[k] = Math.imul(this.#power[k - 1]!, FNV_PRIME);
  }
}

function prefixHashes(bytes: Uint8Array, hashes: Int32Array): void {
  let hash = 0;
  for (let k = 0; k < bytes.length; k++) {
    hash = Math.imul(hash, FNV_PRIME) + bytes[k]! + 1;
    hashes[k + 1] = hash;
  }
}
