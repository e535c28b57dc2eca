// Which URLs are looked at for lists, if there are very many? A sample that is the same whatever the memory and the order.
// A URL and the same items in another order are kept or dropped together, by a hash of the words in any order.
//
//   /list?tags=a%2Cb     list + tags + a + 2Cb    the sum of the hashes of all words
//   /list?tags=a%2Cc%2Cb
//
// An escape is a sign between words: `2C` is no part of the word behind it.
import { PERCENT } from '../../base/ascii.js';
import { byText, decodeText } from '../../base/bytes.js';
import { FNV_PRIME, FNV_SEED, hashBytes, mixed } from '../../base/hash.js';

/** A distinct URL, and what the log says of its page: sizes are -1 if no record has one. */
export interface ListedUrl {
  readonly text: string;
  readonly site: string;
  readonly hits: number;
  readonly minSize: number;
  readonly maxSize: number;
  /** The hash of its sketch; 0 if there is none. */
  readonly sketch: number;
}

/** Each takes about 1.3 kB while lists are looked for. */
export const MOST_SAMPLED = 40_000;
const ALL = 2 ** 32;

/** Build (`add`), then read (`urls`, `share`). */
export class ListSample {
  readonly #most: number;
  #urls: ListedUrl[] = [];
  #hashes: number[] = [];
  #limit = ALL;

  constructor(most = MOST_SAMPLED) {
    this.#most = most;
  }

  /** The URLs kept, in the order of text. */
  urls(): ListedUrl[] {
    return this.#urls.toSorted((a, b) => byText(a.text, b.text));
  }

  /** The share of all URLs that is kept: 1 if all are. */
  get share(): number {
    return this.#limit / ALL;
  }

  /** False if the URL would not be kept. */
  wants(url: Uint8Array): boolean {
    return this.#limit === ALL || wordsHash(url) < this.#limit;
  }

  add(url: Uint8Array, facts: Omit<ListedUrl, 'text'>): void {
    const hash = wordsHash(url);
    if (hash >= this.#limit) return;
    this.#urls.push({ text: decodeText(url), ...facts });
    this.#hashes.push(hash);
    while (this.#urls.length > this.#most && this.#limit > 1) this.#halve();
  }

  #halve(): void {
    this.#limit /= 2;
    const hashes = this.#hashes;
    this.#urls = this.#urls.filter((_, at) => hashes[at]! < this.#limit);
    this.#hashes = hashes.filter((hash) => hash < this.#limit);
  }
}

/** The hash of the sketch bytes[start, end); 0 if there is none. */
export function sketchHash(bytes: Uint8Array, start: number, end: number): number {
  return start === end ? 0 : hashBytes(bytes, start, end) || 1;
}

/** The same for all orders of the words of a URL. */
export function wordsHash(url: Uint8Array): number {
  let [sum, word] = [0, FNV_SEED];
  for (let at = 0; at < url.length; at++) {
    const byte = url[at]!;
    if (isWord(byte)) {
      word = Math.imul(word ^ byte, FNV_PRIME);
      continue;
    }
    sum = (sum + mixed(word)) | 0;
    word = FNV_SEED;
    if (byte === PERCENT) at += 2;
  }
  return mixed((sum + mixed(word)) | 0) >>> 0;
}

/** Letters, digits and bytes that are not ASCII. */
function isWord(byte: number): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a) || byte >= 0x80;
}
