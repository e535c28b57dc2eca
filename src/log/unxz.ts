// Decompresses xz by xz-embedded in WebAssembly. It handles concatenated streams and padding, checks CRC32, CRC64 and
// the index at the end, and supports dictionaries of up to 64 MiB, as in `xz -9`.
//
// The package `xz-decompress` wraps it in a web stream, which lets one input wait for another's end and loses the text
// before an error. So its functions are called directly. `node-liblzma` is as fast (10 MB of a log: .16 s), but its
// stream silently drops everything after the first of concatenated streams, and it needs Node 22 and a native build.
import xz from 'xz-decompress';
import { BadPacking, damaged, endsTooEarly, unreadRest, type Unpacker } from './packing.js';

/** What the package's stream uses. `buffer` is replaced whenever the memory grows. */
interface XzEmbedded {
  readonly memory: { readonly buffer: ArrayBuffer };
  create_context(): number;
  destroy_context(context: number): void;
  supply_input(context: number, bytes: number): void;
  get_next_output(context: number): number;
}

interface Loader {
  _getModuleInstance(): Promise<void>;
  readonly _moduleInstance: { readonly exports: XzEmbedded };
}

/** A context begins with numbers of 4 bytes: */
const ROOM_BYTES = 0;
const INPUT = 1;
const READ = 2;
const INPUT_BYTES = 3;
const OUTPUT = 4;
const WRITTEN = 5;

/** `enum xz_ret` (xz.h). */
const OK = 0;
const STREAM_END = 1;
const UNSUPPORTED_CHECK = 2;
const NO_MEMORY = 3;
const DICTIONARY_TOO_LARGE = 4;
const NO_XZ = 5;
const UNSUPPORTED = 6;
const NO_PROGRESS = 8;

let library: Promise<XzEmbedded> | undefined;

/** Once per thread, as it takes 4 ms. */
async function loadLibrary(): Promise<XzEmbedded> {
  const loader = xz.XzReadableStream as unknown as Loader;
  await loader._getModuleInstance();
  return loader._moduleInstance.exports;
}

export async function createUnxz(): Promise<Unpacker> {
  return new Unxz(await (library ??= loadLibrary()));
}

class Unxz implements Unpacker {
  readonly #xz: XzEmbedded;
  readonly #context: number;
  #isOver = false;
  #given = 0;

  constructor(embedded: XzEmbedded) {
    this.#xz = embedded;
    this.#context = embedded.create_context();
  }

  *push(packed: Buffer): Generator<Buffer> {
    const room = this.#numbers()[ROOM_BYTES]!;
    for (let at = 0; at < packed.length; at += room) yield* this.#decode(packed.subarray(at, at + room));
  }

  /** An empty input signals the end. */
  *end(): Generator<Buffer> {
    while (!this.#isOver) yield* this.#decode(Buffer.alloc(0));
  }

  close(): void {
    this.#xz.destroy_context(this.#context);
  }

  *#decode(packed: Buffer): Generator<Buffer> {
    const isEnd = packed.length === 0;
    new Uint8Array(this.#xz.memory.buffer).set(packed, this.#numbers()[INPUT]!);
    this.#xz.supply_input(this.#context, packed.length);
    for (;;) {
      const code = this.#xz.get_next_output(this.#context);
      const numbers = this.#numbers();
      const written = numbers[WRITTEN]!;
      numbers[WRITTEN] = 0;
      if (written > 0) {
        this.#given += written;
        // A copy: the buffer is reused, and others decode in the same memory.
        const start = numbers[OUTPUT]!;
        yield Buffer.from(new Uint8Array(this.#xz.memory.buffer).slice(start, start + written).buffer);
      }
      if (code === STREAM_END) this.#isOver = true;
      else if (code !== OK && code !== UNSUPPORTED_CHECK) throw explain(code, isEnd, this.#given > 0);
      const isRead = this.#numbers()[READ] === this.#numbers()[INPUT_BYTES];
      if (this.#isOver || (isRead && written < numbers[ROOM_BYTES]!)) return;
    }
  }

  #numbers(): Uint32Array {
    return new Uint32Array(this.#xz.memory.buffer, this.#context, 6);
  }
}

function explain(code: number, isEnd: boolean, hasText: boolean): BadPacking {
  switch (code) {
    case NO_PROGRESS:
      return isEnd ? endsTooEarly('xz') : damaged('xz', 'it goes no further');
    case DICTIONARY_TOO_LARGE:
      return new BadPacking('the xz data asks for a dictionary of more than 64 MiB, which is refused');
    case NO_MEMORY:
      return new BadPacking('the xz data needs more memory than there is');
    case NO_XZ:
      return hasText ? unreadRest('xz') : damaged('xz', 'no stream where one should be');
    case UNSUPPORTED:
      return new BadPacking('the xz data was packed with a filter or a check that is not known');
    default:
      return damaged('xz', 'its check sums or codes are wrong');
  }
}
