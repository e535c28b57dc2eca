// The fast path for plain lines. Most lines of a log are simple: a successful GET of a path, or a URL, in normal form.
// They become rows of a batch here; at any other line JavaScript takes over (log/line-reader), which handles every
// case, and then calls back.
//
//   table    | cell | TAB | cell | TAB | …          the header gives the meaning of cells
//   ncsa     … ] "GET /target HTTP/1.1" 200 512 …   client, user and time are not parsed, nor what follows
//
// The text ends with a newline, or one is put after it as a sentinel.
import {
  CELLS,
  KIND,
  LINES,
  MEANINGS,
  METHOD_CELL,
  MOST_CELLS,
  SIZE_CELL,
  SKETCH_CELL,
  STATUS_CELL,
  TABLE,
  URL_CELL,
} from '../layout/reader';
import { endOf } from '../text/newline';
import { addRecord, hasRoom } from './plain-url';

const MAX_LINE_BYTES: usize = 1 << 20;

const TAB: u8 = 0x09;
const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const MINUS: u8 = 0x2d;
/** `] `, `GET `, `HTTP/` */
const TIME_END: u16 = 0x205d;
const GET: u32 = 0x20544547;
const HTTP: u64 = 0x2f50545448;
const HTTP_BYTES: u64 = 0xffffffffff;
/** ` HTTP/1.1` */
const PROTOCOL_LENGTH: usize = 9;
const MOST_DIGITS: usize = 15;
const OK: f64 = 200;
const UNKNOWN: f64 = -1;

// The line that is being read. No URL if it is 0.
let url: usize = 0;
let urlEnd: usize = 0;
let status: f64 = 0;
let size: f64 = 0;
let sketch: usize = 0;
let sketchEnd: usize = 0;

/**
 * Adds the records of plain lines in [from, end) to a batch, up to the first line that is not plain, or until the batch
 * is full. Returns where it stopped.
 */
export function readPlain(reader: usize, batch: usize, from: usize, end: usize): usize {
  const isTable = load<u32>(reader, KIND) == TABLE;
  let lines = 0;
  let at = from;
  while (at < end && hasRoom(batch)) {
    url = sketch = sketchEnd = 0;
    status = size = UNKNOWN;
    const lineEnd = isTable ? readCells(reader, at) : readRequest(at);
    if (lineEnd == 0 || lineEnd - at > MAX_LINE_BYTES || !isRecord()) break;
    // Only a page with status 200 has a size and a sketch.
    const isPage = status == OK || status == UNKNOWN;
    if (!isPage) sketch = sketchEnd;
    if (!addRecord(reader, batch, url, urlEnd, isPage ? size : UNKNOWN, sketch, sketchEnd)) break;
    lines++;
    at = lineEnd + 1;
  }
  store<u32>(reader, lines, LINES);
  return min(at, end);
}

/** True if `refusalOf` (log/record) accepts it. */
function isRecord(): bool {
  return status == UNKNOWN || (status >= 200 && status < 300) || status == 304 || status == 301 || status == 308;
}

/** The end of the line at `start`; 0 if it is not plain. */
function readCells(reader: usize, start: usize): usize {
  const most = load<u32>(reader, MOST_CELLS);
  const cells = load<u32>(reader, CELLS);
  let at = start;
  for (let cell: u32 = 0; cell < most; cell++) {
    const cellEnd = endOf(at, TAB, NEWLINE);
    const isLast = load<u8>(cellEnd) == NEWLINE;
    const bare = isLast && cellEnd > at && load<u8>(cellEnd - 1) == RETURN ? cellEnd - 1 : cellEnd;
    if (cell < cells && !readCell(load<u8>(reader + <usize>cell, MEANINGS), at, bare)) return 0;
    if (isLast) return url == 0 ? 0 : cellEnd;
    at = cellEnd + 1;
  }
  return 0;
}

/** False if it is not plain. */
function readCell(meaning: u8, start: usize, end: usize): bool {
  if (meaning == URL_CELL) {
    url = start;
    urlEnd = end;
  } else if (meaning == SIZE_CELL) {
    size = numberIn(start, end);
    return size >= 0;
  } else if (meaning == STATUS_CELL) {
    status = numberIn(start, end);
    return status >= 0;
  } else if (meaning == METHOD_CELL) {
    return end - start == 3 && (load<u32>(start) & 0xffffff) == (GET & 0xffffff);
  } else if (meaning == SKETCH_CELL && !(end - start == 1 && load<u8>(start) == MINUS)) {
    sketch = start;
    sketchEnd = end;
  }
  return true;
}

/** The number in decimal digits, or UNKNOWN. */
function numberIn(start: usize, end: usize): f64 {
  if (start >= end || end - start > MOST_DIGITS) return UNKNOWN;
  let value: u64 = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(at)) return UNKNOWN;
    value = value * 10 + <u64>(load<u8>(at) - 0x30);
  }
  return <f64>value;
}

function isDigit(at: usize): bool {
  return load<u8>(at) - 0x30 <= 9;
}

/** The same for a line of the NCSA family without a host. */
function readRequest(start: usize): usize {
  const open = endOf(start, QUOTE, NEWLINE);
  if (load<u8>(open) != QUOTE || open < start + 2 || load<u16>(open - 2) != TIME_END || load<u32>(open, 1) != GET)
    return 0;
  url = open + 5;
  const close = endOf(url, QUOTE, BACKSLASH);
  urlEnd = close - PROTOCOL_LENGTH;
  if (load<u8>(close) != QUOTE || urlEnd <= url || !isProtocol(urlEnd)) return 0;
  // Spaces around the target do not belong to it; with one before it, it is not a plain URL.
  if (load<u8>(urlEnd - 1) == SPACE) return 0;
  return readAnswer(close + 1);
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

/** Reads ` status size`; returns the end of the line, or 0. */
function readAnswer(at: usize): usize {
  if (load<u8>(at) != SPACE || load<u8>(at, 4) != SPACE) return 0;
  status = numberIn(at + 1, at + 4);
  const sizeStart = at + 5;
  let sizeEnd = sizeStart;
  while (isDigit(sizeEnd)) sizeEnd++;
  if (sizeEnd > sizeStart) size = numberIn(sizeStart, sizeEnd);
  else if (load<u8>(sizeEnd++) != MINUS) return 0;
  if (status < 0 || sizeEnd - sizeStart > MOST_DIGITS) return 0;
  const next = load<u8>(sizeEnd);
  if (next == SPACE || next == TAB) return endOf(sizeEnd, NEWLINE, NEWLINE);
  if (next == NEWLINE) return sizeEnd;
  return next == RETURN && load<u8>(sizeEnd, 1) == NEWLINE ? sizeEnd + 1 : 0;
}
