// Is a URL in normal form already? Writes rows of a batch for the URLs of plain lines: a path, after the user's origin
// if any, or `http://host/…` with a host in lower case and no port, and nothing that normalization could change, nor a
// fragment. All others are left to log/compose and url/normalize.
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
import {
  BASE,
  BASE_LENGTH,
  IS_SAFE,
  MOST_ORIGIN,
  MOST_URL,
  ONLY_PATHS,
  ORIGIN,
  ORIGIN_LENGTH,
  PATHS,
} from '../layout/reader';
import { isSettledEscape } from '../text/escape';
import { isSame } from '../text/text';

const SPACE: u8 = 0x20;
const DELETE: u8 = 0x7f;
const PERCENT: u8 = 0x25;
const NUMBER_SIGN: u8 = 0x23;
const MINUS: u8 = 0x2d;
const DOT: u8 = 0x2e;
const SLASH: u8 = 0x2f;
const COLON: u8 = 0x3a;
const QUESTION: u8 = 0x3f;

/** `http`, `//` */
const HTTP: u32 = 0x70747468;
const SLASHES: u16 = 0x2f2f;

export function hasRoom(batch: usize): bool {
  return load<u32>(batch) < <u32>MOST_ROWS && load<u32>(batch, USED) < <u32>FULL_BYTES;
}

/** Adds a row; false, without an effect, if the URL is not plain or does not fit. */
export function addRecord(
  reader: usize,
  batch: usize,
  url: usize,
  urlEnd: usize,
  size: f64,
  sketch: usize,
  sketchEnd: usize,
): bool {
  const isPath = url < urlEnd && load<u8>(url) == SLASH;
  if (!isPath && load<u32>(reader, ONLY_PATHS) != 0) return false;
  const path = isPath ? url : pathOf(reader, url, urlEnd);
  if (path == 0) return false;
  const base = isPath ? <usize>load<u32>(reader, BASE_LENGTH) : 0;
  const length = base + urlEnd - url;
  const used = load<u32>(batch, USED);
  const end = used + <u32>(length + sketchEnd - sketch);
  if (length > <usize>load<u32>(reader, MOST_URL) || end > load<u32>(batch, ROOM)) return false;
  const text = batch + TEXT;
  const start = text + <usize>used;
  if (!copyPlain(start + base, url, urlEnd)) {
    if (!isPlain(path, urlEnd, load<u32>(reader, IS_SAFE) != 0)) return false;
    memory.copy(start + base, url, urlEnd - url);
  }
  memory.copy(start, load<u32>(reader, BASE), base);
  if (isPath && base == 0) store<u32>(reader, load<u32>(reader, PATHS) + 1, PATHS);
  if (sketchEnd > sketch) memory.copy(start + length, sketch, sketchEnd - sketch);
  const row = load<u32>(batch);
  const at = batch + ((<usize>row) << 2);
  store<f64>(batch + ((<usize>row) << 3), size, SIZES);
  store<u32>(at, used, URL_START);
  store<u32>(at, used + <u32>length, URL_END);
  store<u32>(at, used + <u32>length, SKETCH_START);
  store<u32>(at, end, SKETCH_END);
  store<u32>(batch, row + 1);
  store<u32>(batch, end, USED);
  return true;
}

/** The slash after `http://host`; 0 if the URL begins otherwise. */
function pathOf(reader: usize, start: usize, end: usize): usize {
  const known = <usize>load<u32>(reader, ORIGIN_LENGTH);
  if (known > 0 && known < end - start && load<u8>(start + known) == SLASH && isSame(reader + ORIGIN, start, known)) {
    return start + known;
  }
  if (end - start < 8 || load<u32>(start) != HTTP) return 0;
  const colon = start + (load<u8>(start, 4) == 0x73 ? 5 : 4);
  if (load<u8>(colon) != COLON || load<u16>(colon, 1) != SLASHES) return 0;
  const host = colon + 3;
  let at = host;
  while (at < end && isHostByte(load<u8>(at))) at++;
  if (at >= end || at == host || load<u8>(at) != SLASH) return 0;
  if (at - start <= <usize>MOST_ORIGIN) {
    memory.copy(reader + ORIGIN, start, at - start);
    store<u32>(reader, <u32>(at - start), ORIGIN_LENGTH);
  }
  return at;
}

function isHostByte(byte: u8): bool {
  return byte - 0x61 < 26 || byte - 0x30 < 10 || byte == MINUS || byte == DOT;
}

/** Copies [from, end), and some bytes after it. False if a byte needs a closer look. */
function copyPlain(to: usize, from: usize, end: usize): bool {
  const percent = i8x16.splat(PERCENT);
  const numberSign = i8x16.splat(NUMBER_SIGN);
  const slash = i8x16.splat(SLASH);
  const dot = i8x16.splat(DOT);
  const space = i8x16.splat(SPACE);
  const del = i8x16.splat(DELETE);
  for (let at = from; at < end; at += 16, to += 16) {
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const isDotSegment = v128.and(i8x16.eq(bytes, slash), i8x16.eq(v128.load(at, 1), dot));
    const isOdd = v128.or(i8x16.eq(bytes, percent), i8x16.eq(bytes, numberSign));
    const isControl = v128.or(i8x16.lt_u(bytes, space), i8x16.eq(bytes, del));
    const found = i8x16.bitmask(v128.or(v128.or(isDotSegment, isOdd), isControl));
    if (found != 0 && at + <usize>ctz(found) < end) return false;
  }
  return true;
}

/**
 * Whether it has no fragment and no control character, and, if URLs have to be in normal form, `isNormal` (url/normalize) holds from the path
 * on.
 */
function isPlain(path: usize, end: usize, isSafe: bool): bool {
  let isInPath = isSafe;
  for (let at = path; at < end; at++) {
    const byte = load<u8>(at);
    if (byte == NUMBER_SIGN || byte < SPACE || byte == DELETE) return false;
    if (byte == QUESTION) isInPath = false;
    else if (byte == SLASH) {
      if (isInPath && at + 1 < end && load<u8>(at + 1) == DOT) return false;
    } else if (byte == PERCENT && isSafe && !isSettledEscape(at, end)) return false;
  }
  return true;
}
