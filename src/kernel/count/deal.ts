// Radix partitioning: rows of instances are partitioned by the last bits of the hash of their core, so that the rows of
// a partition, and the data on its cores, fit into the cache of the one thread that counts it. Each thread partitions
// some blocks of rows.
//
//   a deal     | by part: where its entries begin u32 × parts | how many entries there are u32 | … | entries |
//   an entry   | hash of the core u64 | place u32 | from u32 |      the last two are a number that sorts by `from`
//   a place    the address of the row; its lowest bit says whether the row is a witness
//
// A row is read again only if enough witnesses have its core.
import { alloc } from '../memory/heap';
import { fromOfRow, hashOfRow, witnessOfRow } from '../instances/row';
import { ROW } from '../layout/instance-row';

@unmanaged
export class Entry {
  /** The hash of the core; then its number (cores). */
  hash: u64;
  place: u32;
  from: u32;
}

export const ENTRY: usize = offsetof<Entry>();

/** A block of rows. */
@unmanaged
class Block {
  at: usize;
  bytes: usize;
}

/**
 * Partitions the rows of `count` blocks, each given as | address u32 | bytes u32 |, into 2^bits parts; returns a block
 * of the heap.
 */
export function deal(blocks: usize, count: i32, bits: i32): usize {
  const parts = 1 << bits;
  const end = blocks + ((<usize>count) << 3);
  let bytes: usize = 0;
  for (let block = blocks; block < end; block += 8) bytes += changetype<Block>(block).bytes;
  const dealt = alloc(headBytes(parts) + (bytes / ROW) * ENTRY);
  memory.fill(dealt, 0, headBytes(parts));
  for (let block = blocks; block < end; block += 8) countRows(dealt, block, parts);
  sumUp(dealt, parts);
  for (let block = blocks; block < end; block += 8) dealRows(dealt, block, parts);
  return dealt;
}

function headBytes(parts: i32): usize {
  return ((<usize>parts + 1) * 4 + 15) & ~(<usize>15);
}

function countRows(dealt: usize, block: usize, parts: i32): void {
  const mask = <u64>(parts - 1);
  const end = endOfBlock(block);
  for (let row = <usize>load<u32>(block); row < end; row += ROW) {
    const at = dealt + ((<usize>(hashOfRow(row) & mask)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Turns each count into the end of the entries of its part. */
function sumUp(dealt: usize, parts: i32): void {
  let sum: u32 = 0;
  const end = dealt + ((<usize>parts) << 2);
  for (let at = dealt; at < end; at += 4) {
    sum += load<u32>(at);
    store<u32>(at, sum);
  }
  store<u32>(end, sum);
}

/** Fills each part from its end, so that the ends become beginnings. */
function dealRows(dealt: usize, block: usize, parts: i32): void {
  const mask = <u64>(parts - 1);
  const entries = dealt + headBytes(parts);
  const end = endOfBlock(block);
  for (let row = <usize>load<u32>(block); row < end; row += ROW) {
    const hash = hashOfRow(row);
    const at = dealt + ((<usize>(hash & mask)) << 2);
    const number = load<u32>(at) - 1;
    store<u32>(at, number);
    const entry = changetype<Entry>(entries + <usize>number * ENTRY);
    entry.hash = hash;
    entry.place = (<u32>row) | witnessOfRow(row);
    entry.from = fromOfRow(row);
  }
}

/** Where the entries of a part begin; for `parts`, where those of the last part end. */
export function entriesOf(dealt: usize, parts: i32, part: i32): usize {
  return dealt + headBytes(parts) + <usize>load<u32>(dealt + ((<usize>part) << 2)) * ENTRY;
}

/**
 * Copies the rows of `count` blocks to `target`, partitioned into 2^bits parts by the first bits of their hashes;
 * writes after which row each part ends to `ends`. For sites whose rows do not fit in memory.
 */
export function partition(blocks: usize, count: i32, bits: i32, target: usize, ends: usize): void {
  const parts = 1 << bits;
  const shift = <u64>(64 - bits);
  const last = blocks + ((<usize>count) << 3);
  memory.fill(ends, 0, (<usize>parts) << 2);
  for (let block = blocks; block < last; block += 8) {
    const end = endOfBlock(block);
    for (let row = <usize>load<u32>(block); row < end; row += ROW) {
      const at = ends + ((<usize>(hashOfRow(row) >> shift)) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
  // Each count becomes the start of its part, then a cursor, and in the end the end of the part.
  let sum: u32 = 0;
  for (let at = ends; at < ends + ((<usize>parts) << 2); at += 4) {
    const rows = load<u32>(at);
    store<u32>(at, sum);
    sum += rows;
  }
  for (let block = blocks; block < last; block += 8) {
    const end = endOfBlock(block);
    for (let row = <usize>load<u32>(block); row < end; row += ROW) {
      const at = ends + ((<usize>(hashOfRow(row) >> shift)) << 2);
      const number = load<u32>(at);
      store<u32>(at, number + 1);
      memory.copy(target + <usize>number * ROW, row, ROW);
    }
  }
}

function endOfBlock(block: usize): usize {
  return changetype<Block>(block).at + changetype<Block>(block).bytes;
}
