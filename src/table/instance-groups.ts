// Counts instances in the kernel with one thread (`shared-count` uses several). Rows of instances are radix-partitioned
// by the hash of their core (kernel/count/deal); then each partition is grouped by core (kernel/count/groups) and
// counted.
import { calls, giveBack, kernel, takeU32, takeU8, u32At, u8At } from '../base/heap.js';
import type { Progress } from '../base/progress.js';
import type { RowReader } from '../base/row.js';
import type { KernelExports } from '../kernel/exports.js';
import { ROW } from '../kernel/layout/instance-row.js';
import { HEAD, KIND, PAIRS } from '../kernel/layout/pair.js';
import { blockList, type RowBlocks, type SortedRows } from './instance-rows.js';
import type { TakePairs } from './pair.js';
import type { SiteUrls } from './site-urls.js';

export interface SupportOptions {
  /** Minimum support of a likely pair (the paper's MS). */
  readonly MS: number;
}

/**
 * Partitions have about this many rows, except on the largest sites, so that the data of one fit into a core's cache.
 */
const PART_ROWS = 1 << 12;
const MOST_BITS = 10;
/** Rows that are copied from sorted runs to the kernel at a time. */
const SORTED_ROWS = 1 << 12;

/** The number of hash bits that partition the cores. */
export function partBits(rows: number): number {
  return Math.min(MOST_BITS, Math.max(0, Math.ceil(Math.log2(rows / PART_ROWS))));
}

/** The number of rows in a partition of a deal. */
export function rowsOfPart(dealt: number, part: number): number {
  const [start, end] = u32At(dealt + 4 * part, 2);
  return end! - start!;
}

/** Prepares the kernel to count this list and calls `perform`; `take` gets the addresses of the results (`Counted`). */
export function inCount(
  urls: SiteUrls,
  { MS, least }: { readonly MS: number; readonly least: number },
  take: (address: number) => void,
  perform: (exports: KernelExports) => void,
): void {
  const exports = kernel();
  urls.use();
  calls.give = take;
  exports.beginCount(MS, least);
  perform(exports);
  exports.endCount();
}

/** Counts rows in this thread. */
export function countAlone(
  urls: SiteUrls,
  rows: RowBlocks,
  { MS }: SupportOptions,
  take: TakePairs,
  progress?: Progress,
): void {
  const counted = new Counted(take);
  const bits = partBits(rows.count);
  const parts = 1 << bits;
  inCount(
    urls,
    { MS, least: 0 },
    (address) => counted.take(address),
    ({ deal, countPart }) => {
      const list = blockList(rows.blocks);
      const deals = takeU32(1);
      deals[0] = deal(list.byteOffset, rows.blocks.length, bits);
      const dealt = deals[0];
      for (let part = 0; part < parts; part++) {
        countPart(deals.byteOffset, 1, parts, part, MS);
        progress?.add(rowsOfPart(dealt, part));
      }
      giveBack({ byteOffset: dealt });
    },
  );
}

/** Counts rows of sorted runs, which come in the order of their hashes. */
export function countSorted(
  urls: SiteUrls,
  { reader, count: most }: SortedRows,
  { MS }: SupportOptions,
  take: TakePairs,
  progress?: Progress,
): void {
  const counted = new Counted(take);
  inCount(
    urls,
    { MS, least: 0 },
    (address) => counted.take(address),
    ({ beginSorted, addSorted, endSorted }) => {
      const some = takeU8(SORTED_ROWS * ROW);
      beginSorted(most);
      for (let count = fill(some, reader); count > 0; count = fill(some, reader)) {
        addSorted(some.byteOffset, count, MS);
        progress?.add(count);
      }
      endSorted(MS);
    },
  );
  reader.close();
}

/** Copies the next rows to `target`; returns how many. */
function fill(target: Uint8Array, reader: RowReader): number {
  let at = 0;
  while (at < target.length) {
    const row = reader.next();
    if (row === undefined) break;
    const { bytes, keyStart } = row;
    for (let k = 0; k < ROW; k++) target[at + k] = bytes[keyStart + k]!;
    at += ROW;
  }
  return at / ROW;
}

/**
 * The results of counting: blocks of the heap, each with its kind (kernel/layout/pair). Owns the blocks, and frees
 * those of pairs.
 */
export class Counted {
  readonly #take: TakePairs;
  readonly #branches: number[] = [];

  constructor(take: TakePairs) {
    this.#take = take;
  }

  take(address: number): void {
    const [kind, bytes] = u32At(address + KIND, 2);
    if (kind !== PAIRS) return void this.#branches.push(address);
    const block = u8At(address, bytes!);
    this.#take(block.subarray(HEAD));
    giveBack(block);
  }

  /** The next branches that have not been counted. The thread that counts them frees them. */
  nextBranches(): number | undefined {
    return this.#branches.shift();
  }
}
