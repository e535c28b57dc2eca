// Folds URLs with the same sketch or digest into classes before anything is compared. Each URL makes a row of label and
// URL. The rows are sorted, on disk if they are many, so equal labels become adjacent; bytes decide equality.
//
//   label              URL                              class   sketch
//   db1-4-128-128-A…   http://h/a, http://h/b           0       0
//   db1-4-128-128-B…   http://h/c                       1       1
//   sha256:0f…         http://h/logo.png                2       none
//
// Classes are numbered in the order of their labels. The text of a sketch begins with its least fingerprint, which near
// duplicates mostly share, so they get close numbers.
import { copyTo } from '../base/buffer.js';
import { Growing } from '../base/numbers.js';
import { readU32, writeU32 } from '../base/row.js';
import { Run } from '../base/run.js';
import { ScratchFile } from '../base/scratch.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import type { SignatureKind } from '../sketch/spots.js';
import { SignatureStore, type Signatures } from './signatures.js';

export const NO_SKETCH = 0xffffffff;

/** Build (`add`), then fold (`finish`). */
export class Folding {
  readonly #room: SpillRoom;
  readonly #wanted: SignatureKind | undefined;
  readonly #sorter: SpillSorter;

  /** `wanted`: the only kind of signature that labels may have; undefined for any kind. */
  constructor(room: SpillRoom, wanted?: SignatureKind) {
    this.#room = room;
    this.#wanted = wanted;
    this.#sorter = new SpillSorter({ ...room, memoryBytes: room.memoryBytes / 2 }, room.stats);
  }

  /** Adds the URL bytes[urlStart, urlEnd) with its label bytes[labelStart, labelEnd). */
  add(bytes: Uint8Array, urlStart: number, urlEnd: number, labelStart: number, labelEnd: number): void {
    const labelLength = labelEnd - labelStart;
    const keyLength = labelLength + 1 + urlEnd - urlStart;
    const at = this.#sorter.open(keyLength + 4, keyLength);
    const row = this.#sorter.bytes;
    copyTo(row, at, bytes, labelStart, labelEnd);
    row[at + labelLength] = 0;
    copyTo(row, at + labelLength + 1, bytes, urlStart, urlEnd);
    writeU32(row, at + keyLength, labelLength);
  }

  /** Throws a UserError if signatures are of different kinds, or not of the wanted kind. */
  finish(): FoldedUrls {
    const { memoryBytes, tmpdir } = this.#room;
    const signatures = new SignatureStore({ memoryBytes: memoryBytes / 2, tmpdir }, this.#wanted);
    const urls = new UrlFile(tmpdir);
    const rows = this.#sorter.finish();
    const [label, url] = [new Run(), new Run()];
    const sketchOf = new Growing();
    for (let next = rows.next(); next !== undefined; next = rows.next()) {
      const { bytes, keyStart, keyEnd } = next;
      const labelEnd = keyStart + readU32(bytes, keyEnd);
      const isNew = label.isNew(next, keyStart, labelEnd);
      // A URL with several captures of the same page.
      if (!url.isNew(next, labelEnd + 1, keyEnd) && !isNew) continue;
      if (isNew) sketchOf.push(signatures.add(bytes, keyStart, labelEnd) ?? NO_SKETCH);
      urls.add(sketchOf.length - 1, bytes, labelEnd + 1, keyEnd);
    }
    rows.close();
    return { signatures: signatures.finish(), urls: urls.freeze(), sketchOf: sketchOf.slice() };
  }
}

export interface FoldedUrls {
  readonly signatures: Signatures;
  readonly urls: UrlFile;
  /** By class: the number of its signature, or NO_SKETCH. */
  readonly sketchOf: Uint32Array;
}

const BLOCK = 1 << 16;
/** Bytes between two known places, roughly. */
const STEP = 4096;

/**
 * A scratch file of URLs with the number of their class, in the order of the classes. An index has a place about every
 * 4,096 bytes, with the class that begins there:
 *
 *   0 http://h/a    0 http://h/b    1 http://h/c    2 …    97 http://h/z    98 …
 *   ↑ numbers[0] = 0                                       ↑ numbers[1] = 97
 */
export class UrlFile {
  readonly #file: ScratchFile;
  /** The indexed classes, and where the first URL of each begins. */
  #numbers = new Float64Array(64);
  #starts = new Float64Array(64);
  #known = 0;
  #classes = 0;
  #block = new Uint8Array(BLOCK);
  #used = 0;
  readonly #read = new Uint8Array(STEP + 256);

  constructor(tmpdir: string) {
    this.#file = new ScratchFile(tmpdir);
  }

  /** Adds a URL to a class: the class of the URL before, or the next new class. */
  add(number: number, bytes: Uint8Array, start: number, end: number): void {
    const length = 8 + end - start;
    if (this.#used + length > this.#block.length) this.#flush(length);
    if (number === this.#classes) {
      this.#know(number, this.#file.length + this.#used);
      this.#classes++;
    }
    writeU32(this.#block, this.#used, number);
    writeU32(this.#block, this.#used + 4, end - start);
    copyTo(this.#block, this.#used + 8, bytes, start, end);
    this.#used += length;
  }

  #know(number: number, start: number): void {
    if (number > 0 && start < this.#starts[this.#known - 1]! + STEP) return;
    if (this.#known === this.#starts.length) {
      this.#numbers = wider(this.#numbers);
      this.#starts = wider(this.#starts);
    }
    this.#numbers[this.#known] = number;
    this.#starts[this.#known++] = start;
  }

  freeze(): this {
    this.#flush(0);
    return this;
  }

  #flush(needed: number): void {
    this.#file.append(this.#block.subarray(0, this.#used));
    this.#used = 0;
    if (needed > this.#block.length) this.#block = new Uint8Array(2 * needed);
  }

  /** A copy of the first URL of a class. */
  firstOf(number: number): Uint8Array {
    const start = this.#starts[this.#lastKnown(number)]!;
    const block = this.#read;
    const got = this.#file.read(block, start);
    // It begins in this block; otherwise the index would have a later place.
    let at = 0;
    while (readU32(block, at) !== number) at += 8 + readU32(block, at + 4);
    const length = readU32(block, at + 4);
    if (at + 8 + length <= got) return block.slice(at + 8, at + 8 + length);
    const url = new Uint8Array(length);
    this.#file.read(url, start + at + 8);
    return url;
  }

  /** The last indexed class that is not after this one. */
  #lastKnown(number: number): number {
    let [low, high] = [0, this.#known - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#numbers[middle]! <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** All URLs. A URL is valid until the next one. */
  *each(): Generator<{ readonly number: number; readonly url: Uint8Array }> {
    let block = new Uint8Array(BLOCK);
    for (let at = 0, [start, end] = [0, 0]; at < this.#file.length;) {
      if (end - start >= 8 && end - start >= 8 + readU32(block, start + 4)) {
        const length = 8 + readU32(block, start + 4);
        yield { number: readU32(block, start), url: block.subarray(start + 8, start + length) };
        start += length;
        at += length;
        continue;
      }
      const needed = end - start >= 8 ? 8 + readU32(block, start + 4) : 0;
      if (needed > block.length) block = new Uint8Array(2 * needed);
      end = this.#file.read(block, at);
      start = 0;
    }
  }

  close(): void {
    this.#file.close();
  }
}

function wider(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const wide = new Float64Array(2 * numbers.length);
  wide.set(numbers);
  return wide;
}
