// Which URLs of a list are in its sample? Those that share a part which a hash chooses, so that duplicates stay together.
//
//   /item/123?sid=abc   parts   item   123   abc   and the whole URL
//   /item/123?sid=xyz           item   123   xyz
//   /print/123.html             print  123
//
// A uniform sample of one in a hundred would have one pair of duplicates in ten thousand. But duplicates mostly share a
// part that few other URLs have: a segment of the path without its extension, or the value of a field, in lower case. So
// a URL is in the sample if the hash of one of its parts is below a threshold: if `123` is chosen, all three URLs are.
// A part that very many URLs share (`item`) would bring them all; it only brings the first of them. The whole URL counts
// as a part too: a URL that has only common parts is in the sample with the probability of the threshold.
//
// So the sample depends only on the threshold and the list. It is made in one pass over a list of any length: if it has
// become too long, the threshold is lowered, and the same question is asked again of what was kept.
import { AMPERSAND, DOT, EQUALS, NUMBER_SIGN, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { FNV_PRIME, FNV_SEED, mixed } from '../base/hash.js';
import { fromCollationByte } from '../url/token.js';
import type { SiteUrls } from './site-urls.js';

/** How much lower the next threshold is. */
const NARROWER = 0.7;
/** A part that brings a larger share of the sample is common. */
const COMMON_SHARE = 1 / 1000;
const MIN_COMMON = 8;
/** Parts are counted by some bits of their hashes, so that the counts take 1 MiB. */
const COUNT_BITS = 18;

export class UrlSample {
  readonly #common: number;
  readonly #counts = new Uint32Array(1 << COUNT_BITS);
  #threshold = 2 ** 32;
  /** True if a part of the URL in question is chosen and not common. */
  #isChosen = false;

  constructor(most: number) {
    this.#common = Math.max(MIN_COMMON, Math.floor(most * COMMON_SHARE));
  }

  /** False as long as every URL is in the sample. */
  get isPart(): boolean {
    return this.#threshold < 2 ** 32;
  }

  /** Lowers the threshold. Every URL that was in the sample has to be asked about again, in the order of the list. */
  narrow(): void {
    this.#threshold *= NARROWER;
    this.#counts.fill(0);
  }

  /** Is the URL in collation bytes [start, end) in the sample? To be asked once for each URL, in the order of the list. */
  has(bytes: Uint8Array, start: number, end: number): boolean {
    if (!this.isPart) return true;
    this.#isChosen = false;
    let whole = FNV_SEED;
    let part = FNV_SEED;
    let [isInQuery, isSkipped] = [false, false];
    for (let at = afterHost(bytes, start, end); at < end; at++) {
      const byte = plain[bytes[at]!]!;
      whole = Math.imul(whole ^ byte, FNV_PRIME);
      if (ends[byte] === 1 && (isInQuery || byte !== AMPERSAND)) {
        this.#choose(part);
        part = FNV_SEED;
        isSkipped = false;
        isInQuery ||= byte === QUESTION;
      } else if (isInQuery && byte === EQUALS) {
        part = FNV_SEED; // the value alone
      } else if (!isInQuery && byte === DOT) {
        isSkipped = true;
      } else if (!isSkipped) part = Math.imul(part ^ byte, FNV_PRIME);
    }
    this.#choose(part);
    return this.#isChosen || mixed(whole) >>> 0 < this.#threshold;
  }

  #choose(part: number): void {
    if (part === FNV_SEED) return; // empty
    const hash = mixed(part);
    if (hash >>> 0 >= this.#threshold) return;
    // By the low bits: chosen parts have the high ones in common.
    if (++this.#counts[hash & (this.#counts.length - 1)]! <= this.#common) this.#isChosen = true;
  }
}

/** The rows of a sample of at most so many URLs: all rows if there are no more. */
export function sampledRows(urls: SiteUrls, most: number): number[] {
  const sample = new UrlSample(most);
  const isSampled = (row: number) => {
    const at = urls.at(row);
    return sample.has(urls.bytes, at, at + urls.lengthOf(row));
  };
  let rows: number[] = [];
  for (let row = 0; row < urls.count; row++) {
    if (isSampled(row)) rows.push(row);
    while (rows.length > most) {
      sample.narrow();
      rows = rows.filter(isSampled);
    }
  }
  return rows;
}

/** For each collation byte the byte that it stands for; letters are lower case. */
const plain = Uint8Array.from({ length: 256 }, (_, place) => {
  const byte = fromCollationByte(place);
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
});

/** 1 for the bytes between parts. */
const ends = new Uint8Array(256);
for (const byte of [SLASH, QUESTION, AMPERSAND, SEMICOLON, NUMBER_SIGN]) ends[byte] = 1;

/** Where the path begins: behind the host of an absolute URL. */
function afterHost(bytes: Uint8Array, start: number, end: number): number {
  if (plain[bytes[start]!] === SLASH) return start;
  let slashes = 0;
  for (let at = start; at < end; at++) if (plain[bytes[at]!] === SLASH && ++slashes === 3) return at;
  return start;
}
