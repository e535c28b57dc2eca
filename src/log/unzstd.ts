// Decompresses zstd by libzstd in WebAssembly. The interface of the package `zstddec` takes only whole files or
// synchronous iterators, and ignores errors of libzstd: at a wrong checksum it loops for ever. So libzstd's own
// functions are called here. They handle consecutive frames, verify checksums, skip skippable frames, and refuse
// windows above 128 MiB. Other packages do not suit: `fzstd` ignores checksums, and `@hpcc-js/wasm-zstd` must know the
// size of the text in advance.
import { ZSTDDecoder } from 'zstddec/stream';
import { BadPacking, damaged, endsTooEarly, type Unpacker, unreadRest } from './packing.js';

/** libzstd's functions. Addresses and sizes are numbers; `buffer` is replaced whenever the memory grows. */
interface Zstd {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  free(address: number): void;
  ZSTD_createDCtx(): number;
  ZSTD_freeDCtx(context: number): number;
  ZSTD_decompressStream(context: number, output: number, input: number): number;
}

const INPUT_BYTES = 1 << 17;
/** An error loses what the same call had written. */
export const MOST_LOST_BYTES = 1 << 14;
const OUTPUT_BYTES = MOST_LOST_BYTES;
/** ZSTD_inBuffer and ZSTD_outBuffer: an address, a size and a position, 4 bytes each. */
const STRUCT_BYTES = 12;

/** libzstd returns an error as minus its code (zstd_errors.h): larger than any real size. */
const MOST_CODE = 120;
const UNKNOWN_MAGIC = 10;
const OTHER_SUM = 22;
const WINDOW_TOO_LARGE = 16;
const OTHER_DICTIONARY = 32;
const NO_MEMORY = 64;

/** The package has one instance per thread and gives its exports only once, so they are kept on its class. */
const kept = ZSTDDecoder as unknown as { exports?: Promise<Zstd> };

async function loadLibrary(): Promise<Zstd> {
  let exports: unknown;
  const decoder = new ZSTDDecoder();
  const init = decoder._init.bind(decoder);
  decoder._init = (result: { readonly instance: { readonly exports: unknown } }) => {
    exports = result.instance.exports;
    init(result);
  };
  await decoder.init();
  return exports as Zstd;
}

export async function createUnzstd(): Promise<Unpacker> {
  return new Unzstd(await (kept.exports ??= loadLibrary()));
}

/** The largest window in bytes that a `Content-Encoding: zstd` may ask for (RFC 9659). */
const MAX_HTTP_WINDOW = 8 << 20;

/** Thrown if a frame asks for more memory than a page may. */
export class WindowTooLarge extends BadPacking {}

/**
 * The text of a page with `Content-Encoding: zstd`. Throws a {@link BadPacking} at damage, after the text before it,
 * and a {@link WindowTooLarge} for a frame whose window is larger than 8 MiB.
 */
export async function* unzstdPage(packed: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  const frames = new ZstdFrames();
  const unpacker = await createUnzstd();
  try {
    for await (const chunk of packed) {
      for (const piece of frames.cut(asBuffer(chunk))) {
        if (frames.window > MAX_HTTP_WINDOW) throw new WindowTooLarge(`zstd: a window of ${frames.window} bytes`);
        yield* unpacker.push(piece);
      }
      if (frames.isBroken) throw damaged('zstd', 'not a frame where one should be');
    }
    if (frames.isOpen) throw endsTooEarly('zstd');
  } finally {
    unpacker.close();
  }
}

/** Loads a decoder of byte strings. The decoder throws a {@link BadPacking} if the text has more than `maxBytes`. */
export async function loadUnzstd(): Promise<(packed: Buffer, maxBytes: number) => Buffer> {
  const library = await (kept.exports ??= loadLibrary());
  return (packed, maxBytes) => {
    const unpacker = new Unzstd(library);
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      for (const part of unpacker.push(packed)) {
        bytes += part.length;
        if (bytes > maxBytes) throw damaged('zstd', `it has more than ${maxBytes} bytes`);
        parts.push(part);
      }
      unpacker.end();
    } finally {
      unpacker.close();
    }
    return Buffer.concat(parts);
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

class Unzstd implements Unpacker {
  readonly #zstd: Zstd;
  readonly #context: number;
  /** Addresses of the input buffer, the output buffer, and the two structs. */
  readonly #input: number;
  readonly #output: number;
  readonly #structs: number;
  /** True inside of a frame. */
  #isOpen = false;
  #frames = 0;

  constructor(zstd: Zstd) {
    this.#zstd = zstd;
    this.#context = zstd.ZSTD_createDCtx();
    this.#input = zstd.malloc(INPUT_BYTES + OUTPUT_BYTES + 2 * STRUCT_BYTES);
    this.#output = this.#input + INPUT_BYTES;
    this.#structs = this.#output + OUTPUT_BYTES;
    if (this.#context === 0 || this.#input === 0) throw noMemory();
  }

  *push(packed: Buffer): Generator<Buffer> {
    for (let at = 0; at < packed.length; at += INPUT_BYTES) yield* this.#decode(packed.subarray(at, at + INPUT_BYTES));
  }

  end(): Iterable<Buffer> {
    if (this.#isOpen) throw endsTooEarly('zstd');
    return [];
  }

  close(): void {
    this.#zstd.ZSTD_freeDCtx(this.#context);
    this.#zstd.free(this.#input);
  }

  *#decode(packed: Buffer): Generator<Buffer> {
    new Uint8Array(this.#zstd.memory.buffer).set(packed, this.#input);
    let read = 0;
    // If the output buffer is full, there may be more.
    for (let isFull = false; read < packed.length || isFull;) {
      this.#setStructs(read, packed.length);
      const answer = this.#zstd.ZSTD_decompressStream(this.#context, this.#structs + STRUCT_BYTES, this.#structs);
      if (answer < 0 && answer >= -MOST_CODE) throw this.#explain(-answer);
      const positions = new DataView(this.#zstd.memory.buffer, this.#structs, 2 * STRUCT_BYTES);
      const wasRead = positions.getUint32(8, true);
      const written = positions.getUint32(STRUCT_BYTES + 8, true);
      if (wasRead === read && written === 0) {
        if (wasRead < packed.length) throw damaged('zstd', 'it goes no further');
        return;
      }
      read = wasRead;
      isFull = written === OUTPUT_BYTES;
      this.#isOpen = answer !== 0;
      if (answer === 0) this.#frames++;
      // A copy: the buffer is reused, and others decode in the same memory.
      if (written > 0)
        yield Buffer.from(new Uint8Array(this.#zstd.memory.buffer).slice(this.#output, this.#output + written).buffer);
    }
  }

  #setStructs(read: number, size: number): void {
    const structs = new Uint32Array(this.#zstd.memory.buffer, this.#structs, 6);
    structs.set([this.#input, size, read, this.#output, OUTPUT_BYTES, 0]);
  }

  #explain(code: number): BadPacking {
    if (code === UNKNOWN_MAGIC && this.#frames > 0) return unreadRest('zstd');
    if (code === WINDOW_TOO_LARGE) {
      return new BadPacking('the zstd data asks for a window of more than 128 MiB, which is refused');
    }
    if (code === OTHER_DICTIONARY)
      return new BadPacking('the zstd data was packed with a dictionary, which is not known');
    return code === NO_MEMORY
      ? noMemory()
      : damaged('zstd', code === OTHER_SUM ? 'its check sum is another' : `error ${code} of libzstd`);
  }
}

function noMemory(): BadPacking {
  return new BadPacking('the zstd data needs more memory than there is');
}

// Finds the ends of frames (RFC 8878, 3.1) from the sizes in headers, without decoding:
//
//   magic | descriptor | window, dictionary, content size | block header | block | … | last block | checksum
//   magic of a skippable frame | size | bytes
//
// A state machine over bytes as they come, wherever they are cut. It also finds the window of each frame: the number of
// bytes that a decoder must remember.

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
  /** The size of the header, and the number of its bytes that have come. */
  #size = MAGIC_BYTES;
  #known = 0;
  /** Bytes between the last header and the next one. */
  #left = 0;
  #sumBytes = 0;
  #descriptor = 0;
  /** The window in bytes of the frame whose header came last. */
  window = 0;
  /** True after something that is no frame, or no block. */
  isBroken = false;
  /** False once a frame without a checksum has come. */
  isSummed = true;

  /** True inside of a frame. */
  get isOpen(): boolean {
    return this.#header !== 'magic' || this.#known > 0 || this.#left > 0;
  }

  /** Cuts `chunk` into pieces, none of which has bytes of two frames. */
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
    // A block that repeats one byte has only that byte.
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

/** True if the whole text is the window, and the header has its size. */
function isSingle(descriptor: number): boolean {
  return (descriptor & 0x20) !== 0;
}

function dictionaryBytes(descriptor: number): number {
  return [0, 1, 2, 4][descriptor & 3]!;
}

function sizeBytes(descriptor: number): number {
  return [isSingle(descriptor) ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
}

/** `header` follows the descriptor (RFC 8878, 3.1.1.1.2 and 3.1.1.1.4). */
function windowOf(descriptor: number, header: Buffer): number {
  if (!isSingle(descriptor)) return 2 ** (10 + (header[0]! >> 3)) * (1 + (header[0]! & 7) / 8);
  const [start, bytes] = [dictionaryBytes(descriptor), sizeBytes(descriptor)];
  if (bytes === 8) return Number(header.readBigUInt64LE(start));
  return header.readUIntLE(start, bytes) + (bytes === 2 ? 256 : 0);
}
