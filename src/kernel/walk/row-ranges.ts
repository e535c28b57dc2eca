// Finds ranges of rows in which each row shares more than so many first tokens with the row before.
import { sharedFirst, u16At } from './walk-columns';

/**
 * Where the range that starts at `row` ends: at the first later row that shares at most `shared` with the row before
 * it, or at `to`. Returns -1 if the whole range shares more.
 */
export function endOfRange(row: i32, to: i32, shared: i32): i32 {
  if (shared < 0) return to;
  const column = sharedFirst;
  const most = i16x8.splat(<i16>shared);
  let end = row + 1;
  for (; end + 8 <= to; end += 8) {
    const eight = v128.load(column + ((<usize>end) << 1));
    const ends = i16x8.bitmask(i16x8.le_u(eight, most));
    if (ends != 0) return end + ctz(ends);
  }
  while (end < to && u16At(column, end) > shared) end++;
  return end;
}

/** Number of first tokens that rows [from, to), at least two, all share. */
export function sharedByAll(from: i32, to: i32): i32 {
  const column = sharedFirst;
  let row = from + 1;
  let least = u16At(column, row);
  if (to - row >= 8) {
    let leasts = i16x8.splat(-1);
    for (; row + 8 <= to; row += 8) leasts = i16x8.min_u(leasts, v128.load(column + ((<usize>row) << 1)));
    least = min(least, leastOfEight(leasts));
  }
  for (; row < to; row++) least = min(least, u16At(column, row));
  return least;
}

function leastOfEight(eight: v128): i32 {
  let least = i16x8.min_u(eight, i64x2.shuffle(eight, eight, 1, 0));
  least = i16x8.min_u(least, i32x4.shuffle(least, least, 1, 0, 3, 2));
  return min(<i32>i16x8.extract_lane_u(least, 0), <i32>i16x8.extract_lane_u(least, 1));
}
