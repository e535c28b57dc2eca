// Which shingles does a text have?
//
// A word is a maximal run of letters, digits and the marks on them (Unicode L, N, M), in lower case. Invisible
// characters (soft hyphens, joiners, variation selectors) are skipped. In scripts without spaces between words
// (`unspaced`) every letter with its marks is a word, so that Japanese has shingles of four characters:
//
//     A rose is a rose is a rose   →   a rose is a | rose is a rose | is a rose is | (a rose is a) | (rose is a rose)
//     薔薇は薔薇               →   薔 薇 は 薔 | 薇 は 薔 薇
//
// A shingle's fingerprint has 40 bits (CS345: enough): 32 of one hash and 8 of another. Each word has two 32-bit
// hashes; a shingle's hash is the polynomial of its words' hashes, rolled forward word by word and then mixed. What is
// computed here is what version db1 of a sketch means (sketch.ts): a change of any of it makes sketches of another
// version.
import { FNV_PRIME, FNV_SEED, mixed, OTHER_SEED } from '../base/hash.js';

/** Words of a shingle (SPEC 10). */
export const SHINGLE_WORDS = 4;

/** Fingerprints are integers below this. */
export const FINGERPRINT_LIMIT = 2 ** 40;

const SEPARATOR = 1;
const LETTER = 2;
/** A letter that is a word of its own. */
const LONE = 3;
const MARK = 4;
const UNSEEN = 5;

const unspaced = new RegExp(
  'Han Hiragana Katakana Bopomofo Yi Thai Lao Khmer Myanmar Tai_Le New_Tai_Lue Tai_Tham Tai_Viet Javanese Balinese'
    .split(' ')
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join('|'),
  'u',
);

/** By code point, computed when it is first met; 0 until then. */
const kinds = new Uint8Array(0x110000);

function kindOf(code: number): number {
  const char = String.fromCodePoint(code);
  if (/[\p{Cf}\p{Variation_Selector}]/u.test(char)) return UNSEEN;
  if (/\p{M}/u.test(char)) return MARK;
  if (/[\p{L}\p{Nl}]/u.test(char)) return unspaced.test(char) ? LONE : LETTER;
  return /\p{N}/u.test(char) ? LETTER : SEPARATOR;
}

/** The fingerprints of the w-shingles of a text: distinct, ascending. A text of fewer than w words is one shingle. */
export function fingerprints(text: string, w = SHINGLE_WORDS): Float64Array<ArrayBuffer> {
  const words = hashWords(text.toLowerCase());
  if (words.count === 0) return new Float64Array(0);
  return distinct(hashShingles(words, Math.min(w, words.count)).sort());
}

/** The same in the order of the text, none left out. */
export function shinglesInOrder(text: string, w = SHINGLE_WORDS): Float64Array {
  const words = hashWords(text.toLowerCase());
  return words.count === 0 ? new Float64Array(0) : hashShingles(words, Math.min(w, words.count));
}

/** Two hashes of each word, a column each. */
interface Words {
  readonly count: number;
  readonly low: Int32Array;
  readonly high: Int32Array;
}

const HIGH_FACTOR = 0x85ebca6b;

function hashWords(text: string): Words {
  let low = new Int32Array((text.length >> 2) + 1);
  let high = new Int32Array(low.length);
  let count = 0;
  let lowHash = FNV_SEED;
  let highHash = OTHER_SEED;
  /** LETTER or LONE while in a word. */
  let open = 0;
  for (let at = 0; at <= text.length; at++) {
    // The end of the text ends the last word.
    const code = at < text.length ? text.codePointAt(at)! : 0;
    if (code > 0xffff) at++;
    const kind = kinds[code]! || (kinds[code] = kindOf(code));
    if (kind === UNSEEN || (kind === MARK && open === 0)) continue;
    if (open !== 0 && (kind === SEPARATOR || kind === LONE || (kind === LETTER && open === LONE))) {
      if (count === low.length) {
        low = widened(low);
        high = widened(high);
      }
      low[count] = mixed(lowHash);
      high[count++] = mixed(highHash);
      lowHash = FNV_SEED;
      highHash = OTHER_SEED;
      open = 0;
    }
    if (kind === SEPARATOR) continue;
    lowHash = Math.imul(lowHash ^ code, FNV_PRIME);
    highHash = Math.imul(highHash ^ code, HIGH_FACTOR);
    if (kind !== MARK) open = kind;
  }
  return { count, low, high };
}

function widened(column: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(column.length * 2);
  wider.set(column);
  return wider;
}

/** Odd, and 3 modulo 8: so two words that swap places lose as few bits as possible (1 of 32 side by side). */
const LOW_BASE = 0x2c1b3c6b;
const HIGH_BASE = 0x297a2d3b;

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
    if (k >= w - 1) shingles[k - w + 1] = (mixed(highHash) & 0xff) * 2 ** 32 + (mixed(lowHash) >>> 0);
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
