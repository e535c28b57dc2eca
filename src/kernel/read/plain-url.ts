// Writes rows of a batch for the URLs of plain lines, which are in normal form already: a path, after the user's origin
// if any, or `http://host/…` with a plain host, no port, no fragment, and nothing that normalization would change.
// log/compose and url/normalize handle all other URLs.
//
// Writes go slightly past the text of the batch (layout/batch).
import {
  FULL_BYTES,
  MOST_ROWS,
  ROOM,
  SIZES,
  SKETCH_END,
  SKETCH_START,
  TEXT,
  URL_END,
  URL_START,
  USED,
} from '../layout/batch';
import { FACTS_BYTES, FLAGS, IS_PAGE, MARK, TIME, TIME_DIGITS } from '../layout/facts';
import {
  BASE,
  BASE_LENGTH,
  HOST_ORIGIN,
  HOST_ORIGIN_LENGTH,
  IS_HTTPS,
  IS_SAFE,
  MOST_HOST,
  MOST_ORIGIN,
  MOST_URL,
  ONLY_PATHS,
  ORIGIN,
  ORIGIN_LENGTH,
  PATHS,
} from '../layout/reader';
import { isSettledEscape } from '../text/escape';
import { isSame } from '../text/text';
import { Line } from './line';

const SPACE: u8 = 0x20;
const DELETE: u8 = 0x7f;
const PERCENT: u8 = 0x25;
const NUMBER_SIGN: u8 = 0x23;
const MINUS: u8 = 0x2d;
const DOT: u8 = 0x2e;
const SLASH: u8 = 0x2f;
const COLON: u8 = 0x3a;
const QUESTION: u8 = 0x3f;

const LETTER_S: u8 = 0x73;
const ZERO: u8 = 0x30;
const NINE: u8 = 0x39;
const BACKSLASH: u8 = 0x5c;

/** `http`, `//`, `:80`, `:443` */
const HTTP: u32 = 0x70747468;
const SLASHES: u16 = 0x2f2f;
const PORT_80: u32 = 0x30383a;
const PORT_443: u32 = 0x3334343a;
/** `http://`, `https://` */
const HTTP_ORIGIN: u64 = 0x2f2f3a70747468;
const HTTPS_ORIGIN: u64 = 0x2f2f3a7370747468;

export function hasRoom(batch: usize): bool {
  return load<u32>(batch) < <u32>MOST_ROWS && load<u32>(batch, USED) < <u32>FULL_BYTES;
}

/**
 * `rest` is the URL after its origin, and `origin` the origin to copy before it; the latter is empty if the line has
 * it.
 */
let rest: usize = 0;
let origin: usize = 0;
let originLength: usize = 0;
let path: usize = 0;

/** Adds a row for the line; false, and no row, if the URL is not plain or does not fit. */
export function addRecord(reader: usize, batch: usize): bool {
  const url = Line.url;
  const urlEnd = Line.urlEnd;
  const isPath = url < urlEnd && load<u8>(url) == SLASH;
  if (!isPath && load<u32>(reader, ONLY_PATHS) != 0) return false;
  if (!(isPath ? findOrigin(reader) : splitOrigin(reader, url, urlEnd))) return false;
  const sketch = Line.sketch;
  const sketchBytes = Line.sketchEnd - sketch;
  const time: f64 = sketchBytes > 0 && Line.wantsTime ? timeIn(Line.time, Line.timeEnd) : 0;
  const factsBytes: usize = time > 0 ? FACTS_BYTES : 0;
  const query = Line.query;
  const queryBytes: usize = Line.queryEnd > query ? 1 + Line.queryEnd - query : 0;
  const length = originLength + urlEnd - rest + queryBytes;
  const used = load<u32>(batch, USED);
  const end = used + <u32>(length + factsBytes + sketchBytes);
  if (length > <usize>load<u32>(reader, MOST_URL) || end > load<u32>(batch, ROOM)) return false;
  const start = batch + TEXT + <usize>used;
  const isSafe = load<u32>(reader, IS_SAFE) != 0;
  if (!copyChecked(start + originLength, rest, path, urlEnd, isSafe)) return false;
  if (queryBytes > 0) {
    const mark = start + originLength + urlEnd - rest;
    store<u8>(mark, QUESTION);
    if (!copyQuery(mark + 1, query, Line.queryEnd, isSafe)) return false;
  }
  memory.copy(start, origin, originLength);
  if (isPath && originLength == 0) store<u32>(reader, load<u32>(reader, PATHS) + 1, PATHS);
  if (time > 0) writeTime(start + length, time);
  if (sketchBytes > 0) memory.copy(start + length + factsBytes, sketch, sketchBytes);
  const row = load<u32>(batch);
  const at = batch + ((<usize>row) << 2);
  store<f64>(batch + ((<usize>row) << 3), Line.size, SIZES);
  store<u32>(at, used, URL_START);
  store<u32>(at, used + <u32>length, URL_END);
  store<u32>(at, used + <u32>length, SKETCH_START);
  store<u32>(at, end, SKETCH_END);
  store<u32>(batch, row + 1);
  store<u32>(batch, end, USED);
  return true;
}

/** The first digits of a time as a number; 0 without digits (log/facts). */
function timeIn(start: usize, end: usize): f64 {
  let time: u64 = 0;
  let digits = 0;
  for (let at = start; at < end && digits < TIME_DIGITS; at++) {
    if (isDigit(load<u8>(at))) {
      time = time * 10 + <u64>(load<u8>(at) - ZERO);
      digits++;
    } else if (load<u8>(at) == DOT) break;
  }
  return <f64>time;
}

/** Writes the facts of a page of which only the time is known (layout/facts). */
function writeTime(at: usize, time: f64): void {
  store<u64>(at, 0);
  store<u8>(at, <u8>MARK);
  store<u8>(at, <u8>IS_PAGE, FLAGS);
  store<f64>(at, time, TIME);
}

/** The origin for the path of the line: its host, or the user's. False if the host is not plain. */
function findOrigin(reader: usize): bool {
  rest = path = Line.url;
  const host = Line.host;
  const length = Line.hostEnd - host;
  if (length == 0 || (length == 1 && load<u8>(host) == MINUS)) {
    origin = <usize>load<u32>(reader, BASE);
    originLength = <usize>load<u32>(reader, BASE_LENGTH);
    return true;
  }
  origin = reader + HOST_ORIGIN;
  const scheme: usize = Line.isSecure || load<u32>(reader, IS_HTTPS) != 0 ? 8 : 7;
  originLength = scheme + length;
  const isKnown = <usize>load<u32>(reader, HOST_ORIGIN_LENGTH) == originLength && isSame(origin + scheme, host, length);
  if (isKnown && load<u8>(origin, 4) == (scheme == 8 ? LETTER_S : COLON)) return true;
  if (length > <usize>MOST_HOST) return false;
  for (let at = host; at < Line.hostEnd; at++) if (!isHostByte(load<u8>(at))) return false;
  if (!isPlainHost(host, Line.hostEnd)) return false;
  store<u64>(origin, scheme == 8 ? HTTPS_ORIGIN : HTTP_ORIGIN);
  memory.copy(origin + scheme, host, length);
  store<u32>(reader, <u32>originLength, HOST_ORIGIN_LENGTH);
  return true;
}

/** Finds the path of a full URL. A default port is left out of the origin. False if the URL is not plain. */
function splitOrigin(reader: usize, start: usize, end: usize): bool {
  rest = start;
  originLength = 0;
  origin = start;
  const known = <usize>load<u32>(reader, ORIGIN_LENGTH);
  if (known > 0 && known < end - start && isSame(reader + ORIGIN, start, known)) {
    if (load<u8>(start + known) == SLASH) {
      path = start + known;
      return true;
    }
    if (load<u8>(start + known) == COLON) return skipPort(reader, start, start + known, end);
  }
  if (end - start < 8 || load<u32>(start) != HTTP) return false;
  const colon = start + (load<u8>(start, 4) == LETTER_S ? 5 : 4);
  if (load<u8>(colon) != COLON || load<u16>(colon, 1) != SLASHES) return false;
  const host = colon + 3;
  let at = host;
  while (at < end && isHostByte(load<u8>(at))) at++;
  if (at >= end || at == host) return false;
  const isPort = load<u8>(at) == COLON;
  if ((!isPort && load<u8>(at) != SLASH) || !isPlainHost(host, at)) return false;
  if (at - start <= <usize>MOST_ORIGIN) {
    memory.copy(reader + ORIGIN, start, at - start);
    store<u32>(reader, <u32>(at - start), ORIGIN_LENGTH);
  }
  path = at;
  return !isPort || skipPort(reader, start, at, end);
}

/** Leaves out `:80` or `:443`, as normalization does. */
function skipPort(reader: usize, start: usize, colon: usize, end: usize): bool {
  const isHttps = load<u8>(start, 4) == LETTER_S;
  const slash = colon + (isHttps ? 4 : 3);
  if (slash >= end || load<u8>(slash) != SLASH || load<u32>(reader, IS_SAFE) == 0) return false;
  const isDefault = isHttps ? load<u32>(colon) == PORT_443 : (load<u32>(colon) & 0xffffff) == PORT_80;
  originLength = colon - start;
  rest = path = slash;
  return isDefault;
}

function isHostByte(byte: u8): bool {
  return byte - 0x61 < 26 || byte - 0x30 < 10 || byte == MINUS || byte == DOT;
}

/**
 * True if browsers take a host of such bytes as it is: it is four numbers, or is not in punycode and its last label
 * begins with a letter (url/normalize).
 */
function isPlainHost(start: usize, end: usize): bool {
  let label = start;
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    if (byte == DOT) label = at + 1;
    else if (byte == MINUS && load<u8>(at, 1) == MINUS) return false;
  }
  return (label < end && load<u8>(label) > NINE) || isIpv4(start, end);
}

/** True for four numbers up to 255, without leading zeros. */
function isIpv4(at: usize, end: usize): bool {
  for (let part = 0; part < 4; part++) {
    if (part > 0 && (at >= end || load<u8>(at++) != DOT)) return false;
    const start = at;
    let number: i32 = 0;
    while (at < end && at < start + 4 && isDigit(load<u8>(at))) number = 10 * number + <i32>(load<u8>(at++) - ZERO);
    if (at == start || number > 255 || (load<u8>(start) == ZERO && at > start + 1)) return false;
  }
  return at == end;
}

function isDigit(byte: u8): bool {
  return byte - ZERO < 10;
}

/** Copies the URL [from, end), whose path starts at `path`; false if it is not plain. */
function copyChecked(to: usize, from: usize, path: usize, end: usize, isSafe: bool): bool {
  if (copyPlain(to, from, end)) return true;
  if (!isPlain(path, end, isSafe, isSafe)) return false;
  memory.copy(to, from, end - from);
  return true;
}

/** Copies a query that has a field of its own; false if it is not plain. */
function copyQuery(to: usize, from: usize, end: usize, isSafe: bool): bool {
  if (copyPlain(to, from, end)) return true;
  if (!isPlain(from, end, isSafe, false)) return false;
  memory.copy(to, from, end - from);
  return true;
}

/** Copies [from, end), and some bytes after it. False if a byte needs a closer look. */
function copyPlain(to: usize, from: usize, end: usize): bool {
  const percent = i8x16.splat(PERCENT);
  const numberSign = i8x16.splat(NUMBER_SIGN);
  const slash = i8x16.splat(SLASH);
  const dot = i8x16.splat(DOT);
  const space = i8x16.splat(SPACE);
  const del = i8x16.splat(DELETE);
  const backslash = i8x16.splat(BACKSLASH);
  for (let at = from; at < end; at += 16, to += 16) {
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const isDotSegment = v128.and(i8x16.eq(bytes, slash), i8x16.eq(v128.load(at, 1), dot));
    const isOdd = v128.or(v128.or(i8x16.eq(bytes, percent), i8x16.eq(bytes, numberSign)), i8x16.eq(bytes, backslash));
    // Control characters, blanks, and bytes from 0x80 up, which are negative.
    const isRaw = v128.or(i8x16.le_s(bytes, space), i8x16.eq(bytes, del));
    const found = i8x16.bitmask(v128.or(v128.or(isDotSegment, isOdd), isRaw));
    if (found != 0 && at + <usize>ctz(found) < end) return false;
  }
  return true;
}

/**
 * True if the text has no fragment and no control character and, if `isSafe`, `isNormal` (url/normalize) holds from the
 * path on.
 */
function isPlain(path: usize, end: usize, isSafe: bool, isPath: bool): bool {
  let isInPath = isPath;
  for (let at = path; at < end; at++) {
    const byte = load<u8>(at);
    if (byte == NUMBER_SIGN || byte < SPACE || byte == DELETE) return false;
    if (isSafe && (byte == SPACE || byte >= 0x80 || (byte == BACKSLASH && isInPath))) return false;
    if (byte == QUESTION) isInPath = false;
    else if (byte == SLASH) {
      if (isInPath && at + 1 < end && load<u8>(at + 1) == DOT) return false;
    } else if (byte == PERCENT && isSafe && !isSettledEscape(at, end)) return false;
  }
  return true;
}
