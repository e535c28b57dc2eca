// What does one group say about its parameter? Its members are streamed, the one without the parameter first, then by
// value, in constant memory.
import { sameBytes } from '../../../base/bytes.js';
import { hashBytes } from '../../../base/hash.js';
import { type Row, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { TOLERATED } from '../../../mine/parameter-group.js';
import { isAlike, parseSketch } from '../../../sketch/sketch.js';
import type { Voice } from '../../../table/similar.js';
import { HASH_BYTES, putNumber, readNumber } from '../../sort-keys.js';
import { type GroupEvidence, NEAR } from './parameter-class.js';
import type { TallyTable } from './tally.js';
import type { PageFacts } from './visits.js';

export type Counts = { -readonly [Key in keyof GroupEvidence]: GroupEvidence[Key] };

export function emptyCounts(): Counts {
  const voices = { same: 0, different: 0, silent: 0 };
  const sizes = { near: 0, far: 0, narrower: 0, wider: 0, level: 0 };
  return {
    ...voices,
    ...sizes,
    asked: 0,
    sameByChance: 0,
    nearByChance: 0,
    members: 0,
    others: 0,
    likes: 0,
    hasSketches: false,
  };
}

/** Sizes of members that are compared with the one without the parameter, or with the usual value. */
const MAX_COMPARED = 256;
/** This share of the members other than the reference has to be smaller, or larger. */
const MOST = 0.8;

/** A group whose members are added one by one: without the parameter first, then by value. */
export class OpenGroup {
  readonly number: number;
  /** The first with a size or a sketch, and one more. */
  pivot: PageFacts | undefined;
  other: PageFacts | undefined;
  readonly #usual: Uint8Array | undefined;
  readonly #value = new Run();
  #values = 0;
  #members = 0;
  #same = 0;
  #different = 0;
  #least = Infinity;
  #largest = -1;
  #reference = -1;
  readonly #isReferenceAbsent: boolean;
  readonly #compared: number[] = [];
  #hasSketches = false;

  constructor(number: number, absent: PageFacts | undefined, usual: Uint8Array | undefined) {
    this.number = number;
    this.#usual = usual;
    this.#isReferenceAbsent = absent !== undefined;
    if (absent === undefined) return;
    this.#values = 1;
    this.#reference = absent.maxSize;
    this.#take(absent);
  }

  get hasTwoValues(): boolean {
    return this.#values > 1;
  }

  /** A row whose key has the value from `valueStart` to the hash at its end. */
  add(row: Row, valueStart: number, page: PageFacts): void {
    if (this.#value.isNew(row, valueStart, row.keyEnd - HASH_BYTES)) this.#values++;
    this.#members++;
    if (this.#reference < 0 && this.#isUsual()) {
      this.#reference = page.maxSize;
    } else if (page.maxSize >= 0 && this.#compared.length < MAX_COMPARED) this.#compared.push(page.maxSize);
    this.#take(page);
  }

  #isUsual(): boolean {
    return !this.#isReferenceAbsent && this.#usual !== undefined && sameBytes(this.#value.bytes, this.#usual);
  }

  #take(page: PageFacts): void {
    if (page.sketch.length > 0) this.#hasSketches = true;
    if (page.maxSize >= 0) {
      this.#least = Math.min(this.#least, page.maxSize);
      this.#largest = Math.max(this.#largest, page.maxSize);
    }
    if (!hasEvidence(page)) return;
    if (this.pivot === undefined) {
      this.pivot = page;
      return;
    }
    this.other ??= page;
    const voice = evidenceFor(this.pivot, page);
    if (voice > 0) this.#same++;
    else if (voice < 0) this.#different++;
  }

  count(counts: Counts, ratios: TallyTable): void {
    counts.members += this.#members;
    counts.others += this.#different;
    counts.likes += this.#same;
    counts.hasSketches ||= this.#hasSketches;
    const voice = voiceOf(this.#same, this.#different);
    if (voice === 0) {
      counts.silent++;
      return;
    }
    if (voice > 0) counts.same++;
    else counts.different++;
    this.#countSizes(counts, ratios);
  }

  #countSizes(counts: Counts, ratios: TallyTable): void {
    if (this.#largest < 0) return;
    const ratio = sizeRatio(this.#largest, this.#least);
    if (ratio <= NEAR) counts.near++;
    else counts.far++;
    const key = new RowWriter();
    key.bigEndian(this.number);
    key.bigEndian(Math.min(0xffff_ffff, Math.round(ratio * THOUSANDTHS)));
    const at = ratios.entry(key.bytes, 0, key.length, hashBytes(key.bytes, 0, key.length));
    ratios.numbers[at]!++;
    if (this.#reference < 0 || this.#compared.length === 0) return;
    const least = MOST * this.#compared.length;
    const reference = Math.max(1, this.#reference);
    if (this.#compared.filter((size) => size * NEAR < reference).length >= least) counts.narrower++;
    else if (this.#compared.filter((size) => size > reference * NEAR).length >= least) counts.wider++;
    else counts.level++;
  }
}

/** Ratios are kept in these. */
const THOUSANDTHS = 1000;

/** For each parameter, from how many groups have which ratio. */
export function mediansOf(ratios: TallyTable, parameters: number): (number | null)[] {
  const found: (readonly [ratio: number, groups: number])[][] = Array.from({ length: parameters }, () => []);
  ratios.each((key, groups) => {
    const view = new DataView(key.buffer, key.byteOffset, key.length);
    found[view.getUint32(0)]!.push([view.getUint32(4) / THOUSANDTHS, groups[0]!]);
  });
  return found.map((list) => {
    const half = list.reduce((sum, [, groups]) => sum + groups, 0) / 2;
    let below = 0;
    return list.find(([, groups]) => (below += groups) >= half)?.[0] ?? null;
  });
}

/** The voice of a group, or of a sample of one: for, against, or silent. */
function voiceOf(same: number, different: number): Voice {
  if (same + different === 0) return 0;
  return different * TOLERATED <= same + different ? 1 : -1;
}

// Its evidence is that two URLs name one page, by sizes and sketches (SPEC 3). Like `table/similar`, for pages in rows
// of external sorts:
//
//   | least size + 1 | largest size + 1 | sketch …       each number in eight bytes; 0 if no size is known

function hasEvidence({ minSize, sketch }: PageFacts): boolean {
  return minSize >= 0 || sketch.length > 0;
}

/** One page is 1, against it -1, silent 0: sketches decide if both have one, else sizes if both have some. */
export function evidenceFor(a: PageFacts, b: PageFacts): Voice {
  if (a.sketch.length > 0 && b.sketch.length > 0) return haveLikeSketches(a.sketch, b.sketch) ? 1 : -1;
  if (a.minSize < 0 || b.minSize < 0) return 0;
  return a.minSize <= b.maxSize && b.minSize <= a.maxSize ? 1 : -1;
}

function haveLikeSketches(a: Uint8Array, b: Uint8Array): boolean {
  if (sameBytes(a, b)) return true;
  const [one, other] = [a, b].map((text) => parseSketch(Buffer.from(text).toString('latin1')));
  return one !== undefined && other !== undefined && isAlike(one, other);
}

/** Larger over smaller. The largest size of a URL counts: the others may be of truncated answers. */
export function sizeRatio(a: number, b: number): number {
  return Math.max(1, a, b) / Math.max(1, Math.min(a, b));
}

export const SIZE_BYTES = 16;

export function putSizes(row: RowWriter, { minSize, maxSize }: PageFacts): RowWriter {
  return putNumber(putNumber(row, minSize + 1), maxSize + 1);
}

export function putPage(row: RowWriter, page: PageFacts): RowWriter {
  return putSizes(row, page).raw(page.sketch);
}

/** The page in [start, end), copied. */
export function pageAt(row: Pick<Row, 'bytes'>, start: number, end: number): PageFacts {
  return pageOf(row, start, start + SIZE_BYTES, end);
}

/** The page whose sizes are at `start`, and its sketch in [sketchStart, sketchEnd). */
export function pageOf(
  { bytes }: Pick<Row, 'bytes'>,
  start: number,
  sketchStart: number,
  sketchEnd: number,
): PageFacts {
  const sketch = sketchStart === sketchEnd ? NO_SKETCH : bytes.slice(sketchStart, sketchEnd);
  return { minSize: readNumber(bytes, start) - 1, maxSize: readNumber(bytes, start + 8) - 1, sketch };
}

const NO_SKETCH = new Uint8Array(0);
