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
//
// The kernel walks (kernel/walk/walk); threads that walk together share what there is to do.
import { calls, kernel, takeI32, takeU16, type Calls } from '../base/heap.js';
import type { UrlOrder } from './order.js';

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
  /** The members of open nodes, each node a range, in backward order; and last tokens shared with the one before. */
  readonly member: Int32Array;
  readonly shared: Uint16Array;
  /** Those of their children, and of the children of these the former again. */
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

/** A walk that threads can join: nodes of more than `most` members are shared by them. It is to be ended. */
export function newWalk(columns: WalkColumns, { S, T_high }: BucketOptions, most: number): number {
  const { tokens, sharedFirst, childOf, member, shared, nextMember, nextShared } = columns;
  const all = [tokens, sharedFirst, childOf, member, shared, nextMember, nextShared] as const;
  const addresses = all.map((column) => column.byteOffset) as Seven;
  const exports = kernel();
  const walk = exports.newWalk(...addresses, tokens.length, S, T_high, most) >>> 0;
  exports.addRoot(walk);
  return walk;
}

type Seven = [number, number, number, number, number, number, number];

/** Gives back what threads shared of a walk: none is walking any more. */
export function endWalk(walk: number): void {
  kernel().endWalk(walk);
}

export interface Walker {
  /** Buckets are written down, for JavaScript to look at (kernel/walk/bucket), or instances are made of them (kernel/instances/repeat). */
  readonly buckets: 'written down' | 'made instances';
  /** Gets what comes of them. */
  readonly take: Calls['give'];
  /** So many rows more are done by this thread; now and then nothing is new. */
  readonly tell: (rows: number) => void;
}

/** Walks until all is done, by this thread or others. Takes from the arena of this thread. */
export function joinWalk(walk: number, { buckets, take, tell }: Walker): void {
  const exports = kernel();
  calls.give = take;
  exports.beginBuckets(Number(buckets === 'written down'));
  exports.beginWalk(walk);
  for (let rows = exports.walkOn(); rows >= 0; rows = exports.walkOn()) tell(rows);
  exports.beginBuckets(0);
}

/** More members than any node has. */
export const UNSHARED = 0x7fffffff;
