// What do two URLs of the list share at both ends, and are they similar? One pair of URLs stands in many buckets, in those
// of a crawler trap (/a/a/a/a…) in tens of thousands: so what was found out is kept for the pairs asked for last.
//
//   slot   | u | v | first bytes | first tokens | last bytes | last tokens | similar | period | of i32
//
// And which envelopes of which pair of URLs have been seen: a slot holds | u | v | first tokens | inner length, flags |. Both
// tables forget by overwriting and compare all of what they hold, so they save work and change nothing.
import { mixed, sameBytes } from '../base/hash.js';
import { countTokens, sharedPrefix, sharedSuffix, type UrlOrder } from './order.js';
import { isSimilar } from './similar.js';
import type { SiteUrls } from './site-urls.js';
import { TokenOffsets } from './token-offsets.js';

const PAIR = 8;
const ENVELOPE = 4;
const MOST_PAIRS = 1 << 15;
const MOST_ENVELOPES = 1 << 18;

/** Asked pair by pair ({@link look}); the fields are of the pair asked for last. Tokens count START and END. */
export class Overlap {
  prefixBytes = 0;
  prefix = 0;
  suffixBytes = 0;
  suffix = 0;
  isSimilar = false;
  readonly offsets: TokenOffsets;
  readonly #urls: SiteUrls;
  readonly #order: Pick<UrlOrder, 'tokens'>;
  readonly #similarity: boolean;
  readonly #pairs: Int32Array;
  #slot = 0;
  #envelopes = new Int32Array(0);

  constructor(urls: SiteUrls, order: Pick<UrlOrder, 'tokens'>, similarity: boolean) {
    this.#urls = urls;
    this.#order = order;
    this.offsets = new TokenOffsets(urls, order);
    this.#similarity = similarity;
    this.#pairs = new Int32Array(slotsFor(urls.count, MOST_PAIRS) * PAIR).fill(-1);
  }

  look(u: number, v: number): void {
    const pairs = this.#pairs;
    const at = (hashOf(u, v, 0) % (pairs.length / PAIR)) * PAIR;
    this.#slot = at;
    if (pairs[at] === u && pairs[at + 1] === v) {
      this.prefixBytes = pairs[at + 2]!;
      this.prefix = pairs[at + 3]!;
      this.suffixBytes = pairs[at + 4]!;
      this.suffix = pairs[at + 5]!;
      this.isSimilar = pairs[at + 6] === 1;
      return;
    }
    this.#compare(u, v);
    pairs[at] = u;
    pairs[at + 1] = v;
    pairs[at + 2] = this.prefixBytes;
    pairs[at + 3] = this.prefix;
    pairs[at + 4] = this.suffixBytes;
    pairs[at + 5] = this.suffix;
    pairs[at + 6] = this.isSimilar ? 1 : 0;
    pairs[at + 7] = 0;
  }

  /** Length in tokens of the shortest thing that the URLs asked for last repeat, the one more often than the other. */
  period(u: number, v: number): number {
    const { tokens } = this.#order;
    const [short, long] = tokens[u]! < tokens[v]! ? [u, v] : [v, u];
    return (this.#pairs[this.#slot + 7] ||= this.#findPeriod(long, this.prefix - 1, tokens[long]! - tokens[short]!));
  }

  /** True if `seen` was said of this envelope of u and v before, with these flags and maybe more. */
  wasSeen(u: number, v: number, first: number, inner: number, flags: number): boolean {
    if (this.#envelopes.length === 0) {
      this.#envelopes = new Int32Array(slotsFor(64 * this.#urls.count, MOST_ENVELOPES) * ENVELOPE).fill(-1);
    }
    const envelopes = this.#envelopes;
    const at = (hashOf(u, v, (first << 16) ^ inner) % (envelopes.length / ENVELOPE)) * ENVELOPE;
    const isSame = envelopes[at] === u && envelopes[at + 1] === v && envelopes[at + 2] === first;
    if (isSame && envelopes[at + 3]! >> 8 === inner && (envelopes[at + 3]! & flags) === flags) return true;
    envelopes[at] = u;
    envelopes[at + 1] = v;
    envelopes[at + 2] = first;
    envelopes[at + 3] = (inner << 8) | flags;
    return false;
  }

  /** Length in tokens of the shortest thing that tokens [first, first + length) of a URL repeat. */
  #findPeriod(row: number, first: number, length: number): number {
    const offsets = this.offsets.of(row);
    const { bytes } = this.#urls;
    const start = this.#urls.at(row);
    const isSame = (a: number, b: number) => {
      const size = offsets[a + 1]! - offsets[a]!;
      const sameSize = offsets[b + 1]! - offsets[b]! === size;
      return sameSize && sameBytes(bytes, start + offsets[a]!, bytes, start + offsets[b]!, size);
    };
    for (let period = 1; period <= length / 2; period++) {
      if (length % period !== 0) continue;
      let at = first;
      while (at + period < first + length && isSame(at, at + period)) at++;
      if (at + period === first + length) return period;
    }
    return length;
  }

  #compare(u: number, v: number): void {
    const { bytes } = this.#urls;
    const uStart = this.#urls.at(u);
    const uEnd = uStart + this.#urls.lengthOf(u);
    const vStart = this.#urls.at(v);
    const vEnd = vStart + this.#urls.lengthOf(v);
    this.prefixBytes = sharedPrefix(bytes, uStart, uEnd, vStart, vEnd);
    this.suffixBytes = sharedSuffix(bytes, uStart, uEnd, vStart, vEnd);
    this.prefix = countTokens(bytes, uStart, uStart + this.prefixBytes) + 1;
    this.suffix = countTokens(bytes, uEnd - this.suffixBytes, uEnd) + 1;
    this.isSimilar = !this.#similarity || isSimilar(this.#urls, u, v);
  }
}

/** A power of two: small lists get small tables. */
function slotsFor(wanted: number, most: number): number {
  return Math.min(most, 2 ** Math.ceil(Math.log2(wanted + 2)));
}

function hashOf(u: number, v: number, more: number): number {
  return mixed(Math.imul(u, 0x9e3779b1) ^ mixed(v ^ Math.imul(more, 0x85ebca6b))) >>> 0;
}
