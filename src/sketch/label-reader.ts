// Reads signatures from the bytes of labels, without strings and objects, and tells which labels are damaged.
import { latin1, sameRange } from '../base/bytes.js';
import { MAX_SKETCH_MINIMA, parseSketchHead, SKETCH_PREFIX, type SketchHead } from './sketch.js';
import { parseSpots, SPOT_PREFIX } from './spots.js';

export const SKETCHES = Buffer.from(SKETCH_PREFIX);
export const SPOTS = Buffer.from(SPOT_PREFIX);

export function hasPrefix(bytes: Uint8Array, start: number, end: number, prefix: Uint8Array): boolean {
  return end - start >= prefix.length && sameRange(bytes, start, prefix, 0, prefix.length);
}

/**
 * Finds labels that begin like a signature and are none, such as one that was cut short. Taken for a digest, such a label
 * would say that its page differs from every other one.
 */
export class DamagedLabels {
  readonly #reader = new SketchLabelReader();

  has(bytes: Uint8Array, start: number, end: number): boolean {
    if (hasPrefix(bytes, start, end, SKETCHES)) return !this.#reader.read(bytes, start, end);
    if (!hasPrefix(bytes, start, end, SPOTS)) return false;
    return parseSpots(latin1(bytes.subarray(start, end))) === undefined;
  }
}

const NO_VALUE = 255;
const values = new Uint8Array(256).fill(NO_VALUE);
for (const [value, code] of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_').entries()) {
  values[code] = value;
}

const ZERO = 'A'.charCodeAt(0);

/** The longest text is `db1-99-147-147-` and 147 fingerprints of five bytes. */
const MAX_HEAD = 16;
const BYTES = 5;
/** Three fingerprints take exactly so many characters. */
const GROUP = 20;

/**
 * Decodes the fingerprints of one sketch after another from the bytes of their text form into columns: like
 * `parseSketch`, but without strings and objects.
 */
export class SketchLabelReader {
  /** The sketch decoded last: the upper 32 and the lower 8 bits of its `head.count` fingerprints, ascending. */
  readonly tops = new Uint32Array(MAX_SKETCH_MINIMA);
  readonly rests = new Uint8Array(MAX_SKETCH_MINIMA);
  head: SketchHead = { w: 0, s: 0, count: 0, length: 0 };
  #headBytes = new Uint8Array(0);
  /** The last group, padded with zeros. */
  readonly #tail = new Uint8Array(GROUP);

  /** Decodes a label in bytes[start, end); false if it is no sketch. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    if (!this.#readHead(bytes, start, end)) return false;
    const { count, length } = this.head;
    const from = start + length;
    return end - from === Math.ceil((count * BYTES * 8) / 6) && this.#decode(bytes, from, end) && this.#isAscending();
  }

  /** Most heads equal that of the sketch before. */
  #readHead(bytes: Uint8Array, start: number, end: number): boolean {
    const known = this.#headBytes;
    let same = 0;
    while (same < known.length && bytes[start + same] === known[same]) same++;
    if (same === known.length && same > 0 && start + same <= end) return true;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end - start, MAX_HEAD)).toString(
      'latin1',
    );
    const head = parseSketchHead(text);
    if (head === undefined) return false;
    this.head = head;
    this.#headBytes = bytes.slice(start, start + head.length);
    return true;
  }

  /** False if the text is no canonical base64url. */
  #decode(bytes: Uint8Array, start: number, end: number): boolean {
    let [at, k, bad] = [start, 0, 0];
    for (; at + GROUP <= end; at += GROUP, k += 3) bad |= this.#decodeGroup(bytes, at, k);
    if (at < end) {
      const tail = this.#tail.fill(ZERO);
      for (let place = 0; at < end; at++, place++) tail[place] = bytes[at]!;
      const next = this.head.count;
      bad |= this.#decodeGroup(tail, 0, k);
      // The remaining bits of the last character are in the fingerprint after the last one.
      if (this.tops[next] !== 0) return false;
    }
    // Values up to 63 have no higher bit.
    return bad < 64;
  }

  /** Decodes a group; returns the bitwise or of all its values. */
  #decodeGroup(bytes: Uint8Array, at: number, k: number): number {
    const { tops, rests } = this;
    const v0 = values[bytes[at]!]!;
    const v1 = values[bytes[at + 1]!]!;
    const v2 = values[bytes[at + 2]!]!;
    const v3 = values[bytes[at + 3]!]!;
    const v4 = values[bytes[at + 4]!]!;
    const v5 = values[bytes[at + 5]!]!;
    const v6 = values[bytes[at + 6]!]!;
    const v7 = values[bytes[at + 7]!]!;
    const v8 = values[bytes[at + 8]!]!;
    const v9 = values[bytes[at + 9]!]!;
    const v10 = values[bytes[at + 10]!]!;
    const v11 = values[bytes[at + 11]!]!;
    const v12 = values[bytes[at + 12]!]!;
    const v13 = values[bytes[at + 13]!]!;
    const v14 = values[bytes[at + 14]!]!;
    const v15 = values[bytes[at + 15]!]!;
    const v16 = values[bytes[at + 16]!]!;
    const v17 = values[bytes[at + 17]!]!;
    const v18 = values[bytes[at + 18]!]!;
    const v19 = values[bytes[at + 19]!]!;
    tops[k] = (v0 << 26) | (v1 << 20) | (v2 << 14) | (v3 << 8) | (v4 << 2) | (v5 >> 4);
    rests[k] = (v5 << 4) | (v6 >> 2);
    tops[k + 1] = (v6 << 30) | (v7 << 24) | (v8 << 18) | (v9 << 12) | (v10 << 6) | v11;
    rests[k + 1] = (v12 << 2) | (v13 >> 4);
    tops[k + 2] = (v13 << 28) | (v14 << 22) | (v15 << 16) | (v16 << 10) | (v17 << 4) | (v18 >> 2);
    rests[k + 2] = (v18 << 6) | v19;
    const bad = v0 | v1 | v2 | v3 | v4 | v5 | v6 | v7 | v8 | v9;
    return bad | v10 | v11 | v12 | v13 | v14 | v15 | v16 | v17 | v18 | v19;
  }

  #isAscending(): boolean {
    const { tops, rests } = this;
    for (let k = 1; k < this.head.count; k++) {
      if (tops[k]! < tops[k - 1]! || (tops[k] === tops[k - 1] && rests[k]! <= rests[k - 1]!)) return false;
    }
    return true;
  }
}
