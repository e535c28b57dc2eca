// Plain lines of JSON (log/format/json-scan, which has the same functions): one object, whose names are known. Where a
// name is not, the line is left, and log/plain-names says what it means.
//
// A name is first compared with the one that followed the last in the line before, as lines repeat their names.
//
// Captures in an index of a web archive have two words before the object (log/format/cdxj).
import {
  KEYS,
  KEY_BYTES,
  MOST_KEY,
  MOST_NODES,
  NODE,
  NODES,
  NODE_BYTES,
  SLOTS,
  SLOT_COUNT,
  TEXT_USED,
  UNKNOWN_END,
  UNKNOWN_PARENT,
  UNKNOWN_START,
  VALUES,
  VALUE_BYTES,
} from '../layout/json-names';
import {
  HOST_CELL,
  MEANING_COUNT,
  METHOD_CELL,
  NAMES,
  QUERY_CELL,
  REQUEST_CELL,
  SCHEME_CELL,
  SIZE_CELL,
  SKETCH_CELL,
  STATUS_CELL,
  URL_CELL,
} from '../layout/reader';
import { endOfString, endOfWord } from '../text/newline';
import { isSame } from '../text/text';
import { Line } from './line';
import { isNone, isSecure, settleQuery, takeQuery } from './pieces';
import { GET, isDigit, isGet, numberIn, readTarget } from './plain-request';

const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const COMMA: u8 = 0x2c;
const MINUS: u8 = 0x2d;
const DOT: u8 = 0x2e;
const COLON: u8 = 0x3a;
const OPEN_BRACKET: u8 = 0x5b;
const BACKSLASH: u8 = 0x5c;
const CLOSE_BRACKET: u8 = 0x5d;
const OPEN_BRACE: u8 = 0x7b;
const CLOSE_BRACE: u8 = 0x7d;

/** `true`, `alse`, `null` */
const TRUE: u32 = 0x65757274;
const FALSE: u32 = 0x65736c61;
const NULL: u32 = 0x6c6c756e;

const MOST_DEPTH = 20;
/** No name: what is below has no meaning. */
const NOBODY: u32 = 0xffffffff;
const NO_RANK: u32 = 0xffffffff;

// Of the line that is being read.
let names: usize = 0;
/** The node of the last name; the next is expected to be its follower. */
let last: u32 = 0;
let hasEscapes: bool = false;

/** The end of the line at `start`; 0 if it is not plain. */
export function readObject(reader: usize, start: usize): usize {
  names = <usize>load<u32>(reader, NAMES);
  last = 0;
  store<u32>(names, 0, UNKNOWN_END);
  for (let cell = 0; cell < MEANING_COUNT; cell++) store<u32>(valueAt(cell), NO_RANK, 8);
  if (load<u8>(start) != OPEN_BRACE) return 0;
  const end = object(start + 1, 0, 0);
  if (end == 0) return 0;
  const lineEnd = load<u8>(end) == RETURN ? end + 1 : end;
  return load<u8>(lineEnd) == NEWLINE && takeValues() ? lineEnd : 0;
}

/** The same behind a key and a time. */
export function readCapture(reader: usize, start: usize): usize {
  const first = load<u8>(start);
  if (first == 0x21 || first == 0x40) return 0;
  const keyEnd = endOfWord(start);
  for (let at = start; at < keyEnd; at++) if (load<u8>(at) == OPEN_BRACE) return 0;
  if (keyEnd == start || load<u8>(keyEnd) != SPACE) return 0;
  const timeEnd = endOfWord(keyEnd + 1);
  if (load<u8>(timeEnd) != SPACE || numberIn(keyEnd + 1, timeEnd) < 0) return 0;
  return readObject(reader, timeEnd + 1);
}

/**
 * Adds the name that was not known, which means `meaning`; returns its node, or -1 if there is no room for it.
 */
export function addJsonName(table: usize, meaning: u32): i32 {
  const node = load<u32>(table, NODES);
  const used = load<u32>(table, TEXT_USED);
  const start = <usize>load<u32>(table, UNKNOWN_START);
  const length = <usize>load<u32>(table, UNKNOWN_END) - start;
  if (node == <u32>MOST_NODES || <usize>used + length > <usize>KEY_BYTES) return -1;
  const parent = load<u32>(table, UNKNOWN_PARENT);
  const key = table + KEYS + <usize>used;
  memory.copy(key, start, length);
  store<u32>(table, used + <u32>length, TEXT_USED);
  store<u32>(table, node + 1, NODES);
  const at = table + NODE + <usize>(node * NODE_BYTES);
  store<u32>(at, parent);
  store<u32>(at, <u32>key, 4);
  store<u32>(at, <u32>length, 8);
  store<u32>(at, 0, 12);
  store<u32>(at, meaning, 16);
  let slot = slotOf(parent, start, length);
  while (load<u16>(slotAt(table, slot)) != 0) slot = (slot + 1) & (SLOT_COUNT - 1);
  store<u16>(slotAt(table, slot), <u16>node);
  return <i32>node;
}

function slotAt(table: usize, slot: u32): usize {
  return table + SLOTS + ((<usize>slot) << 1);
}

function slotOf(parent: u32, start: usize, length: usize): u32 {
  let hash = parent;
  for (let k: usize = 0; k < length; k++) hash = hash * 31 + <u32>load<u8>(start + k);
  return (hash ^ (hash >>> 12)) & (SLOT_COUNT - 1);
}

function nodeAt(node: u32): usize {
  return names + NODE + <usize>(node * NODE_BYTES);
}

function valueAt(cell: u32): usize {
  return names + VALUES + <usize>(cell * VALUE_BYTES);
}

function skip(start: usize): usize {
  let at = start;
  while (load<u8>(at) == SPACE) at++;
  return at;
}

/** The address after the object, or 0; the following functions return the same for what they read. */
function object(start: usize, node: u32, depth: i32): usize {
  let at = skip(start);
  if (load<u8>(at) == CLOSE_BRACE) return at + 1;
  while (load<u8>(at) == QUOTE) {
    let field = node == NOBODY ? NOBODY : expected(at + 1, node);
    let close: usize;
    if (field != NOBODY) close = at + 1 + <usize>load<u32>(nodeAt(field), 8);
    else {
      close = string(at + 1);
      if (close == 0 || hasEscapes) return 0;
      if (node != NOBODY) {
        field = find(at + 1, close, node);
        if (field == NOBODY) return 0;
      }
    }
    if (field != NOBODY) {
      store<u32>(nodeAt(last), field, 12);
      last = field;
    }
    at = skip(close + 1);
    if (load<u8>(at) != COLON) return 0;
    at = value(skip(at + 1), field, depth);
    if (at == 0) return 0;
    at = skip(at);
    if (load<u8>(at) == CLOSE_BRACE) return at + 1;
    if (load<u8>(at) != COMMA) return 0;
    at = skip(at + 1);
  }
  return 0;
}

/** The follower of the last name, if it is the name at `start`. */
function expected(start: usize, parent: u32): u32 {
  const node = load<u32>(nodeAt(last), 12);
  if (node == 0) return NOBODY;
  const at = nodeAt(node);
  const length = <usize>load<u32>(at, 8);
  const isIt = load<u32>(at) == parent && isSame(<usize>load<u32>(at, 4), start, length);
  return isIt && load<u8>(start + length) == QUOTE ? node : NOBODY;
}

/** The node of a name; if it is not known, notes it. */
function find(start: usize, end: usize, parent: u32): u32 {
  const length = end - start;
  if (length > <usize>MOST_KEY) return NOBODY;
  for (let slot = slotOf(parent, start, length); ; slot = (slot + 1) & (SLOT_COUNT - 1)) {
    const node = <u32>load<u16>(slotAt(names, slot));
    if (node == 0) break;
    const at = nodeAt(node);
    const isIt = load<u32>(at) == parent && <usize>load<u32>(at, 8) == length;
    if (isIt && isSame(<usize>load<u32>(at, 4), start, length)) return node;
  }
  store<u32>(names, parent, UNKNOWN_PARENT);
  store<u32>(names, <u32>start, UNKNOWN_START);
  store<u32>(names, <u32>end, UNKNOWN_END);
  return NOBODY;
}

function value(at: usize, node: u32, depth: i32): usize {
  const byte = load<u8>(at);
  if (byte == QUOTE) {
    const close = string(at + 1);
    if (close == 0) return 0;
    if (node != NOBODY) take(node, at + 1, close, hasEscapes);
    return close + 1;
  }
  if (byte == OPEN_BRACE) return depth == MOST_DEPTH ? 0 : object(at + 1, node, depth + 1);
  if (byte == OPEN_BRACKET) return depth == MOST_DEPTH ? 0 : list(at + 1, node, depth + 1);
  const word = load<u32>(at);
  if (word == TRUE || word == NULL) return at + 4;
  if (byte == 0x66) return load<u32>(at, 1) == FALSE ? at + 5 : 0;
  const end = number(at);
  if (end != 0 && node != NOBODY) take(node, at, end, false);
  return end;
}

function list(start: usize, node: u32, depth: i32): usize {
  let at = skip(start);
  if (load<u8>(at) == CLOSE_BRACKET) return at + 1;
  // The first text in a list below the line itself is a header.
  const isHeader = node != NOBODY && load<u32>(nodeAt(node)) != 0 && load<u8>(at) == QUOTE;
  let header = isHeader ? node : NOBODY;
  while ((at = value(at, header, depth)) != 0) {
    header = NOBODY;
    at = skip(at);
    if (load<u8>(at) == CLOSE_BRACKET) return at + 1;
    if (load<u8>(at) != COMMA) return 0;
    at = skip(at + 1);
  }
  return 0;
}

function take(node: u32, start: usize, end: usize, isEscaped: bool): void {
  const meaning = load<u32>(nodeAt(node), 16);
  if (meaning == 0) return;
  const found = valueAt(meaning & 0xff);
  const rank = meaning >>> 8;
  if (rank >= load<u32>(found, 8)) return;
  store<u32>(found, <u32>start);
  store<u32>(found, <u32>end, 4);
  store<u32>(found, rank, 8);
  store<u32>(found, u32(isEscaped), 12);
}

/** The address of the quote that closes the string. */
function string(start: usize): usize {
  hasEscapes = false;
  let at = endOfString(start);
  while (load<u8>(at) == BACKSLASH) {
    hasEscapes = true;
    const escape = load<u8>(at, 1);
    if (escape == 0x75) {
      for (let k: usize = 2; k < 6; k++) if (!isHex(load<u8>(at + k))) return 0;
      at = endOfString(at + 6);
    } else if (isEscape(escape)) at = endOfString(at + 2);
    else return 0;
  }
  return load<u8>(at) == QUOTE ? at : 0;
}

function isHex(byte: u8): bool {
  return byte - 0x30 < 10 || (byte | 0x20) - 0x61 < 6;
}

/** `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
function isEscape(byte: u8): bool {
  if (byte == QUOTE || byte == BACKSLASH || byte == 0x2f) return true;
  return byte == 0x62 || byte == 0x66 || byte == 0x6e || byte == 0x72 || byte == 0x74;
}

function number(start: usize): usize {
  let at = load<u8>(start) == MINUS ? start + 1 : start;
  const whole = at;
  while (isDigit(at)) at++;
  if (at == whole || (load<u8>(whole) == 0x30 && at > whole + 1)) return 0;
  if (load<u8>(at) == DOT) {
    const fraction = ++at;
    while (isDigit(at)) at++;
    if (at == fraction) return 0;
  }
  // Numbers with an exponent are left to JavaScript.
  return (load<u8>(at) | 0x20) == 0x65 ? 0 : at;
}

/** Puts the values found into the line; false if one is not plain. */
function takeValues(): bool {
  for (let cell = <u32>1; cell < <u32>MEANING_COUNT; cell++) {
    const found = valueAt(cell);
    if (load<u32>(found, 8) == NO_RANK) continue;
    if (load<u32>(found, 12) != 0) return false;
    if (!takeValue(cell, <usize>load<u32>(found), <usize>load<u32>(found, 4))) return false;
  }
  settleQuery();
  return Line.urlEnd > Line.url;
}

function takeValue(cell: u32, start: usize, end: usize): bool {
  if (cell == URL_CELL) {
    Line.url = start;
    Line.urlEnd = end;
    return end > start;
  }
  if (cell == METHOD_CELL) return isGet(start, end);
  if (cell == STATUS_CELL) return (Line.status = numberIn(start, end)) >= 0;
  if (cell == SIZE_CELL) return (Line.size = numberIn(start, end)) >= 0;
  if (cell == HOST_CELL) {
    Line.host = start;
    Line.hostEnd = end;
  } else if (cell == SCHEME_CELL) Line.isSecure = isSecure(start, end);
  else if (cell == QUERY_CELL) return takeQuery(start, end);
  else if (cell == REQUEST_CELL) {
    // If there is a URL, the request line is not needed.
    if (Line.url == 0) return end - start > 4 && load<u32>(start) == GET && readTarget(start + 4, end);
  } else if (cell == SKETCH_CELL && !isNone(start, end)) {
    Line.sketch = start;
    Line.sketchEnd = end;
  }
  return true;
}
