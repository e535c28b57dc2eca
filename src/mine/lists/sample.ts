// Which URLs are looked at for lists, if there are more than fit into memory? A sample in which a URL and the same items
// in another order are kept or dropped together: by a hash of its words that does not depend on their order.
//
//   /list?tags=a%2Cb     list + tags + a + 2Cb    the sum of the hashes of all words
//   /list?tags=a%2Cc%2Cb
//
// An escape is a sign between words: `2C` is no part of the word behind it.
import { PERCENT } from '../../base/ascii.js';
import { decodeText } from '../../base/bytes.js';
import { FNV_PRIME, FNV_SEED, mixed } from '../../base/hash.js';

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

/** Memory of a URL beside its text, with its slots while lists are looked for: 678 MB for 500,000 URLs of 50 bytes. */
const OBJECT_BYTES = 1200;
const ALL = 2 ** 32;

/** Build (`add`), then read (`urls`, `share`). */
export class UrlSample {
  readonly #mostBytes: number;
  #urls: ListedUrl[] = [];
  #hashes: number[] = [];
  #bytes = 0;
  #limit = ALL;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The URLs kept. */
  get urls(): readonly ListedUrl[] {
    return this.#urls;
  }

  /** The share of all URLs that is kept: 1 if all are. */
  get share(): number {
    return this.#limit / ALL;
  }

  add(url: Uint8Array, facts: Omit<ListedUrl, 'text'>): void {
    const hash = wordsHash(url);
    if (hash >= this.#limit) return;
    this.#urls.push({ text: decodeText(url), ...facts });
    this.#hashes.push(hash);
    this.#bytes += url.length + OBJECT_BYTES;
    while (this.#bytes > this.#mostBytes && this.#limit > 1) this.#halve();
  }

  #halve(): void {
    this.#limit = Math.floor(this.#limit / 2);
    const hashes = this.#hashes;
    this.#urls = this.#urls.filter((_, at) => hashes[at]! < this.#limit);
    this.#hashes = hashes.filter((hash) => hash < this.#limit);
    this.#bytes = this.#urls.reduce((sum, { text }) => sum + text.length + OBJECT_BYTES, 0);
  }
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
