// The text of one block of bzip2, by the package `seek-bzip`, which decodes the block at a bit of an input and verifies
// its checksum. Its input and output are bytes that it asks for and gives one by one.
import { createRequire } from 'node:module';

/** What is used of the package, which has no types. */
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
/** Of a block of text without long runs. */
const USUAL_BYTES = 1 << 20;

/** The block at bits [start, end) of a stream of this level; null if it is damaged, or ends elsewhere. */
export function decodeBits(level: number, bytes: Uint8Array, start: number, end: number): Buffer | null {
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

/** The header of a stream, then, from where the decoder seeks, the bytes of the block. */
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

  /** Asked for the header only. */
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

/** At most 47 MB: five bytes of a block that is all runs are 259 of text, and it has 900,000. */
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
