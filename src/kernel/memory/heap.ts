// The memory of the kernel, which all threads share: blocks for columns that go from one thread to another, and for each thread
// an arena for what it needs until a site, or a task, is done.
//
//   page 0   | lock | first free block | top | … | collation tables |
//   then     | block | block | … | top: what nobody has had yet
//   a block  | head | 16: what it is for |
//
// Free blocks are kept by address, so that neighbours become one again. There are few blocks, and large ones. The memory never grows: a
// thread would not know of it at once, and its `memory.fill` trap in what another thread has added.
import { refuse } from './calls';
import { fillCollation } from '../text/collation';
import { IS_DEBUG } from './debug';
import { lock, unlock } from './lock';

const LOCK: usize = 16;
const FREE: usize = 20;
const TOP: usize = 24;
const HEAP_START: usize = 65536;
@unmanaged
class Block {
  /** Head included. */
  bytes: u32;
  /** While it is free itself: the next free block. */
  next: u32;
}

const HEAD: usize = 16;
const NEXT: usize = offsetof<Block>('next');
const UNIT: usize = 64;
const MOST_BYTES: u64 = 0xffff0000;

/** To be called once, by who made the memory. */
export function openHeap(): void {
  store<u32>(TOP, <u32>HEAP_START);
  fillCollation();
}

/** Takes off what a thread that was stopped has left; it is never stopped while a list of blocks is broken. */
export function unlockHeap(): void {
  unlock(LOCK);
}

/** A block of so many bytes, at a multiple of 16; what is in it is left over from others. */
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
  // Texts are read eight bytes and more at a time, and so a little behind their block.
  if (end + UNIT > (<u64>memory.size()) << 16) return 0;
  store<u32>(TOP, <u32>end);
  changetype<Block>(block).bytes = <u32>size;
  return block;
}

/** Gives a block back. */
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
  // It is not free already, nor inside of what is.
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

/** A block of `bytes` with the first `kept` bytes of another, which is given back. */
export function moved(address: usize, kept: usize, bytes: usize): usize {
  const wider = alloc(bytes);
  memory.copy(wider, address, kept);
  free(address);
  return wider;
}

/** Where what nobody has had yet begins. */
export function heapBytes(): f64 {
  return <f64>load<u32>(TOP);
}

// The arena of this thread: chunks, each with the address of the one before at its beginning.

const CHUNK: usize = 1 << 18;
let chunk: usize = 0;
let at: usize = 0;
let end: usize = 0;

/** Bytes of the arena, at a multiple of 16; what is in them is left over from others. */
export function take(bytes: usize): usize {
  const start = at;
  // A difference, as the sum may be more than there is.
  if (chunk == 0 || bytes > end - start) return takeChunk(bytes);
  at = min(end, (start + bytes + 15) & ~(<usize>15));
  return start;
}

function takeChunk(bytes: usize): usize {
  const size = max(CHUNK, bytes + 32);
  const next = alloc(size);
  store<u32>(next, <u32>chunk);
  store<u32>(next + 4, <u32>end);
  chunk = next;
  end = next + size;
  const start = next + 16;
  at = min(end, (start + bytes + 15) & ~(<usize>15));
  return start;
}

/** The same, all 0. */
export function takeZeros(bytes: usize): usize {
  const start = take(bytes);
  memory.fill(start, 0, bytes);
  return start;
}

/** What is taken from here on can be given back with `release`. */
export function mark(): usize {
  if (chunk == 0) takeChunk(0);
  return at;
}

export function release(marked: usize): void {
  while (marked < chunk || marked > end) {
    if (IS_DEBUG) assert(chunk != 0);
    const before = <usize>load<u32>(chunk);
    const beforeEnd = <usize>load<u32>(chunk + 4);
    free(chunk);
    chunk = before;
    end = beforeEnd;
  }
  at = marked;
}
