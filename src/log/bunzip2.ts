// bzip2 -> text, block by block, by libbz2 in WebAssembly.
//
//   stream     BZh9 | block | block | .. | end mark, checksum | padding to a whole byte     streams follow one another
//   block      mark, checksum | what libbz2 decodes                                            begins at any bit
//
// The package `bzip2-wasm` exports only libbz2's functions for whole streams in memory. So blocks are found by the
// marks around them, and each is passed to libbz2 as a stream of its own. A block has at most 900 kB of text before
// run-length decoding, so memory is bounded; if a stream breaks off only its last block is lost, as with bzip2 itself.
// A false mark, 48 bits within a block that match by chance, is expected once in 10 TB.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ByteBuffer } from '../base/buffer.js';
import { damaged, endsTooEarly, type Unpacker, unreadRest } from './packing.js';

const HEADER_BYTES = 4;
const SUM_BITS = 32;
/** No block is longer: 900,000 symbols of at most 20 bits, and 52 kB of tables. */
const MOST_BLOCK_BYTES = 2_400_000;

export async function createBunzip2(): Promise<Unpacker> {
  return new Bunzip2();
}

class Bunzip2 implements Unpacker {
  readonly #held = new ByteBuffer(1 << 16);
  /** In bits of the buffer: the position to read from, and where to continue the search for the next mark. */
  #at = 0;
  #searched = 0;
  /** `1` to `9` in a stream, 0 between streams. */
  #level = 0;
  #sum = 0;

  *push(packed: Buffer): Generator<Buffer> {
    for (let at = 0; at < packed.length; at += MOST_BLOCK_BYTES) {
      this.#dropRead();
      this.#held.add(packed, at, Math.min(packed.length, at + MOST_BLOCK_BYTES));
      for (let text = this.#next(); text !== null; text = this.#next()) yield text;
    }
  }

  end(): Iterable<Buffer> {
    if (this.#level !== 0) throw endsTooEarly('bzip2');
    if (this.#bitsLeft > 0) throw unreadRest('bzip2');
    return [];
  }

  close(): void {}

  get #bitsLeft(): number {
    return 8 * this.#held.used - this.#at;
  }

  /** The text of the next whole block; null if there is none. */
  #next(): Buffer | null {
    for (;;) {
      if (this.#level === 0) {
        if (!this.#readHeader()) return null;
      } else if (this.#bitsLeft < MARK_BITS + SUM_BITS) return null;
      else {
        const mark = readMark(this.#held.bytes, this.#at);
        if (mark === BLOCK_MARK) return this.#readBlock();
        if (mark !== END_MARK) throw damaged('bzip2', 'no block where one should be');
        this.#readEnd();
      }
    }
  }

  #readHeader(): boolean {
    if (this.#bitsLeft < 8 * HEADER_BYTES) return false;
    const start = this.#at / 8;
    const header = Buffer.from(this.#held.bytes.subarray(start, start + HEADER_BYTES)).toString('latin1');
    if (!/^BZh[1-9]$/.test(header)) throw unreadRest('bzip2');
    this.#level = Number(header[3]);
    this.#sum = 0;
    this.#moveTo(this.#at + 8 * HEADER_BYTES);
    return true;
  }

  #readEnd(): void {
    const sum = readBits(this.#held.bytes, this.#at + MARK_BITS, SUM_BITS);
    if (sum !== this.#sum) throw damaged('bzip2', 'its check sum is another');
    this.#level = 0;
    this.#moveTo(8 * Math.ceil((this.#at + MARK_BITS + SUM_BITS) / 8));
  }

  #readBlock(): Buffer | null {
    const { bytes, used } = this.#held;
    const end = findMark(bytes, used, this.#searched);
    if (end < 0) {
      this.#searched = Math.max(this.#searched, 8 * used - MARK_BITS - 8);
      if (this.#bitsLeft > 8 * MOST_BLOCK_BYTES) throw damaged('bzip2', 'a block has no end');
      return null;
    }
    const sum = readBits(bytes, this.#at + MARK_BITS, SUM_BITS);
    const text = decodeStream(asStream(this.#level, bytes, this.#at, end, sum));
    if (text === null) throw damaged('bzip2', 'a block cannot be decoded, or its check sum is another');
    this.#sum = (((this.#sum << 1) | (this.#sum >>> 31)) ^ sum) >>> 0;
    this.#moveTo(end);
    return text;
  }

  #moveTo(bit: number): void {
    this.#at = bit;
    this.#searched = bit + MARK_BITS + SUM_BITS;
  }

  #dropRead(): void {
    const read = Math.floor(this.#at / 8);
    if (read < this.#held.used / 2) return;
    this.#held.bytes.copyWithin(0, read, this.#held.used);
    this.#held.used -= read;
    this.#at -= 8 * read;
    this.#searched -= 8 * read;
  }
}

/** A stream of one block, bits [start, end). Its check sum is that of the block. */
function asStream(level: number, bytes: Uint8Array, start: number, end: number, sum: number): Uint8Array {
  const stream = Buffer.alloc(HEADER_BYTES + Math.ceil((end - start + MARK_BITS + SUM_BITS) / 8));
  stream.write(`BZh${level}`, 'latin1');
  const shift = start & 7;
  const from = start >> 3;
  const whole = Math.ceil((end - start) / 8);
  for (let k = 0; k < whole; k++) {
    stream[HEADER_BYTES + k] = (bytes[from + k]! << shift) | ((bytes[from + k + 1] ?? 0) >> (8 - shift));
  }
  const bits = end - start;
  const tail = (BigInt(END_MARK) << 32n) | BigInt(sum);
  // The bits after the end of the block are cleared.
  if ((bits & 7) !== 0) stream[HEADER_BYTES + (bits >> 3)]! &= 0xff << (8 - (bits & 7));
  for (let k = 0; k < MARK_BITS + SUM_BITS; k++) {
    const bit = Number((tail >> BigInt(MARK_BITS + SUM_BITS - 1 - k)) & 1n);
    const place = bits + k;
    if (bit === 1) stream[HEADER_BYTES + (place >> 3)]! |= 0x80 >> (place & 7);
  }
  return stream;
}

// The package's own wrapper of libbz2 sets globals and handlers of the process, so the module is loaded here; it needs
// few imports.

/** Addresses and sizes are numbers; `buffer` is replaced whenever the memory grows. */
interface Libbz2 {
  readonly memory: Memory;
  __wasm_call_ctors(): void;
  malloc(bytes: number): number;
  free(address: number): void;
  BZ2_bzBuffToBuffDecompress(
    text: number,
    textSize: number,
    packed: number,
    packedBytes: number,
    small: number,
    verbosity: number,
  ): number;
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the WebAssembly API that is needed: Node's types leave it to those of browsers. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };

const OK = 0;
const TEXT_TOO_LARGE = -8;
/** Output for 900,000 bytes, and for as many that are all runs: then five bytes expand to 259. */
const ROOMS = [1 << 20, 47_000_000];
const PAGE_BYTES = 1 << 16;

let library: Libbz2 | undefined;

/** The text of a complete stream of one block; null if it is damaged. */
function decodeStream(stream: Uint8Array): Buffer | null {
  library ??= loadLibrary();
  for (const room of ROOMS) {
    const text = decodeInto(library, room, stream);
    if (text !== TEXT_TOO_LARGE) return text;
  }
  return null;
}

function decodeInto(bz2: Libbz2, room: number, stream: Uint8Array): Buffer | null | typeof TEXT_TOO_LARGE {
  const start = bz2.malloc(4 + room + stream.length);
  if (start === 0) return null;
  const text = start + 4;
  const packed = text + room;
  new Uint8Array(bz2.memory.buffer).set(stream, packed);
  new DataView(bz2.memory.buffer).setUint32(start, room, true);
  const answer = bz2.BZ2_bzBuffToBuffDecompress(text, start, packed, stream.length, 0, 0);
  const size = new DataView(bz2.memory.buffer).getUint32(start, true);
  const found = answer === OK ? Buffer.from(new Uint8Array(bz2.memory.buffer).slice(text, text + size).buffer) : null;
  bz2.free(start);
  return answer === TEXT_TOO_LARGE ? TEXT_TOO_LARGE : found;
}

function loadLibrary(): Libbz2 {
  const path = createRequire(import.meta.url).resolve('bzip2-wasm/bzip2-1.0.8/bzip2.wasm');
  const nothing = () => 0;
  const env = {
    exit: (code: number) => {
      throw new Error(`libbz2 gave up (${code})`);
    },
    emscripten_memcpy_big: (to: number, from: number, bytes: number) =>
      new Uint8Array(bz2.memory.buffer).copyWithin(to, from, from + bytes),
    emscripten_resize_heap: (bytes: number) => {
      try {
        bz2.memory.grow(Math.ceil((bytes - bz2.memory.buffer.byteLength) / PAGE_BYTES));
        return 1;
      } catch {
        return 0; // malloc failed
      }
    },
  };
  const wasi = { fd_close: nothing, fd_write: nothing, fd_seek: nothing };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {
    env,
    wasi_snapshot_preview1: wasi,
  });
  const bz2 = instance.exports as Libbz2;
  bz2.__wasm_call_ctors();
  return bz2;
}

// A block begins at a mark of 48 bits, which may begin at any bit:
//
//   byte      i        i+1      i+2      i+3      i+4      i+5      i+6
//   mark      ...BBBBB BBBBBBBB BBBBBBBB BBBBBBBB BBBBBBBB BBBBBBBB BBB.....
//
// A mark that begins within byte i fills the next five, and each of its eight shifts has different bytes there. So a
// table for each of the five says which marks and shifts a byte value is consistent with, and the masks are ANDed:
// nearly always nothing is left after two look-ups.
/** The digits of pi, and of its square root. */
export const BLOCK_MARK = 0x314159265359;
export const END_MARK = 0x177245385090;
export const MARK_BITS = 48;

const MARKS = [BLOCK_MARK, END_MARK];
const FULL_BYTES = 5;

/** For each of the five bytes and each value: bit `8 * mark + shift` is set if it is consistent. */
const fits = Array.from({ length: FULL_BYTES }, () => new Uint16Array(256));
for (const [k, mark] of MARKS.entries()) {
  for (let shift = 0; shift < 8; shift++) {
    for (let byte = 0; byte < FULL_BYTES; byte++) {
      // Byte i has the first 8 - shift bits.
      const value = Number((BigInt(mark) >> BigInt(MARK_BITS - 16 + shift - 8 * byte)) & 0xffn);
      fits[byte]![value]! |= 1 << (8 * k + shift);
    }
  }
}

/**
 * The bit where the first mark at or after bit `from` begins, within the first `used` bytes; -1 if there is no whole
 * one.
 */
export function findMark(bytes: Uint8Array, used: number, from: number): number {
  const [first, second] = [fits[0]!, fits[1]!];
  for (let at = from >> 3; at + FULL_BYTES < used; at++) {
    let fitting = first[bytes[at + 1]!]! & second[bytes[at + 2]!]!;
    if (fitting === 0) continue;
    for (let k = 2; k < FULL_BYTES; k++) fitting &= fits[k]![bytes[at + 1 + k]!]!;
    for (let shift = 0; shift < 8 && fitting !== 0; shift++) {
      const bit = 8 * at + shift;
      if ((fitting & (0x0101 << shift)) === 0 || bit < from || bit + MARK_BITS > 8 * used) continue;
      if (MARKS.includes(readMark(bytes, bit))) return bit;
    }
  }
  return -1;
}

export function readMark(bytes: Uint8Array, bit: number): number {
  return readBits(bytes, bit, 24) * 2 ** 24 + readBits(bytes, bit + 24, 24);
}

/** The number in `count` bits, at most 32. */
export function readBits(bytes: Uint8Array, bit: number, count: number): number {
  let value = 0;
  for (let k = bit; k < bit + count; k++) value = 2 * value + ((bytes[k >> 3]! >> (7 - (k & 7))) & 1);
  return value;
}
