// The signatures of the pages of a list, all of one kind: sketches of shingles, or spot signatures. The labels of the
// list tell which (`sketch --signature`). Any other label is a digest.
import { UserError } from '../base/error.js';
import { hasPrefix, SketchLabelReader, SKETCHES, SPOTS } from '../sketch/label-reader.js';
import { SKETCH_PREFIX } from '../sketch/sketch.js';
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

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}
