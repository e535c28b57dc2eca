// Finds the two splitters (cuts) of a site between which a URL lies: a trie of the cuts, with binary search in its
// nodes.
//
// The cuts of a node share their first `depth` bytes; the cuts of an entry also share the next bytes (a key of ./sort).
// If these cuts differ further on, the entry has a child node. So looking up a URL compares it once with the common
// prefix, with a few keys, and with a whole cut only if the last keys are equal.
//
//   a node     | depth u32 | entries u32 | first cut u32 | 0 | entry | entry | … | end
//   an entry   | key u64 | first cut u32 | its node u32, or 0 |   `end`: a key of no string, the end of the cuts
import { mark, release, take } from '../memory/heap';
import { i32At } from './job';
import { goesOn, KEY_BYTES, keyAt, sameWithin } from '../sort/sort';
import { compare } from '../text/text';

const HEAD: usize = 16;
const ENTRY: usize = 16;
/** Offsets in a node, and in an entry. */
const COUNT: usize = 4;
const FIRST: usize = 8;
const CHILD: usize = 12;
const NO_KEY: u64 = 0xffffffffffffffff;
/** A part of the cuts that is still to become a node. */
@unmanaged
class Part {
  from: i32;
  to: i32;
  depth: usize;
  /** Where to store the address of the node. */
  goal: usize;
}

const PART: usize = offsetof<Part>();

/** Upper bound on node bytes per cut: its own entry, and a node with its end and its entry. */
export const NODE_BYTES: usize = 64;

function cutAt(cuts: usize, cut: i32): usize {
  return <usize>i32At(cuts, 2 * cut);
}

function cutLength(cuts: usize, cut: i32): usize {
  return <usize>i32At(cuts, 2 * cut + 1);
}

/** Writes the trie of cuts [from, to), at least one, at `address`; returns its end. May read 8 bytes past a cut. */
export function makeNodes(cuts: usize, from: i32, to: i32, address: usize): usize {
  const marked = mark();
  const parts = take(<usize>(to - from + 1) * PART);
  let top = pushPart(parts, from, to, 0, parts);
  let free = address;
  while (top > parts) {
    top -= PART;
    const node = free;
    const part = changetype<Part>(top);
    free = writeNode(cuts, part.from, part.to, part.depth, node);
    // Links the node from its parent. The root has none: its address goes to a slot that is free again.
    store<u32>(part.goal, <u32>node);
    for (let entry = node + HEAD; entry < free - ENTRY; entry += ENTRY) {
      const start = load<i32>(entry, FIRST);
      const next = load<i32>(entry + ENTRY, FIRST);
      store<u32>(entry, 0, CHILD);
      if (next - start == 1 || !goesOn(load<u64>(entry))) continue;
      top = pushPart(top, start, next, <usize>load<u32>(node) + KEY_BYTES, entry + CHILD);
    }
  }
  release(marked);
  return free;
}

function pushPart(top: usize, from: i32, to: i32, depth: usize, goal: usize): usize {
  const part = changetype<Part>(top);
  part.from = from;
  part.to = to;
  part.depth = depth;
  part.goal = goal;
  return top + PART;
}

/** Writes the node of cuts [from, to), which share their first `known` bytes; returns its end. */
function writeNode(cuts: usize, from: i32, to: i32, known: usize, node: usize): usize {
  const first = cutAt(cuts, from) + known;
  const last = cutAt(cuts, to - 1) + known;
  const limit = min(cutLength(cuts, from), cutLength(cuts, to - 1)) - known;
  const depth = known + sameWithin(first, last, limit);
  let entry = node + HEAD;
  let before = NO_KEY;
  for (let cut = from; cut < to; cut++) {
    const key = keyAt(cutAt(cuts, cut) + depth, cutLength(cuts, cut) - depth);
    if (key == before) continue;
    store<u64>(entry, key);
    store<i32>(entry, cut, FIRST);
    entry += ENTRY;
    before = key;
  }
  store<u64>(entry, NO_KEY);
  store<i32>(entry, to, FIRST);
  store<u32>(node, <u32>depth);
  store<u32>(node, <u32>((entry - node - HEAD) / ENTRY), COUNT);
  store<i32>(node, from, FIRST);
  return entry + ENTRY;
}

/**
 * The last cut that is not greater than a URL in collation bytes, or `first - 1` if all are greater. May read 8 bytes
 * past the URL.
 */
export function lastCutBefore(cuts: usize, root: usize, url: usize, length: usize): i32 {
  // Length of the prefix that the URL shares with all cuts of the node.
  let known: usize = 0;
  let node = root;
  while (true) {
    const depth = <usize>load<u32>(node);
    const first = load<i32>(node, FIRST);
    if (known < depth) {
      const shared = cutAt(cuts, first);
      const same = known + sameWithin(url + known, shared + known, min(depth, length) - known);
      if (same < depth) {
        const comesBefore = same == length || load<u8>(url + same) < load<u8>(shared + same);
        return comesBefore ? first - 1 : endOf(node) - 1;
      }
    }
    const key = keyAt(url + depth, length - depth);
    const entry = firstEntryFrom(node, key);
    const cut = load<i32>(entry, FIRST);
    if (load<u64>(entry) != key) return cut - 1;
    node = <usize>load<u32>(entry, CHILD);
    if (node == 0) {
      const isBefore = compare(url, length, cutAt(cuts, cut), cutLength(cuts, cut)) < 0;
      return isBefore ? cut - 1 : load<i32>(entry + ENTRY, FIRST) - 1;
    }
    known = depth + KEY_BYTES;
  }
}

function endOf(node: usize): i32 {
  return load<i32>(node + HEAD + <usize>load<u32>(node, COUNT) * ENTRY, FIRST);
}

/** The first entry of a node whose key is not less than another. Branch-free, as branches would be unpredictable. */
function firstEntryFrom(node: usize, key: u64): usize {
  let entry = node + HEAD;
  let count = <usize>load<u32>(node, COUNT);
  while (count > 1) {
    const half = count >> 1;
    entry += (0 - usize(load<u64>(entry + half * ENTRY - ENTRY) < key)) & (half * ENTRY);
    count -= half;
  }
  return entry + usize(load<u64>(entry) < key) * ENTRY;
}
