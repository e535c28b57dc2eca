// The stack of nodes still to be grown, those of a right tree above those of the left one. Explicit instead of
// recursion, since trees may be as deep as URLs have tokens.
import { ENTRY } from './column';
import { room, STACK } from '../memory/rooms';

@unmanaged
export class Node {
  /** Its entries. */
  start: usize;
  end: usize;
  /** Of its context. */
  tokens: i32;
  bytes: i32;
  /** 1 if that takes in START, or END. */
  closed: i32;

  get entries(): i32 {
    return <i32>((this.end - this.start) / ENTRY);
  }
}

const NODE: usize = offsetof<Node>();
const LEAST_NODES: usize = 64;

let nodes: usize = 0;
let nodesEnd: usize = 0;
/** Bytes in use. */
export let depth: usize = 0;

export function clearStack(): void {
  depth = 0;
  nodes = room(STACK, LEAST_NODES * NODE, 0);
  nodesEnd = LEAST_NODES * NODE;
}

export function pushNode(start: usize, end: usize, tokens: i32, bytes: i32, closed: i32): void {
  if (depth == nodesEnd) {
    nodesEnd *= 2;
    nodes = room(STACK, nodesEnd, depth);
  }
  const node = changetype<Node>(nodes + depth);
  depth += NODE;
  node.start = start;
  node.end = end;
  node.tokens = tokens;
  node.bytes = bytes;
  node.closed = closed;
}

/** The node on top, which is valid until the next is pushed. */
export function popNode(): Node {
  depth -= NODE;
  return changetype<Node>(nodes + depth);
}

// The nodes above some depth:

export function firstNode(from: usize): usize {
  return nodes + from;
}

export function endNode(): usize {
  return nodes + depth;
}

export function nextNode(node: usize): usize {
  return node + NODE;
}

/** Keeps only one of the nodes above some depth. */
export function keepNode(from: usize, node: usize): void {
  memory.copy(nodes + from, node, NODE);
  depth = from + NODE;
}
