// Which form does a URL have, and which did it have after earlier rounds? What a round does is in ./rounds.
//
// The form is always bytes[start, end). It is in the input until something changes it, and from then on in `images`,
// which has the results of all rounds end to end, followed by the images of the current round:
//
//     images  | form 1 | form 2 | image in round 3 | image of that image |
//             0        ends[1]  ends[2]                                  used
//
// Form 0, where the rounds begin, is there only if preparation has changed it.
import { NEWLINE, NUMBER_SIGN, RETURN } from '../base/ascii.js';
import { ByteBuffer } from '../base/buffer.js';
import { sameRange } from '../base/bytes.js';
import { beginsUrl, compareForms, isClean } from '../url/form.js';
import { isTaken, normalize } from '../url/normalize.js';
import { maxFormBytes } from './limits.js';

/** Enough for the forms of most URLs, and it can grow. Small, as there may be very many canonizers. */
const FORMS_BYTES = 1 << 10;

export class Forms {
  readonly images = new ByteBuffer(FORMS_BYTES);
  bytes: Uint8Array = this.images.bytes;
  start = 0;
  end = 0;
  #firstBytes = this.bytes;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  get isTooLong(): boolean {
    return this.end - this.start > maxFormBytes;
  }

  begin(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.images.used = 0;
  }

  /** The rounds begin with the current form. */
  keepFirst(): void {
    this.#firstBytes = this.bytes;
    this.#starts[0] = this.start;
    this.#ends[0] = this.end;
  }

  /** Makes the image that begins at `start`, the last of `images`, the form. */
  take(start: number): void {
    this.bytes = this.images.bytes;
    this.start = start;
    this.end = this.images.used;
  }

  /**
   * Cuts off the fragment, or blanks at the end, then normalizes safely. False, and no other form, if this is no URL, or
   * one that browsers refuse.
   */
  prepare(isSafe: boolean): boolean {
    const { bytes, start, end, images } = this;
    if (!beginsUrl(bytes, start, end) || !isClean(bytes, start, end, isSafe ? 0x1f : 0x20)) return false;
    let cut = placeOf(NUMBER_SIGN, bytes, start, end);
    if (cut === end) while (bytes[cut - 1] === 0x20) cut--;
    const from = images.used;
    images.add(bytes, start, cut);
    if (!(isSafe ? normalize(images, from) : isTaken(bytes, start, cut))) {
      images.used = from;
      return false;
    }
    this.take(from);
    return true;
  }

  /** True if the form equals bytes[start, end). */
  is(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start !== this.end - this.start) return false;
    return (
      (bytes === this.bytes && start === this.start) || sameRange(bytes, start, this.bytes, this.start, end - start)
    );
  }

  /** The first of `count` rounds whose result was the current form; -1 if there is none. */
  find(count: number): number {
    for (let at = 0; at < count; at++) if (this.is(this.#bytesOf(at), this.#starts[at]!, this.#ends[at]!)) return at;
    return -1;
  }

  /** Moves the form to the end of the results of earlier rounds; returns by how much. */
  keep(round: number): number {
    const { bytes, start } = this;
    const place = round > 1 ? this.#ends[round - 1]! : this.#firstBytes === bytes ? this.#ends[0]! : 0;
    if (place !== start) bytes.copyWithin(place, start, this.end);
    this.start = place;
    this.end += place - start;
    this.images.used = this.end;
    this.#starts[round] = place;
    this.#ends[round] = this.end;
    return place - start;
  }

  /** Goes to the least result of the rounds [first, count). */
  goToLeast(first: number, count: number): void {
    const formAt = (at: number) => this.#bytesOf(at).subarray(this.#starts[at], this.#ends[at]);
    let least = first;
    for (let at = first + 1; at < count; at++) if (compareForms(formAt(at), formAt(least)) < 0) least = at;
    this.bytes = this.#bytesOf(least);
    this.start = this.#starts[least]!;
    this.end = this.#ends[least]!;
  }

  #bytesOf(round: number): Uint8Array {
    return round === 0 ? this.#firstBytes : this.bytes;
  }
}

/** The end of the line, without `\n` or `\r\n`. */
export function contentEnd(bytes: Uint8Array, start: number, limit: number): number {
  const end = placeOf(NEWLINE, bytes, start, limit);
  return end > start && bytes[end - 1] === RETURN ? end - 1 : end;
}

/** Where the byte is in bytes[start, end), or the end. `indexOf` would search a whole block of lines for it. */
function placeOf(byte: number, bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== byte) at++;
  return at;
}
