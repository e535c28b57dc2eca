// The rule table RT of Figure 1: the support of every pair (α, β) that reaches MS.
//
// Instances arrive grouped by core. A pair is a core with x to its left and y to its right, so the pairs of a group are
// contexts in two nested trees (trees.ts). A large core is counted by several threads: a node with many instances does
// not enter its children but splits them off, some together, as branches that any thread can grow (branches.ts).
import { coreBytesOf, groupOf, isOfLeft, pushForks, readChain } from './branches';
import { coreOf, beforeOf, copyEntry, ENTRY, fillColumn, indexOf, placeOf, shapeOf } from './column';
import { fromBytes, shapeAt, sizeOf, toAt, toBytes } from './group';
import { free } from '../memory/heap';
import { beginBlocks, endPairs } from './pairs';
import { giveLargeBack, LEFT_COLUMN, OTHER_CORES, RIGHT_COLUMN, room } from '../memory/rooms';
import { urlAt } from '../list/site';
import { clearStack, pushNode } from './stack';
import { isSame } from '../text/text';
import { beginCore, beginTrees, growLeft, growRight, setChain } from './trees';

let MS: i32 = 0;

/**
 * Call this first, for some groups of the current site. Passes blocks of pairs (pairs.ts) to `give` and, if `least` is
 * more than 0, blocks of branches with about `least` instances or more, which any thread counts with `countBranches`.
 */
export function beginCount(leastSupport: i32, least: i32): void {
  MS = leastSupport;
  beginTrees(MS, least);
  beginBlocks();
}

/** Counts the pairs of a group: instances whose cores have the same hash, which is nearly always one core. */
export function countGroup(group: usize): void {
  const count = sizeOf(group);
  const column = room(LEFT_COLUMN, <usize>count * ENTRY, 0);
  fillColumn(group, column, count);
  for (let end = column + <usize>count * ENTRY; end - column >= <usize>MS * ENTRY;) {
    const same = splitByCore(group, column, end);
    grow(group, column, same);
    const others = end - same;
    memory.copy(column, room(OTHER_CORES, 0, 0), others);
    end = column + others;
  }
}

/** Grows the trees of one core. */
function grow(group: usize, start: usize, end: usize): void {
  beginCore(group, fromBytes(shapeAt(group, shapeOf(start))));
  clearStack();
  pushNode(start, end, 0, 0, 0);
  growLeft();
}

/** Counts branches that were split off, and frees the block. */
export function countBranches(block: usize): void {
  const group = groupOf(block);
  const count = sizeOf(group);
  beginCore(group, coreBytesOf(block));
  clearStack();
  const column = room(isOfLeft(block) ? LEFT_COLUMN : RIGHT_COLUMN, <usize>count * ENTRY, 0);
  fillColumn(group, column, count);
  if (isOfLeft(block)) {
    pushForks(block, column);
    growLeft();
  } else {
    setChain(readChain(block));
    pushForks(block, column);
    growRight(0);
  }
  free(block);
}

/** Passes on the last pairs. */
export function endCount(): void {
  endPairs();
  giveLargeBack();
}

/**
 * Moves the entries with the same core as the first to the front, in order, and the others behind them; returns where
 * the others begin.
 */
function splitByCore(group: usize, start: usize, end: usize): usize {
  let same = start + ENTRY;
  let others: usize = 0;
  let other: usize = 0;
  for (let entry = same; entry < end; entry += ENTRY) {
    if (isSameCore(group, start, same - ENTRY, entry)) {
      if (same < entry) copyEntry(same, entry);
      same += ENTRY;
      continue;
    }
    if (others == 0) other = others = room(OTHER_CORES, end - entry, 0);
    copyEntry(other, entry);
    other += ENTRY;
  }
  return same;
}

/**
 * True if `entry` has the same core as `first`. The entry before it, `before`, is known to have that core, so if both are
 * of one URL, no bytes are compared.
 */
function isSameCore(group: usize, first: usize, before: usize, entry: usize): bool {
  const a = shapeAt(group, shapeOf(first));
  const b = shapeAt(group, shapeOf(entry));
  if (fromBytes(a) != fromBytes(b) || toBytes(a) != toBytes(b)) return false;
  if (placeOf(before) != placeOf(entry) && !isSameFrom(first, entry, fromBytes(a))) return false;
  return isSameTo(group, first, entry, toBytes(a));
}

function isSameFrom(a: usize, b: usize, bytes: i32): bool {
  return bytes == 0 || isSame(coreOf(a), coreOf(b), <usize>bytes);
}

function isSameTo(group: usize, a: usize, b: usize, bytes: i32): bool {
  if (bytes == 0) return true;
  return isSame(toCoreOf(group, a), toCoreOf(group, b), <usize>bytes);
}

function toCoreOf(group: usize, entry: usize): usize {
  return urlAt(toAt(group, indexOf(entry))) + beforeOf(entry);
}
