// The stack of nodes that are still to be grown: nodes of the right tree lie above those of the left tree. It is
// explicit because trees may be as deep as URLs have tokens, too deep for recursion.
import { ENTRY } from './column';
import { room, STACK } from '../memory/rooms';

@unmanaged
export class Node {
  /** The range of its entries. */
  start: usize;
  end: usize;
  /** The length of its context. */
  tokens: i32;
  bytes: i32;
  /** 1 if the context includes START, or END. */
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

/** The top node. It is valid until the next push. */
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

/** Drops all nodes above some depth except one. */
export function keepNode(from: usize, node: usize): void {
  memory.copy(nodes + from, node, NODE);
  depth = from + NODE;
}
