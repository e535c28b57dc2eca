// Plain lines of JSON: one object, all of whose names are known. log/format/json-scan does the same for any line. At an
// unknown name the kernel stops, and log/plain-reader says what the name means. As lines repeat their names, the kernel
// first tries the separators that it knows (./json-separators).
//
// Captures in an index of a web archive have two more words before the object (log/format/captures).
import {
  KEYS,
  KEY_BYTES,
  END_STATE,
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
  TARGET_CELL,
  TIME_CELL,
  URL_CELL,
} from '../layout/reader';
import { endOfString, endOfWord } from '../text/newline';
import { isSame } from '../text/text';
import { Line, isNone, isSecure, settleQuery, takeQuery, GET, isDigit, isGet, numberIn, readTarget } from './line';
import { learnSeparator, separator, separatorAt } from './json-separators';

const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const COMMA: u8 = 0x2c;
const MINUS: u8 = 0x2d;
const DOT: u8 = 0x2e;
const SLASH: u8 = 0x2f;
const COLON: u8 = 0x3a;
const QUESTION: u8 = 0x3f;
const OPEN_BRACKET: u8 = 0x5b;
const BACKSLASH: u8 = 0x5c;
const CLOSE_BRACKET: u8 = 0x5d;
const OPEN_BRACE: u8 = 0x7b;
const CLOSE_BRACE: u8 = 0x7d;

/** `true`, `alse`, `null` */
const TRUE: u32 = 0x65757274;
const FALSE: u32 = 0x65736c61;
const NULL: u32 = 0x6c6c756e;

/** A name of the trie (layout/json-names). */
@unmanaged
class Node {
  parent: u32;
  key: usize;
  keyLength: usize;
  meaning: u32;
  /** Depth of the objects and lists in its value: 1 for a member of the line. */
  depth: i32;
}

/** The value that a line has for a cell: the one of least rank. */
@unmanaged
class Value {
  start: usize;
  end: usize;
  rank: u32;
  hasEscapes: u32;
}

const MOST_DEPTH = 20;
/** Not a node: no name below it has a meaning. */
const NOBODY: u32 = 0xffffffff;
const NO_RANK: u32 = 0xffffffff;

/** The place of a value: the value of a member, the first text of a list, or another value of a list. */
const MEMBER: u32 = 0;
const HEADER: u32 = 2;
const ELEMENT: u32 = 3;

// Of the line that is being read.
let names: usize = 0;
let hasEscapes: bool = false;
let isAmbiguous: bool = false;

// The value that `step` has found, in the terms of a separator.
let nextState: u32 = 0;
let nextMeaning: u32 = 0;
let isNextText: bool = false;
let isKept: bool = false;

/** The end of the line at `start`; 0 if it is not plain. */
export function readObject(reader: usize, start: usize): usize {
  names = <usize>load<u32>(reader, NAMES);
  store<u32>(names, 0, UNKNOWN_END);
  isAmbiguous = false;
  for (let cell = 0; cell < MEANING_COUNT; cell++) valueAt(cell).rank = NO_RANK;
  const lineEnd = values(start);
  return lineEnd != 0 && !isAmbiguous && takeValues() ? lineEnd : 0;
}

/** Finds the values of a line. Returns the end of the line, or 0. */
function values(start: usize): usize {
  let at = start;
  let state: u32 = 0;
  while (true) {
    let meaning: u32;
    let isText: bool;
    const number = separatorAt(names, state, at);
    if (number != 0) {
      const one = separator(names, number);
      at += one.length;
      state = one.next;
      meaning = one.meaning;
      isText = one.isBeforeText != 0;
    } else {
      const next = step(state, at);
      if (next == 0) return 0;
      if (isKept) learnSeparator(names, state, at, next, nextState, nextMeaning, isNextText);
      at = next;
      state = nextState;
      meaning = nextMeaning;
      isText = isNextText;
    }
    // The newline is part of the last separator.
    if (state == END_STATE) return at - 1;
    const end = isText ? string(at) : scalar(at);
    if (end == 0) return 0;
    // null, true and false have no meaning.
    if (meaning != 0 && (isText || !isLetter(at))) take(meaning, at, end, isText && hasEscapes);
    at = isText ? end + 1 : end;
  }
}

/** Reads a capture: a key, a time and an object. Returns the end of the line, or 0 if it is not plain. */
export function readCapture(reader: usize, start: usize): usize {
  const first = load<u8>(start);
  if (first == 0x21 || first == 0x40) return 0;
  const keyEnd = endOfWord(start);
  for (let at = start; at < keyEnd; at++) if (load<u8>(at) == OPEN_BRACE) return 0;
  if (keyEnd == start || load<u8>(keyEnd) != SPACE) return 0;
  const timeEnd = endOfWord(keyEnd + 1);
  if (load<u8>(timeEnd) != SPACE || numberIn(keyEnd + 1, timeEnd) < 0) return 0;
  Line.time = keyEnd + 1;
  Line.timeEnd = timeEnd;
  return readObject(reader, timeEnd + 1);
}

/** Adds the unknown name that stopped the last call, with its meaning. Returns its node, or -1 if there is no room. */
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
  const added = nodeIn(table, node);
  added.parent = parent;
  added.key = key;
  added.keyLength = length;
  added.meaning = meaning;
  added.depth = nodeIn(table, parent).depth + 1;
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

function nodeIn(table: usize, node: u32): Node {
  return changetype<Node>(table + NODE + <usize>(node * NODE_BYTES));
}

function nodeAt(node: u32): Node {
  return changetype<Node>(names + NODE + <usize>(node * NODE_BYTES));
}

function valueAt(cell: u32): Value {
  return changetype<Value>(names + VALUES + <usize>(cell * VALUE_BYTES));
}

function skip(start: usize): usize {
  let at = start;
  while (load<u8>(at) == SPACE) at++;
  return at;
}

/**
 * Finds the next value name by name, after a value in this state. Returns where it begins, or the end of the line if
 * there is none, or 0 if the line is not plain.
 */
function step(state: u32, from: usize): usize {
  isKept = true;
  // `owner` is the node of the object or list that the value is in.
  let isList = (state & 3) != MEMBER;
  let owner = isList ? state >>> 2 : nodeAt(state >>> 2).parent;
  let isFirst = state == 0;
  if (isFirst && load<u8>(from) != OPEN_BRACE) return 0;
  let at = skip(isFirst ? from + 1 : from);
  while (true) {
    if (load<u8>(at) == (isList ? CLOSE_BRACKET : CLOSE_BRACE)) {
      if (!isList && owner == 0) return lineEnd(at + 1);
      owner = nodeAt(owner).parent;
      isList = isFirst = false;
      at = skip(at + 1);
      continue;
    }
    if (!isFirst) {
      if (load<u8>(at) != COMMA) return 0;
      at = skip(at + 1);
    }
    let node = owner;
    if (!isList) {
      const close = name(at);
      if (close == 0) return 0;
      node = find(at + 1, close, owner);
      if (node == NOBODY) return 0;
      at = colon(close);
      if (at == 0) return 0;
    }
    const byte = load<u8>(at);
    if (byte != OPEN_BRACE && byte != OPEN_BRACKET) {
      const isText = byte == QUOTE;
      // The first text of a list is a header, unless the list is a member of the line.
      const isHeader = isFirst && isText && nodeAt(node).parent != 0;
      return found(isText ? at + 1 : at, node, isList ? (isHeader ? HEADER : ELEMENT) : MEMBER, isText);
    }
    if (isList) {
      // No name in this value has a meaning, and states cannot describe places in it.
      at = skipValue(at, nodeAt(node).depth);
      if (at == 0) return 0;
      at = skip(at);
      isKept = isFirst = false;
    } else {
      if (nodeAt(node).depth > MOST_DEPTH) return 0;
      owner = node;
      isList = byte == OPEN_BRACKET;
      isFirst = true;
      at = skip(at + 1);
    }
  }
}

function found(at: usize, node: u32, place: u32, isText: bool): usize {
  nextState = node * 4 + place;
  nextMeaning = place == ELEMENT ? 0 : nodeAt(node).meaning;
  isNextText = isText;
  return at;
}

/** The end of the line after the newline, if nothing but it follows the object that ends before `at`; else 0. */
function lineEnd(at: usize): usize {
  nextState = END_STATE;
  nextMeaning = 0;
  isNextText = false;
  const newline = load<u8>(at) == RETURN ? at + 1 : at;
  return load<u8>(newline) == NEWLINE ? newline + 1 : 0;
}

/** The quote that ends the name at `at`, or 0. Names with escapes are left to JavaScript. */
function name(at: usize): usize {
  if (load<u8>(at) != QUOTE) return 0;
  const close = string(at + 1);
  return hasEscapes ? 0 : close;
}

/** The start of the value after a name that ends with this quote, or 0. */
function colon(quote: usize): usize {
  const at = skip(quote + 1);
  return load<u8>(at) == COLON ? skip(at + 1) : 0;
}

/** The node of a name. An unknown name is noted. */
function find(start: usize, end: usize, parent: u32): u32 {
  const length = end - start;
  if (length > <usize>MOST_KEY) return NOBODY;
  for (let slot = slotOf(parent, start, length); ; slot = (slot + 1) & (SLOT_COUNT - 1)) {
    const node = <u32>load<u16>(slotAt(names, slot));
    if (node == 0) break;
    const known = nodeAt(node);
    const isIt = known.parent == parent && known.keyLength == length;
    if (isIt && isSame(known.key, start, length)) return node;
  }
  store<u32>(names, parent, UNKNOWN_PARENT);
  store<u32>(names, <u32>start, UNKNOWN_START);
  store<u32>(names, <u32>end, UNKNOWN_END);
  return NOBODY;
}

/** The end of a value that is no text, list or object. */
function scalar(at: usize): usize {
  const word = load<u32>(at);
  if (word == TRUE || word == NULL) return at + 4;
  if (load<u8>(at) == 0x66) return load<u32>(at, 1) == FALSE ? at + 5 : 0;
  return number(at);
}

/** The end of any value, inside of something of this depth; 0 if it is not plain. */
function skipValue(at: usize, depth: i32): usize {
  const byte = load<u8>(at);
  if (byte == QUOTE) {
    const close = string(at + 1);
    return close == 0 ? 0 : close + 1;
  }
  if (byte != OPEN_BRACE && byte != OPEN_BRACKET) return scalar(at);
  return depth >= MOST_DEPTH ? 0 : skipValues(at, depth + 1);
}

/** The same for a list or an object. */
function skipValues(start: usize, depth: i32): usize {
  const isList = load<u8>(start) == OPEN_BRACKET;
  let at = skip(start + 1);
  let isFirst = true;
  while (true) {
    if (load<u8>(at) == (isList ? CLOSE_BRACKET : CLOSE_BRACE)) return at + 1;
    if (!isFirst) {
      if (load<u8>(at) != COMMA) return 0;
      at = skip(at + 1);
    }
    if (!isList) {
      const close = name(at);
      at = close == 0 ? 0 : colon(close);
      if (at == 0) return 0;
    }
    at = skipValue(at, depth);
    if (at == 0) return 0;
    at = skip(at);
    isFirst = false;
  }
}

function take(meaning: u32, start: usize, end: usize, isEscaped: bool): void {
  const found = valueAt(meaning & 0xff);
  const rank = meaning >>> 8;
  if (rank >= found.rank) {
    const length = end - start;
    // A name that stands twice, with different values, is left to JavaScript.
    if (rank == found.rank && !(found.end - found.start == length && isSame(found.start, start, length)))
      isAmbiguous = true;
    return;
  }
  found.start = start;
  found.end = end;
  found.rank = rank;
  found.hasEscapes = u32(isEscaped);
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

function isLetter(at: usize): bool {
  return load<u8>(at) - 0x61 < 26;
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

/** Stores the values in the line; false if one is not plain. */
function takeValues(): bool {
  for (let cell = <u32>1; cell < <u32>MEANING_COUNT; cell++) {
    const found = valueAt(cell);
    if (found.rank == NO_RANK || (cell == TIME_CELL && !Line.wantsTime)) continue;
    if (found.hasEscapes != 0) return false;
    if (!takeValue(cell, found.start, found.end)) return false;
  }
  if (!takeTarget()) return false;
  settleQuery();
  return Line.urlEnd > Line.url;
}

function takeValue(cell: u32, start: usize, end: usize): bool {
  if (cell == URL_CELL || cell == TARGET_CELL || cell == REQUEST_CELL) return true;
  if (cell == METHOD_CELL) return isGet(start, end);
  if (cell == STATUS_CELL) return (Line.status = numberIn(start, end)) >= 0;
  if (cell == SIZE_CELL) return (Line.size = numberIn(start, end)) >= 0;
  if (cell == HOST_CELL) {
    Line.host = start;
    Line.hostEnd = end;
  } else if (cell == SCHEME_CELL) Line.isSecure = isSecure(start, end);
  else if (cell == QUERY_CELL) return takeQuery(start, end);
  else if (cell == SKETCH_CELL && !isNone(start, end)) {
    Line.sketch = start;
    Line.sketchEnd = end;
  } else if (cell == TIME_CELL) {
    Line.time = start;
    Line.timeEnd = end;
  }
  return true;
}

/** Finds the target among the fields that may have it (log/format/target); false if the line is not plain. */
function takeTarget(): bool {
  const url = valueAt(URL_CELL);
  const target = valueAt(TARGET_CELL);
  const request = valueAt(REQUEST_CELL);
  const count = i32(url.rank != NO_RANK) + i32(target.rank != NO_RANK) + i32(request.rank != NO_RANK);
  if (request.rank != NO_RANK) {
    const isGet = request.end - request.start > 4 && load<u32>(request.start) == GET;
    if (!isGet || !readTarget(request.start + 4, request.end)) return false;
    request.start = Line.url;
    request.end = Line.urlEnd;
  }
  if (count == 1) {
    if (request.rank == NO_RANK) takeUrl(url.rank != NO_RANK ? url : target);
    return true;
  }
  if (!isPathOrNone(url) || !isPathOrNone(target) || !isPathOrNone(request)) return false;
  if (hasQuestion(target)) takeUrl(target);
  else if (hasQuestion(request)) takeUrl(request);
  else if (hasQuestion(url)) takeUrl(url);
  else if (target.rank != NO_RANK) takeUrl(target);
  else if (request.rank != NO_RANK) takeUrl(request);
  return count > 0;
}

function takeUrl(value: Value): void {
  Line.url = value.start;
  Line.urlEnd = value.end;
}

function isPathOrNone(value: Value): bool {
  return value.rank == NO_RANK || (value.end > value.start && load<u8>(value.start) == SLASH);
}

function hasQuestion(value: Value): bool {
  if (value.rank == NO_RANK) return false;
  for (let at = value.start; at < value.end; at++) if (load<u8>(at) == QUESTION) return true;
  return false;
}
