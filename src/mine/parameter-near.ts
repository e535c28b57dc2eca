// Finds the place of a base in the list, whether it is there or not. A list on disk is read page by page, so groups
// that are judged roughly in its order find their URLs in cached pages (1,000,000 URLs with 3 parameters, a fifth of
// the list in memory: groups and chance take 2.5 s, 7.1 s without).
//
// The list is divided into 4,096 parts with the same number of URLs. Their first URLs are kept, and a base belongs to
// the last part whose first URL is not after it.
import type { SiteUrls } from '../table/site-urls.js';

export const NEAR_BITS = 12;

export class Nearness {
  readonly #step: number;
  readonly #bytes: Uint8Array;
  /** Where each first URL starts, and where the last one ends. */
  readonly #start: Int32Array;

  constructor(urls: SiteUrls) {
    this.#step = Math.ceil(urls.count / 2 ** NEAR_BITS);
    const first: Uint8Array[] = [];
    for (let row = 0; row < urls.count; row += this.#step) {
      const at = urls.at(row);
      first.push(urls.bytes.slice(at, at + urls.lengthOf(row)));
    }
    this.#bytes = Buffer.concat(first);
    this.#start = new Int32Array(first.length + 1);
    for (const [k, url] of first.entries()) this.#start[k + 1] = this.#start[k]! + url.length;
  }

  ofRow(row: number): number {
    return Math.floor(row / this.#step);
  }

  /** For a base in collation bytes; the search begins at the row it was made from. */
  of(base: Uint8Array, row: number): number {
    const guess = this.ofRow(row);
    const last = this.#start.length - 1;
    if (!this.#isBehind(guess, base) && (guess + 1 === last || this.#isBehind(guess + 1, base))) return guess;
    let [low, high] = [0, last];
    // All URLs between the two share this prefix with the base; it need not be compared again.
    let [sameAsLow, sameAsHigh] = [0, 0];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      const same = this.#shared(middle, base, Math.min(sameAsLow, sameAsHigh));
      const isBehind = this.#isBehind(middle, base, same);
      if (isBehind) [high, sameAsHigh] = [middle, same];
      else [low, sameAsLow] = [middle, same];
    }
    return low;
  }
  /** The length of the common prefix of a base and the first URL of a part, at least `same`. */
  #shared(part: number, base: Uint8Array, same: number): number {
    const start = this.#start[part]!;
    const length = Math.min(this.#start[part + 1]! - start, base.length);
    while (same < length && this.#bytes[start + same] === base[same]) same++;
    return same;
  }

  /** True if the first URL of the part comes after the base. */
  #isBehind(part: number, base: Uint8Array, same = this.#shared(part, base, 0)): boolean {
    const start = this.#start[part]!;
    const length = this.#start[part + 1]! - start;
    if (same === length || same === base.length) return length > base.length;
    return this.#bytes[start + same]! > base[same]!;
  }
}
