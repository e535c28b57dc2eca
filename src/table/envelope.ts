// The substring table ST of Figure 1, which is never materialized: finds the URLs that share a bucket.
//
// The bucket of envelope ([0, i), [j from the end, end)) is the set of URLs that share the first i tokens and the last
// j, with 0 to S tokens between. So only shared first parts need enumerating and, within each, shared last parts:
//
//   node   all URLs with one first part. A chain of nodes with one child is one node with a range of i. Its members are
//          a range of forward rows, stored in backward order, each with the last tokens it shares with the one before.
//   run    neighbours in a node that share at least j last tokens, as many as possible; also with a range of j.
//
// A node and a run make a rectangle of envelopes (i, j) whose buckets have the same URLs, except for their lengths: a
// URL is in a bucket only if d = i + j leaves 0 to S tokens of it. Where that excludes a URL, the rectangle is split by
// d.
//
// The kernel does the walk (kernel/walk/walk); several threads can share it.
import { calls, kernel, takeI32, takeU16, type Calls } from '../base/heap.js';
import type { UrlOrder } from './order.js';

/** Envelopes with the same bucket: i first tokens, j last tokens, d = i + j; all bounds are included. */
export interface Box {
  iLow: number;
  iHigh: number;
  jLow: number;
  jHigh: number;
  dLow: number;
  dHigh: number;
}

export interface BucketOptions {
  /** Longest substring in tokens, START and END included (the paper's S). */
  readonly S: number;
  /** Largest bucket that is considered. */
  readonly T_high: number;
}

/**
 * The columns of the walk. Subtrees have disjoint ranges in all columns, so that threads can walk them concurrently.
 */
export interface WalkColumns {
  readonly tokens: Uint16Array;
  readonly sharedFirst: Uint16Array;
  /**
   * The members of open nodes, each node a range in backward order; and the last tokens each shares with the one
   * before.
   */
  readonly member: Int32Array;
  readonly shared: Uint16Array;
  /** The same for the children of these nodes. Their children use the columns above again (double buffering). */
  readonly nextMember: Int32Array;
  readonly nextShared: Uint16Array;
  /** By forward row: the child that the row belongs to, or -1 if it would be alone there. */
  readonly childOf: Int32Array;
  /** By forward row: 1 for URLs of a crawler trap. */
  readonly traps: Uint8Array;
}

/** The columns of one walk, which overwrites the backward order. New columns are in the arena of this thread. */
export function walkColumns(order: UrlOrder): WalkColumns {
  const { tokens, sharedFirst, backward: member, sharedLast: shared, traps } = order;
  return {
    tokens,
    sharedFirst,
    member,
    shared,
    nextMember: takeI32(member.length),
    nextShared: takeU16(member.length),
    childOf: takeI32(member.length),
    traps,
  };
}

/** A walk that threads can join. They share nodes with more than `most` members. End it with `endWalk`. */
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

/** Frees what threads shared of a walk. Call it when no thread walks any more. */
export function endWalk(walk: number): void {
  kernel().endWalk(walk);
}

interface Walker {
  /** Buckets are written out for JavaScript (kernel/walk/bucket), or become instances (kernel/instances/repeat). */
  readonly buckets: 'written down' | 'made instances';
  /** Receives the results. */
  readonly take: Calls['give'];
  /** Gets the number of rows that this thread has finished; sometimes 0. */
  readonly tell: (rows: number) => void;
}

/** Walks until all nodes are done, by this thread or others. Uses the arena of this thread. */
export function joinWalk(walk: number, { buckets, take, tell }: Walker): void {
  const exports = kernel();
  calls.give = take;
  exports.beginBuckets(Number(buckets === 'written down'));
  exports.beginWalk(walk);
  for (let rows = exports.walkOn(); rows >= 0; rows = exports.walkOn()) tell(rows);
  exports.beginBuckets(0);
}

/** A `most` that no node exceeds. */
export const UNSHARED = 0x7fffffff;
