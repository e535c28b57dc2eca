// A node that several threads scan, piece by piece, while another thread opens it. Its members must not move until all
// pieces are done, so its children are opened only then.
import { alloc, free } from '../memory/heap';
import { beginParts, cutParts, joinPart, useNode, visitPiece } from './node-runs';
import { RUN, Run } from './run-stack';

/** The results of each piece follow it in memory. */
@unmanaged
export class SplitNode {
  /** Number of pieces that are not done, plus one until the node is open. */
  undone: i32;
  hasChildren: i32;
  from: i32;
  to: i32;
  iLow: i32;
  iHigh: i32;
  side: i32;
  pieces: i32;
}

/** The parts of runs that one piece leaves (node-runs), in a block. */
@unmanaged
class Left {
  parts: usize;
  bytes: usize;
}

export function newSplitNode(from: i32, to: i32, iLow: i32, iHigh: i32, side: i32, pieces: i32): SplitNode {
  const node = changetype<SplitNode>(alloc(offsetof<SplitNode>() + <usize>pieces * offsetof<Left>()));
  node.undone = pieces + 1;
  node.hasChildren = 0;
  node.from = from;
  node.to = to;
  node.iLow = iLow;
  node.iHigh = iHigh;
  node.side = side;
  node.pieces = pieces;
  return node;
}

/** Call this when a piece is done, and when the node is open. True for the last of these calls. */
export function isLastPart(node: SplitNode): bool {
  return atomic.sub<i32>(changetype<usize>(node), 1) == 1;
}

/** Visits the runs inside of a piece, and stores the parts of the others. */
export function visitPieceOf(node: SplitNode, piece: i32): void {
  useSplitNode(node);
  const isLast = piece + 1 == node.pieces;
  const bytes = visitPiece(startOf(node, piece), startOf(node, piece + 1), piece == 0, isLast);
  const parts = alloc(bytes);
  memory.copy(parts, cutParts(), bytes);
  const left = leftBy(node, piece);
  left.parts = parts;
  left.bytes = bytes;
}

/** Visits the runs that cross the end of a piece, once all pieces are done. */
export function joinPieces(node: SplitNode): void {
  useSplitNode(node);
  beginParts(node.from);
  const pieces = node.pieces;
  for (let piece = 0; piece < pieces; piece++) {
    const left = leftBy(node, piece);
    const parts = left.parts;
    const end = parts + left.bytes;
    for (let part = parts; part < end; part += RUN) {
      const next = part + RUN;
      joinPart(changetype<Run>(part), next < end ? changetype<Run>(next).left : startOf(node, piece + 1));
    }
    free(parts);
  }
}

function useSplitNode(node: SplitNode): void {
  useNode(node.side, node.iLow, node.iHigh);
}

function startOf(node: SplitNode, piece: i32): i32 {
  const from = node.from;
  const members = <i64>(node.to - from);
  return from + <i32>((members * piece) / node.pieces);
}

function leftBy(node: SplitNode, piece: i32): Left {
  return changetype<Left>(changetype<usize>(node) + offsetof<SplitNode>() + <usize>piece * offsetof<Left>());
}
