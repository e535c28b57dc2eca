// Copies rows (layout/sorted-row) to where they are read one after another: sorted rows are anywhere in memory, so that
// reading each of them waits for it. Here the waits of many overlap.
import { HEADER, ROW_LENGTH } from '../layout/sorted-row';

const WORD: usize = 8;

/**
 * Copies the first of so many rows, whose addresses are at `order`, end to end to [target, end), as many as fit; eight
 * bytes past a row are read, and past the last one written. Returns how many, and writes their bytes to `size`, u32.
 */
export function gatherRows(order: usize, rows: i32, target: usize, end: usize, size: usize): i32 {
  // No load waits for the row before, so that several are under way at a time.
  let count = 0;
  let bytes: usize = 0;
  for (; count < rows; count++) {
    const length = <usize>load<u32>(<usize>load<u32>(order + ((<usize>count) << 2)), ROW_LENGTH) + HEADER;
    if (target + bytes + length > end) break;
    bytes += length;
  }
  let to = target;
  for (let row = 0; row < count; row++) {
    const from = <usize>load<u32>(order + ((<usize>row) << 2));
    const length = <usize>load<u32>(from, ROW_LENGTH) + HEADER;
    for (let at: usize = 0; at < length; at += WORD) store<u64>(to + at, load<u64>(from + at));
    to += length;
  }
  store<u32>(size, <u32>bytes);
  return count;
}
