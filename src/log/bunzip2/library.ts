// libbz2 in WebAssembly, from the package `bzip2-wasm`. The package's own wrapper sets globals and handlers of the
// process, so the module is loaded here; it needs few imports.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

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
export function decodeStream(stream: Uint8Array): Buffer | null {
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
