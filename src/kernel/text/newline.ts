// Finds the end of a line, or of a part of it. Sixteen bytes at a time; the newline at the end of the text is a
// sentinel.

const NEWLINE: u8 = 0x0a;

/** The first newline, or one of two other bytes, from `at` on. */
export function endOf(at: usize, one: u8, other: u8): usize {
  let found = foundAt(at, one, other);
  while (found == 0) {
    at += 16;
    found = foundAt(at, one, other);
  }
  return at + <usize>ctz(found);
}

/** A bit for each of sixteen bytes. */
function foundAt(at: usize, one: u8, other: u8): i32 {
  const bytes = v128.load(at);
  const isNewline = i8x16.eq(bytes, i8x16.splat(NEWLINE));
  const isOther = v128.or(i8x16.eq(bytes, i8x16.splat(one)), i8x16.eq(bytes, i8x16.splat(other)));
  return i8x16.bitmask(v128.or(isNewline, isOther));
}
