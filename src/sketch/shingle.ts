// The shingles of a text.
//
// A word is a maximal run of letters, digits and the marks on them (Unicode L, N, M), in lower case. Invisible
// characters (soft hyphens, joiners, variation selectors) are skipped. In scripts without spaces between words
// (`unspaced`) every letter with its marks is a word, so that Japanese has shingles of four characters:
//
//     A rose is a rose is a rose   →   a rose is a | rose is a rose | is a rose is | (a rose is a) | (rose is a rose)
//     薔薇は薔薇               →   薔 薇 は 薔 | 薇 は 薔 薇
//
// A shingle's fingerprint has 40 bits (enough, by CS345): 32 of one hash and 8 of another. Each word has two 32-bit
// hashes. A shingle's hash is the polynomial of its words' hashes, rolled forward word by word and then mixed. Version
// db1 of a sketch (sketch.ts) means exactly this: any change here makes another version.
import { FNV_PRIME, FNV_SEED, mixed, OTHER_SEED } from '../base/hash.js';

/** Words of a shingle (SPEC 10). */
export const SHINGLE_WORDS = 4;

/** Fingerprints are integers below this. */
export const FINGERPRINT_LIMIT = 2 ** 40;

const SEPARATOR = 1;
const LETTER = 2;
/** A letter that is a word by itself. */
const LONE = 3;
const MARK = 4;
const UNSEEN = 5;
/** A letter whose lower case depends on its neighbours or is two characters: Σ, İ. */
const WOVEN = 6;

/** Scripts without spaces between words, as a character class for regular expressions. */
export const UNSPACED =
  'Han Hiragana Katakana Bopomofo Yi Thai Lao Khmer Myanmar Tai_Le New_Tai_Lue Tai_Tham Tai_Viet Javanese Balinese'
    .split(' ')
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join('');

const unspaced = new RegExp(`[${UNSPACED}]`, 'u');

const KIND_SHIFT = 24;
const CODE_MASK = 0xffffff;

/** By code point: its kind and its lower case. Computed on first use; 0 until then. */
const letters = new Uint32Array(0x110000);

/** By byte: the lower case of an ASCII letter or digit, else 0. */
const asciiLetters = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = byte < 0x80 ? letterOf(byte) : 0;
  return letter >>> KIND_SHIFT === LETTER ? letter & CODE_MASK : 0;
});

function letterOf(code: number): number {
  const lower = String.fromCodePoint(code).toLowerCase();
  const lowerCode = lower.codePointAt(0)!;
  const isWoven = code === 0x3a3 || lower.length > (lowerCode > 0xffff ? 2 : 1);
  return ((isWoven ? WOVEN : kindOf(String.fromCodePoint(lowerCode))) << KIND_SHIFT) | lowerCode;
}

function kindOf(char: string): number {
  if (/[\p{Cf}\p{Variation_Selector}]/u.test(char)) return UNSEEN;
  if (/\p{M}/u.test(char)) return MARK;
  if (/[\p{L}\p{Nl}]/u.test(char)) return unspaced.test(char) ? LONE : LETTER;
  return /\p{N}/u.test(char) ? LETTER : SEPARATOR;
}

/** The fingerprints of the w-shingles of a text: distinct, ascending. A text with fewer than w words is one shingle. */
export function fingerprints(text: string, w = SHINGLE_WORDS): Float64Array<ArrayBuffer> {
  return distinct(shinglesInOrder(text, w).sort());
}

/** The same in the order of the text, with duplicates. */
export function shinglesInOrder(text: string, w = SHINGLE_WORDS): Float64Array {
  return shinglesOf(hashWords(text), w);
}

/** The s smallest of the fingerprints of a text in UTF-8: distinct, ascending. */
export function smallestFingerprints(text: Uint8Array, w: number, s: number): Float64Array {
  const words = hashWords(text);
  const width = Math.min(w, words.count);
  const shingles = words.count - width + 1;
  for (const share of SHARES) {
    const bound = shingles > share * s ? (FINGERPRINT_LIMIT / shingles) * share * s : FINGERPRINT_LIMIT;
    const found = smallestBelow(words, width, bound, s);
    if (found.length === s || bound === FINGERPRINT_LIMIT) return found;
  }
  return new Float64Array(0); // the last share has no bound
}

/** Two hashes of each word, in two columns. The next call of `hashWords` overwrites them. */
export interface Words {
  readonly count: number;
  readonly low: Int32Array;
  readonly high: Int32Array;
}

const HIGH_FACTOR = 0x85ebca6b;

/** Larger columns are not kept for reuse. */
const KEPT_WORDS = 1 << 18;
let keptLow = new Int32Array(1 << 12);
let keptHigh = new Int32Array(1 << 12);

/** Hashes the words of a text in order. Bytes are UTF-8. */
export function hashWords(given: Uint8Array | string): Words {
  const text = typeof given === 'string' ? Buffer.from(given) : given;
  return hashLetters(text) ?? hashLetters(Buffer.from(Buffer.from(text).toString().toLowerCase()))!;
}

/** Undefined if the text has a letter whose lower case depends on others. */
function hashLetters(text: Uint8Array): Words | undefined {
  let [low, high] = [keptLow, keptHigh];
  let count = 0;
  let lowHash = FNV_SEED;
  let highHash = OTHER_SEED;
  /** The kind of the open word, LETTER or LONE, or 0. */
  let open = 0;
  const length = text.length;
  for (let at = 0; at <= length; at++) {
    if (open !== LONE) {
      // Most words are ASCII.
      const start = at;
      for (; at < length; at++) {
        const lower = asciiLetters[text[at]!]!;
        if (lower === 0) break;
        lowHash = Math.imul(lowHash ^ lower, FNV_PRIME);
        highHash = Math.imul(highHash ^ lower, HIGH_FACTOR);
      }
      if (at > start) open = LETTER;
    }
    // The end of the text ends the last word.
    let code = at < length ? text[at]! : 0;
    if (code >= 0x80) {
      // UTF-8 of two, three or four bytes
      if (code < 0xe0) code = ((code & 0x1f) << 6) | (text[++at]! & 0x3f);
      else if (code < 0xf0) code = ((code & 0x0f) << 12) | ((text[++at]! & 0x3f) << 6) | (text[++at]! & 0x3f);
      else {
        code = ((code & 0x07) << 18) | ((text[++at]! & 0x3f) << 12);
        code |= ((text[++at]! & 0x3f) << 6) | (text[++at]! & 0x3f);
      }
    }
    const letter = letters[code]! || (letters[code] = letterOf(code));
    const kind = letter >>> KIND_SHIFT;
    if (kind === LETTER && open !== LONE) {
      lowHash = Math.imul(lowHash ^ (letter & CODE_MASK), FNV_PRIME);
      highHash = Math.imul(highHash ^ (letter & CODE_MASK), HIGH_FACTOR);
      open = LETTER;
      continue;
    }
    if (kind === WOVEN) return undefined;
    if (kind === UNSEEN || (kind === MARK && open === 0)) continue;
    if (open !== 0 && kind !== MARK) {
      if (count === low.length) [low, high] = [widened(low), widened(high)];
      low[count] = mixed(lowHash);
      high[count++] = mixed(highHash);
      lowHash = FNV_SEED;
      highHash = OTHER_SEED;
      open = 0;
    }
    if (kind === SEPARATOR) continue;
    lowHash = Math.imul(lowHash ^ (letter & CODE_MASK), FNV_PRIME);
    highHash = Math.imul(highHash ^ (letter & CODE_MASK), HIGH_FACTOR);
    if (kind !== MARK) open = kind;
  }
  if (low.length <= KEPT_WORDS) [keptLow, keptHigh] = [low, high];
  return { count, low, high };
}

function widened(column: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(column.length * 2);
  wider.set(column);
  return wider;
}

/**
 * Odd, and 3 modulo 8, so that two words that swap places lose as few bits as possible (1 of 32 if they are adjacent).
 */
export const LOW_BASE = 0x2c1b3c6b;
export const HIGH_BASE = 0x297a2d3b;

/** The fingerprint of consecutive words, from polynomials of their two hashes. */
export function fingerprintOf(lowHash: number, highHash: number): number {
  return (mixed(highHash) & 0xff) * 2 ** 32 + (mixed(lowHash) >>> 0);
}

/** The fingerprints of the w-shingles of these words, in their order. */
export function shinglesOf(words: Words, w: number): Float64Array<ArrayBuffer> {
  return words.count === 0 ? new Float64Array(0) : hashShingles(words, Math.min(w, words.count));
}

function hashShingles({ count, low, high }: Words, w: number): Float64Array<ArrayBuffer> {
  const shingles = new Float64Array(count - w + 1);
  const lowLeaving = power(LOW_BASE, w);
  const highLeaving = power(HIGH_BASE, w);
  let lowHash = 0;
  let highHash = 0;
  for (let k = 0; k < count; k++) {
    lowHash = (Math.imul(lowHash, LOW_BASE) + low[k]!) | 0;
    highHash = (Math.imul(highHash, HIGH_BASE) + high[k]!) | 0;
    if (k >= w) {
      lowHash = (lowHash - Math.imul(low[k - w]!, lowLeaving)) | 0;
      highHash = (highHash - Math.imul(high[k - w]!, highLeaving)) | 0;
    }
    if (k >= w - 1) shingles[k - w + 1] = fingerprintOf(lowHash, highHash);
  }
  return shingles;
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let k = 0; k < exponent; k++) result = Math.imul(result, base);
  return result;
}

function distinct(sorted: Float64Array): Float64Array<ArrayBuffer> {
  let count = 0;
  for (let k = 0; k < sorted.length; k++) if (k === 0 || sorted[k] !== sorted[k - 1]) sorted[count++] = sorted[k]!;
  return sorted.slice(0, count) as Float64Array<ArrayBuffer>;
}

/**
 * Only fingerprints below a bound are collected and sorted: so many that about this multiple of s is expected below it.
 * If many are repeated, the next multiple is tried.
 */
const SHARES = [1.5, 6, Infinity];
/** When this multiple of s has been collected, all but the s smallest are dropped, and the bound is lowered. */
const POOLED = 6;

/** The s smallest distinct fingerprints below a bound. The upper bits show of most that they are above it. */
function smallestBelow({ count: words, low, high }: Words, w: number, first: number, s: number): Float64Array {
  if (words === 0) return new Float64Array(0);
  const pool = new Float64Array(Math.min(POOLED * s, words));
  const [lowLeaving, highLeaving] = [power(LOW_BASE, w - 1), power(HIGH_BASE, w - 1)];
  let [lowHash, highHash] = [0, 0];
  for (let k = 0; k < w - 1; k++) {
    lowHash = (Math.imul(lowHash, LOW_BASE) + low[k]!) | 0;
    highHash = (Math.imul(highHash, HIGH_BASE) + high[k]!) | 0;
  }
  let bound = first;
  let upperBound = Math.floor(bound / 2 ** 32);
  let count = 0;
  for (let k = w - 1, left = 0; k < words; k++, left++) {
    lowHash = (Math.imul(lowHash, LOW_BASE) + low[k]!) | 0;
    highHash = (Math.imul(highHash, HIGH_BASE) + high[k]!) | 0;
    if ((mixed(highHash) & 0xff) <= upperBound) {
      const value = fingerprintOf(lowHash, highHash);
      if (value < bound) {
        pool[count++] = value;
        if (count === pool.length) {
          count = shrink(pool, count, s);
          if (count === s) bound = pool[s - 1]!;
          upperBound = Math.floor(bound / 2 ** 32);
        }
      }
    }
    lowHash = (lowHash - Math.imul(low[left]!, lowLeaving)) | 0;
    highHash = (highHash - Math.imul(high[left]!, highLeaving)) | 0;
  }
  return pool.slice(0, shrink(pool, count, s));
}

/** Sorts the first `count` numbers and keeps the s smallest distinct ones. Returns how many these are. */
function shrink(pool: Float64Array, count: number, s: number): number {
  const sorted = pool.subarray(0, count).sort();
  let kept = 0;
  for (let k = 0; k < count && kept < s; k++) {
    if (kept === 0 || sorted[k] !== sorted[kept - 1]) sorted[kept++] = sorted[k]!;
  }
  return kept;
}
