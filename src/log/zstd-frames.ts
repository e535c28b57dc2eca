// Where do frames of zstd end (RFC 8878, 3.1)? Found from the sizes in headers, without decoding:
//
//   magic | descriptor | window, dictionary, content size | block header | block | … | last block | checksum
//   magic of a skippable frame | size | bytes
//
// A state machine over bytes as they come, wherever they are cut. It also knows the window of each frame: how many bytes
// a decoder has to remember.

const FRAME = 0xfd2fb528;
const SKIPPED = 0x184d2a5;
const MAGIC_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
/** A descriptor is followed by 14 bytes at most. */
const MOST_HEADER_BYTES = 16;

type Header = 'magic' | 'size' | 'descriptor' | 'frame' | 'block';

export class ZstdFrames {
  readonly #bytes = Buffer.alloc(MOST_HEADER_BYTES);
  #header: Header = 'magic';
  /** The size of the header, and how many bytes of it are known. */
  #size = MAGIC_BYTES;
  #known = 0;
  /** Bytes after the last header, up to the next one. */
  #left = 0;
  #sumBytes = 0;
  #descriptor = 0;
  /** In bytes, of the frame whose header came last. */
  window = 0;
  /** True after something that is not a frame, or not a block. */
  isBroken = false;
  /** False once a frame has come that has no check sum. */
  isSummed = true;

  /** True within a frame. */
  get isOpen(): boolean {
    return this.#header !== 'magic' || this.#known > 0 || this.#left > 0;
  }

  /** `chunk` in pieces, none with bytes of two frames. */
  *cut(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let at = 0; at < chunk.length;) {
      if (this.#left > 0) {
        const passed = Math.min(this.#left, chunk.length - at);
        this.#left -= passed;
        at += passed;
      } else {
        this.#bytes[this.#known++] = chunk[at++]!;
        if (this.#known === this.#size) this.#readHeader();
        if (this.isBroken) return;
      }
      if (this.isOpen && at < chunk.length) continue;
      yield chunk.subarray(start, at);
      start = at;
    }
  }

  #readHeader(): void {
    const [first] = this.#bytes as unknown as [number];
    switch (this.#header) {
      case 'magic':
        return this.#readMagic(this.#bytes.readUInt32LE());
      case 'size':
        this.#left = this.#bytes.readUInt32LE();
        return this.#expect('magic', MAGIC_BYTES);
      case 'descriptor': {
        this.#descriptor = first;
        this.#sumBytes = (first & 4) !== 0 ? 4 : 0;
        this.isSummed &&= this.#sumBytes > 0;
        return this.#expect('frame', (isSingle(first) ? 0 : 1) + dictionaryBytes(first) + sizeBytes(first));
      }
      case 'frame':
        this.window = windowOf(this.#descriptor, this.#bytes);
        return this.#expect('block', BLOCK_HEADER_BYTES);
      case 'block':
        return this.#readBlock(this.#bytes.readUIntLE(0, BLOCK_HEADER_BYTES));
      default:
        this.#header satisfies never;
    }
  }

  #readMagic(magic: number): void {
    if (magic === FRAME) this.#expect('descriptor', 1);
    else if (magic >>> 4 === SKIPPED) this.#expect('size', 4);
    else this.isBroken = true;
  }

  #readBlock(header: number): void {
    const [isLast, type, size] = [(header & 1) === 1, (header >> 1) & 3, header >> 3];
    this.isBroken = type === 3;
    // A block that repeats one byte has only that.
    this.#left = (type === 1 ? 1 : size) + (isLast ? this.#sumBytes : 0);
    if (isLast) this.#expect('magic', MAGIC_BYTES);
    else this.#expect('block', BLOCK_HEADER_BYTES);
  }

  #expect(header: Header, bytes: number): void {
    this.#header = header;
    this.#size = bytes;
    this.#known = 0;
  }
}

/** The whole text is the window, and the header has its size. */
function isSingle(descriptor: number): boolean {
  return (descriptor & 0x20) !== 0;
}

function dictionaryBytes(descriptor: number): number {
  return [0, 1, 2, 4][descriptor & 3]!;
}

function sizeBytes(descriptor: number): number {
  return [isSingle(descriptor) ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
}

/** `header` is what follows the descriptor (RFC 8878, 3.1.1.1.2 and 3.1.1.1.4). */
function windowOf(descriptor: number, header: Buffer): number {
  if (!isSingle(descriptor)) return 2 ** (10 + (header[0]! >> 3)) * (1 + (header[0]! & 7) / 8);
  const [start, bytes] = [dictionaryBytes(descriptor), sizeBytes(descriptor)];
  if (bytes === 8) return Number(header.readBigUInt64LE(start));
  return header.readUIntLE(start, bytes) + (bytes === 2 ? 256 : 0);
}
