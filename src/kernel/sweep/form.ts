// The form that the rounds work on: [start, end), plain, followed by a newline or another byte that no URL has. Its
// path begins with a slash. START of a rule that has paths only is that slash.

export let start: usize = 0;
export let end: usize = 0;
export let path: usize = 0;
export let origin: usize = 0;
/** Counts forms, so that results for one form are not used for another. */
export let form: u64 = 0;
/** Roughly the bytes looked at so far, for all URLs: it bounds what one call may cost. */
export let work: u64 = 0;

export const SLASH: u8 = 0x2f;
export const QUESTION: u8 = 0x3f;
export const SEMICOLON: u8 = 0x3b;
export const AMPERSAND: u8 = 0x26;
export const EQUALS: u8 = 0x3d;
export const DOT: u8 = 0x2e;
export const PERCENT: u8 = 0x25;

export function setForm(itsStart: usize, itsEnd: usize, itsPath: usize, itsOrigin: usize): void {
  start = itsStart;
  end = itsEnd;
  path = itsPath;
  origin = itsOrigin;
  form++;
}

/** Counts another pass over the form. */
export function addWork(): void {
  work += <u64>(end - start);
}

/** The offset after `http://` or `https://`, or 0. */
export function hostStart(): usize {
  if (load<u8>(start) == SLASH) return 0;
  return start + (load<u8>(start, 4) == 0x73 ? 8 : 7);
}

/** Copies bytes forward in memory, sixteen at a time, and up to 15 bytes more; returns where they end. */
export function copied(to: usize, from: usize, until: usize): usize {
  const length = until - from;
  for (let k: usize = 0; k < length; k += 16) v128.store(to + k, v128.load(from + k));
  return to + length;
}

/** The first `one` or `other` in [at, stop), or `stop`. There is a newline after the form. */
export function nextOf(at: usize, stop: usize, one: u8, other: u8): usize {
  while (at < stop) {
    const bytes = v128.load(at);
    const found = i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(one)), i8x16.eq(bytes, i8x16.splat(other))));
    if (found != 0) return min(at + <usize>ctz(found), stop);
    at += 16;
  }
  return stop;
}

/** True if an escape begins at `at` and ends before `stop`. */
export function isEscape(at: usize, stop: usize): bool {
  return at + 2 < stop && load<u8>(at) == PERCENT && isHex(load<u8>(at, 1)) && isHex(load<u8>(at, 2));
}

/** The byte that the escape at `at` stands for. */
export function escapedAt(at: usize): u8 {
  return (hexOf(load<u8>(at, 1)) << 4) + hexOf(load<u8>(at, 2));
}

function isHex(byte: u8): bool {
  return isDigit(byte) || (byte | 0x20) - 0x61 < 6;
}

function hexOf(byte: u8): u8 {
  return isDigit(byte) ? byte - 0x30 : (byte | 0x20) - 0x57;
}

export function isDigit(byte: u8): bool {
  return byte - 0x30 < 10;
}

/** Letters, digits, and bytes that are not ASCII. */
export function isRunByte(byte: u8): bool {
  return byte >= 0x80 || isDigit(byte) || (byte | 0x20) - 0x61 < 26;
}
