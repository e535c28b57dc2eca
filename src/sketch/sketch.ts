// The resemblance of two pages, estimated from a min-wise sample of each (CS345, after Broder).
//
// The sketch of a page is the s smallest fingerprints of its shingles, M(A) = MIN_s(A). As a hash is a random order,
// these are a random sample, and pages with the same shingles have the same one. Among the s smallest fingerprints of
// both pages together, the share that both pages have,
//
//     r' = |MIN_s(M(A) ∪ M(B)) ∩ M(A) ∩ M(B)| / |MIN_s(M(A) ∪ M(B))|,
//
// is an unbiased estimate of the resemblance r = |A ∩ B| / |A ∪ B|, with a standard error of sqrt(r(1-r)/s): 0.027 at r
// = 0.9 and s = 128. A sketch with fewer than s fingerprints has all those of its page; if both do, the whole union is
// used, and r' is r.
//
// As text, without characters that a CSV file would quote (at most 868 characters for s = 128):
//
//     db1-4-128-3-AAAAAQ…    version 1, w, s, number of fingerprints; 5 bytes each, big endian, ascending, in base64url
//
// The number makes a truncated text invalid. Version 1 covers everything that affects fingerprints: html.ts and html/,
// charset.ts, text.ts and shingle.ts.
import { SHINGLE_WORDS } from './shingle.js';

export interface Sketch {
  /** Words of a shingle. */
  readonly w: number;
  /** The maximum number of fingerprints. A sketch with fewer has all of its page. */
  readonly s: number;
  /** The smallest fingerprints, distinct, ascending. */
  readonly minima: Float64Array;
}

/** s of SPEC 10. */
export const SKETCH_SIZE = 128;

/** Pages with at least this resemblance are alike (SPEC 10). */
export const ALIKE_RESEMBLANCE = 0.9;

export function createSketch(fingerprints: Float64Array, w = SHINGLE_WORDS, s = SKETCH_SIZE): Sketch {
  return { w, s, minima: fingerprints.slice(0, s) };
}

/**
 * The estimated share of shingles that two pages have in common, 0 … 1. Two pages without shingles have 1. Shingles of
 * different length have nothing in common. Sketches of different size are compared as far as both reach.
 */
export function resemblance(a: Sketch, b: Sketch): number {
  if (a.w !== b.w) return 0;
  const [left, right] = [a.minima, b.minima];
  const limit = Math.min(reachOf(a), reachOf(b));
  let [i, j, union, shared] = [0, 0, 0, 0];
  for (; i < left.length && j < right.length && union < limit; union++) {
    const order = left[i]! - right[j]!;
    if (order <= 0) i++;
    if (order >= 0) j++;
    if (order === 0) shared++;
  }
  // The remaining fingerprints are on one page only.
  union = Math.min(limit, union + (left.length - i) + (right.length - j));
  return union === 0 ? 1 : shared / union;
}

/** How many of the union's smallest fingerprints are sure to be in the sketch if its page has them. */
function reachOf({ s, minima }: Sketch): number {
  return minima.length < s ? Infinity : s;
}

export function isAlike(a: Sketch, b: Sketch): boolean {
  return resemblance(a, b) >= ALIKE_RESEMBLANCE;
}

/** The text form of a sketch begins with this; hardly any digest does. */
export const SKETCH_PREFIX = 'db1-';

/** The limits of the text form. */
export const MAX_SKETCH_WORDS = 99;
export const MAX_SKETCH_MINIMA = 147;

const BYTES = 5;
const MAX_TEXT = 1000;
const prefix = /^db1-([1-9]\d?)-([1-9]\d{0,2})-(0|[1-9]\d{0,2})-/;

/** The text form of a sketch of up to MAX_SKETCH_MINIMA fingerprints of up to MAX_SKETCH_WORDS words. */
export function formatSketch({ w, s, minima }: Sketch): string {
  const bytes = Buffer.alloc(minima.length * BYTES);
  minima.forEach((fingerprint, k) => bytes.writeUIntBE(fingerprint, k * BYTES, BYTES));
  return `${SKETCH_PREFIX}${w}-${s}-${minima.length}-${bytes.toString('base64url')}`;
}

/** The part of the text form before the fingerprints. */
export interface SketchHead {
  readonly w: number;
  readonly s: number;
  /** The number of fingerprints, at most s. */
  readonly count: number;
  /** The length of the head in characters. */
  readonly length: number;
}

/** Parses the head of a text, or of its first characters. Undefined if it is no head of a sketch. */
export function parseSketchHead(text: string): SketchHead | undefined {
  const parts = prefix.exec(text);
  if (parts === null) return undefined;
  const [w, s, count] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return count > s || count > MAX_SKETCH_MINIMA ? undefined : { w, s, count, length: parts[0].length };
}

/** The inverse of {@link formatSketch}; undefined for any text that it never writes. */
export function parseSketch(text: string): Sketch | undefined {
  const head = text.length > MAX_TEXT ? undefined : parseSketchHead(text);
  if (head === undefined) return undefined;
  const { w, s, count, length } = head;
  const encoded = text.slice(length);
  const bytes = Buffer.from(encoded, 'base64url');
  // Decoding skips invalid base64url, so a text that was not valid differs when encoded again.
  if (bytes.length !== count * BYTES || bytes.toString('base64url') !== encoded) return undefined;
  const minima = new Float64Array(count);
  for (let k = 0, last = -1; k < count; k++) {
    const at = k * BYTES;
    const low = (bytes[at + 1]! << 24) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 8) | bytes[at + 4]!;
    const fingerprint = bytes[at]! * 2 ** 32 + (low >>> 0);
    if (fingerprint <= last) return undefined;
    last = minima[k] = fingerprint;
  }
  return { w, s, minima };
}
