// URLs in collation bytes: compares them, and counts their tokens and the length of what two of them share.

/** Collation bytes from this one up belong to runs (url/token). */
export const FIRST_RUN_BYTE: u8 = 66;
/** The `%` of an escape. Those below continue an escape. */
export const ESCAPE_BYTE: u8 = 23;

/** Tables of 256 bytes: collation byte by raw byte, and raw byte by collation byte. */
export const TO_COLLATION: usize = 1024;
export const FROM_COLLATION: usize = 1280;

export function isRun(address: usize): bool {
  return load<u8>(address) >= FIRST_RUN_BYTE;
}

/** True for a digit of an escape. */
export function isInEscape(address: usize): bool {
  return load<u8>(address) < ESCAPE_BYTE;
}

/** How many of the next `limit` bytes are equal at a and b. */
export function sameAhead(a: usize, b: usize, limit: usize): usize {
  let k: usize = 0;
  for (; k + 8 <= limit; k += 8) {
    const differing = load<u64>(a + k) ^ load<u64>(b + k);
    if (differing != 0) return k + <usize>(ctz(differing) >> 3);
  }
  while (k < limit && load<u8>(a + k) == load<u8>(b + k)) k++;
  return k;
}

/** How many of the `limit` bytes before a and b are equal, going backwards. */
export function sameBehind(a: usize, b: usize, limit: usize): usize {
  let k: usize = 0;
  for (; k + 8 <= limit; k += 8) {
    const differing = load<u64>(a - k - 8) ^ load<u64>(b - k - 8);
    if (differing != 0) return k + <usize>(clz(differing) >> 3);
  }
  while (k < limit && load<u8>(a - k - 1) == load<u8>(b - k - 1)) k++;
  return k;
}

export function isSame(a: usize, b: usize, length: usize): bool {
  let k: usize = 0;
  if (length < 8) {
    while (k < length && load<u8>(a + k) == load<u8>(b + k)) k++;
    return k == length;
  }
  for (const last = length - 8; k < last; k += 8) if (load<u64>(a + k) != load<u64>(b + k)) return false;
  // The last eight bytes may overlap those already compared.
  return load<u64>(a + length - 8) == load<u64>(b + length - 8);
}

/** Negative, 0 or positive, as [a, a + aLength) is less than, equal to or greater than [b, b + bLength). */
export function compare(a: usize, aLength: usize, b: usize, bLength: usize): i32 {
  const limit = min(aLength, bLength);
  const same = sameAhead(a, b, limit);
  if (same < limit) return <i32>load<u8>(a + same) - <i32>load<u8>(b + same);
  return aLength < bLength ? -1 : i32(aLength > bLength);
}

/**
 * Number of tokens in [from, to), which begins and ends at token boundaries. Eight bytes at a time: see list/forward.
 */
export function countTokens(from: usize, to: usize): i32 {
  let count: i32 = 0;
  // 0x80 if the byte before is a run byte.
  let carry: u64 = 0;
  let k = from;
  for (; k + 8 <= to; k += 8) {
    const eight = load<u64>(k);
    const runs = runsOf(eight);
    count += 8 - <i32>popcnt((runs & ((runs << 8) | carry)) | inEscapesOf(eight));
    carry = runs >> 56;
  }
  for (; k < to; k++) {
    const run: u64 = isRun(k) ? 0x80 : 0;
    if ((run & carry) == 0 && !isInEscape(k)) count++;
    carry = run;
  }
  return count;
}

/** 0x80 for each of eight bytes that belongs to runs. */
export function runsOf(eight: u64): u64 {
  return (((eight & 0x7f7f7f7f7f7f7f7f) + 0x3e3e3e3e3e3e3e3e) | eight) & 0x8080808080808080;
}

/** 0x80 for each of eight bytes that is a digit of an escape, or 0. */
export function inEscapesOf(eight: u64): u64 {
  return ~(((eight & 0x7f7f7f7f7f7f7f7f) + 0x6969696969696969) | eight) & 0x8080808080808080;
}

/** Length of the longest common suffix of whole tokens of [a, aEnd) and [b, bEnd). */
export function sharedSuffix(a: usize, aEnd: usize, b: usize, bEnd: usize): usize {
  let shared = sameBehind(aEnd, bEnd, min(aEnd - a, bEnd - b));
  while (shared > 0 && isInEscape(aEnd - shared)) shared--;
  if (shared == 0 || !isRun(aEnd - shared)) return shared;
  if ((aEnd - shared > a && isRun(aEnd - shared - 1)) || (bEnd - shared > b && isRun(bEnd - shared - 1))) {
    while (shared > 0 && isRun(aEnd - shared)) shared--;
  }
  return shared;
}

/** A hash of [start, end). It only finds candidates: bytes decide equality. */
export function hashOf(start: usize, end: usize, seed: u64): u64 {
  let hash = seed ^ (<u64>(end - start) * 0x9e3779b97f4a7c15);
  let k = start;
  for (; k + 8 <= end; k += 8) hash = mixed(hash ^ load<u64>(k));
  if (k < end) {
    let rest: u64 = 0;
    for (let shift: u64 = 0; k < end; k++, shift += 8) rest |= (<u64>load<u8>(k)) << shift;
    hash = mixed(hash ^ rest);
  }
  return mixed(hash);
}

/** Mixes the bits of a number. */
export function mixed(value: u64): u64 {
  value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93;
  return value ^ (value >> 32);
}
