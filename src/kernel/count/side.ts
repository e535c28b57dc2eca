// The text on one side of the core, and how much of it instances share.
//
// Both sides are read from the core outwards: to the left, byte k beyond a context is at edge - 1 - k, to the right at
// edge + k. Tokens are counted from the core too; after the last one comes START, or END, as a token of no bytes.
//
//   chain   what the instances of a node share beyond a context, in tokens. That is usually many tokens, so each
//           instance is compared with one of them at once (1 M URLs: 30,000 chains, for 162,000 contexts)
//
//   a side      | 1 to the left i32 | first i32 | closed i32 | core bytes to skip u32 | contexts u32 | their room u32 |
//   its chain   the length in bytes of each context, i32, from `first` tokens on; `closed`: the tokens of the context
//               that ends with START or END, if there is one
import { BEFORE, BEHIND, coreOf, ENTRY, placeOf, shapeOf } from './column';
import { reachOf } from './reach';
import { LEFT_CHAIN, RIGHT_CHAIN, room, SIDES, TEXT } from '../memory/rooms';
import { ESCAPE_BYTE, isRun } from '../text/text';

const SIDE: usize = 24;
const FIRST: usize = 4;
const CLOSED: usize = 8;
const SKIP: usize = 12;
const CONTEXTS: usize = 16;
const ROOM: usize = 20;
const NONE: i32 = -1;

export function leftSide(): usize {
  return room(SIDES, 2 * SIDE, 0);
}

export function rightSide(): usize {
  return leftSide() + SIDE;
}

export function beginSides(coreBytes: i32): void {
  beginSide(leftSide(), 1, 0, LEFT_CHAIN);
  beginSide(rightSide(), 0, coreBytes, RIGHT_CHAIN);
}

function beginSide(side: usize, isLeft: i32, skip: i32, chainRoom: usize): void {
  store<i32>(side, isLeft);
  store<i32>(side, skip, SKIP);
  store<u32>(side, <u32>chainRoom, ROOM);
}

// Accessors of the current chain:

export function firstOf(side: usize): i32 {
  return load<i32>(side, FIRST);
}

export function closedOf(side: usize): i32 {
  return load<i32>(side, CLOSED);
}

/** The address of the byte counts of its contexts. */
export function contextsOf(side: usize): usize {
  return <usize>load<u32>(side, CONTEXTS);
}

/** Bytes of the context of so many tokens. */
export function bytesAt(side: usize, tokens: i32): i32 {
  return load<i32>(contextsOf(side) + ((<usize>(tokens - firstOf(side))) << 2));
}

/** True if the context of so many tokens includes START, or END. */
export function isClosedAt(side: usize, tokens: i32): bool {
  return tokens == closedOf(side);
}

/** Makes a chain with room for so many contexts. */
export function openChain(side: usize, first: i32, contexts: i32, closed: i32): usize {
  const at = room(<usize>load<u32>(side, ROOM), (<usize>contexts) << 2, 0);
  store<i32>(side, first, FIRST);
  store<i32>(side, closed, CLOSED);
  store<u32>(side, <u32>at, CONTEXTS);
  return at;
}

// State for reading beyond a context of `contextBytes` on one side; set by `lookBeyond`, for loops over many entries.

let isLeft: bool = false;
let contextBytes: i32 = 0;
let shift: usize = 0;
let partAt: usize = 0;

export function lookBeyond(side: usize, bytes: i32): void {
  isLeft = load<i32>(side) != 0;
  contextBytes = bytes;
  shift = isLeft ? <usize>-bytes : <usize>(load<i32>(side, SKIP) + bytes);
  partAt = isLeft ? BEFORE : BEHIND;
}

/**
 * The edge, where text beyond the context begins: to the left, one past its nearest byte; to the right, at that byte.
 */
export function edgeOf(entry: usize): usize {
  return coreOf(entry) + shift;
}

/** Number of bytes beyond the context. */
export function bytesLeft(entry: usize): i32 {
  return <i32>load<u16>(entry + partAt) - contextBytes;
}

/** The address of byte k beyond an edge. */
function outwards(edge: usize, k: i32): usize {
  return isLeft ? edge - 1 - <usize>k : edge + <usize>k;
}

/** The edge so many bytes further out. */
export function beyond(edge: usize, bytes: i32): usize {
  return isLeft ? edge - <usize>bytes : edge + <usize>bytes;
}

/** How many bytes beyond two edges are equal. Reads up to 7 bytes past `limit`: there is slack around a text. */
export function sameOutwards(a: usize, b: usize, limit: i32): i32 {
  for (let k = 0; k < limit; k += 8) {
    const differing = isLeft
      ? load<u64>(a - <usize>k - 8) ^ load<u64>(b - <usize>k - 8)
      : load<u64>(a + <usize>k) ^ load<u64>(b + <usize>k);
    if (differing != 0) return min(limit, k + <i32>((isLeft ? clz(differing) : ctz(differing)) >> 3));
  }
  return limit;
}

/** Eight bytes beyond an edge, the nearest one lowest; 0 for those beyond the text. */
export function eightOutwards(edge: usize, left: i32): u64 {
  return nearest(isLeft ? bswap<u64>(load<u64>(edge - 8)) : load<u64>(edge), left);
}

/** The nearest `bytes` of eight bytes. */
export function nearest(eight: u64, bytes: i32): u64 {
  return bytes >= 8 ? eight : eight & (((<u64>1) << ((<u64>bytes) << 3)) - 1);
}

let model: usize = 0;

/**
 * The most tokens, up to `most`, that the entries [start, end) have in common, each as far as its shape reaches. All of
 * them share the context of `tokens` tokens, and at least one reaches `most`.
 */
export function chain(side: usize, start: usize, end: usize, tokens: i32, bytes: i32, closed: i32, most: i32): i32 {
  lookBeyond(side, bytes);
  let entry = start;
  while (reachOf(shapeOf(entry)) < most) entry += ENTRY;
  read(side, entry, tokens, closed, most);
  let last = most;
  let placeBefore: u64 = 0;
  let shapeBefore = NONE;
  for (entry = start; entry < end && last > tokens; entry += ENTRY) {
    const place = placeOf(entry);
    const shape = shapeOf(entry);
    if (place == placeBefore && shape == shapeBefore) continue;
    placeBefore = place;
    shapeBefore = shape;
    const reach = min(reachOf(shape), last);
    if (reach <= tokens) continue;
    const alike = tokensAlike(side, entry, reach);
    if (alike < reach) last = alike;
  }
  return last;
}

/** Reads the chain from one instance. */
function read(side: usize, entry: usize, tokens: i32, closed: i32, most: i32): void {
  const edge = edgeOf(entry);
  const left = bytesLeft(entry);
  let at = openChain(side, tokens, most - tokens + 1, closed ? tokens : NONE);
  store<i32>(at, contextBytes);
  let bytes = 0;
  for (let level = tokens + 1; level <= most; level++) {
    if (bytes == left) store<i32>(side, level, CLOSED);
    else if (load<u8>(outwards(edge, bytes)) <= ESCAPE_BYTE) bytes += 3;
    else if (isRun(outwards(edge, bytes++))) while (bytes < left && isRun(outwards(edge, bytes))) bytes++;
    store<i32>((at += 4), contextBytes + bytes);
  }
  keepText(edge, bytes);
}

/** Copies the text of the chain: its page may be evicted if the list is on disk. */
function keepText(edge: usize, bytes: i32): void {
  const text = room(TEXT, <usize>bytes, 0);
  model = isLeft ? text + <usize>bytes : text;
  memory.copy(text, isLeft ? edge - <usize>bytes : edge, <usize>bytes);
}

/** `reach` if the instance has so many tokens of the chain, else how many it has. */
function tokensAlike(side: usize, entry: usize, reach: i32): i32 {
  const first = firstOf(side);
  const text = model;
  const edge = edgeOf(entry);
  const left = bytesLeft(entry);
  const same = sameOutwards(text, edge, min(left, bytesAt(side, reach) - contextBytes));
  for (let tokens = reach; tokens > first; tokens--) {
    const end = bytesAt(side, tokens) - contextBytes;
    if (end > same) continue;
    if (end == left) return tokens;
    // A run is as long as possible, and nothing comes after START or END.
    if (tokens == closedOf(side) || (isRun(outwards(text, end - 1)) && isRun(outwards(edge, end)))) continue;
    return tokens;
  }
  return first;
}
