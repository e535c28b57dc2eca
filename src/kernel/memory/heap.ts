// The allocators of the kernel, in memory that all threads share. A free list of blocks serves columns that threads
// pass to one another. Each thread also has a bump allocator (arena), for data that lives until the end of a site or of
// a task.
//
//   page 0   | lock | first free block | top | … | collation tables |
//   then     | block | block | … | top: never allocated yet
//   a block  | head | 16: its payload |
//
// The free list is sorted by address, so that neighbours are coalesced; allocation is first fit. Blocks are few and
// large. The memory never grows: a thread would not see that at once, and its `memory.fill` would trap in the part that
// another thread has added.
import { fillCollation } from '../text/collation';
import { refuse } from './calls';
import { IS_DEBUG } from './debug';

const LOCK: usize = 16;
const FREE: usize = 20;
const TOP: usize = 24;
const HEAP_START: usize = 65536;
@unmanaged
class Block {
  /** Size in bytes, including the head. */
  bytes: u32;
  /** If the block is free: the next free block. */
  next: u32;
}

const HEAD: usize = 16;
const NEXT: usize = offsetof<Block>('next');
const UNIT: usize = 64;
const MOST_BYTES: u64 = 0xffff0000;

/** Call this once, in the thread that made the memory. */
export function openHeap(): void {
  store<u32>(TOP, <u32>HEAP_START);
  fillCollation();
}

/** Releases the lock for a thread that was stopped. A thread is never stopped while the free list is inconsistent. */
export function unlockHeap(): void {
  unlock(LOCK);
}

/** Allocates a block, at a multiple of 16; not initialized. */
export function alloc(bytes: usize): usize {
  if (<u64>bytes > MOST_BYTES - 1024) refuse(bytes);
  const size = (bytes + HEAD + UNIT - 1) & ~(UNIT - 1);
  lock(LOCK);
  const block = takeFree(size) || takeTop(size);
  unlock(LOCK);
  if (block == 0) refuse(bytes);
  return block + HEAD;
}

function takeFree(size: usize): usize {
  let link = FREE;
  for (let block = <usize>load<u32>(link); block != 0; block = <usize>load<u32>(link)) {
    const taken = changetype<Block>(block);
    const has = <usize>taken.bytes;
    if (has >= size) {
      if (has - size >= 4 * UNIT) {
        const rest = block + size;
        changetype<Block>(rest).bytes = <u32>(has - size);
        changetype<Block>(rest).next = taken.next;
        store<u32>(link, <u32>rest);
        taken.bytes = <u32>size;
      } else {
        store<u32>(link, taken.next);
      }
      return block;
    }
    link = block + NEXT;
  }
  return 0;
}

function takeTop(size: usize): usize {
  const block = <usize>load<u32>(TOP);
  const end = <u64>block + <u64>size;
  // Text is read in units of eight bytes and more, so slightly past the end of its block.
  if (end + UNIT > (<u64>memory.size()) << 16) return 0;
  store<u32>(TOP, <u32>end);
  changetype<Block>(block).bytes = <u32>size;
  return block;
}

/** Frees a block. */
export function free(address: usize): void {
  if (address == 0) return;
  const block = address - HEAD;
  if (IS_DEBUG) assertBlock(block);
  lock(LOCK);
  let link = FREE;
  let before: usize = 0;
  let next = <usize>load<u32>(FREE);
  while (next != 0 && next < block) {
    before = next;
    link = next + NEXT;
    next = <usize>load<u32>(link);
  }
  // The block is not free already, nor inside of a free block.
  if (IS_DEBUG) assert(next != block && (before == 0 || before + <usize>changetype<Block>(before).bytes <= block));
  store<u32>(link, <u32>block);
  const given = changetype<Block>(block);
  given.next = <u32>next;
  if (next != 0 && block + <usize>given.bytes == next) {
    given.bytes += changetype<Block>(next).bytes;
    given.next = changetype<Block>(next).next;
  }
  const one = changetype<Block>(before);
  if (before != 0 && before + <usize>one.bytes == block) {
    one.bytes += given.bytes;
    one.next = given.next;
  }
  unlock(LOCK);
}

function assertBlock(block: usize): void {
  assert(block >= HEAP_START && block % UNIT == 0);
  const bytes = <usize>changetype<Block>(block).bytes;
  assert(bytes > 0 && bytes % UNIT == 0 && block + bytes <= <usize>load<u32>(TOP));
}

/** Reallocates: returns a block of `bytes` with the first `kept` bytes of the old one, and frees the old one. */
export function moved(address: usize, kept: usize, bytes: usize): usize {
  const wider = alloc(bytes);
  memory.copy(wider, address, kept);
  free(address);
  return wider;
}

/** Where the memory that was never allocated begins. */
export function heapBytes(): f64 {
  return <f64>load<u32>(TOP);
}

// The arena of this thread, a bump allocator: chunks, each of which begins with where the one before is and ends.

@unmanaged
class Chunk {
  before: usize;
  beforeEnd: usize;
}

const CHUNK: usize = 1 << 18;
let chunk: usize = 0;
let at: usize = 0;
let end: usize = 0;

/** Allocates bytes of the arena, at a multiple of 16; not initialized. */
export function take(bytes: usize): usize {
  const start = at;
  // Compared by difference, as the sum may overflow.
  if (chunk == 0 || bytes > end - start) return takeChunk(bytes);
  at = min(end, (start + bytes + 15) & ~(<usize>15));
  return start;
}

function takeChunk(bytes: usize): usize {
  const size = max(CHUNK, bytes + 32);
  const next = alloc(size);
  changetype<Chunk>(next).before = chunk;
  changetype<Chunk>(next).beforeEnd = end;
  chunk = next;
  end = next + size;
  const start = next + 16;
  at = min(end, (start + bytes + 15) & ~(<usize>15));
  return start;
}

/** Like `take`, but zeroed. */
export function takeZeros(bytes: usize): usize {
  const start = take(bytes);
  memory.fill(start, 0, bytes);
  return start;
}

/** Memory allocated after this can be freed with `release`. */
export function mark(): usize {
  if (chunk == 0) takeChunk(0);
  return at;
}

export function release(marked: usize): void {
  while (marked < chunk || marked > end) {
    if (IS_DEBUG) assert(chunk != 0);
    const before = changetype<Chunk>(chunk).before;
    const beforeEnd = changetype<Chunk>(chunk).beforeEnd;
    free(chunk);
    chunk = before;
    end = beforeEnd;
  }
  at = marked;
}

// The lock of the free list is a mutex for short critical sections: a word in the heap that is 1 while a thread holds
// it.

/** A waiting thread checks again after so many nanoseconds at the latest. */
const WAIT: i64 = 1000000;

export function lock(word: usize): void {
  while (atomic.cmpxchg<i32>(word, 0, 1) != 0) atomic.wait<i32>(word, 1, WAIT);
}

export function unlock(word: usize): void {
  atomic.store<i32>(word, 0);
  atomic.notify(word, 1);
}
