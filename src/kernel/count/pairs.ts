// Pairs as they are passed to JavaScript: end to end in blocks of the heap (layout/pair).
import {
  AGAINST,
  ANCHOR,
  AT_END,
  AT_START,
  BOTH,
  BYTES,
  COUNT,
  EXAMPLE,
  FIXED,
  HEAD,
  HIGH,
  LOW,
  NONE,
  PAIRS,
} from '../layout/pair';
import { give } from '../memory/calls';
import { uncollate } from '../text/collation';
import { beforeOf, behindOf, coreOf, ENTRY, indexOf, isSamePair, shapeOf } from './column';
import { fromAt, fromBytes, isIn, isWitness, shapeAt, toAt, toBytes } from './group';
import { alloc } from '../memory/heap';
import { FROM_TEXT, room, TO_TEXT } from '../memory/rooms';
import { bytesAt, isClosedAt, leftSide, rightSide } from './side';
import { lengthOf, urlAt } from '../list/site';

@unmanaged
class Example {
  from: i32;
  to: i32;
}

const LEAST_BLOCK: usize = 1 << 12;
const MOST_BLOCK: usize = 1 << 18;
const EXAMPLES: i32 = 3;

let block: usize = 0;
let blockEnd: usize = 0;
let at: usize = 0;
let blockBytes: usize = LEAST_BLOCK;

/** The node of the pairs, and its longest contexts. */
let group: usize = 0;
let start: usize = 0;
let end: usize = 0;
let mostLeft: usize = 0;
let mostRight: usize = 0;
/** The instance whose texts have been converted to raw bytes, and where its core begins and ends in them. */
let ready: usize = 0;
let fromCore: usize = 0;
let fromEnd: usize = 0;
let toCore: usize = 0;
let toEnd: usize = 0;

/** Begins the pairs of the entries [from, to), with at most aHigh tokens to the left and bHigh to the right. */
export function beginPairs(itsGroup: usize, from: usize, to: usize, aHigh: i32, bHigh: i32): void {
  group = itsGroup;
  start = from;
  end = to;
  mostLeft = <usize>bytesAt(leftSide(), aHigh);
  mostRight = <usize>bytesAt(rightSide(), bHigh);
  ready = 0;
}

/** Passes on the pairs written so far. */
export function endPairs(): void {
  if (block == 0) return;
  store<u32>(block, PAIRS);
  store<u32>(block, <u32>(at - block), BYTES);
  const full = block;
  block = blockEnd = 0;
  give(full, at - full);
}

/** Call this before anything is written. Blocks start small: few nodes have many pairs. */
export function beginBlocks(): void {
  blockBytes = LEAST_BLOCK;
}

export function writePair(a: i32, b: i32, low: i32, high: i32, against: i32): void {
  const first = nextExample(start, a, b, 0);
  if (first != ready) readTexts(first);
  const left = <usize>bytesAt(leftSide(), a);
  const right = <usize>bytesAt(rightSide(), b);
  const fromLength = left + fromEnd - fromCore + right;
  const toLength = left + toEnd - toCore + right;
  reserve(2 * COUNT + FIXED + <usize>(EXAMPLE * EXAMPLES) + fromLength + toLength);
  const pair = at;
  store<u8>(pair, anchorOf(a, b), COUNT + ANCHOR);
  store<i32>(pair, low, COUNT + LOW);
  store<i32>(pair, high, COUNT + HIGH);
  store<i32>(pair, against, COUNT + AGAINST);
  const text = writeExamples(first, a, b, pair + COUNT + FIXED);
  store<u32>(text, <u32>fromLength);
  memory.copy(text + COUNT, fromCore - left, fromLength);
  memory.copy(text + COUNT + fromLength, toCore - left, toLength);
  at = text + COUNT + fromLength + toLength;
  store<u32>(pair, <u32>(at - pair - COUNT));
}

function anchorOf(a: i32, b: i32): i32 {
  const isEnd = isClosedAt(rightSide(), b);
  if (isClosedAt(leftSide(), a)) return isEnd ? BOTH : AT_START;
  return isEnd ? AT_END : NONE;
}

/** Writes the number of examples after the counts, then the examples: the first witnesses, one per pair of URLs. */
function writeExamples(first: usize, a: i32, b: i32, to: usize): usize {
  const count = to - 1;
  let examples = 0;
  for (let entry = first; entry < end; entry = nextExample(entry + ENTRY, a, b, entry)) {
    const index = indexOf(entry);
    const example = changetype<Example>(to);
    example.from = fromAt(group, index);
    example.to = toAt(group, index);
    to += EXAMPLE;
    if (++examples == EXAMPLES) break;
  }
  store<u8>(count, <u8>examples);
  return to;
}

/**
 * The next witness of a pair from `entry` on that belongs to another pair of URLs than `last`; `end` if there is none.
 */
function nextExample(entry: usize, a: i32, b: i32, last: usize): usize {
  for (; entry < end; entry += ENTRY) {
    const shape = shapeAt(group, shapeOf(entry));
    if (!isWitness(shape) || !isIn(shape, a, b)) continue;
    if (last == 0 || !isSamePair(group, last, entry)) break;
  }
  return entry;
}

/** Converts the texts of an instance to raw bytes, as much of them as a pair may include. */
function readTexts(entry: usize): void {
  ready = entry;
  const index = indexOf(entry);
  const shape = shapeAt(group, shapeOf(entry));
  const before = min(mostLeft, beforeOf(entry));
  const itsFrom = <usize>fromBytes(shape);
  fromCore = readText(FROM_TEXT, coreOf(entry), before, itsFrom, behindOf(entry));
  fromEnd = fromCore + itsFrom;
  const row = toAt(group, index);
  const itsTo = <usize>toBytes(shape);
  const behind = lengthOf(row) - beforeOf(entry) - itsTo;
  toCore = readText(TO_TEXT, urlAt(row) + beforeOf(entry), before, itsTo, behind);
  toEnd = toCore + itsTo;
}

/** Reads one text; returns the offset of the core in it. */
function readText(which: usize, core: usize, before: usize, coreBytes: usize, behind: usize): usize {
  const right = coreBytes + min(mostRight, behind);
  const text = room(which, before + right, 0);
  uncollate(core - before, core + right, text);
  return text + before;
}

/** Makes room for so many bytes; full blocks are passed on. */
function reserve(bytes: usize): void {
  if (at + bytes <= blockEnd && block != 0) return;
  endPairs();
  const size = max(blockBytes, bytes + HEAD);
  blockBytes = min(MOST_BLOCK, 2 * blockBytes);
  block = alloc(size);
  blockEnd = block + size;
  at = block + HEAD;
}
