// Pairs (layout/pair) as rows that sort (layout/sorted-row).
//
//   a key      | from | to | anchor |                            in the order in which pairs are printed
//              | high | both lengths | from | to |               for elimination (SPEC 4); larger numbers first
//
// Both orders compare code points, and UTF-8 sorts in code-point order. In a key, START is 1 and END is 2, before every
// byte of a URL; the bytes 0 to 3 of a URL are escaped with a 3, and 0 ends a side.
import { ANCHOR, AT_END, AT_START, BOTH, COUNT, EXAMPLE, EXAMPLES, FIXED, HIGH, NONE } from '../layout/pair';
import { HEADER, ROW_LENGTH } from '../layout/sorted-row';
import { codePoints } from '../text/code-points';

/** Bytes of a row apart from its sides: header, two numbers, marks. */
const KEY_REST: usize = 32;

/** Where the results go: the number of bytes written, and of rows. */
export const USED: usize = 0;
const ROWS: usize = 4;

/** The sides of the current pair: [from, to) and [to, toEnd). */
export let from: usize = 0;
export let to: usize = 0;
export let toEnd: usize = 0;

export function readSides(payload: usize, end: usize): void {
  const at = payload + FIXED + <usize>load<u8>(payload, EXAMPLES) * EXAMPLE;
  from = at + COUNT;
  to = from + <usize>load<u32>(at);
  toEnd = end;
}

/**
 * Writes the pairs [at, end) as rows into [target, targetEnd), as many as fit. Returns the address of the first pair
 * that does not fit. `isPrinted` is 1 for the order in which pairs are printed.
 */
export function pairRows(at: usize, end: usize, isPrinted: i32, target: usize, targetEnd: usize, result: usize): usize {
  let row = target;
  let rows: u32 = 0;
  while (at < end) {
    const payload = at + COUNT;
    const length = <usize>load<u32>(at);
    if (KEY_REST + HEADER + 3 * length > targetEnd - row) break;
    readSides(payload, payload + length);
    const key = row + HEADER;
    const keyEnd = isPrinted != 0 ? printedKey(key, payload) : eliminationKey(key, payload);
    memory.copy(keyEnd, payload, length);
    store<u32>(row, <u32>(keyEnd - key));
    store<u32>(row, <u32>(keyEnd - key + length), ROW_LENGTH);
    row = keyEnd + length;
    rows++;
    at = payload + length;
  }
  store<u32>(result, <u32>(row - target), USED);
  store<u32>(result, rows, ROWS);
  return at;
}

function printedKey(key: usize, payload: usize): usize {
  const end = putSide(putSide(key, from, to, NONE), to, toEnd, NONE);
  store<u8>(end, load<u8>(payload, ANCHOR));
  return end + 1;
}

function eliminationKey(key: usize, payload: usize): usize {
  const anchor = <i32>load<u8>(payload, ANCHOR);
  const anchors = anchor == BOTH ? 4 : anchor == NONE ? 0 : 2;
  putDescending(key, <f64>load<u32>(payload, HIGH));
  putDescending(key + 8, <f64>(codePoints(from, to) + codePoints(to, toEnd) + anchors));
  return putSide(putSide(key + 16, from, to, anchor), to, toEnd, anchor);
}

function putDescending(at: usize, value: f64): void {
  store<u64>(at, bswap<u64>(~reinterpret<u64>(value)));
}

function putSide(at: usize, start: usize, end: usize, anchor: i32): usize {
  if (anchor == AT_START || anchor == BOTH) store<u8>(at++, 1);
  let k = start;
  for (; k + 8 <= end; k += 8) {
    const eight = load<u64>(k);
    if (hasMark(eight)) break;
    store<u64>(at, eight);
    at += 8;
  }
  for (; k < end; k++) {
    const byte = load<u8>(k);
    if (byte <= 3) store<u8>(at++, 3);
    store<u8>(at++, byte);
  }
  if (anchor == AT_END || anchor == BOTH) store<u8>(at++, 2);
  store<u8>(at, 0);
  return at + 1;
}

/** True if one of eight bytes is at most 3. */
function hasMark(eight: u64): bool {
  return ((eight - 0x0404040404040404) & ~eight & 0x8080808080808080) != 0;
}
