// The fast path for plain lines. Most lines of a log are simple: a successful GET of a path or URL in normal form. The
// kernel adds these to a batch; at any other line JavaScript takes over (log/line-reader), which handles every case,
// and then calls the kernel again.
//
//   table    | cell | TAB | cell | TAB | …          the header gives the meaning of cells
//   ncsa     … ] "GET /target HTTP/1.1" 200 512 …   nothing else is parsed: not client, user, time, nor what follows
//   elb      time name … 200 200 34 366 "GET https://h:443/ HTTP/1.1" "agent" …   words are counted
//   w3c      cell | TAB | cell | TAB | …            a URL may be in several cells (./plain-words)
//   urls     url                                    alone in its line, but for blanks after it
//   json     {"status":200,"request":{"uri":"/a"}}   names are looked up (./plain-json)
//
// Prefixes before the lines are skipped (./prefix). The text ends with a newline, or one is put after it as a sentinel.
import {
  CDXJ,
  CELLS,
  ELB,
  KIND,
  LINES,
  LINE_CLOSE,
  LINE_END,
  LINE_OPEN,
  LINE_START,
  MEANINGS,
  METHOD_CELL,
  MOST_CELLS,
  NCSA,
  PLACES,
  PLACE_BYTES,
  PREFIXES,
  SIZE_CELL,
  SKETCH_CELL,
  STATUS_CELL,
  TABLE,
  TIME_CELL,
  URLS,
  URL_CELL,
  W3C,
  WANTS_TIME,
} from '../layout/reader';
import { ROWS } from '../layout/batch';
import { endOf } from '../text/newline';
import { Line, UNKNOWN, GET, isDigit, isGet, numberIn, readTarget } from './line';
import { readBalancer, readFields } from './plain-words';
import { readCapture, readObject } from './plain-json';
import { addRecord, hasRoom } from './plain-url';
import { behindPrefixes } from './prefix';

const MAX_LINE_BYTES: usize = 1 << 20;

const TAB: u8 = 0x09;
const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const MINUS: u8 = 0x2d;
/** `] ` */
const TIME_END: u16 = 0x205d;
const MOST_DIGITS: usize = 15;
const OK: f64 = 200;

/**
 * Adds the records of plain lines in [from, end) to a batch, up to the first line that is not plain, or until the batch
 * is full. Returns where it stopped.
 */
export function readPlain(reader: usize, batch: usize, from: usize, end: usize): usize {
  const kind = load<u32>(reader, KIND);
  const places = <usize>load<u32>(reader, PLACES);
  const prefixes = <usize>load<u32>(reader, PREFIXES);
  Line.wantsTime = load<u32>(reader, WANTS_TIME) != 0;
  let lines = 0;
  let at = from;
  while (at < end && hasRoom(batch)) {
    Line.clear();
    const start = prefixes == 0 ? at : behindPrefixes(prefixes, at);
    const lineEnd: usize = start == 0 ? 0 : readLine(reader, kind, start);
    if (lineEnd == 0 || lineEnd - at > MAX_LINE_BYTES || !isRecord()) break;
    // Only a page with status 200 has a size and a sketch.
    if (Line.status != OK && Line.status != UNKNOWN) {
      Line.size = UNKNOWN;
      Line.sketch = Line.sketchEnd;
    }
    if (!addRecord(reader, batch)) break;
    if (places != 0) writePlaces(places + <usize>PLACE_BYTES * <usize>(load<u32>(batch, ROWS) - 1), start, lineEnd);
    lines++;
    at = lineEnd + 1;
  }
  store<u32>(reader, lines, LINES);
  return min(at, end);
}

function writePlaces(place: usize, start: usize, end: usize): void {
  store<u32>(place, <u32>start, LINE_START);
  store<u32>(place, <u32>Line.open, LINE_OPEN);
  store<u32>(place, <u32>Line.close, LINE_CLOSE);
  store<u32>(place, <u32>end, LINE_END);
}

/** The end of the line at `start`; 0 if it is not plain. */
function readLine(reader: usize, kind: u32, start: usize): usize {
  if (kind == NCSA) return readRequest(start);
  if (kind == TABLE) return readCells(reader, start);
  if (kind == URLS) return readUrl(start);
  if (kind == W3C) return readFields(reader, start);
  if (kind == ELB) return readBalancer(reader, start);
  return kind == CDXJ ? readCapture(reader, start) : readObject(reader, start);
}

/** True if `refusalOf` (log/record) accepts it. */
function isRecord(): bool {
  const status = Line.status;
  return status == UNKNOWN || (status >= 200 && status < 300) || status == 304 || status == 301 || status == 308;
}

/** Reads a line with just a URL. Returns the end of the line, or 0 if it is not plain. */
function readUrl(start: usize): usize {
  const lineEnd = endOf(start, NEWLINE, NEWLINE);
  let end = lineEnd;
  while (end > start && load<u8>(end - 1) <= SPACE) end--;
  if (load<u8>(start) <= SPACE) return 0;
  Line.url = start;
  Line.urlEnd = end;
  return lineEnd;
}

/** Reads a row of a table. Returns the end of the line, or 0 if it is not plain. */
function readCells(reader: usize, start: usize): usize {
  const most = load<u32>(reader, MOST_CELLS);
  const cells = load<u32>(reader, CELLS);
  let at = start;
  for (let cell: u32 = 0; cell < most; cell++) {
    const cellEnd = endOf(at, TAB, NEWLINE);
    const isLast = load<u8>(cellEnd) == NEWLINE;
    const bare = isLast && cellEnd > at && load<u8>(cellEnd - 1) == RETURN ? cellEnd - 1 : cellEnd;
    if (cell < cells && !readCell(load<u8>(reader + <usize>cell, MEANINGS), at, bare)) return 0;
    if (isLast) return Line.url == 0 ? 0 : cellEnd;
    at = cellEnd + 1;
  }
  return 0;
}

/** False if it is not plain. */
function readCell(meaning: u8, start: usize, end: usize): bool {
  if (meaning == URL_CELL) {
    Line.url = start;
    Line.urlEnd = end;
  } else if (meaning == SIZE_CELL) {
    Line.size = numberIn(start, end);
    return Line.size >= 0;
  } else if (meaning == STATUS_CELL) {
    Line.status = numberIn(start, end);
    return Line.status >= 0;
  } else if (meaning == METHOD_CELL) {
    return isGet(start, end);
  } else if (meaning == SKETCH_CELL && !(end - start == 1 && load<u8>(start) == MINUS)) {
    Line.sketch = start;
    Line.sketchEnd = end;
  } else if (meaning == TIME_CELL) {
    Line.time = start;
    Line.timeEnd = end;
  }
  return true;
}

/** Reads a line of the NCSA family without a host. Returns the end of the line, or 0 if it is not plain. */
function readRequest(start: usize): usize {
  const open = endOf(start, QUOTE, NEWLINE);
  if (load<u8>(open) != QUOTE || open < start + 2 || load<u16>(open - 2) != TIME_END || load<u32>(open, 1) != GET)
    return 0;
  const target = open + 5;
  const close = endOf(target, QUOTE, BACKSLASH);
  if (load<u8>(close) != QUOTE || !readTarget(target, close)) return 0;
  Line.open = open;
  Line.close = close;
  return readAnswer(close + 1);
}

/** Reads ` status size`; returns the end of the line, or 0. */
function readAnswer(at: usize): usize {
  if (load<u8>(at) != SPACE || load<u8>(at, 4) != SPACE) return 0;
  Line.status = numberIn(at + 1, at + 4);
  const sizeStart = at + 5;
  let sizeEnd = sizeStart;
  while (isDigit(sizeEnd)) sizeEnd++;
  if (sizeEnd > sizeStart) Line.size = numberIn(sizeStart, sizeEnd);
  else if (load<u8>(sizeEnd++) != MINUS) return 0;
  if (Line.status < 0 || sizeEnd - sizeStart > MOST_DIGITS) return 0;
  const next = load<u8>(sizeEnd);
  if (next == SPACE || next == TAB) return endOf(sizeEnd, NEWLINE, NEWLINE);
  if (next == NEWLINE) return sizeEnd;
  return next == RETURN && load<u8>(sizeEnd, 1) == NEWLINE ? sizeEnd + 1 : 0;
}
