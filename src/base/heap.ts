// The memory that all threads of a run share, and the kernel that works on it: src/kernel, compiled to WebAssembly. What the threads
// work on together lies here, as views whose offsets are the addresses that the kernel is given.
//
//   block   a column that goes from one thread to another: `newI32` and its like, until it is given back
//   arena   what one thread needs until it is done with something: `takeI32` and its like, between `mark` and `release`
//
// What is given back goes to others, not to the system: so much memory is taken as was ever used at once, 4 GiB at most. The module
// is compiled once for all threads.
import type { KernelExports } from '../kernel/exports.js';
import { memoryHere } from './effects.js';
import { UserError } from './error.js';
import { compileWasm, instantiateWasm, newSharedMemory, type SharedMemory, type WasmModule } from './wasm.js';

/** What a thread needs to join. */
export interface SharedHeap {
  readonly module: WasmModule;
  readonly memory: SharedMemory;
}

/** What the kernel asks for (kernel/memory/calls). Whoever calls a function of the kernel that asks sets these before. */
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
/** Addresses are 32 bits, also that of the end. */
const MOST_PAGES = 65_535;
const FEWEST_PAGES = 2048;
/** Of the heap, what the gaps between blocks may come to. */
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
 * As large as it will ever be: what is not used takes no memory. The addresses are reserved at once, and more of them than there
 * are bytes. Where a system promises no more than it has, it has to be smaller.
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

const NO_ADDRESSES =
  'got no room for the addresses of the memory that threads share: expected 10 GiB of them, whatever is used; raise ulimit -v, or set NODE_OPTIONS=--disable-wasm-trap-handler, with which they are no more than that memory';

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
    `got no room for ${bytes} bytes more in the ${Math.floor(sizeOf(opened().shared) / 2 ** 20)} MiB that threads can share: expected less; name less with --memory`,
  );
}

/** Of so much memory, what columns may take: the heap is no larger, and blocks leave gaps. */
export function heapShare(memoryBytes: number): number {
  return Math.min(memoryBytes, (1 - GAPS) * sizeOf(opened().shared));
}

/**
 * Of so much memory, what each of two large columns may take that come and go while there is little else. What they leave stays
 * with the heap: so they are smaller where what comes later, outside of it, has to find room beside them.
 */
export function heapHalf(memoryBytes: number): number {
  return Math.min(HALF_OF_HEAP * heapShare(memoryBytes), HALF_OF_MEMORY * memoryBytes);
}

/** Of so much memory, what the heap and what every process takes leave. May be less than nothing. */
export function leftBesideHeap(memoryBytes: number): number {
  return memoryBytes - opened().exports.heapBytes() - PROCESS_BYTES;
}

function sizeOf({ memory }: SharedHeap): number {
  return memory.buffer.byteLength;
}

/** The heap of this process, for another thread. */
export function sharedHeap(): SharedHeap {
  return opened().shared;
}

/** Makes the heap of the process that of this thread too. To be called once, before anything else here. */
export function joinHeap(shared: SharedHeap): void {
  heap = joined(shared);
}

/** Takes the lock off that a thread may have left: to be called when all that had something to do were stopped and are gone. */
export function unlockHeap(): void {
  heap?.exports.unlockHeap();
}

/** The functions of the kernel. Addresses and lengths are in bytes; an address that comes back is to be made `>>> 0`. */
export function kernel(): KernelExports {
  return opened().exports;
}

function buffer(): SharedArrayBuffer {
  return opened().shared.memory.buffer;
}

// Views of what is at an address. Lengths are in elements.

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

// Blocks: all 0.

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

/** The address of a block of so many bytes; what is in it is left over from others. */
export function alloc(bytes: number): number {
  if (bytes > MOST_PAGES * PAGE) refuse(bytes);
  return opened().exports.alloc(bytes) >>> 0;
}

/** Gives the block back that a view of this kind begins: nobody may look at it any more. */
export function giveBack({ byteOffset }: { readonly byteOffset: number }): void {
  opened().exports.free(byteOffset);
}

// Parts of the arena of this thread: what is in them is left over from others.

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

/** The address of so many bytes of the arena. */
export function take(bytes: number): number {
  return opened().exports.take(bytes) >>> 0;
}

/** Does something, and gives back what it took of the arena of this thread. */
export function inArena<T>(perform: () => T): T {
  const { exports } = opened();
  const mark = exports.mark();
  try {
    return perform();
  } finally {
    exports.release(mark);
  }
}
