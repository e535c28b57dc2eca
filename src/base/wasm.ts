// Loads the WebAssembly that the package ships. TypeScript declares its types in browser libraries only.
import { readPackageBytes } from './package-file.js';

/** A compiled module, which can be sent to threads. */
export type WasmModule = object;

interface Memory<Buffer> {
  readonly buffer: Buffer;
}

export type WasmMemory = Memory<ArrayBuffer>;
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

/** `path`: from the root of the package. */
export function compileWasm(path: string): WasmModule {
  return new WebAssembly.Module(readPackageBytes(path));
}

/** Memory of exactly so many pages. Throws a RangeError if the system has not enough address space. */
export function newWasmMemory(pages: number): WasmMemory {
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}

/** The same for threads to share. */
export function newSharedMemory(pages: number): SharedMemory {
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** The exports of the module, as an object of functions of type T. */
export function instantiateWasm<T>(module: WasmModule, imports: object): T {
  return new WebAssembly.Instance(module, imports).exports as T;
}
