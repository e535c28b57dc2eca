// The two nested trees of one core, both compressed tries: contexts to the left of the core, token by token, and under
// each of them the contexts to the right.
//
// Most instances agree for many tokens, so a node is a whole chain of contexts (side.ts), and a left and a right node
// yield the counts of all their pairs (a, b) at once (cells.ts), from the number of instances of each shape. Subtrees
// that cannot reach MS any more are pruned: a chain ends where fewer witnesses continue, and a branch with fewer is not
// taken (ways.ts).
//
// A node is a range of a column of entries. Children replace their parent in that range, in the order of the group,
// which is the order of the URLs: so two instances of one pair of URLs are always adjacent.
import { handOn } from './branches';
import { addInstances, addRepeated, beginCells, beginRepeated, nextPair, writeCells } from './cells';
import { copyEntry, ENTRY, isSamePair, shapeOf } from './column';
import { aLow, isRepeated, shapeAt } from './group';
import { beginPairs } from './pairs';
import {
  beginShapes,
  commonReach,
  countOf,
  countShapes,
  foundShape,
  foundShapes,
  reachLeft,
  reachOf,
  reachRight,
} from './reach';
import { RIGHT_COLUMN, room, SORTED } from '../memory/rooms';
import { beginSides, bytesAt, chain, firstOf, leftSide, rightSide } from './side';
import { depth, endNode, firstNode, keepNode, nextNode, Node, popNode, pushNode } from './stack';
import { fork } from './ways';

/**
 * Limits on the contexts of a left chain, and on the pairs of a left and a right chain: URLs may have thousands of
 * tokens.
 */
const MAX_CHAIN: i32 = 512;
const MAX_CELLS: i32 = 1 << 18;

let MS: i32 = 0;
/** Children with at least so many instances are split off; 0 turns that off. */
let least: i32 = 0;
let group: usize = 0;
let coreBytes: i32 = 0;
/** The left chain: the number of tokens of its first and its last context. */
let aFirst: i32 = 0;
let aLast: i32 = 0;

export function beginTrees(leastSupport: i32, leastHandedOn: i32): void {
  MS = leastSupport;
  least = leastHandedOn;
}

/** Sets the group of the following nodes. */
export function beginCore(itsGroup: usize, itsCoreBytes: i32): void {
  group = itsGroup;
  coreBytes = itsCoreBytes;
  beginSides(coreBytes);
  beginShapes(group);
}

/** Grows all pushed left nodes, whose entries are in the left column. */
export function growLeft(): void {
  while (depth > 0) {
    const node = popNode();
    growLeftNode(node.start, node.end, node.tokens, node.bytes, node.closed);
  }
}

/** Grows all right nodes that were pushed above `from`, whose entries are in the right column. */
export function growRight(from: usize): void {
  while (depth > from) {
    const node = popNode();
    growRightNode(node.start, node.end, node.tokens, node.bytes, node.closed);
  }
}

/** Sets the left chain of the following right nodes. */
export function setChain(last: i32): void {
  aFirst = firstOf(leftSide());
  aLast = last;
}

function growLeftNode(start: usize, end: usize, tokens: i32, bytes: i32, closed: i32): void {
  countShapes(start, end);
  reachLeft(group);
  const reach = commonReach(group, tokens, MS);
  if (reach < tokens) return;
  const side = leftSide();
  const last = chain(side, start, end, tokens, bytes, closed, min(reach, tokens + MAX_CHAIN));
  const active = room(RIGHT_COLUMN, end - start, 0);
  const activeEnd = copyActive(start, end, last, active);
  const wider = last == reach ? start : keepWider(start, end, last);
  setChain(last);
  const before = depth;
  pushNode(active, activeEnd, 0, 0, 0);
  growRight(before);
  if (last == reach) return;
  // The right column is of nobody here.
  fork(group, side, start, wider, last, bytesAt(side, last), MS, RIGHT_COLUMN);
  handOnMost(before, 0);
}

/** Copies the entries that reach at most `last` tokens to the left; returns where they end. */
function copyActive(start: usize, end: usize, last: i32, to: usize): usize {
  for (let entry = start; entry < end; entry += ENTRY) {
    if (aLow(shapeAt(group, shapeOf(entry))) > last) continue;
    copyEntry(to, entry);
    to += ENTRY;
  }
  return to;
}

/** Keeps the entries that reach further than `last`; returns where they end. */
function keepWider(start: usize, end: usize, last: i32): usize {
  let to = start;
  for (let entry = start; entry < end; entry += ENTRY) {
    if (reachOf(shapeOf(entry)) <= last) continue;
    if (to < entry) copyEntry(to, entry);
    to += ENTRY;
  }
  return to;
}

function growRightNode(start: usize, end: usize, tokens: i32, bytes: i32, closed: i32): void {
  countShapes(start, end);
  reachRight(group, aFirst);
  const reach = commonReach(group, tokens, MS);
  if (reach < tokens) return;
  const side = rightSide();
  const most = min(reach, tokens + MAX_CELLS / (aLast - aFirst + 1));
  const last = chain(side, start, end, tokens, bytes, closed, most);
  count(start, end, tokens, last);
  if (last == reach) return;
  const wider = keepWider(start, end, last);
  const before = depth;
  fork(group, side, start, wider, last, bytesAt(side, last), MS, SORTED);
  handOnMost(before, aLast - aFirst + 1);
}

/** Counts the support of all pairs at a node. */
function count(start: usize, end: usize, bFirst: i32, bLast: i32): void {
  beginCells(aFirst, aLast, bFirst, bLast);
  let repeated = 0;
  for (let k = 0; k < foundShapes(); k++) {
    const shape = shapeAt(group, foundShape(k));
    if (isRepeated(shape)) repeated++;
    else addInstances(shape, countOf(foundShape(k)));
  }
  if (repeated > 0) countRepeated(start, end);
  beginPairs(group, start, end, aLast, bLast);
  writeCells(MS);
}

function countRepeated(start: usize, end: usize): void {
  beginRepeated();
  let last: usize = 0;
  for (let entry = start; entry < end; entry += ENTRY) {
    const shape = shapeAt(group, shapeOf(entry));
    if (!isRepeated(shape)) continue;
    if (last == 0 || !isSamePair(group, last, entry)) nextPair();
    addRepeated(shape);
    last = entry;
  }
}

/** Splits off all nodes above some depth except the largest, if they are enough work for other threads. */
function handOnMost(from: usize, contexts: i32): void {
  if (least == 0 || depth == from) return;
  let all = 0;
  let kept = firstNode(from);
  for (let node = kept; node < endNode(); node = nextNode(node)) {
    all += entriesOf(node);
    if (entriesOf(node) > entriesOf(kept)) kept = node;
  }
  if (all - entriesOf(kept) < least) return;
  let some = firstNode(from);
  let instances = 0;
  for (let node = some; node < endNode(); node = nextNode(node)) {
    if (node != kept) instances += entriesOf(node);
    if (instances < least) continue;
    handOn(group, coreBytes, contexts, some, nextNode(node), kept);
    some = nextNode(node);
    instances = 0;
  }
  if (instances > 0) handOn(group, coreBytes, contexts, some, endNode(), kept);
  keepNode(from, kept);
}

function entriesOf(node: usize): i32 {
  return changetype<Node>(node).entries;
}
