// Finds the end of a line, or of a part of it, sixteen bytes at a time. The newline at the end of the text is a
// sentinel.

const NEWLINE: u8 = 0x0a;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;

/** The first newline, `one` or `other`, from `at` on. */
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

/** The first byte from `at` on that ends a word: a blank or a control character. */
export function endOfWord(at: usize): usize {
  let found = blankAt(at);
  while (found == 0) {
    at += 16;
    found = blankAt(at);
  }
  return at + <usize>ctz(found);
}

function blankAt(at: usize): i32 {
  return i8x16.bitmask(i8x16.le_u(v128.load(at), i8x16.splat(SPACE)));
}

/** The first quote, backslash or control character from `at` on. */
export function endOfString(at: usize): usize {
  let found = stringEndAt(at);
  while (found == 0) {
    at += 16;
    found = stringEndAt(at);
  }
  return at + <usize>ctz(found);
}

function stringEndAt(at: usize): i32 {
  const bytes = v128.load(at);
  const isEnd = v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(BACKSLASH)));
  return i8x16.bitmask(v128.or(isEnd, i8x16.lt_u(bytes, i8x16.splat(SPACE))));
}
