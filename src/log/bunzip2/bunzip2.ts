// bzip2 -> text, block by block.
//
//   stream     BZh9 | block | block | .. | end mark, checksum | padding to a whole byte     streams follow one another
//   block      mark, checksum | what `block` decodes                                            begins at any bit
//
// Blocks are found by the marks around them, so that each is decoded as soon as all of it is there. A block has at most
// 900 kB of text before run-length decoding, so memory is bounded; if a stream breaks off only its last block is lost, as
// with bzip2 itself. A false mark, 48 bits within a block that match by chance, is expected once in 10 TB.
import { ByteBuffer } from '../../base/buffer.js';
import { decodeBits } from './block.js';
import { BLOCK_MARK, END_MARK, findMark, MARK_BITS, readBits, readMark } from './marks.js';
import { damaged, endsTooEarly, unreadRest, type Unpacker } from '../packing.js';

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
