// Sorts the items of lists, or drops repeated ones, as rule/items does. A list with more items than there is room for is
// left to JavaScript.
//
//   cells     | from | start | end | order |      an item is [start, end); if it is dropped, [from, end) goes
import {
  DROP_REPEATED_ITEMS,
  FLAGS,
  IN_SEGMENT,
  IN_SEGMENTS,
  IN_VALUE,
  KIND,
  LIST,
  OTHER,
  OTHER_LENGTH,
  TEXT,
  TEXT_LENGTH,
} from '../layout/rule';
import { ITEMS, MOST_ITEMS } from '../layout/sweep';
import { compare } from '../text/text';
import { count, endOf, firstInQuery, giveUp, nameEndOf, queryStart, startOf } from './fields';
import { copied, end, escapedAt, isDigit, isEscape, path, PERCENT, SEMICOLON, SLASH, start } from './form';

@unmanaged
class Cell {
  from: usize;
  start: usize;
  end: usize;
  /** The number of the item that goes here. */
  order: u32;
}

let name: usize = 0;
let nameLength: usize = 0;
let heads: usize = 0;
let headsEnd: usize = 0;
let separator: u8 = 0;
let drops: bool = false;
/** True for segments, which no escape ends. */
let isRaw: bool = false;
let cells: u32 = 0;
/** Where the image goes on, and up to where it has the form. */
let to: usize = 0;
let done: usize = 0;

/** Writes the image to `target`; returns where it ends, or 0 if there is none. */
export function changeItems(rule: usize, target: usize): usize {
  name = <usize>load<u32>(rule, TEXT);
  nameLength = <usize>load<u32>(rule, TEXT_LENGTH);
  heads = <usize>load<u32>(rule, OTHER);
  headsEnd = heads + <usize>load<u32>(rule, OTHER_LENGTH);
  separator = <u8>load<u32>(<usize>load<u32>(rule, LIST));
  drops = load<i32>(rule, KIND) == DROP_REPEATED_ITEMS;
  to = target;
  done = start;
  const flags = load<u32>(rule, FLAGS);
  isRaw = (flags & IN_SEGMENTS) != 0;
  if ((flags & IN_VALUE) != 0) changeValues();
  else if ((flags & IN_SEGMENT) != 0) changeSegments();
  else if (isRaw) changeBelow();
  else changeRepeated();
  return done == start ? 0 : copied(to, done, end);
}

function changeValues(): void {
  for (let field: usize = 0; field < count; field++) {
    const stop = nameEndOf(field);
    if (stop < endOf(field) && isNamed(startOf(field), stop)) changeList(stop + 1, endOf(field));
  }
}

/** A segment that is a list does not name the next one. */
function changeSegments(): void {
  let isList: bool = false;
  for (let at = path; at < queryStart;) {
    let stop = at;
    while (stop < queryStart && load<u8>(stop) != SLASH) stop++;
    if (isList) changeList(at, stop);
    // The name follows a slash.
    isList = !isList && at > path && stop < queryStart && isNamed(at, stop);
    at = stop + 1;
  }
}

function changeBelow(): void {
  const first = afterName(path, queryStart);
  if (first == 0) return;
  let stop = queryStart;
  while (stop > first && load<u8>(stop - 1) == SLASH) stop--;
  changeList(first, stop);
}

function changeRepeated(): void {
  cells = 0;
  for (let field = firstInQuery; field < count; field++) {
    const stop = nameEndOf(field);
    if (isNamed(startOf(field), stop)) addCell(startOf(field) - 1, stop, endOf(field));
  }
  changeCells();
}

function isNamed(at: usize, stop: usize): bool {
  return afterName(at, stop) == stop;
}

/** Where the name that begins at `at` ends; 0 if there is another one. Brackets may have numbers. */
function afterName(at: usize, stop: usize): usize {
  for (let k: usize = 0; k < nameLength;) {
    if (at >= stop || load<u8>(at) != load<u8>(name + k)) return 0;
    at++;
    k++;
    if (opensBracket(k)) while (at < stop && isDigit(load<u8>(at))) at++;
  }
  return at;
}

/** True if the first `length` bytes of the name end in a bracket, or the escape of one, without a number after it. */
function opensBracket(length: usize): bool {
  if (length < nameLength && isDigit(load<u8>(name + length))) return false;
  const last = name + length - 1;
  if (load<u8>(last) == 0x5b) return true;
  return length >= 3 && isEscape(last - 2, last + 1) && escapedAt(last - 2) == 0x5b;
}

/** Changes the list [at, stop), if it is one. */
function changeList(at: usize, stop: usize): void {
  cells = 0;
  if (separator != SEMICOLON) for (let k = at; k < stop; k++) if (load<u8>(k) == SEMICOLON) return;
  for (let last = at; ;) {
    let next = at;
    while (next < stop && !isSeparator(next, stop)) next++;
    const isStart = heads == headsEnd || isHead(at, next);
    if (heads == headsEnd && next == at) return;
    if (isStart) addCell(last, at, next);
    else if (cells > 0) cellAt(cells - 1).end = next;
    last = next;
    if (next >= stop) break;
    at = next + (load<u8>(next) == PERCENT ? 3 : 1);
  }
  changeCells();
}

function isSeparator(at: usize, stop: usize): bool {
  return load<u8>(at) == separator || (!isRaw && isEscape(at, stop) && escapedAt(at) == separator);
}

/** `heads` are texts, each preceded by its length in two bytes. */
function isHead(at: usize, stop: usize): bool {
  for (let head = heads; head < headsEnd;) {
    const text = head + 2;
    head = text + <usize>load<u16>(head);
    if (isUnescaped(at, stop, text, head)) return true;
  }
  return false;
}

/** True if [at, stop) is the text, once unescaped. */
function isUnescaped(at: usize, stop: usize, text: usize, textEnd: usize): bool {
  while (at < stop && text < textEnd) {
    if (byteAt(at, stop) != load<u8>(text++)) return false;
    at = next;
  }
  return at == stop && text == textEnd;
}

function addCell(from: usize, first: usize, stop: usize): void {
  if (cells == MOST_ITEMS) return giveUp();
  const cell = cellAt(cells++);
  cell.from = from;
  cell.start = first;
  cell.end = stop;
}

function cellAt(at: u32): Cell {
  return changetype<Cell>(ITEMS + ((<usize>at) << 4));
}

function changeCells(): void {
  if (drops) dropRepeated();
  else if (sort()) writeSorted();
}

function dropRepeated(): void {
  for (let k: u32 = 1; k < cells; k++) {
    const cell = cellAt(k);
    let same: u32 = 0;
    while (same < k && order(cellAt(same), cell) != 0) same++;
    if (same == k) continue;
    to = copied(to, done, cell.from);
    done = cell.end;
  }
}

/** Puts the numbers of cells in order. True if their order changes. */
function sort(): bool {
  let isSorted = true;
  for (let k: u32 = 0; k < cells; k++) {
    let place = k;
    for (; place > 0; place--) {
      const before = cellAt(place - 1).order;
      if (orderOfItems(cellAt(before), cellAt(k)) <= 0) break;
      cellAt(place).order = before;
      isSorted = false;
    }
    cellAt(place).order = k;
  }
  return !isSorted;
}

function writeSorted(): void {
  for (let k: u32 = 0; k < cells; k++) {
    const place = cellAt(k);
    const item = cellAt(place.order);
    to = copied(copied(to, done, place.start), item.start, item.end);
    done = place.end;
  }
}

/** Unescaped items in the order of their bytes; equal ones in that of their own. */
function orderOfItems(a: Cell, b: Cell): i32 {
  const unescaped = order(a, b);
  return unescaped != 0 ? unescaped : compare(a.start, a.end - a.start, b.start, b.end - b.start);
}

function order(a: Cell, b: Cell): i32 {
  let at = a.start;
  let other = b.start;
  while (at < a.end && other < b.end) {
    const byte = byteAt(at, a.end);
    at = next;
    const difference = <i32>byte - <i32>byteAt(other, b.end);
    other = next;
    if (difference != 0) return difference;
  }
  return i32(at < a.end) - i32(other < b.end);
}

/** Where the byte after the one of `byteAt` is. */
let next: usize = 0;

function byteAt(at: usize, stop: usize): u8 {
  const isEscaped = isEscape(at, stop);
  next = at + (isEscaped ? 3 : 1);
  return isEscaped ? escapedAt(at) : load<u8>(at);
}
