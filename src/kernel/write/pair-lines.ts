// Writes pairs as lines: site, anchor, from, to, low, high, against, with tabs between them (cli/run/mine/stage).
import { AGAINST, ANCHOR, AT_END, AT_START, BOTH, HIGH, LOW } from '../layout/pair';
import { HEADER, ROW_LENGTH } from '../layout/sorted-row';
import { from, readSides, to, toEnd, USED } from './pair-rows';

/** Bytes of a line apart from the site and the two sides. */
const LINE_REST: usize = 64;

/**
 * Writes the pairs of `rows` rows, whose addresses are at `order`, as lines into [target, targetEnd), as many as fit;
 * returns how many. `head` is the site and a tab.
 */
export function pairLines(
  order: usize,
  rows: i32,
  head: usize,
  headLength: usize,
  target: usize,
  targetEnd: usize,
  result: usize,
): i32 {
  let at = target;
  let row = 0;
  for (; row < rows; row++) {
    const start = <usize>load<u32>(order + ((<usize>row) << 2)) + HEADER;
    const payload = start + <usize>load<u32>(start - HEADER);
    readSides(payload, start + <usize>load<u32>(start - HEADER + ROW_LENGTH));
    if (headLength + 2 * (toEnd - from) + LINE_REST > targetEnd - at) break;
    memory.copy(at, head, headLength);
    at = putAnchor(at + headLength, load<u8>(payload, ANCHOR));
    at = putEscaped(putEscaped(at, from, to), to, toEnd);
    at = putNumber(at, load<u32>(payload, LOW), TAB);
    at = putNumber(at, load<u32>(payload, HIGH), TAB);
    at = putNumber(at, load<u32>(payload, AGAINST), NEWLINE);
  }
  store<u32>(result, <u32>(at - target), USED);
  return row;
}

const TAB: u8 = 0x09;
const NEWLINE: u8 = 0x0a;
const BACKSLASH: u8 = 0x5c;
const ZERO: u8 = 0x30;
/** The names of the anchors as words in memory. */
const BOTH_NAME: u32 = 0x68746f62;
const END_NAME: u32 = 0x09646e65;
const NONE_NAME: u32 = 0x656e6f6e;
const START_NAME: u64 = 0x097472617473;

function putAnchor(at: usize, anchor: i32): usize {
  if (anchor == AT_START) {
    store<u64>(at, START_NAME);
    return at + 6;
  }
  if (anchor == AT_END) {
    store<u32>(at, END_NAME);
    return at + 4;
  }
  store<u32>(at, anchor == BOTH ? BOTH_NAME : NONE_NAME);
  store<u8>(at + 4, TAB);
  return at + 5;
}

function putEscaped(at: usize, start: usize, end: usize): usize {
  for (let k = start; k < end; k++) {
    const byte = load<u8>(k);
    if (byte == BACKSLASH || byte == TAB || byte == NEWLINE) {
      store<u8>(at++, BACKSLASH);
      // t for a tab, n for a newline.
      store<u8>(at++, byte == TAB ? 0x74 : byte == NEWLINE ? 0x6e : BACKSLASH);
    } else {
      store<u8>(at++, byte);
    }
  }
  store<u8>(at, TAB);
  return at + 1;
}

function putNumber(at: usize, value: u32, behind: u8): usize {
  let digits: usize = 1;
  for (let rest = value; rest > 9; rest /= 10) digits++;
  for (let k = at + digits; k > at;) {
    store<u8>(--k, ZERO + <u8>(value % 10));
    value /= 10;
  }
  store<u8>(at + digits, behind);
  return at + digits + 1;
}
