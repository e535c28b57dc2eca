// The stack of nodes still to be grown, those of a right tree above those of the left one. Explicit instead of
// recursion, since trees may be as deep as URLs have tokens.
//
//   a node   | entries from u32, to u32 | tokens of its context | bytes | 1 if that takes in START, or END |     i32
import { ENTRY } from './column';
import { room, STACK } from '../memory/rooms';

const NODE: usize = 20;
const LEAST_NODES: usize = 64;

let nodes: usize = 0;
let nodesEnd: usize = 0;
/** Bytes that are used. */
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
  const node = nodes + depth;
  depth += NODE;
  store<u32>(node, <u32>start);
  store<u32>(node, <u32>end, 4);
  store<i32>(node, tokens, 8);
  store<i32>(node, bytes, 12);
  store<i32>(node, closed, 16);
}

/** The node on top, which is valid until the next is pushed. */
export function popNode(): usize {
  depth -= NODE;
  return nodes + depth;
}

export function startOf(node: usize): usize {
  return <usize>load<u32>(node);
}

export function endOf(node: usize): usize {
  return <usize>load<u32>(node, 4);
}

export function entriesOf(node: usize): i32 {
  return <i32>((endOf(node) - startOf(node)) / ENTRY);
}

export function tokensOf(node: usize): i32 {
  return load<i32>(node, 8);
}

export function bytesOf(node: usize): i32 {
  return load<i32>(node, 12);
}

export function isClosed(node: usize): i32 {
  return load<i32>(node, 16);
}

// The nodes from some depth on:

export function firstNode(from: usize): usize {
  return nodes + from;
}

export function endNode(): usize {
  return nodes + depth;
}

export function nextNode(node: usize): usize {
  return node + NODE;
}

/** Leaves one of the nodes from some depth on. */
export function keepNode(from: usize, node: usize): void {
  memory.copy(nodes + from, node, NODE);
  depth = from + NODE;
}
