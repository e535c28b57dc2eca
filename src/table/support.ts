// The rule table RT of Figure 1: the support of every pair (α, β) that reaches MS. The kernel counts it (kernel/support): here
// groups of instances go there, and what it hands over comes back.
//
//   a block   | 0: pairs, 1: branches | its bytes | - | - | pairs, each behind its length … |      u32; pairs as in `writePair`
import { calls, giveBack, inArena, kernel, takeI32, u32At, u8At } from '../base/heap.js';
import { readU32 } from '../base/spill.js';
import type { Instances } from './instance-columns.js';
import { readPair, type Pair } from './pair.js';
import type { Shapes } from './shape.js';
import type { SiteUrls } from './site-urls.js';

export interface SupportOptions {
  /** Least support of a likely pair (the paper's MS). */
  readonly MS: number;
}

/** Children of a node of a tree, for any thread: a block of the heap, which is given back when it was counted. */
export interface Branches {
  readonly address: number;
}

/** Who takes branches of about `least` instances. */
export interface HandOn {
  readonly least: number;
  readonly take: (branches: Branches) => void;
}

interface SupportExports {
  beginCount(MS: number, least: number): void;
  countGroup(group: number): void;
  countBranches(block: number): void;
  endCount(): void;
}

const HEAD = 16;
const PAIRS = 0;

/** Calls `emit` for every pair with low >= MS in the groups it is given: instances whose cores have one hash. */
export function createSupport(
  urls: SiteUrls,
  options: SupportOptions,
  emit: (pair: Pair) => void,
  handOn?: HandOn,
): (group: Instances) => void {
  const count = counting(urls, options, emit, handOn);
  return (group) => inArena(() => count((trees) => trees.countGroup(inHeap(group))));
}

/** Counts what a node has handed on. */
export function countBranches(
  urls: SiteUrls,
  options: SupportOptions,
  emit: (pair: Pair) => void,
  handOn: HandOn,
  { address }: Branches,
): void {
  counting(urls, options, emit, handOn)((trees) => trees.countBranches(address));
}

function counting(
  urls: SiteUrls,
  { MS }: SupportOptions,
  emit: (pair: Pair) => void,
  handOn: HandOn | undefined,
): (count: (trees: SupportExports) => void) => void {
  const trees = kernel<SupportExports>();
  const take = (address: number, bytes: number) => {
    const isPairs = u32At(address, 1)[0] === PAIRS;
    if (!isPairs) return handOn?.take({ address });
    const block = u8At(address, bytes);
    emitAll(block, emit);
    giveBack(block);
  };
  return (count) => {
    urls.use();
    calls.take = take;
    trees.beginCount(MS, handOn?.least ?? 0);
    count(trees);
    trees.endCount();
  };
}

function emitAll(bytes: Uint8Array, emit: (pair: Pair) => void): void {
  for (let at = HEAD; at < bytes.length;) {
    const keyEnd = at + 4;
    const end = keyEnd + readU32(bytes, at);
    emit(readPair({ bytes, keyStart: at, keyEnd, end }));
    at = end;
  }
}

/** Where a copy of a group is, in the arena of this thread. */
function inHeap({ count, from, to, coreOffset, shape, shapes }: Instances): number {
  const columns = [from, to, coreOffset, shape].map((column) => addressOf(column.subarray(0, count)));
  return addressOf([count, ...columns, shapes.count, addressOf(shapesOf(shapes))]);
}

function addressOf(words: ArrayLike<number>): number {
  const copy = takeI32(words.length);
  copy.set(words);
  return copy.byteOffset;
}

function shapesOf(shapes: Shapes): Int32Array {
  const { fromBytes, toBytes, aLow, aHigh, bLow, bHigh, eLow, eHigh, flags } = shapes;
  const columns = [fromBytes, toBytes, aLow, aHigh, bLow, bHigh, eLow, eHigh, flags];
  const all = new Int32Array(columns.length * shapes.count);
  for (let shape = 0; shape < shapes.count; shape++) {
    columns.forEach((column, k) => (all[columns.length * shape + k] = column[shape]!));
  }
  return all;
}
