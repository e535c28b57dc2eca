// A node that several threads look at, piece by piece, while one opens it. Its members stay as they are until all is done, so
// only then may its children be opened.
//
//   | pieces that are not done, and one more until it is open | has children | from | to | iLow | iHigh | side | pieces |, i32 each
//   | for each piece: address and bytes of the parts that it leaves (node-runs) |
import { alloc, free } from '../memory/heap';
import { beginParts, cutParts, joinPart, useNode, visitPiece } from './node-runs';
import { RUN } from './run-stack';

const CHILDREN: usize = 4;
export const FROM: usize = 8;
export const TO: usize = 12;
const I_LOW: usize = 16;
export const I_HIGH: usize = 20;
export const SIDE: usize = 24;
const PIECES: usize = 28;
const LEFT: usize = 32;

export function newSplitNode(from: i32, to: i32, iLow: i32, iHigh: i32, side: i32, pieces: i32): usize {
  const node = alloc(LEFT + ((<usize>pieces) << 3));
  store<i32>(node, pieces + 1);
  store<i32>(node, 0, CHILDREN);
  store<i32>(node, from, FROM);
  store<i32>(node, to, TO);
  store<i32>(node, iLow, I_LOW);
  store<i32>(node, iHigh, I_HIGH);
  store<i32>(node, side, SIDE);
  store<i32>(node, pieces, PIECES);
  return node;
}

export function setChildren(node: usize): void {
  store<i32>(node, 1, CHILDREN);
}

export function hasChildren(node: usize): bool {
  return load<i32>(node, CHILDREN) != 0;
}

/** To be asked whenever a piece is done, and when the node is open: true for the last of these. */
export function isLastPart(node: usize): bool {
  return atomic.sub<i32>(node, 1) == 1;
}

/** Visits the runs in a piece, and leaves the parts of others. */
export function visitPieceOf(node: usize, piece: i32): void {
  useSplitNode(node);
  const isLast = piece + 1 == load<i32>(node, PIECES);
  const bytes = visitPiece(startOf(node, piece), startOf(node, piece + 1), piece == 0, isLast);
  const parts = alloc(bytes);
  memory.copy(parts, cutParts(), bytes);
  store<u32>(leftBy(node, piece), <u32>parts);
  store<u32>(leftBy(node, piece), <u32>bytes, 4);
}

/** Visits the runs that reach over an end of a piece, once all pieces are done. */
export function joinPieces(node: usize): void {
  useSplitNode(node);
  beginParts(load<i32>(node, FROM));
  const pieces = load<i32>(node, PIECES);
  for (let piece = 0; piece < pieces; piece++) {
    const parts = <usize>load<u32>(leftBy(node, piece));
    const end = parts + <usize>load<u32>(leftBy(node, piece), 4);
    for (let part = parts; part < end; part += RUN) {
      joinPart(part, part + RUN < end ? load<i32>(part + RUN, 4) : startOf(node, piece + 1));
    }
    free(parts);
  }
}

function useSplitNode(node: usize): void {
  useNode(load<i32>(node, SIDE), load<i32>(node, I_LOW), load<i32>(node, I_HIGH));
}

function startOf(node: usize, piece: i32): i32 {
  const from = load<i32>(node, FROM);
  const members = <i64>(load<i32>(node, TO) - from);
  return from + <i32>((members * piece) / load<i32>(node, PIECES));
}

function leftBy(node: usize, piece: i32): usize {
  return node + LEFT + ((<usize>piece) << 3);
}
