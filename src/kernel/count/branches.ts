// A block of branches: children of one node, with all the data that a thread needs to grow them.
//
//   | 1 u32 | its bytes u32 | - | - | group (group.ts) | core bytes i32 |
//   | side: 1 left | forks | contexts | first | closed |
//   | shapes … | from … | to … | core offset … | shape … | contexts … | forks … |
//
//   group      has the instances of these children only, one child after the other
//   contexts   for right children: the left chain above them, bytes by token from `first` on
import { give } from '../memory/calls';
import { ENTRY, indexOf } from './column';
import {
  allShapesOf,
  coreOffsetAt,
  fromAt,
  GROUP,
  SHAPE,
  shapeNumberAt,
  shapesOf,
  sizeOf,
  toAt,
  writeGroup,
} from './group';
import { alloc } from '../memory/heap';
import { BRANCHES, BYTES, HEAD } from '../layout/pair';
import { closedOf, contextsOf, firstOf, leftSide, openChain } from './side';
import { nextNode, Node, pushNode } from './stack';

/** A node that is still to be grown (stack). */
@unmanaged
class Fork {
  instances: i32;
  tokens: i32;
  bytes: i32;
  closed: i32;
}

const CORE_BYTES: usize = GROUP + HEAD;
const SIDE: usize = CORE_BYTES + 4;
const FORKS: usize = CORE_BYTES + 8;
const CONTEXTS: usize = CORE_BYTES + 12;
const FIRST: usize = CORE_BYTES + 16;
const CLOSED: usize = CORE_BYTES + 20;
const FIXED: usize = CORE_BYTES + 24;
const FORK: usize = offsetof<Fork>();
/** Bytes per instance, in all columns. */
const COLUMNS: usize = 16;

/**
 * Splits off the nodes [first, end) of the stack, except `kept`. `contexts` is the length of the left chain, or 0 for
 * left nodes.
 */
export function handOn(group: usize, coreBytes: i32, contexts: i32, first: usize, end: usize, kept: usize): void {
  let count = 0;
  let forks = 0;
  for (let node = first; node < end; node = nextNode(node)) {
    if (node == kept) continue;
    count += changetype<Node>(node).entries;
    forks++;
  }
  const shapes = shapesOf(group);
  const columns = FIXED + <usize>shapes * SHAPE;
  const bytes = columns + <usize>count * COLUMNS + ((<usize>contexts) << 2) + <usize>forks * FORK;
  const block = alloc(bytes);
  store<u32>(block, BRANCHES);
  store<u32>(block, <u32>bytes, BYTES);
  store<i32>(block, coreBytes, CORE_BYTES);
  store<i32>(block, i32(contexts == 0), SIDE);
  store<i32>(block, forks, FORKS);
  store<i32>(block, contexts, CONTEXTS);
  store<i32>(block, firstOf(leftSide()), FIRST);
  store<i32>(block, closedOf(leftSide()), CLOSED);
  memory.copy(block + FIXED, allShapesOf(group), <usize>shapes * SHAPE);
  const column = (<usize>count) << 2;
  const from = block + columns;
  const chain = from + 4 * column;
  writeGroup(block + HEAD, count, from, from + column, from + 2 * column, from + 3 * column, shapes, block + FIXED);
  memory.copy(chain, contextsOf(leftSide()), (<usize>contexts) << 2);
  let fork = chain + ((<usize>contexts) << 2);
  let at = from;
  for (let node = first; node < end; node = nextNode(node)) {
    if (node == kept) continue;
    const grown = changetype<Node>(node);
    at = copyInstances(group, grown.start, grown.end, at, column);
    const to = changetype<Fork>(fork);
    to.instances = grown.entries;
    to.tokens = grown.tokens;
    to.bytes = grown.bytes;
    to.closed = grown.closed;
    fork += FORK;
  }
  give(block, bytes);
}

function copyInstances(group: usize, start: usize, end: usize, to: usize, column: usize): usize {
  for (let entry = start; entry < end; entry += ENTRY, to += 4) {
    const index = indexOf(entry);
    store<i32>(to, fromAt(group, index));
    store<i32>(to + column, toAt(group, index));
    store<i32>(to + 2 * column, coreOffsetAt(group, index));
    store<i32>(to + 3 * column, shapeNumberAt(group, index));
  }
  return to;
}

// Accessors of a block of branches:

export function groupOf(block: usize): usize {
  return block + HEAD;
}

export function coreBytesOf(block: usize): i32 {
  return load<i32>(block, CORE_BYTES);
}

export function isOfLeft(block: usize): bool {
  return load<i32>(block, SIDE) != 0;
}

/** Restores the left chain of the right children of this block; returns the tokens of its last context. */
export function readChain(block: usize): i32 {
  const contexts = load<i32>(block, CONTEXTS);
  const first = load<i32>(block, FIRST);
  const to = openChain(leftSide(), first, contexts, load<i32>(block, CLOSED));
  memory.copy(to, chainOf(block), (<usize>contexts) << 2);
  return first + contexts - 1;
}

/** Pushes the nodes, with their entries in a column. */
export function pushForks(block: usize, column: usize): void {
  let fork = chainOf(block) + ((<usize>load<i32>(block, CONTEXTS)) << 2);
  let start = column;
  for (let left = load<i32>(block, FORKS); left > 0; left--, fork += FORK) {
    const from = changetype<Fork>(fork);
    const end = start + <usize>from.instances * ENTRY;
    pushNode(start, end, from.tokens, from.bytes, from.closed);
    start = end;
  }
}

function chainOf(block: usize): usize {
  const group = groupOf(block);
  return block + FIXED + <usize>shapesOf(group) * SHAPE + <usize>sizeOf(group) * COLUMNS;
}
