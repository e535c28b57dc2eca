// zstd -> text, by libzstd in WebAssembly. The package `zstddec` decodes whole files, or the output of a synchronous
// iterator, and never checks whether libzstd found an error: it does not return from a wrong check sum. So its functions
// are called here. They handle consecutive frames, verify check sums, skip skippable frames, and refuse a window of more
// than 128 MiB. (`fzstd` is as fast, but ignores check sums; `@hpcc-js/wasm-zstd` has to be told the size of the text.)
import { ZSTDDecoder } from 'zstddec/stream';
import { BadPacking, damaged, endsTooEarly, unreadRest, type Unpacker } from './packing.js';
import { ZstdFrames } from './zstd-frames.js';

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
/** An address, a size, a position, of 4 bytes each: ZSTD_inBuffer and ZSTD_outBuffer. */
const STRUCT_BYTES = 12;

/** A returned size that is larger than any real one is an error: minus its code (zstd_errors.h). */
const MOST_CODE = 120;
const UNKNOWN_MAGIC = 10;
const OTHER_SUM = 22;
const WINDOW_TOO_LARGE = 16;
const OTHER_DICTIONARY = 32;
const NO_MEMORY = 64;

/** The package has one instance per thread and gives its exports only once: they are kept with it. */
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

/** In bytes (RFC 9659): the largest window that a `Content-Encoding: zstd` may ask for. */
const MAX_HTTP_WINDOW = 8 << 20;

/** A frame asks for more memory than a page may. */
export class WindowTooLarge extends BadPacking {}

/**
 * The text of a page with `Content-Encoding: zstd`. Throws a {@link BadPacking} where it is damaged, after what came
 * before, and a {@link WindowTooLarge} for a frame whose window is larger than 8 MiB.
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

/** Loads a decoder of byte strings, which throws a {@link BadPacking} where the text has more than `maxBytes`. */
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
  /** The input buffer, the output buffer, and the two structs. */
  readonly #input: number;
  readonly #output: number;
  readonly #structs: number;
  /** True within a frame. */
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
