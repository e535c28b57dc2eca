// The instance table IT of Figure 1: pairs of URLs from one bucket, as rows that sort by their *core*.
//
// The core of a pair (α, β) is what is left when their common first tokens and then their common last tokens are
// removed. All pairs that two URLs are an instance of, over all their envelopes, have the core of the two URLs
// themselves and differ in how much of the common text around it they include. So one row holds a whole rectangle of
// envelopes: a tokens to the left of the core, b to the right, and e = a + b in a range too.
//
// If the common first and last parts of two URLs overlap (a/b/ and a/b/b/: the shorter is the longer without a
// repetition), they have several cores, one for each position of the gap. Those rows are marked `bordered`, since one
// pair of URLs may then have several envelopes for one (α, β) and must count once (SPEC 3.1). In a crawler trap the gap
// has hundreds of positions, and most envelopes repeat one period further on; they are folded onto the first of them.
// If the parts overlap by more than MOST_OVERLAP tokens, the two URLs are no instance, and both are marked as URLs of a
// trap (SPEC 3.4).
//
// The layout of a row is in layout/instance-row.
import { BOX_BYTES, Box } from './bucket';
import { A_LOW, B_LOW, BORDERED, CORE_OFFSET, E_LOW, FROM, FROM_BYTES, LOW, SIMILAR, TO } from '../layout/instance-row';
import { IS_DEBUG } from '../memory/debug';
import { PLACE_BOX, room } from '../memory/rooms';
import { isLonger } from '../text/code-points';
import { newRow } from './instance-rows';
import {
  areOther,
  isTrap,
  meet,
  overlaps,
  periodOf,
  prefix,
  prefixBytes,
  similar,
  suffix,
  suffixBytes,
  tokensOf,
  wasSeen,
} from './overlap';
import { lengthOf, urlAt } from '../list/site';
import { hashOf } from '../text/text';
import { offsetAt, offsetsOf } from './token-offsets';

let tLow: i32 = 0;
/** A column of u8: 1 for URLs of a crawler trap. */
let trapsAt: usize = 0;
/** The envelopes of one position of the gap. */
let placeBox: Box = changetype<Box>(0);

/**
 * T_low: the largest bucket whose pairs count for support. `traps`: the column in which URLs of crawler traps are
 * marked.
 */
export function beginPairs(T_low: i32, traps: usize): void {
  tLow = T_low;
  trapsAt = traps;
  placeBox = changetype<Box>(room(PLACE_BOX, BOX_BYTES, 0));
}

/** Adds all pairs of a bucket, with its envelopes. */
export function addPairs(members: usize, size: i32, box: Box): void {
  const low = size <= tLow ? LOW : 0;
  const end = members + ((<usize>size) << 2);
  for (let x = members + 4; x < end; x += 4) {
    for (let y = members; y < x; y += 4) {
      const u = load<i32>(x);
      const v = load<i32>(y);
      // Dissimilar pairs of a large bucket count for nothing. If the log has sizes, these are most pairs.
      if (low == 0 && areOther(u, v)) continue;
      meet(u, v);
      const flags = low | (similar ? SIMILAR : 0);
      if (flags == 0) continue;
      if (isTrap) markTrap(u, v);
      else if (overlaps) addBordered(u, v, flags | BORDERED, box);
      else addRow(u, v, prefix, prefixBytes, suffix, suffixBytes, flags, box);
    }
  }
}

/** Several threads may mark the same URL. */
function markTrap(u: i32, v: i32): void {
  store<u8>(trapsAt + <usize>u, 1);
  store<u8>(trapsAt + <usize>v, 1);
}

/** One row for each position of the gap. The row of the rightmost position has all envelopes further out. */
function addBordered(u: i32, v: i32, flags: i32, box: Box): void {
  const short = tokensOf(u) < tokensOf(v) ? u : v;
  const long = short == u ? v : u;
  const length = tokensOf(short);
  const right = length - prefix;
  const rightBytes = lengthOf(short) - prefixBytes;
  addRow(long, short, prefix, prefixBytes, right, rightBytes, flags, box);
  // A gap further left has only the envelopes that end right after it, `last` tokens from the end.
  const leastLast = max(max(right + 1, box.jLow), box.dLow - box.iHigh);
  const mostLast = min(min(suffix, box.jHigh), box.dHigh - box.iLow);
  if (leastLast > mostLast) return;
  // The common part is periodic from the leftmost position of the gap on; the gap is a multiple of the period.
  const period = periodOf(u, v);
  const folds = length - suffix + period;
  for (let last = leastLast; last <= mostLast; last++) {
    const least = max(box.iLow, box.dLow - last);
    const most = min(min(box.iHigh, box.dHigh - last), length - last);
    if (least < folds) addPlace(long, short, last, least, min(most, folds - 1), flags);
    for (let first = max(least, folds); first <= most; first++) {
      const shift = ((first - folds) / period + 1) * period;
      if (wasSeen(long, short, first - shift, length - first - last, flags)) continue;
      addPlace(long, short, last + shift, first - shift, first - shift, flags);
    }
  }
}

/**
 * Adds a row for the envelopes of `least` to `most` first tokens and `last` last tokens: the gap is right before the
 * last part.
 */
function addPlace(long: i32, short: i32, last: i32, least: i32, most: i32, flags: i32): void {
  const length = tokensOf(short);
  const place = length - last;
  if (least > min(most, place)) return;
  const offset = offsetAt(offsetsOf(short, length), place - 1);
  const bytes = lengthOf(short) - offset;
  const box = placeBox;
  box.iLow = least;
  box.iHigh = most;
  box.jLow = box.jHigh = last;
  box.dLow = least + last;
  box.dHigh = most + last;
  addRow(long, short, place, offset, last, bytes, flags, box);
}

/** A row for the envelopes of the box around the core that starts after `first` tokens and ends before `last`. */
function addRow(
  u: i32,
  v: i32,
  first: i32,
  firstBytes: usize,
  last: i32,
  lastBytes: usize,
  flags: i32,
  box: Box,
): void {
  const iLow = box.iLow;
  const iHigh = min(box.iHigh, first);
  const jLow = box.jLow;
  const jHigh = min(box.jHigh, last);
  const dLow = box.dLow;
  if (iHigh < iLow || jHigh < jLow || iHigh + jHigh < dLow) return;
  const uAt = urlAt(u);
  const vAt = urlAt(v);
  const uEnd = uAt + lengthOf(u) - lastBytes;
  const vEnd = vAt + lengthOf(v) - lastBytes;
  const row = newRow();
  if (isLonger(uAt + firstBytes, uEnd, vAt + firstBytes, vEnd)) {
    setCore(row, u, uAt + firstBytes, uEnd, v, vAt + firstBytes, vEnd);
  } else {
    setCore(row, v, vAt + firstBytes, vEnd, u, uAt + firstBytes, uEnd);
  }
  store<u32>(row, packed(<i32>firstBytes, flags), CORE_OFFSET);
  store<u32>(row, packed(first - iHigh, first - iLow), A_LOW);
  store<u32>(row, packed(last - jHigh, last - jLow), B_LOW);
  store<u32>(row, packed(max(0, first + last - box.dHigh), first + last - dLow), E_LOW);
}

function setCore(row: usize, from: i32, fromAt: usize, fromEnd: usize, to: i32, toAt: usize, toEnd: usize): void {
  store<u64>(row, hashOf(toAt, toEnd, hashOf(fromAt, fromEnd, 0)));
  store<u32>(row, bswap<u32>(<u32>from), FROM);
  store<u32>(row, bswap<u32>(<u32>to), TO);
  store<u32>(row, packed(<i32>(fromEnd - fromAt), <i32>(toEnd - toAt)), FROM_BYTES);
}

/** Two numbers of 16 bits: lengths of URLs, and all counts in them, are smaller (MAX_URL_BYTES). */
function packed(low: i32, high: i32): u32 {
  if (IS_DEBUG) assert(low >= 0 && low <= 0xffff && high >= 0 && high <= 0xffff);
  return (<u32>low) | ((<u32>high) << 16);
}
