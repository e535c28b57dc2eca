// The signatures of the pages of a list, all of one kind: sketches of shingles, or spot signatures. The labels of the
// list tell which (`sketch --signature`). Any other label is a digest.
import { sameRange } from '../base/bytes.js';
import { UserError } from '../base/error.js';
import { MAX_SKETCH_MINIMA, parseSketchHead, SKETCH_PREFIX, type SketchHead } from '../sketch/sketch.js';
import { parseSpots, type SignatureKind, SPOT_PREFIX } from '../sketch/spots.js';
import { BagStore } from './bag-store.js';
import { SketchStore, type StoreRoom } from './sketch-store.js';

/** `count` pages have a signature, numbered from 0 on. */
export type Signatures = SketchSignatures | SpotSignatures;

interface SketchSignatures {
  readonly kind: 'sketches';
  /** The parameters of the sketches, as labels begin: `db1-4-128`; '' if there is no sketch. */
  readonly making: string;
  readonly count: number;
  /** The number of labels that begin like a signature and are none: they count as digests. */
  readonly malformed: number;
  readonly store: SketchStore;
  /** The size (s) of all sketches; 0 if there is no sketch. */
  readonly s: number;
}

export interface SpotSignatures {
  readonly kind: 'spots';
  /** `sp1-sizespotsigs.1`. */
  readonly making: string;
  readonly count: number;
  /** The number of labels that begin like a signature and are none: they count as digests. */
  readonly malformed: number;
  /** Features of the pages compared by spot signatures, and of those compared by shingles. Some pages are in both. */
  readonly spots: BagStore;
  readonly shingles: BagStore;
  /** 1 for each page with spot signatures. */
  readonly hasSpots: Uint8Array;
}

/** Build (`add`), then freeze (`finish`). */
export class SignatureStore {
  #count = 0;
  #malformed = 0;
  readonly #wanted: SignatureKind | undefined;
  readonly #sketches: SketchStore;
  readonly #spots: BagStore;
  readonly #shingles: BagStore;
  #hasSpots = new Uint8Array(1024);
  #w = 0;
  #s = 0;
  readonly #reader = new SketchLabelReader();
  /** The parameters of the first signature: `db1-4-128`, `sp1-spotsigs.1`. */
  #making = '';

  /** `wanted`: the only kind that is accepted; undefined for any kind. */
  constructor({ memoryBytes, tmpdir }: StoreRoom, wanted: SignatureKind | undefined) {
    this.#wanted = wanted;
    this.#sketches = new SketchStore({ memoryBytes, tmpdir });
    const half = { memoryBytes: memoryBytes / 2, tmpdir };
    this.#spots = new BagStore(half);
    this.#shingles = new BagStore(half);
  }

  /**
   * The number of the signature in bytes[start, end); undefined for a digest. Throws a UserError if its kind differs
   * from the one before.
   */
  add(bytes: Uint8Array, start: number, end: number): number | undefined {
    const isSketch = hasPrefix(bytes, start, end, SKETCHES);
    if (!isSketch && !hasPrefix(bytes, start, end, SPOTS)) return undefined;
    const number = isSketch ? this.#addSketch(bytes, start, end) : this.#addSpots(bytes.subarray(start, end));
    if (number === undefined) this.#malformed++;
    return number;
  }

  #addSketch(bytes: Uint8Array, start: number, end: number): number | undefined {
    const reader = this.#reader;
    if (!reader.read(bytes, start, end)) return undefined;
    const { w, s, count } = reader.head;
    if (w !== this.#w || s !== this.#s) this.#hold('shingles', `${SKETCH_PREFIX}${w}-${s}`);
    [this.#w, this.#s] = [w, s];
    this.#count++;
    return this.#sketches.addColumns(reader.tops, reader.rests, count);
  }

  #addSpots(label: Uint8Array): number | undefined {
    const signature = parseSpots(textOf(label));
    if (signature === undefined) return undefined;
    const { making, spots, shingles } = signature;
    this.#hold(making.startsWith('size') ? 'sizespotsigs' : 'spotsigs', SPOT_PREFIX + making);
    const number = this.#count++;
    if (number === this.#hasSpots.length) {
      const wider = new Uint8Array(2 * number);
      wider.set(this.#hasSpots);
      this.#hasSpots = wider;
    }
    if (spots !== undefined) {
      this.#spots.add(number, spots);
      this.#hasSpots[number] = 1;
    }
    if (shingles !== undefined) this.#shingles.add(number, shingles);
    return number;
  }

  #hold(kind: SignatureKind, making: string): void {
    if (this.#wanted !== undefined && kind !== this.#wanted) {
      throw new UserError(
        `the list has signatures ${making}; expected --signature ${this.#wanted}: ` +
          `make them with dustbuster sketch --signature ${this.#wanted}`,
      );
    }
    if (this.#making !== '' && this.#making !== making) {
      throw new UserError(
        `the list has signatures ${this.#making} and ${making}, which cannot be compared; ` +
          'expected one kind: make them with the same options of dustbuster sketch',
      );
    }
    this.#making = making;
  }

  finish(): Signatures {
    const count = this.#count;
    const [making, malformed] = [this.#making, this.#malformed];
    if (making.startsWith(SPOT_PREFIX)) {
      return {
        kind: 'spots',
        making,
        count,
        malformed,
        spots: this.#spots,
        shingles: this.#shingles,
        hasSpots: this.#hasSpots,
      };
    }
    return { kind: 'sketches', making, count, malformed, store: this.#sketches.freeze(), s: this.#s };
  }
}

export function closeSignatures(signatures: Signatures): void {
  if (signatures.kind === 'sketches') return signatures.store.close();
  signatures.spots.close();
  signatures.shingles.close();
}

const SKETCHES = Buffer.from(SKETCH_PREFIX);
const SPOTS = Buffer.from(SPOT_PREFIX);

function hasPrefix(bytes: Uint8Array, start: number, end: number, prefix: Uint8Array): boolean {
  return end - start >= prefix.length && sameRange(bytes, start, prefix, 0, prefix.length);
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/**
 * Decodes the fingerprints of a sketch from the bytes of its text form into columns: like `parseSketch`, but without
 * strings and objects.
 */
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

/** Decodes one sketch after another. */
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
