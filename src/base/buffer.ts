// A byte buffer that grows as needed and is reused.

export class ByteBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  used = 0;
  #view: DataView;
  /** Views of the last two source arrays: the next copy is usually from one of them. */
  #source: Uint8Array;
  #sourceView: DataView;
  #other: Uint8Array;
  #otherView: DataView;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = this.#sourceView = this.#otherView = new DataView(this.bytes.buffer);
    this.#source = this.#other = this.bytes;
  }

  /**
   * Makes room for `length` bytes from `used` on. A previous `bytes` keeps its contents, but is no longer the buffer.
   */
  reserve(length: number): void {
    if (this.used + length <= this.bytes.length) return;
    const grown = new Uint8Array(2 * (this.used + length));
    grown.set(this.bytes.subarray(0, this.used));
    this.bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  /** Appends bytes[start, end), which may be a part of this buffer. */
  add(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const length = end - start;
    this.reserve(length);
    const { used } = this;
    this.used += length;
    if (length > SHORT) return this.bytes.set(bytes.subarray(start, end), used);
    if (length < WORD) {
      const own = this.bytes;
      for (let k = 0; k < length; k++) own[used + k] = bytes[start + k]!;
      return;
    }
    const to = this.#view;
    const from = this.#viewOf(bytes);
    const last = length - WORD;
    for (let k = 0; k < last; k += WORD) to.setInt32(used + k, from.getInt32(start + k, true), true);
    // The last word may overlap the one before it.
    to.setInt32(used + last, from.getInt32(start + last, true), true);
  }

  #viewOf(bytes: Uint8Array): DataView {
    if (this.#source === bytes) return this.#sourceView;
    const view = this.#other === bytes ? this.#otherView : new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#other = this.#source;
    this.#otherView = this.#sourceView;
    this.#source = bytes;
    return (this.#sourceView = view);
  }

  /** Appends a whole array that is copied only once: a view of it would cost more than the copy. */
  addWhole(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.used);
    this.used += bytes.length;
  }

  push(byte: number): void {
    this.reserve(1);
    this.bytes[this.used++] = byte;
  }
}

const WORD = 4;
/**
 * Shorter ranges are copied word by word. For 70 bytes: byte by byte 103 ns, word by word 34 ns, `set(subarray)` 50 ns,
 * which takes almost the same for any length.
 */
const SHORT = 120;

/** Copies bytes[start, end) to `target` from `at` on. */
export function copyTo(target: Uint8Array, at: number, bytes: Uint8Array, start: number, end: number): void {
  const length = end - start;
  if (length >= SHORT / 2) return target.set(bytes.subarray(start, end), at);
  for (let k = 0; k < length; k++) target[at + k] = bytes[start + k]!;
}
