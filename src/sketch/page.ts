// Compares pages (SPEC 10), and stores the text of a page so that it can be compared again with parts left out.
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { markAges } from './age.js';
import type { SetAside } from './boilerplate.js';
import { type Document, KEPT_FINGERPRINTS, type TextDocument } from './document.js';
import { fingerprints, SHINGLE_WORDS } from './shingle.js';
import { createSketch, isAlike, parseSketch, resemblance, type Sketch, SKETCH_PREFIX, SKETCH_SIZE } from './sketch.js';
import { parseSpots, SPOT_PREFIX } from './spots.js';
import { visibleText } from './text.js';
import { veiled } from './veil.js';

/** The document of a body. `contentType` is the header as sent. Never throws. */
export function documentOf(body: Uint8Array, contentType: string | undefined): Document {
  const digest = `sha256:${sha256(body)}`;
  const seen = markAges(visibleText(body, contentType) ?? '');
  const text = veiled(seen);
  const all = fingerprints(text);
  // A page without words (pictures, frames, scripts) can be compared only by its bytes.
  if (all.length === 0) return { kind: 'bytes', digest };
  const isComplete = all.length <= KEPT_FINGERPRINTS;
  return {
    kind: 'text',
    digest,
    fingerprints: isComplete ? all : all.slice(0, KEPT_FINGERPRINTS),
    isComplete,
    ...(seen.length <= MAX_TEXT && { packedText: packText(text) }),
  };
}

/**
 * The document of a log's sketch column: text if it is a sketch of ours, otherwise a digest. Undefined for a damaged
 * signature: its page is unknown, while two digests that differ would be two pages.
 */
export function documentOfSketch(text: string): Document | undefined {
  const sketch = parseSketch(text);
  if (sketch === undefined && isSignature(text) && parseSpots(text) === undefined) return undefined;
  // A document does not record w: the sketches of all documents have the same.
  if (sketch === undefined || sketch.w !== SHINGLE_WORDS) return { kind: 'bytes', digest: `log:${text}` };
  const { s, minima } = sketch;
  return { kind: 'text', digest: `sketch:${sha256(text)}`, fingerprints: minima, isComplete: minima.length < s };
}

function isSignature(text: string): boolean {
  return text.startsWith(SKETCH_PREFIX) || text.startsWith(SPOT_PREFIX);
}

/**
 * The document of a page record: its sketch is one of its text, and equal digests mean equal pages. Undefined if it has
 * neither, or a damaged signature.
 */
export function documentOfRecord(digest: string | undefined, sketch: string | undefined): Document | undefined {
  const own = sketch === undefined ? undefined : documentOfSketch(sketch);
  if (digest === undefined || (own === undefined && sketch !== undefined)) return own;
  const made = /^sha256:[0-9a-f]{64}$/.test(digest) ? digest : `log:${digest}`;
  return own?.kind === 'text' ? { ...own, digest: made } : { kind: 'bytes', digest: made };
}

function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/**
 * The sketch of a page, without boilerplate. If a page is incomplete and fewer than s fingerprints are left, its sketch
 * is smaller. If none is left, the page counts as pure boilerplate.
 */
export function sketchOf({ fingerprints: all, isComplete }: TextDocument, boilerplate?: SetAside): Sketch {
  const minima = new Float64Array(Math.min(SKETCH_SIZE, all.length));
  let count = 0;
  for (let k = 0; k < all.length && count < SKETCH_SIZE; k++) {
    if (boilerplate?.has(all[k]!) !== true) minima[count++] = all[k]!;
  }
  const s = isComplete || count === 0 ? SKETCH_SIZE : Math.min(SKETCH_SIZE, count);
  return createSketch(minima.subarray(0, count), SHINGLE_WORDS, s);
}

export type Verdict = 'same' | 'alike' | 'different' | 'unknown';

/**
 * 'same': equal bodies. 'alike': the visible texts are similar, and the parts that are not boilerplate do not
 * contradict that. 'unknown': the digest of one page cannot be compared with the body or the sketch of the other.
 */
export function compareDocuments(a: Document, b: Document, boilerplate?: SetAside): Verdict {
  if (a.digest === b.digest) return 'same';
  if (a.kind === 'text' && b.kind === 'text') {
    return isTextAlike(a, b, boilerplate) ? 'alike' : 'different';
  }
  return isOfLog(a) === isOfLog(b) ? 'different' : 'unknown';
}

/**
 * Two pages of a template whose own parts (without boilerplate) resemble each other less are different pages, such as
 * two articles of a shop. By contents of two live sites (1,751 pairs of URLs that differ in one place, 977 of them one
 * page): the whole text alone finds 945 of the 977 and 19 wrong ones, the own parts alone 932 and 26, both with this
 * bound 940 and 19.
 */
const OWN_RESEMBLANCE = 0.5;

/** Compares pages by whole text and by own parts. */
export function isTextAlike(a: TextDocument, b: TextDocument, boilerplate: SetAside | undefined): boolean {
  return isAlike(sketchOf(a), sketchOf(b)) && likenessOf(a, b, boilerplate) >= OWN_RESEMBLANCE;
}

function isOfLog({ digest }: Document): boolean {
  return digest.startsWith('log:');
}

/**
 * The resemblance of the texts of two pages, without boilerplate. If both are pure boilerplate (lists of teasers, an
 * empty basket), that is compared. If only one is, the other has a text of its own, and they differ.
 */
export function likenessOf(a: TextDocument, b: TextDocument, boilerplate?: SetAside): number {
  const [restA, restB] = [sketchOf(a, boilerplate), sketchOf(b, boilerplate)];
  const isBare = restA.minima.length === 0 && restB.minima.length === 0;
  return isBare ? resemblance(sketchOf(a), sketchOf(b)) : resemblance(restA, restB);
}

// The text of a page is stored compressed by deflate: 6 KiB for a page with 18 KiB of text. A text of more than
// MAX_TEXT characters is not stored. That does no harm: its own address or the time of day is too small a part of so
// long a page.

/** The longest text that is stored, in UTF-16 code units, before it is veiled. */
const MAX_TEXT = 1 << 18;

/** Veiling turns a character into at most four: `a1→` becomes `jsbw40213→`. */
const MAX_UNPACKED = 4 * MAX_TEXT;

export function packText(text: string): Uint8Array {
  return new Uint8Array(deflateRawSync(text, { level: 1 }));
}

/** The inverse of {@link packText}; undefined for any other bytes. */
export function unpackText(packed: Uint8Array): string | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED }).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined; // zlib's: a damaged cache
    throw error;
  }
}
