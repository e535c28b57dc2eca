// The line that is being read, as the kernel parsed it: ranges of bytes, whose start is 0 if there is none, and
// numbers; and how the parts are read that several formats have.

export const UNKNOWN: f64 = -1;

export class Line {
  static url: usize = 0;
  static urlEnd: usize = 0;
  /** The quotes around the request. */
  static open: usize = 0;
  static close: usize = 0;
  static query: usize = 0;
  static queryEnd: usize = 0;
  static host: usize = 0;
  static hostEnd: usize = 0;
  static isSecure: bool = false;
  static sketch: usize = 0;
  static sketchEnd: usize = 0;
  /** The time of a capture, if it is wanted. */
  static time: usize = 0;
  static timeEnd: usize = 0;
  static wantsTime: bool = false;
  static status: f64 = 0;
  static size: f64 = 0;

  static clear(): void {
    Line.open = Line.close = 0;
    Line.url = Line.query = Line.queryEnd = Line.host = Line.hostEnd = Line.sketch = Line.sketchEnd = 0;
    Line.isSecure = false;
    Line.time = Line.timeEnd = 0;
    Line.status = Line.size = UNKNOWN;
  }
}

// Requests, `GET /target HTTP/1.1`, and numbers.

const SPACE: u8 = 0x20;
/** `GET `, `HTTP/` */
export const GET: u32 = 0x20544547;
const HTTP: u64 = 0x2f50545448;
const HTTP_BYTES: u64 = 0xffffffffff;
/** ` HTTP/1.1` */
const PROTOCOL_LENGTH: usize = 9;
const MOST_DIGITS: usize = 15;

/** Reads the target of the request in [start, end), after `GET `; false if it is not plain. */
export function readTarget(start: usize, end: usize): bool {
  Line.url = start;
  Line.urlEnd = end - PROTOCOL_LENGTH;
  // Spaces around the target do not belong to it; a target with one before the protocol is no plain URL.
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

/** The decimal number in [start, end), or UNKNOWN. */
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

// A URL may be in several fields, as in log/format/request: the query and the scheme in fields of their own.

const MINUS: u8 = 0x2d;
const QUESTION: u8 = 0x3f;
/** TLS 1.0 (log/format/request). */
const FIRST_TLS = 769;

export function isNone(start: usize, end: usize): bool {
  return end - start == 1 && load<u8>(start) == MINUS;
}

/** False for a query that includes its question mark, which is left to JavaScript. */
export function takeQuery(start: usize, end: usize): bool {
  if (end == start || isNone(start, end)) return true;
  Line.query = start;
  Line.queryEnd = end;
  return load<u8>(start) != QUESTION;
}

/** Drops the query field if the URL has a query already. Call this when both are known. */
export function settleQuery(): void {
  for (let at = Line.url; at < Line.urlEnd && Line.query != 0; at++) {
    if (load<u8>(at) == QUESTION) Line.query = Line.queryEnd = 0;
  }
}

/** True for `https`, `wss`, 443 and the number of a TLS version. */
export function isSecure(start: usize, end: usize): bool {
  const length = end - start;
  const first = load<u8>(start) | 0x20;
  const isLastS = length > 0 && (load<u8>(end - 1) | 0x20) == 0x73;
  if (length == 5 && first == 0x68) return isLastS;
  if (length != 3) return false;
  if (first == 0x77) return isLastS;
  const code = numberIn(start, end);
  return code == 443 || code >= FIRST_TLS;
}
