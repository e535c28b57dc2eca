// The common first and last part of two URLs, and whether the two are similar. If the parts overlap, as in a crawler
// trap (/a/a/a/a…), one pair of URLs is in tens of thousands of buckets: so a cache has the results for recent pairs of
// this kind.
//
// Another cache has the envelopes seen for pairs of URLs. Both are direct-mapped and compare full keys, so they save
// work and never change a result. They are allocated when first used: few sites have repetitions, and many sites are
// small.
import { alloc, free } from '../memory/heap';
import { countFirst, countLast, sharedBytes } from '../text/shared-tokens';
import { differInSize, isSimilar } from './similar';
import { lengthOf, rows, urlAt } from '../list/site';
import { isSame, mixed } from '../text/text';
import { forgetOffsets, offsetAt, offsetsOf } from './token-offsets';

/** The overlapping parts of two URLs. */
@unmanaged
class Overlap {
  u: i32;
  v: i32;
  prefixBytes: u16;
  suffixBytes: u16;
  prefix: u16;
  suffix: u16;
  similar: i32;
  /** 0 if not computed yet. */
  period: i32;
}

@unmanaged
class Envelope {
  u: i32;
  v: i32;
  first: i32;
  /** Inner length, and 8 bits of flags. */
  inner: i32;
}

/** A power of two. */
const PAIR: usize = 32;
/** Tokens by which the common first and last part of two URLs may overlap (SPEC 3.4). */
const MOST_OVERLAP: i32 = 16;
const ENVELOPE: usize = offsetof<Envelope>();
const MOST_PAIRS: usize = 1 << 15;
const MOST_ENVELOPES: usize = 1 << 18;
const ENVELOPES_A_ROW: usize = 64;

// For the current pair. Tokens include START and END.
export let prefixBytes: usize = 0;
export let prefix: i32 = 0;
export let suffixBytes: usize = 0;
export let suffix: i32 = 0;
export let similar: bool = false;
/** True if the common first and last part overlap in the shorter URL. */
export let overlaps: bool = false;
/** True if they overlap by more than MOST_OVERLAP: one URL is the other after another turn of a crawler trap. */
export let isTrap: bool = false;

let tokens: usize = 0;
let comparesPages: bool = false;
let latestU: i32 = -1;
let latestV: i32 = -1;
/** The slot of the current pair, if its parts overlap. */
let slot: Overlap = changetype<Overlap>(0);
let pairs: usize = 0;
let pairMask: usize = 0;
let envelopes: usize = 0;
let envelopeMask: usize = 0;

/** `tokensAt` is a column of u16 by row. If `similarity` is false, any two URLs are similar. */
export function beginOverlap(tokensAt: usize, similarity: bool): void {
  tokens = tokensAt;
  comparesPages = similarity;
  latestU = latestV = -1;
}

export function endOverlap(): void {
  free(pairs);
  free(envelopes);
  pairs = envelopes = 0;
  forgetOffsets();
}

/** Tokens of a row, including START and END. */
export function tokensOf(row: i32): i32 {
  return <i32>load<u16>(tokens + ((<usize>row) << 1));
}

/** The number of tokens of the longest URL. */
export function mostTokens(): i32 {
  let most: i32 = 0;
  for (let row = 0; row < rows; row++) most = max(most, tokensOf(row));
  return most;
}

/** True if the sizes of two URLs already show that they are not similar. Does not compare sketches. */
export function areOther(u: i32, v: i32): bool {
  return comparesPages && differInSize(u, v);
}

/** Makes (u, v) the current pair, and computes the values above. */
export function meet(u: i32, v: i32): void {
  if (u == latestU && v == latestV) return;
  latestU = u;
  latestV = v;
  const shorter = min(tokensOf(u), tokensOf(v));
  // The shared parts of two URLs of equal length do not overlap.
  if (pairs == 0 || tokensOf(u) == tokensOf(v) || !isKept(u, v)) {
    compare(u, v);
    overlaps = prefix + suffix > shorter;
    if (overlaps) keep(u, v);
  }
  isTrap = prefix + suffix - shorter > MOST_OVERLAP;
}

function compare(u: i32, v: i32): void {
  const uLength = lengthOf(u);
  const vLength = lengthOf(v);
  const uAt = urlAt(u);
  const vAt = urlAt(v);
  prefix = countFirst(uAt, uLength, vAt, vLength) + 1;
  prefixBytes = sharedBytes;
  suffix = countLast(uAt + uLength, uLength, vAt + vLength, vLength) + 1;
  suffixBytes = sharedBytes;
  similar = !comparesPages || isSimilar(u, v);
}

function isKept(u: i32, v: i32): bool {
  const kept = slotOf(u, v);
  if (kept.u != u || kept.v != v) return false;
  slot = kept;
  prefixBytes = <usize>kept.prefixBytes;
  suffixBytes = <usize>kept.suffixBytes;
  prefix = <i32>kept.prefix;
  suffix = <i32>kept.suffix;
  similar = kept.similar != 0;
  overlaps = true;
  return true;
}

function keep(u: i32, v: i32): void {
  if (pairs == 0) {
    const count = slotsFor(<usize>rows, MOST_PAIRS);
    pairs = tableOf(count * PAIR);
    pairMask = count - 1;
  }
  const kept = slotOf(u, v);
  slot = kept;
  kept.u = u;
  kept.v = v;
  kept.prefixBytes = <u16>prefixBytes;
  kept.suffixBytes = <u16>suffixBytes;
  kept.prefix = <u16>prefix;
  kept.suffix = <u16>suffix;
  kept.similar = <i32>similar;
  kept.period = 0;
}

function slotOf(u: i32, v: i32): Overlap {
  return changetype<Overlap>(pairs + (hashOfPair(u, v, 0) & pairMask) * PAIR);
}

/** Period, in tokens, of the repetition in which the two URLs of the current pair differ; they overlap. */
export function periodOf(u: i32, v: i32): i32 {
  const known = slot.period;
  if (known != 0) return known;
  const long = tokensOf(u) < tokensOf(v) ? v : u;
  const found = findPeriod(long, prefix - 1, abs(tokensOf(u) - tokensOf(v)));
  slot.period = found;
  return found;
}

/** The smallest period, in tokens, of tokens [first, first + length) of a URL. */
function findPeriod(row: i32, first: i32, length: i32): i32 {
  const offsets = offsetsOf(row, tokensOf(row));
  const url = urlAt(row);
  for (let period = 1; period <= length >> 1; period++) {
    if (length % period != 0) continue;
    let at = first;
    while (at + period < first + length && isSameToken(url, offsets, at, at + period)) at++;
    if (at + period == first + length) return period;
  }
  return length;
}

function isSameToken(url: usize, offsets: usize, a: i32, b: i32): bool {
  const aStart = offsetAt(offsets, a);
  const bStart = offsetAt(offsets, b);
  const size = offsetAt(offsets, a + 1) - aStart;
  return offsetAt(offsets, b + 1) - bStart == size && isSame(url + aStart, url + bStart, size);
}

/** True if this envelope of u and v was seen before, with at least these flags. */
export function wasSeen(u: i32, v: i32, first: i32, inner: i32, flags: i32): bool {
  if (envelopes == 0) {
    const count = slotsFor(ENVELOPES_A_ROW * min(<usize>rows, MOST_ENVELOPES), MOST_ENVELOPES);
    envelopes = tableOf(count * ENVELOPE);
    envelopeMask = count - 1;
  }
  const at = envelopes + (hashOfPair(u, v, (first << 16) ^ inner) & envelopeMask) * ENVELOPE;
  const envelope = changetype<Envelope>(at);
  const isIt = envelope.u == u && envelope.v == v && envelope.first == first;
  const last = envelope.inner;
  if (isIt && last >> 8 == inner && (last & flags) == flags) return true;
  envelope.u = u;
  envelope.v = v;
  envelope.first = first;
  envelope.inner = (inner << 8) | flags;
  return false;
}

/** An empty table. */
function tableOf(bytes: usize): usize {
  const table = alloc(bytes);
  memory.fill(table, 0xff, bytes);
  return table;
}

/** A power of two: small lists get small tables. */
function slotsFor(wanted: usize, most: usize): usize {
  let slots: usize = 2;
  while (slots < wanted + 2 && slots < most) slots <<= 1;
  return slots;
}

function hashOfPair(u: i32, v: i32, more: i32): usize {
  return <usize>mixed((((<u64>u) << 32) | (<u64>(<u32>v))) ^ (<u64>(<u32>more) * 0x9e3779b97f4a7c15));
}
