// Escapes that normalization leaves unchanged (url/normalize).

const MINUS: u8 = 0x2d;
const DOT: u8 = 0x2e;
const UNDERSCORE: u8 = 0x5f;
const TILDE: u8 = 0x7e;

/** True for an escape with upper-case digits of a byte that is not unreserved (RFC 3986, 2.3). */
export function isSettledEscape(at: usize, end: usize): bool {
  if (at + 2 >= end) return false;
  const high = load<u8>(at, 1);
  const low = load<u8>(at, 2);
  if (!isUpperHex(high) || !isUpperHex(low)) return false;
  return !isUnreserved((valueOf(high) << 4) | valueOf(low));
}

function isUpperHex(byte: u8): bool {
  return byte - 0x30 < 10 || byte - 0x41 < 6;
}

function valueOf(digit: u8): u8 {
  return digit <= 0x39 ? digit - 0x30 : digit - 0x41 + 10;
}

function isUnreserved(byte: u8): bool {
  if ((byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10) return true;
  return byte == MINUS || byte == DOT || byte == UNDERSCORE || byte == TILDE;
}
