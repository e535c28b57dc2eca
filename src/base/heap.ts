// The memory that all threads of a run share, and the kernel that works on it (src/kernel, compiled to WebAssembly).
// Shared data are views of this memory, whose offsets are the addresses passed to the kernel.
//
//   block   a column passed between threads, from a free-list allocator: `newI32` etc., until `giveBack`
//   arena   what one thread needs for a step, from its bump allocator: `takeI32` etc., between `mark` and `release`
//
// Freed memory is reused, not returned to the system: the process holds its peak, 4 GiB at most. The module is compiled
// once for all threads.
import type { KernelExports } from '../kernel/exports.js';
import { memoryHere } from './effects.js';
import { UserError } from './error.js';
import {
  compileWasm,
  instantiateWasm,
  newSharedMemory,
  NO_ADDRESSES,
  type SharedMemory,
  type WasmModule,
} from './wasm.js';

/** What a thread needs to join the heap. */
export interface SharedHeap {
  readonly module: WasmModule;
  readonly memory: SharedMemory;
}

/** The kernel's callbacks (kernel/memory/calls). Before calling a kernel function, set those that it needs. */
export interface Calls {
  page: (row: number) => number;
  alike: (a: number, b: number) => number;
  siteOf: (start: number, end: number) => number;
  give: (address: number, bytes: number) => void;
}

interface Heap {
  readonly shared: SharedHeap;
  readonly exports: KernelExports;
}

const unexpected = (): never => {
  throw new Error('the kernel asked for what nobody gives');
};

export const calls: Calls = { page: unexpected, alike: unexpected, siteOf: unexpected, give: unexpected };

const PAGE = 1 << 16;
/** Addresses are 32 bits, including the end address. */
const MOST_PAGES = 65_535;
const FEWEST_PAGES = 2048;
/** The share of the heap that gaps between blocks may take. */
const GAPS = 1 / 8;
const HALF_OF_HEAP = 0.45;
const HALF_OF_MEMORY = 1 / 3;
const PROCESS_BYTES = 128 << 20;

let heap: Heap | undefined;

function opened(): Heap {
  if (heap !== undefined) return heap;
  const module = compileWasm('dist/kernel.wasm');
  heap = joined({ module, memory: newMemory() });
  heap.exports.openHeap();
  return heap;
}

/**
 * Reserves the maximum at once: unused pages take no memory. If the system does not overcommit, it may refuse so much
 * address space; then this tries less.
 */
function newMemory(): SharedMemory {
  let pages = Math.min(MOST_PAGES, Math.floor(memoryHere() / PAGE));
  for (;;) {
    try {
      return newSharedMemory(pages);
    } catch (error) {
      if (pages > FEWEST_PAGES) pages = Math.ceil(pages / 2);
      else throw new UserError(NO_ADDRESSES, { cause: error });
    }
  }
}

function joined(shared: SharedHeap): Heap {
  const imports = {
    env: { memory: shared.memory },
    calls: {
      page: (row: number) => calls.page(row),
      alike: (a: number, b: number) => calls.alike(a, b),
      siteOf: (start: number, end: number) => calls.siteOf(start >>> 0, end >>> 0),
      give: (address: number, bytes: number) => calls.give(address >>> 0, bytes >>> 0),
      refuse: (bytes: number) => refuse(bytes >>> 0),
    },
  };
  return { shared, exports: instantiateWasm<KernelExports>(shared.module, imports) };
}

function refuse(bytes: number): never {
  throw new UserError(
    `got no room for ${bytes} more bytes in the ${Math.floor(sizeOf(opened().shared) / 2 ** 20)} MiB that threads can ` +
      'share; expected to need less. Lower --memory',
  );
}

/** How much of `memoryBytes` columns may take: at most the heap, less the gaps between blocks. */
export function heapShare(memoryBytes: number): number {
  return Math.min(memoryBytes, (1 - GAPS) * sizeOf(opened().shared));
}

/**
 * How much of `memoryBytes` each of two large temporary columns may take while little else is in memory. The heap keeps
 * freed memory, so they must leave room for later steps that need memory outside of it.
 */
export function heapHalf(memoryBytes: number): number {
  return Math.min(HALF_OF_HEAP * heapShare(memoryBytes), HALF_OF_MEMORY * memoryBytes);
}

/** How much of `memoryBytes` is left beside the heap and the needs of every process. May be negative. */
export function leftBesideHeap(memoryBytes: number): number {
  return memoryBytes - opened().exports.heapBytes() - PROCESS_BYTES;
}

function sizeOf({ memory }: SharedHeap): number {
  return memory.buffer.byteLength;
}

/** The heap of this process, to pass to another thread. */
export function sharedHeap(): SharedHeap {
  return opened().shared;
}

/** Makes this thread use the heap of the process. Call it once, before anything else here. */
export function joinHeap(shared: SharedHeap): void {
  heap = joined(shared);
}

/** Releases a lock that a stopped thread may have held. Call it only when all other threads are gone. */
export function unlockHeap(): void {
  heap?.exports.unlockHeap();
}

/** The functions of the kernel. Addresses and lengths are in bytes; make a returned address unsigned with `>>> 0`. */
export function kernel(): KernelExports {
  return opened().exports;
}

function buffer(): SharedArrayBuffer {
  return opened().shared.memory.buffer;
}

// Views at an address. Lengths are in elements.

export function u8At(address: number, length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(buffer(), address, length);
}

export function u16At(address: number, length: number): Uint16Array<SharedArrayBuffer> {
  return new Uint16Array(buffer(), address, length);
}

export function i32At(address: number, length: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(buffer(), address, length);
}

export function u32At(address: number, length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(buffer(), address, length);
}

export function f64At(address: number, length: number): Float64Array<SharedArrayBuffer> {
  return new Float64Array(buffer(), address, length);
}

// Blocks, zeroed.

export function newU8(length: number): Uint8Array<SharedArrayBuffer> {
  return u8At(alloc(length), length).fill(0);
}

export function newU16(length: number): Uint16Array<SharedArrayBuffer> {
  return u16At(alloc(2 * length), length).fill(0);
}

export function newI32(length: number): Int32Array<SharedArrayBuffer> {
  return i32At(alloc(4 * length), length).fill(0);
}

export function newU32(length: number): Uint32Array<SharedArrayBuffer> {
  return u32At(alloc(4 * length), length).fill(0);
}

/** Allocates a block of so many bytes, not zeroed, and returns its address. */
export function alloc(bytes: number): number {
  if (bytes > MOST_PAGES * PAGE) refuse(bytes);
  return opened().exports.alloc(bytes) >>> 0;
}

/** Frees the block at which a view begins. Nobody may use it any more. */
export function giveBack({ byteOffset }: { readonly byteOffset: number }): void {
  opened().exports.free(byteOffset);
}

// Parts of the arena of this thread, not zeroed.

export function takeU8(length: number): Uint8Array<SharedArrayBuffer> {
  return u8At(take(length), length);
}

export function takeU16(length: number): Uint16Array<SharedArrayBuffer> {
  return u16At(take(2 * length), length);
}

export function takeI32(length: number): Int32Array<SharedArrayBuffer> {
  return i32At(take(4 * length), length);
}

export function takeU32(length: number): Uint32Array<SharedArrayBuffer> {
  return u32At(take(4 * length), length);
}

/** Allocates bytes of the arena and returns their address. */
export function take(bytes: number): number {
  return opened().exports.take(bytes) >>> 0;
}

/** Runs `perform`, then frees what it took from the arena of this thread. */
export function inArena<T>(perform: () => T): T {
  const { exports } = opened();
  const mark = exports.mark();
  try {
    return perform();
  } finally {
    exports.release(mark);
  }
}
