// Plain lines of the W3C extended format (log/format/w3c) with tabs, as CloudFront writes them: as many cells as the
// header has names, and none of those that are needed in quotes.
import {
  CELLS,
  HOST_CELL,
  MEANINGS,
  METHOD_CELL,
  MOST_CELLS,
  QUERY_CELL,
  SCHEME_CELL,
  SIZE_CELL,
  STATUS_CELL,
  URL_CELL,
} from '../layout/reader';
import { endOf } from '../text/newline';
import { Line } from './line';
import { isSecure, settleQuery, takeQuery } from './pieces';
import { isGet, numberIn } from './plain-request';

const TAB: u8 = 0x09;
const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const QUOTE: u8 = 0x22;
const NUMBER_SIGN: u8 = 0x23;
const PERCENT: u8 = 0x25;
const SLASH: u8 = 0x2f;
/** `25` */
const PERCENT_CODE: u16 = 0x3532;

/** The end of the line at `start`; 0 if it is not plain. */
export function readFields(reader: usize, start: usize): usize {
  // It may be a directive.
  if (load<u8>(start) == NUMBER_SIGN) return 0;
  const count = load<u32>(reader, MOST_CELLS);
  const cells = load<u32>(reader, CELLS);
  let at = start;
  for (let cell: u32 = 0; cell < count; cell++) {
    const cellEnd = endOf(at, TAB, NEWLINE);
    const isLast = load<u8>(cellEnd) == NEWLINE;
    if (isLast != (cell == count - 1)) return 0;
    const bare = isLast && cellEnd > at && load<u8>(cellEnd - 1) == RETURN ? cellEnd - 1 : cellEnd;
    const meaning: u8 = cell < cells ? load<u8>(reader + <usize>cell, MEANINGS) : 0;
    if (meaning != 0 && (load<u8>(at) == QUOTE || !readField(meaning, at, bare))) return 0;
    at = cellEnd + 1;
  }
  settleQuery();
  return at - 1;
}

/** False if it is not plain. */
function readField(meaning: u8, start: usize, end: usize): bool {
  if (meaning == URL_CELL) {
    Line.url = start;
    Line.urlEnd = end;
    return end > start && load<u8>(start) == SLASH && !isEncodedTwice(start, end);
  }
  if (meaning == QUERY_CELL) return takeQuery(start, end) && !isEncodedTwice(start, end);
  if (meaning == METHOD_CELL) return isGet(start, end);
  if (meaning == STATUS_CELL) return (Line.status = numberIn(start, end)) >= 0;
  if (meaning == SIZE_CELL) Line.size = numberIn(start, end);
  else if (meaning == SCHEME_CELL) Line.isSecure = isSecure(start, end);
  else if (meaning == HOST_CELL) {
    Line.host = start;
    Line.hostEnd = end;
  }
  return true;
}

/** Whether it may have an escape that CloudFront has encoded once more. */
function isEncodedTwice(start: usize, end: usize): bool {
  for (let at = endOf(start, PERCENT, TAB); at < end; at = endOf(at + 1, PERCENT, TAB)) {
    if (load<u16>(at, 1) == PERCENT_CODE) return true;
  }
  return false;
}
