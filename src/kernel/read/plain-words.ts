// Plain lines of words or cells: of AWS load balancers, and in the W3C extended format.
import {
  CELLS,
  FIRST_WORD,
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
import { endOf, endOfWord } from '../text/newline';
import { GET, isGet, isSecure, Line, numberIn, readTarget, settleQuery, takeQuery } from './line';

// AWS load balancers (log/format/elb): words with one blank between them. The time is the first or the second word; the
// request in quotes comes later, followed by the agent.

const NEWLINE: u8 = 0x0a;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const MINUS: u8 = 0x2d;
const LETTER_T: u8 = 0x54;
const BACKSLASH: u8 = 0x5c;
/** ` "` */
const NEXT_QUOTED: u16 = 0x2220;

/** Word numbers, counted from the time. */
const STATUS = 7;
const SENT = 10;
const REQUEST = 11;

/** The end of the line at `start`; 0 if it is not plain. */
export function readBalancer(reader: usize, start: usize): usize {
  const first = <i32>load<u32>(reader, FIRST_WORD);
  let at = start;
  for (let word = -first; word < REQUEST; word++) {
    const wordEnd = endOfWord(at);
    if (wordEnd == at || load<u8>(wordEnd) != SPACE) return 0;
    if (word == 0 && (wordEnd - at < 11 || load<u8>(at, 4) != MINUS || load<u8>(at, 10) != LETTER_T)) return 0;
    if (word == STATUS) Line.status = numberIn(at, wordEnd);
    else if (word == SENT) Line.size = numberIn(at, wordEnd);
    at = wordEnd + 1;
  }
  if (Line.status < 0 || load<u8>(at) != QUOTE || load<u32>(at, 1) != GET) return 0;
  const close = endOf(at + 5, QUOTE, BACKSLASH);
  if (load<u8>(close) != QUOTE || load<u16>(close, 1) != NEXT_QUOTED || !readTarget(at + 5, close)) return 0;
  return endOf(close, NEWLINE, NEWLINE);
}

// The W3C extended format (log/format/w3c) with tabs, as CloudFront writes it: as many cells as the header has names.
// The cells that are read have no quotes.

const TAB: u8 = 0x09;
const RETURN: u8 = 0x0d;
const NUMBER_SIGN: u8 = 0x23;
const PERCENT: u8 = 0x25;
const SLASH: u8 = 0x2f;
/** The digits of the escape `%25`, as loaded in one word. */
const PERCENT_CODE: u16 = 0x3532;

/** The end of the line at `start`; 0 if it is not plain. */
export function readFields(reader: usize, start: usize): usize {
  // A line that starts with `#` may be a directive.
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

/** True if the text may have an escape that CloudFront has encoded twice. */
function isEncodedTwice(start: usize, end: usize): bool {
  for (let at = endOf(start, PERCENT, TAB); at < end; at = endOf(at + 1, PERCENT, TAB)) {
    if (load<u16>(at, 1) == PERCENT_CODE) return true;
  }
  return false;
}
