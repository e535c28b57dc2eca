// Finds the shingles that belong to the site and not to a page.
//
// Menus and footers are on every page of a template. On small pages they are most of the text, and unrelated pages look
// alike. So shingles on more than 5 % of a sample of the site's pages are ignored (MaybeDont's rule, SPEC 10.2), once
// the sample is large enough.
//
// A text counts once, however many URLs it has (by digest, and by its set of fingerprints). Otherwise a page with many
// names would become boilerplate. Pages that differ only by a clock still count as two, so pass in only one of the two
// pages of a sample of a rule.
//
// Only the smallest KEPT_FINGERPRINTS fingerprints of a page are known. So a longer page is counted only for
// fingerprints up to its largest known one.
//
// Memory is bounded, as pages after the first MAX_PAGES do not count. A fingerprint takes 10 bytes in an open hash
// table that is 3/8 to 3/4 full. A page of 1,000 shingles, half of them boilerplate, adds about 10 KiB; a page of 4,096
// unique ones 80 KiB. In total that is at most 21 MB (31 MB while the table grows for the last time).
import { createHash } from 'node:crypto';
import type { Document } from './document.js';

/** The size of MaybeDont's sample. */
export const MAX_PAGES = 300;
/** With fewer pages, nothing is boilerplate. */
export const MIN_PAGES = 40;
const BOILERPLATE_SHARE = 0.05;
/** A shingle on two pages is never boilerplate. */
const MIN_OCCURRENCES = 3;

/** Tells which fingerprints to ignore. */
export interface SetAside {
  has(fingerprint: number): boolean;
}

export class Boilerplate implements SetAside {
  readonly #texts = new Set<string>();
  readonly #counts = new FingerprintCounts();
  /** The largest known fingerprint of each incomplete page, ascending. */
  readonly #limits: number[] = [];
  #pages = 0;

  /** Pages counted: those with text, each text once, at most MAX_PAGES. */
  get pages(): number {
    return this.#pages;
  }

  add(document: Document): void {
    if (document.kind !== 'text' || this.#pages === MAX_PAGES) return;
    const { digest, fingerprints, isComplete } = document;
    const known = this.#texts.size;
    this.#texts.add(digest);
    if (this.#texts.size === known) return;
    const withDigest = this.#texts.size;
    this.#texts.add(hashOf(fingerprints));
    if (this.#texts.size === withDigest) return;
    this.#pages++;
    for (const fingerprint of fingerprints) this.#counts.increment(fingerprint);
    if (!isComplete) insert(this.#limits, fingerprints.at(-1) ?? -1);
  }

  /** True if the fingerprint is on at least three, and on more than 5 %, of the pages whose range includes it. */
  has(fingerprint: number): boolean {
    if (this.#pages < MIN_PAGES) return false;
    const count = this.#counts.of(fingerprint);
    if (count < MIN_OCCURRENCES) return false;
    const pages = this.#pages - placeIn(this.#limits, fingerprint);
    return pages >= MIN_PAGES && count > pages * BOILERPLATE_SHARE;
  }
}

function hashOf({ buffer, byteOffset, byteLength }: Float64Array): string {
  return createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('base64');
}

/** How many of the ascending numbers are below `value`. */
function placeIn(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(numbers: number[], value: number): void {
  numbers.splice(placeIn(numbers, value), 0, value);
}

/** Counts by fingerprint, in a hash table with open addressing; the low bits are the hash. */
class FingerprintCounts {
  #keys = new Float64Array(1 << 12);
  /** 0 if the slot is free. */
  #counts = new Uint16Array(1 << 12);
  #used = 0;

  increment(fingerprint: number): void {
    if (this.#used * 4 >= this.#keys.length * 3) this.#grow();
    const slot = this.#slotOf(fingerprint);
    if (this.#counts[slot] === 0) this.#used++;
    this.#keys[slot] = fingerprint;
    this.#counts[slot]!++;
  }

  of(fingerprint: number): number {
    return this.#counts[this.#slotOf(fingerprint)]!;
  }

  #slotOf(fingerprint: number): number {
    const mask = this.#keys.length - 1;
    let slot = fingerprint & mask;
    while (this.#counts[slot] !== 0 && this.#keys[slot] !== fingerprint) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, counts] = [this.#keys, this.#counts];
    this.#keys = new Float64Array(keys.length * 2);
    this.#counts = new Uint16Array(keys.length * 2);
    for (let k = 0; k < keys.length; k++) {
      if (counts[k] === 0) continue;
      const slot = this.#slotOf(keys[k]!);
      this.#keys[slot] = keys[k]!;
      this.#counts[slot] = counts[k]!;
    }
  }
}
