// The substring table ST of Figure 1, never written out: which URLs stand together in a bucket?
//
// The bucket of envelope ([0, i), [j from the end, end)) is the set of URLs that share the first i tokens and the last j,
// with 0 to S tokens between. So only shared first parts need enumerating and, within each, shared last parts:
//
//   node   all URLs with one first part. A chain of nodes with one child is one node with a range of i. Its members are
//          a range of forward rows, held in backward order, each with the last tokens shared with the one before it.
//   run    neighbours in a node that share at least j last tokens, as many as there are; again with a range of j.
//
// A node and a run make a rectangle of envelopes (i, j) with the same URLs in the bucket, but for their lengths: URL u is
// in only where d = i + j leaves between 0 and S tokens of it. Where that cuts, the rectangle is split by d.
import { takeI32, takeU16 } from '../base/heap.js';
import { PROGRESS_MASK, type Progress } from '../base/progress.js';
import type { UrlOrder } from './order.js';
import { RunStack } from './run-stack.js';
import { NodeRuns } from './node-runs.js';

/** Envelopes with one bucket: i first tokens, j last tokens, d = i + j, all ends included. */
export interface Box {
  iLow: number;
  iHigh: number;
  jLow: number;
  jHigh: number;
  dLow: number;
  dHigh: number;
}

/** Called with members[0, size), 2 <= size <= T_high, and the envelopes whose bucket they are. Both are reused. */
export type BucketVisitor = (members: Int32Array, size: number, box: Readonly<Box>) => void;

export interface BucketOptions {
  /** Longest substring in tokens, START and END included (the paper's S). */
  readonly S: number;
  /** Largest bucket that is looked at. */
  readonly T_high: number;
}

/** What the walk works on. Subtrees have ranges of their own in all columns, so that threads can walk them at once. */
export interface WalkColumns {
  readonly tokens: Uint16Array;
  readonly sharedFirst: Uint16Array;
  /** The members of all open nodes, each node a range, in backward order; and last tokens shared with the one before. */
  readonly member: Int32Array;
  readonly shared: Uint16Array;
  readonly nextMember: Int32Array;
  readonly nextShared: Uint16Array;
  /** By forward row: the child it goes to, or -1 where it would be alone there. */
  readonly childOf: Int32Array;
}

/** The columns for one walk, which uses up the backward order; new ones are in the arena of this thread. */
export function walkColumns(order: UrlOrder): WalkColumns {
  const { tokens, sharedFirst, backward: member, sharedLast: shared } = order;
  return {
    tokens,
    sharedFirst,
    member,
    shared,
    nextMember: takeI32(member.length),
    nextShared: takeU16(member.length),
    childOf: takeI32(member.length),
  };
}

/** Nodes that are still to be walked, four numbers each: [from, to) of the members, the first forward row, the least i. */
export type Nodes = number[];

type Node = [from: number, to: number, firstRow: number, iLow: number];

/** Visits every bucket of 2 to T_high substrings, each envelope once. Uses up the backward order. */
export function eachBucket(order: UrlOrder, options: BucketOptions, visit: BucketVisitor, progress?: Progress): void {
  const columns = walkColumns(order);
  eachBucketIn(columns, options, rootOf(columns), visit, progress);
}

/** Visits the buckets of these nodes and all nodes in them. `progress` is told of rows, of all nodes of a site. */
export function eachBucketIn(
  columns: WalkColumns,
  options: BucketOptions,
  nodes: Nodes,
  visit: BucketVisitor,
  progress?: Progress,
): void {
  const opening = new Opening(columns);
  const runs = new NodeRuns(columns, options, visit);
  // Nodes are taken from the last row on to the first: rows from here on are done.
  let rowsLeft = columns.sharedFirst.length;
  while (nodes.length > 0) {
    if (progress !== undefined) {
      const [from, to, firstRow] = nodes.slice(-4) as Node;
      const done = rowsLeft - (firstRow + to - from);
      if (done > PROGRESS_MASK) {
        progress.add(done);
        rowsLeft -= done;
      }
    }
    opening.open(nodes, runs);
  }
}

/** Visits the buckets of one node, but of none in it. */
export function eachBucketOf(columns: WalkColumns, options: BucketOptions, node: Nodes, visit: BucketVisitor): void {
  const [from, to, firstRow, iLow] = node as Node;
  const iHigh = sharedByAll(columns.sharedFirst, firstRow, firstRow + to - from);
  new NodeRuns(columns, options, visit).visit(from, to, iLow, iHigh);
}

/** Puts the children of a node in place of it, and gives them. */
export function openNode(columns: WalkColumns, [...node]: Nodes): Nodes {
  new Opening(columns).open(node);
  return node;
}

export function rootOf({ tokens }: Pick<UrlOrder, 'tokens'>): Nodes {
  return tokens.length < 2 ? [] : [0, tokens.length, 0, 0];
}

function sharedByAll(sharedFirst: Uint16Array, firstRow: number, endRow: number): number {
  let least = sharedFirst[firstRow + 1]!;
  for (let row = firstRow + 2; row < endRow; row++) if (sharedFirst[row]! < least) least = sharedFirst[row]!;
  return least;
}

class Opening {
  readonly #sharedFirst: Uint16Array;
  readonly #member: Int32Array;
  readonly #shared: Uint16Array;
  readonly #nextMember: Int32Array;
  readonly #nextShared: Uint16Array;
  readonly #childOf: Int32Array;
  readonly #runs = new RunStack(64);

  constructor(columns: WalkColumns) {
    this.#sharedFirst = columns.sharedFirst;
    this.#member = columns.member;
    this.#shared = columns.shared;
    this.#nextMember = columns.nextMember;
    this.#nextShared = columns.nextShared;
    this.#childOf = columns.childOf;
  }

  /** Takes the last node off, has its runs visited, and puts its children there. */
  open(nodes: Nodes, runs?: NodeRuns): void {
    const iLow = nodes.pop()!;
    const firstRow = nodes.pop()!;
    const to = nodes.pop()!;
    const from = nodes.pop()!;
    const iHigh = sharedByAll(this.#sharedFirst, firstRow, firstRow + to - from);
    runs?.visit(from, to, iLow, iHigh);
    if (to - from > 2) this.#openChildren(from, to, firstRow, iHigh, nodes);
  }

  /** Puts the children of a node, which share more than iHigh tokens, in place of it. The order is kept (a stable partition). */
  #openChildren(from: number, to: number, firstRow: number, iHigh: number, nodes: Nodes): void {
    const sharedFirst = this.#sharedFirst;
    const endRow = firstRow + to - from;
    const cursors: number[] = [];
    let at = from;
    for (let row = firstRow; row < endRow;) {
      let end = row + 1;
      while (end < endRow && sharedFirst[end]! > iHigh) end++;
      const child = end - row > 1 ? cursors.length : -1;
      for (let k = row; k < end; k++) this.#childOf[k] = child;
      if (child >= 0) {
        nodes.push(at, at + end - row, row, iHigh + 1);
        cursors.push(at);
        at += end - row;
      }
      row = end;
    }
    if (cursors.length > 0) this.#partition(from, to, cursors, at);
  }

  #partition(from: number, to: number, cursors: number[], end: number): void {
    const last = new Int32Array(cursors.length).fill(-1);
    // Least of #shared over (p, k] for any p: the first entry after p of a stack that rises to k.
    const runs = this.#runs;
    runs.depth = 0;
    for (let k = from; k < to; k++) {
      const here = this.#shared[k]!;
      while (runs.depth > 0 && runs.topShared() >= here) runs.depth--;
      runs.add(here, k);
      const row = this.#member[k]!;
      const child = this.#childOf[row]!;
      if (child < 0) continue;
      const slot = cursors[child]!++;
      this.#nextMember[slot] = row;
      this.#nextShared[slot] = last[child]! < 0 ? 0 : runs.leastAfter(last[child]!);
      last[child] = k;
    }
    this.#member.set(this.#nextMember.subarray(from, end), from);
    this.#shared.set(this.#nextShared.subarray(from, end), from);
  }
}
