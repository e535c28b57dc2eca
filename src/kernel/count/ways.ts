// Forks: partitions the instances of a node by their next token, stably, with a hash table of tokens. A *way* is one
// branch.
//
//   a way    | key u64 | bytes of its token i32 | instances i32 | witnesses i32 | cursor u32 | an entry u32 | - |
//   key      the bytes of the token if it has at most 8, else a hash of them
//   a slot   | number of a way + 1, u32, or 0 | hash of its token u32 |
import { copyEntry, ENTRY, placeOf, shapeOf } from './column';
import { isWitness, shapeAt } from './group';
import { room, WAY_OF, WAY_SLOTS, WAYS } from '../memory/rooms';
import { beyond, bytesLeft, edgeOf, eightOutwards, lookBeyond, nearest, sameOutwards } from './side';
import { pushNode } from './stack';
import { ESCAPE_BYTE, mixed, runsOf } from '../text/text';

const WAY: usize = 32;
const WAY_BYTES: usize = 8;
const INSTANCES: usize = 12;
const WITNESSES: usize = 16;
const CURSOR: usize = 20;
const SAMPLE: usize = 24;

@unmanaged
class Slot {
  /** The number of a way + 1, or 0. */
  way: u32;
  /** The hash of its token. */
  hash: u32;
}

const SLOT: usize = offsetof<Slot>();
const FEWEST_SLOTS: u32 = 16;
const RUNS: u64 = 0x8080808080808080;

let ways: usize = 0;
let size: u32 = 0;
let slots: usize = 0;
let mask: u32 = 0;
/** The token that was read last. */
let tokenBytes: i32 = 0;
let key: u64 = 0;

/**
 * Partitions the entries [start, end) by the next token beyond the context of `tokens` tokens. Pushes a node for each
 * way with at least `least` witnesses, and drops the others. The room `scratch` is overwritten.
 */
export function fork(
  group: usize,
  side: usize,
  start: usize,
  end: usize,
  tokens: i32,
  contextBytes: i32,
  least: i32,
  scratch: usize,
): void {
  lookBeyond(side, contextBytes);
  clear();
  findWays(group, start, end);
  let at = start;
  for (let way = ways; way < ways + <usize>size * WAY; way += WAY) {
    if (load<i32>(way, WITNESSES) < least) {
      store<u32>(way, 0, CURSOR);
      continue;
    }
    const from = at;
    at += <usize>load<i32>(way, INSTANCES) * ENTRY;
    store<u32>(way, <u32>from, CURSOR);
    const bytes = load<i32>(way, WAY_BYTES);
    pushNode(from, at, tokens + 1, contextBytes + bytes, bytes == 0 ? 1 : 0);
  }
  if (size > 1 && at > start) scatter(start, end, at, room(scratch, at - start, 0));
}

function findWays(group: usize, start: usize, end: usize): void {
  let wayOf = room(WAY_OF, (end - start) / (ENTRY / 4), 0);
  let placeBefore: u64 = 0;
  let way = 0;
  for (let entry = start; entry < end; entry += ENTRY, wayOf += 4) {
    const place = placeOf(entry);
    if (place != placeBefore || entry == start) way = wayFor(entry, way);
    placeBefore = place;
    store<i32>(wayOf, way);
    const at = ways + <usize>way * WAY;
    store<i32>(at, load<i32>(at, INSTANCES) + 1, INSTANCES);
    if (isWitness(shapeAt(group, shapeOf(entry)))) store<i32>(at, load<i32>(at, WITNESSES) + 1, WITNESSES);
  }
}

/** Moves the entries of ways with a cursor to their places, up to `kept`. */
function scatter(start: usize, end: usize, kept: usize, sorted: usize): void {
  const move = sorted - start;
  let wayOf = room(WAY_OF, 0, 0);
  for (let entry = start; entry < end; entry += ENTRY, wayOf += 4) {
    const way = ways + <usize>load<i32>(wayOf) * WAY;
    const cursor = load<u32>(way, CURSOR);
    if (cursor == 0) continue;
    copyEntry(<usize>cursor + move, entry);
    store<u32>(way, cursor + <u32>ENTRY, CURSOR);
  }
  memory.copy(start, sorted, kept - start);
}

/** The number of the way of an entry. It is often that of the entry before. */
function wayFor(entry: usize, before: i32): i32 {
  cut(entry);
  if (size > 0 && isWay(ways + <usize>before * WAY, entry)) return before;
  const hash = hashOf(key, tokenBytes);
  let slot = slotAt(hash);
  for (let next = hash; slot.way != 0; slot = slotAt(++next)) {
    const way = slot.way - 1;
    if (slot.hash == hash && isWay(ways + <usize>way * WAY, entry)) return way;
  }
  return add(slot, hash, entry);
}

function slotAt(number: u32): Slot {
  return changetype<Slot>(slots + <usize>(number & mask) * SLOT);
}

function hashOf(key: u64, bytes: i32): u32 {
  return <u32>mixed(key + <u64>bytes);
}

/** True if the token read last, of this entry, is the token of the way. */
function isWay(way: usize, entry: usize): bool {
  if (load<u64>(way) != key || load<i32>(way, WAY_BYTES) != tokenBytes) return false;
  if (tokenBytes <= 8) return true;
  return sameOutwards(edgeOf(entry), edgeOf(<usize>load<u32>(way, SAMPLE)), tokenBytes) == tokenBytes;
}

/** Reads the next token of an instance, and its key. */
function cut(entry: usize): void {
  const left = bytesLeft(entry);
  const eight = eightOutwards(edgeOf(entry), left);
  const alone = ~runsOf(eight) & RUNS;
  if (alone == 0 && left > 8) return cutLong(edgeOf(entry), left);
  // Past the end of the text come zeros, which are not run bytes. An escape begins, outwards, with its `%` or a digit.
  if (<u8>eight <= ESCAPE_BYTE) tokenBytes = min(left, 3);
  else tokenBytes = alone == 0 ? 8 : max(<i32>(ctz(alone) >> 3), min(left, 1));
  key = nearest(eight, tokenBytes);
}

/** Reads a token whose first eight bytes all belong to runs, if more bytes follow. */
function cutLong(edge: usize, left: i32): void {
  tokenBytes = 0;
  key = 0;
  for (let alone: u64 = 0; alone == 0;) {
    const eight = eightOutwards(beyond(edge, tokenBytes), left - tokenBytes);
    alone = ~runsOf(eight) & RUNS;
    const bytes = alone == 0 ? 8 : <i32>(ctz(alone) >> 3);
    key = mixed(key ^ nearest(eight, bytes));
    tokenBytes += bytes;
  }
  // A token of exactly 8 bytes is its own key, as it is at the end of the text.
  if (tokenBytes == 8) key = nearest(eightOutwards(edge, left), 8);
}

function clear(): void {
  size = 0;
  mask = FEWEST_SLOTS - 1;
  ways = room(WAYS, WAY * <usize>FEWEST_SLOTS, 0);
  slots = room(WAY_SLOTS, SLOT * <usize>FEWEST_SLOTS, 0);
  memory.fill(slots, 0, SLOT * <usize>FEWEST_SLOTS);
}

/** Adds an empty way, in the free slot where the search ended. */
function add(slot: Slot, hash: u32, entry: usize): i32 {
  const number = size++;
  const way = ways + <usize>number * WAY;
  slot.way = size;
  slot.hash = hash;
  store<u64>(way, key);
  store<i32>(way, tokenBytes, WAY_BYTES);
  store<i32>(way, 0, INSTANCES);
  store<i32>(way, 0, WITNESSES);
  store<u32>(way, <u32>entry, SAMPLE);
  if (size > mask >> 1) widen();
  return number;
}

/** Doubles the slots; there is room for half as many ways. */
function widen(): void {
  const count = 2 * (mask + 1);
  mask = count - 1;
  ways = room(WAYS, (WAY * <usize>count) >> 1, WAY * <usize>size);
  slots = room(WAY_SLOTS, SLOT * <usize>count, 0);
  memory.fill(slots, 0, SLOT * <usize>count);
  for (let number: u32 = 0; number < size; number++) {
    const way = ways + <usize>number * WAY;
    const hash = hashOf(load<u64>(way), load<i32>(way, WAY_BYTES));
    let slot = slotAt(hash);
    for (let next = hash; slot.way != 0;) slot = slotAt(++next);
    slot.way = number + 1;
    slot.hash = hash;
  }
}
