// Parts of lines that several formats have: a request `GET /target HTTP/1.1`, and numbers.
import { Line, UNKNOWN } from './line';

const SPACE: u8 = 0x20;
/** `GET `, `HTTP/` */
export const GET: u32 = 0x20544547;
const HTTP: u64 = 0x2f50545448;
const HTTP_BYTES: u64 = 0xffffffffff;
/** ` HTTP/1.1` */
const PROTOCOL_LENGTH: usize = 9;
const MOST_DIGITS: usize = 15;

/** Reads the target of the request in [start, end), before which `GET ` was found; false if it is not plain. */
export function readTarget(start: usize, end: usize): bool {
  Line.url = start;
  Line.urlEnd = end - PROTOCOL_LENGTH;
  // Spaces around the target do not belong to it; with one before it, it is not a plain URL.
  return Line.urlEnd > start && isProtocol(Line.urlEnd) && load<u8>(Line.urlEnd - 1) != SPACE;
}

/** ` HTTP/`, a digit, and two bytes that are not spaces. */
function isProtocol(at: usize): bool {
  return (
    load<u8>(at) == SPACE &&
    (load<u64>(at, 1) & HTTP_BYTES) == HTTP &&
    isDigit(at + 6) &&
    load<u8>(at, 7) != SPACE &&
    load<u8>(at, 8) != SPACE
  );
}

export function isGet(start: usize, end: usize): bool {
  return end - start == 3 && (load<u32>(start) & 0xffffff) == (GET & 0xffffff);
}

/** The number in decimal digits, or UNKNOWN. */
export function numberIn(start: usize, end: usize): f64 {
  if (start >= end || end - start > MOST_DIGITS) return UNKNOWN;
  let value: u64 = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(at)) return UNKNOWN;
    value = value * 10 + <u64>(load<u8>(at) - 0x30);
  }
  return <f64>value;
}

export function isDigit(at: usize): bool {
  return load<u8>(at) - 0x30 <= 9;
}
