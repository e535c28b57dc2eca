// Where do frames of zstd end (RFC 8878, 3.1)? Found from the sizes in headers, without decoding:
//
//   magic | descriptor | window, dictionary, content size | block header | block | … | last block | checksum
//   magic of a skippable frame | size | bytes
//
// A state machine over bytes as they come, wherever they are cut.

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
        const isSingle = (first & 0x20) !== 0;
        const windowBytes = isSingle ? 0 : 1;
        const dictionaryBytes = [0, 1, 2, 4][first & 3]!;
        const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][first >> 6]!;
        this.#sumBytes = (first & 4) !== 0 ? 4 : 0;
        this.isSummed &&= this.#sumBytes > 0;
        return this.#expect('frame', windowBytes + dictionaryBytes + sizeBytes);
      }
      case 'frame':
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
