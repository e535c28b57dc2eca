// Loads the WebAssembly that the package ships. TypeScript declares these types in browser libraries only.
import { UserError } from './error.js';
import { readPackageBytes } from './package-file.js';

/** A compiled module, which can be sent to threads. */
export type WasmModule = object;

interface Memory<Buffer> {
  readonly buffer: Buffer;
}

type WasmMemory = Memory<ArrayBuffer>;
export type SharedMemory = Memory<SharedArrayBuffer>;

interface MemorySize {
  /** Pages of 64 KiB. */
  readonly initial: number;
  readonly maximum: number;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Memory: {
    new (size: MemorySize & { shared: true }): SharedMemory;
    new (size: MemorySize): WasmMemory;
  };
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: object };
};

/** `path` is relative to the root of the package. */
export function compileWasm(path: string): WasmModule {
  return new WebAssembly.Module(readPackageBytes(path));
}

export const NO_ADDRESSES =
  'got no room for 10 GiB of addresses for the memory that threads share; expected that much, however little is used. ' +
  'Raise ulimit -v, or set NODE_OPTIONS=--disable-wasm-trap-handler, which needs addresses for that memory only';

/** The system has not enough address space for memory of WebAssembly. */
export class NoAddresses extends UserError {}

/** Memory of exactly `pages` pages. Throws {@link NoAddresses}. */
export function newWasmMemory(pages: number): WasmMemory {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch (error) {
    throw new NoAddresses(NO_ADDRESSES.replace(' that threads share', ''), { cause: error });
  }
}

/** Memory that threads can share. Throws a RangeError. */
export function newSharedMemory(pages: number): SharedMemory {
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** The exports of the module, as an object of functions of type T. */
export function instantiateWasm<T>(module: WasmModule, imports: object): T {
  return new WebAssembly.Instance(module, imports).exports as T;
}
