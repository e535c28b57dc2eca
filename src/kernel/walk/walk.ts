// The walk over all nodes of a site (table/envelope). One thread walks a small subtree. A larger node is opened, and
// its children become tasks. The largest nodes are split, so that several threads scan their pieces.
//
//   a list    nodes in rows [from, to), with their descendants: each shares more first tokens than all of them do
//   a node    members [from, to) of one side, which share iLow to iHigh first tokens; its rows have the same numbers
//   a piece   of a split node, by number
import { endBuckets } from './bucket';
import { beginChildren, openNode } from './children';
import { free, take } from '../memory/heap';
import { beginRuns, useNode, visitNode } from './node-runs';
import { endOfRange, sharedByAll } from './row-ranges';
import { SplitNode, isLastPart, joinPieces, newSplitNode, visitPieceOf } from './split-node';
import { QUEUE, longestUrl, most, mostOf, rowsOf, useColumns } from './walk-columns';
import { LARGE, SMALL, addTask, closeQueue, endTask, from, iHigh, iLow, kind, side, takeTask, to } from './walk-queue';

const LIST: i32 = 0;
/** A list whose nodes become tasks. */
const LARGE_LIST: i32 = 1;
const NODE: i32 = 2;
const PIECE: i32 = 3;

/** A list of a task. It follows the list with the node whose children it has. */
@unmanaged
class NodeList {
  /** The next row, and the end of the list. */
  row: i32;
  to: i32;
  /** What all rows of the list share. */
  shared: i32;
  side: i32;
}

const LIST_BYTES: usize = offsetof<NodeList>();
/** Rows between two progress reports to JavaScript. */
const TOLD_ROWS: i32 = 4096;
const OVER: i32 = -1;

let queue: usize = 0;
let lists: usize = 0;
/** The innermost list; equals `lists` if there is no current task. */
let list: usize = 0;
/** Rows before this one were reported. The rows of the task end at `taskEnd`. */
let told: i32 = 0;
let taskEnd: i32 = 0;

/** Adds the root, the first task of a new walk. */
export function addRoot(walk: usize): void {
  const rows = rowsOf(walk);
  addTask(walk + QUEUE, SMALL, rows > mostOf(walk) ? LARGE_LIST : LIST, 0, rows, 0, -1, 0);
}

/** Call this in each thread before it walks. Allocates from the arena. */
export function beginWalk(walk: usize): void {
  useColumns(walk);
  queue = walk + QUEUE;
  beginRuns();
  beginChildren();
  // What nested nodes share increases with depth.
  lists = list = take((<usize>longestUrl + 3) * LIST_BYTES);
}

/** Call this when no thread walks any more. */
export function endWalk(walk: usize): void {
  closeQueue(walk + QUEUE);
  free(walk);
}

/** Does a part of the work. Returns the number of rows that it finished, or -1 when all are. */
export function walkOn(): i32 {
  if (list == lists) {
    if (!takeTask(queue)) return OVER;
    if (kind != LIST) {
      perform();
      endBuckets();
      endTask(queue);
      return 0;
    }
    told = from;
    taskEnd = to;
    pushList(from, to, iHigh, side);
  }
  const until = told + TOLD_ROWS;
  while (list > lists && innermost().row < until) walkNode();
  const done = list > lists ? innermost().row : taskEnd;
  const count = done - told;
  told = done;
  if (list == lists) {
    endBuckets();
    endTask(queue);
  }
  return count;
}

function pushList(from: i32, to: i32, shared: i32, side: i32): void {
  list += LIST_BYTES;
  const pushed = innermost();
  pushed.row = from;
  pushed.to = to;
  pushed.shared = shared;
  pushed.side = side;
}

function innermost(): NodeList {
  return changetype<NodeList>(list);
}

/** Visits the next node of the innermost list. Its children become the next list. */
function walkNode(): void {
  const from = innermost();
  const end = from.to;
  const shared = from.shared;
  const side = from.side;
  const isNode = findNode(from.row, end, shared);
  from.row = nodeTo;
  if (nodeTo == end) list -= LIST_BYTES;
  if (isNode && visitAndOpen(nodeFrom, nodeTo, shared + 1, nodeShares, side)) {
    pushList(nodeFrom, nodeTo, nodeShares, 1 - side);
  }
}

function visitAndOpen(from: i32, to: i32, iLow: i32, iHigh: i32, side: i32): bool {
  useNode(side, iLow, iHigh);
  visitNode(from, to);
  return openNode(from, to, side, iHigh);
}

/** The node found last, and what all its rows share. */
let nodeFrom: i32 = 0;
let nodeTo: i32 = 0;
let nodeShares: i32 = 0;

/** Finds the first rows in [from, to), at least two, that share more than `shared`; false if there are none. */
function findNode(from: i32, to: i32, shared: i32): bool {
  nodeTo = from;
  do {
    nodeFrom = nodeTo;
    nodeTo = endOfRange(nodeFrom, to, shared);
  } while (nodeTo - nodeFrom == 1 && nodeTo < to);
  if (nodeTo - nodeFrom == 1) return false;
  nodeShares = sharedByAll(nodeFrom, nodeTo);
  return true;
}

function perform(): void {
  if (kind == LARGE_LIST) deal(from, to, iHigh, side);
  else if (kind == PIECE) lookAtPiece(changetype<SplitNode>(<usize>from), to);
  else if (to - from > 2 * most) split();
  else if (visitAndOpen(from, to, iLow, iHigh, side)) deal(from, to, iHigh, 1 - side);
}

function lookAtPiece(node: SplitNode, piece: i32): void {
  visitPieceOf(node, piece);
  endPart(node);
}

/** Opens the node of the current task, while others scan its pieces. */
function split(): void {
  const pieces = (to - from + most - 1) / most;
  const node = newSplitNode(from, to, iLow, iHigh, side, pieces);
  for (let piece = pieces - 1; piece >= 0; piece--)
    addTask(queue, LARGE, PIECE, <i32>changetype<usize>(node), piece, 0, 0, 0);
  if (openNode(from, to, side, iHigh)) node.hasChildren = 1;
  endPart(node);
}

/** Makes tasks of a long list. */
function deal(from: i32, to: i32, shared: i32, side: i32): void {
  let start = from;
  for (let row = from; row < to; row = nodeTo) {
    if (findNode(row, to, shared) && nodeTo - nodeFrom > most) {
      if (nodeFrom > start) addTask(queue, SMALL, LIST, start, nodeFrom, 0, shared, side);
      addTask(queue, LARGE, NODE, nodeFrom, nodeTo, shared + 1, nodeShares, side);
      start = nodeTo;
    } else if (nodeTo - start >= most) {
      addTask(queue, SMALL, LIST, start, nodeTo, 0, shared, side);
      start = nodeTo;
    }
  }
  if (start < to) addTask(queue, SMALL, LIST, start, to, 0, shared, side);
}

/**
 * Ends a part of a split node. The thread with the last part visits the runs that cross pieces, and then opens the
 * children.
 */
function endPart(node: SplitNode): void {
  if (!isLastPart(node)) return;
  joinPieces(node);
  const from = node.from;
  if (node.hasChildren != 0) deal(from, node.to, node.iHigh, 1 - node.side);
  free(changetype<usize>(node));
}
