// The fingerprints of a sketch, read from the bytes of its text form into columns: what `parseSketch` does, without
// strings and numbers in between.
import { MAX_SKETCH_MINIMA, parseSketchHead, type SketchHead } from '../sketch/sketch.js';

const NO_VALUE = 255;
const values = new Uint8Array(256).fill(NO_VALUE);
for (const [value, code] of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_').entries()) {
  values[code] = value;
}

/** No text is longer: `db1-99-147-147-` and 147 fingerprints of five bytes. */
const MAX_HEAD = 16;
const BYTES = 5;

/** Reads one sketch after another. */
export class SketchLabelReader {
  /** The last one that was read: its upper 32 and lower 8 bits, ascending, `head.count` of them. */
  readonly tops = new Uint32Array(MAX_SKETCH_MINIMA);
  readonly rests = new Uint8Array(MAX_SKETCH_MINIMA);
  head: SketchHead = { w: 0, s: 0, count: 0, length: 0 };
  #headBytes = new Uint8Array(0);
  /** Three more than any sketch has. */
  readonly #bytes = new Uint8Array(MAX_SKETCH_MINIMA * BYTES + 3);

  /** False for what is no sketch. */
  read(label: Uint8Array): boolean {
    if (!this.#readHead(label)) return false;
    const { count, length } = this.head;
    const chars = Math.ceil((count * BYTES * 8) / 6);
    if (label.length !== length + chars || !this.#decode(label, length, count * BYTES)) return false;
    const { tops, rests } = this;
    const bytes = this.#bytes;
    let [lastTop, lastRest] = [0, -1];
    for (let k = 0, at = 0; k < count; k++, at += BYTES) {
      const top = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
      const rest = bytes[at + 4]!;
      if (top < lastTop || (top === lastTop && rest <= lastRest)) return false;
      tops[k] = lastTop = top;
      rests[k] = lastRest = rest;
    }
    return true;
  }

  /** Heads are mostly that of the sketch before. */
  #readHead(label: Uint8Array): boolean {
    const known = this.#headBytes;
    let same = 0;
    while (same < known.length && label[same] === known[same]) same++;
    if (same === known.length && same > 0) return true;
    const text = Buffer.from(label.buffer, label.byteOffset, Math.min(label.length, MAX_HEAD)).toString('latin1');
    const head = parseSketchHead(text);
    if (head === undefined) return false;
    this.head = head;
    this.#headBytes = label.slice(0, head.length);
    return true;
  }

  /** False if the text is not what base64url makes of so many bytes. */
  #decode(label: Uint8Array, start: number, length: number): boolean {
    const bytes = this.#bytes;
    let [at, from, bad] = [0, start, 0];
    for (; from + 4 <= label.length; from += 4, at += 3) {
      const [a, b] = [values[label[from]!]!, values[label[from + 1]!]!];
      const [c, d] = [values[label[from + 2]!]!, values[label[from + 3]!]!];
      bad |= a | b | c | d;
      bytes[at] = (a << 2) | (b >> 4);
      bytes[at + 1] = (b << 4) | (c >> 2);
      bytes[at + 2] = (c << 6) | d;
    }
    // Of values up to 63 no bit above is set.
    let [bits, held] = [0, 0];
    for (; from < label.length; from++) {
      const value = values[label[from]!]!;
      bad |= value;
      bits = (bits << 6) | value;
      held += 6;
      if (held >= 8) bytes[at++] = bits >> (held -= 8);
      bits &= (1 << held) - 1;
    }
    return bad < 64 && at === length && bits === 0;
  }
}
