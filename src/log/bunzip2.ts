// Decompresses bzip2, block by block.
//
//   stream     BZh9 | block | block | .. | end mark, checksum | padding to a whole byte     streams follow one another
//   block      mark, checksum | what `seek-bzip` decodes                                            starts at any bit
//
// Blocks are found by the marks around them, so each is decoded as soon as all of it is there. A block has at most 900
// kB of text before run-length decoding, so memory is bounded. If a stream breaks off, only its last block is lost, as
// with bzip2 itself. A false mark (48 bits within a block that match by chance) is expected once in 10 TB.
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
  /** In bits of the buffer: where to read next, and where to search for the next mark. */
  #at = 0;
  #searched = 0;
  /** The level of the stream, 1 to 9; 0 between streams. */
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

  /** The text of the next whole block; null if there is none yet. */
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
    const text = decodeBits(this.#level, bytes, this.#at, end);
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

// The package `seek-bzip` decodes a block: given an input, a bit and a checksum, it reads bytes from the input and
// writes bytes of text, one by one.

/** The used part of the package, which has no types. */
interface SeekBzip {
  /** Throws an Error with an `errorCode` for damage. */
  decodeBlock(input: Input, bit: number, output: Output): void;
}

interface Input {
  readByte(): number;
  read(target: Uint8Array, at: number, length: number): number;
  seek(byte: number): void;
}

interface Output {
  writeByte(byte: number): void;
}

const bunzip = createRequire(import.meta.url)('seek-bzip') as SeekBzip;

const HEADER = Buffer.from('BZh');
const DIGIT_0 = 0x30;
/** The usual size of a block's text. */
const USUAL_BYTES = 1 << 20;

/** The block at bits [start, end) of a stream of this level; null if it is damaged, or ends elsewhere. */
function decodeBits(level: number, bytes: Uint8Array, start: number, end: number): Buffer | null {
  const input = new BlockInput(level, bytes, Math.ceil(end / 8));
  const output = new Text();
  try {
    bunzip.decodeBlock(input, start, output);
  } catch (error) {
    if (error instanceof Ended || isDamage(error)) return null;
    throw error;
  }
  return input.isRead ? output.text : null;
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errorCode' in error;
}

class Ended extends Error {}

/** The header of a stream, then the bytes of the block from where the decoder seeks. */
class BlockInput implements Input {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #level: number;
  #at = 0;

  constructor(level: number, bytes: Uint8Array, end: number) {
    this.#level = level;
    this.#bytes = bytes;
    this.#end = end;
  }

  get isRead(): boolean {
    return this.#at === this.#end;
  }

  /** The decoder calls this only for the header. */
  read(target: Uint8Array): number {
    target.set(HEADER);
    target[HEADER.length] = DIGIT_0 + this.#level;
    return HEADER.length + 1;
  }

  seek(byte: number): void {
    this.#at = byte;
  }

  readByte(): number {
    if (this.#at === this.#end) throw new Ended();
    return this.#bytes[this.#at++]!;
  }
}

/** At most 47 MB: a block has 900,000 bytes, and if it is all runs, five of them are 259 of text. */
class Text implements Output {
  #bytes = Buffer.allocUnsafeSlow(USUAL_BYTES);
  #used = 0;

  get text(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }

  writeByte(byte: number): void {
    if (this.#used === this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(2 * this.#used);
      this.#bytes.copy(grown);
      this.#bytes = grown;
    }
    this.#bytes[this.#used++] = byte;
  }
}

// A block begins with a mark of 48 bits, which may begin at any bit:
//
//   byte      i        i+1      i+2      i+3      i+4      i+5      i+6
//   mark      ...BBBBB BBBBBBBB BBBBBBBB BBBBBBBB BBBBBBBB BBBBBBBB BBB.....
//
// A mark that begins within byte i fills the next five bytes, with different values for each of its eight shifts. So a
// table for each of the five bytes has the marks and shifts that a value is consistent with, and these masks are ANDed:
// nearly always nothing is left after two look-ups.
/** The digits of pi, and of its square root. */
export const BLOCK_MARK = 0x314159265359;
export const END_MARK = 0x177245385090;
export const MARK_BITS = 48;

const MARKS = [BLOCK_MARK, END_MARK];
const FULL_BYTES = 5;

/** `fits[byte][value]`: bit `8 * mark + shift` is set if that mark, at that shift, has this value in this byte. */
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
 * The bit where the first whole mark at or after bit `from` begins, within the first `used` bytes; -1 if there is none.
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

/** The number in `count` bits; at most 32 bits. */
export function readBits(bytes: Uint8Array, bit: number, count: number): number {
  let value = 0;
  for (let k = bit; k < bit + count; k++) value = 2 * value + ((bytes[k >> 3]! >> (7 - (k & 7))) & 1);
  return value;
}
