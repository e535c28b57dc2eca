// Applies a step to the form. rule/step says what each step does.
import {
  ADD_END_SLASH,
  DROP_EMPTY_FIELDS,
  DROP_END_SLASH,
  DROP_LAST_SEGMENT,
  DROP_NUMBER_FIELDS,
  DROP_REPEATED_FIELDS,
  DROP_REPEATED_ITEMS,
  DROP_SEGMENT,
  FOLD_SLASHES,
  KIND,
  LOWER_CASE,
  MOST_FIELDS,
  ONE_SEPARATOR,
  SORT_FIELDS,
  SORT_ITEMS,
  SORT_VALUES,
  TEXT,
  TEXT_LENGTH,
  TRIM_END,
} from '../layout/rule';
import { SCRATCH } from '../layout/sweep';
import { isSame } from '../text/text';
import {
  count,
  drop,
  dropNone,
  endOf,
  firstInQuery,
  hasName,
  isBareQuery,
  isField,
  nameEndOf,
  NONE,
  queryStart,
  rewritten,
  split,
  startOf,
} from './fields';
import {
  addWork,
  AMPERSAND,
  copied,
  DOT,
  end,
  escapedAt,
  isDigit,
  isEscape,
  nextOf,
  path,
  SEMICOLON,
  SLASH,
  start,
} from './form';
import { changeItems } from './items';

/** The order of the fields, stored after their columns. */
const ORDER: usize = SCRATCH + 13 * MOST_FIELDS;

/** Writes the image to `to`; returns where it ends, or 0 if there is none. */
export function take(rule: usize, to: usize): usize {
  const text = <usize>load<u32>(rule, TEXT);
  const length = <usize>load<u32>(rule, TEXT_LENGTH);
  split();
  addWork();
  switch (load<i32>(rule, KIND)) {
    case FOLD_SLASHES:
      return foldSlashes(to);
    case DROP_END_SLASH:
      return dropEndSlash(to);
    case ADD_END_SLASH:
      return addEndSlash(to);
    case DROP_SEGMENT:
      return dropSegment(to, text, length);
    case DROP_LAST_SEGMENT:
      return dropLastSegment(to, text, length);
    case LOWER_CASE:
      return length == 0 ? lowerPath(to) : lowerValues(to, text, length);
    case DROP_EMPTY_FIELDS:
      return dropEmptyFields(to);
    case DROP_NUMBER_FIELDS:
      return dropNumberFields(to);
    case DROP_REPEATED_FIELDS:
      return dropRepeatedFields(to);
    case SORT_FIELDS:
      return sortFields(to);
    case SORT_VALUES:
      return sortValues(to);
    case SORT_ITEMS:
    case DROP_REPEATED_ITEMS:
      return changeItems(rule, to);
    case ONE_SEPARATOR:
      return oneSeparator(to);
    case TRIM_END:
      return trimEnd(to);
    default:
      return unescape(to);
  }
}

function isSlash(at: usize): bool {
  return load<u8>(at) == SLASH;
}

/** Copies the form without [from, until). */
function without(to: usize, from: usize, until: usize): usize {
  return copied(copied(to, start, from), until, end);
}

function foldSlashes(to: usize): usize {
  let at = path + 1;
  while (at < queryStart && !(isSlash(at) && isSlash(at - 1))) at++;
  if (at == queryStart) return 0;
  to = copied(to, start, at);
  for (; at < queryStart; at++) if (!(isSlash(at) && isSlash(at - 1))) store<u8>(to++, load<u8>(at));
  return copied(to, queryStart, end);
}

/** Where the name of the last segment begins. */
function lastStart(): usize {
  let at = queryStart;
  while (!isSlash(at - 1)) at--;
  return at;
}

/** Where the name of the last segment ends, before path parameters. */
function lastEnd(at: usize): usize {
  while (at < queryStart && load<u8>(at) != SEMICOLON) at++;
  return at;
}

function dropEndSlash(to: usize): usize {
  const last = lastStart();
  if (lastEnd(last) > last) return 0;
  let stop = last;
  while (stop > path && isSlash(stop - 1)) stop--;
  let name = stop;
  while (name > path && !isSlash(name - 1)) name--;
  // Earlier segments have no name.
  if (stop == path || name == path || load<u8>(name) == SEMICOLON) return 0;
  return without(to, stop, last);
}

function addEndSlash(to: usize): usize {
  const last = lastStart();
  const stop = lastEnd(last);
  if (stop == last) return 0;
  for (let at = last; at < stop; at++) if (load<u8>(at) == DOT) return 0;
  to = copied(to, start, stop);
  store<u8>(to++, SLASH);
  return copied(to, stop, end);
}

function dropSegment(to: usize, text: usize, length: usize): usize {
  const begin = to;
  to = copied(to, start, path);
  const pathOfImage = to;
  for (let at = path; at < queryStart;) {
    if (isSlash(at) && isSegment(at + 1, text, length)) {
      at += 1 + length;
      if (to == pathOfImage && !(at < queryStart && isSlash(at))) store<u8>(to++, SLASH);
      continue;
    }
    store<u8>(to++, load<u8>(at++));
  }
  to = copied(to, queryStart, end);
  return to - begin == end - start ? 0 : to;
}

function isSegment(at: usize, text: usize, length: usize): bool {
  const stop = at + length;
  if (stop > queryStart || (stop < queryStart && !isSlash(stop) && load<u8>(stop) != SEMICOLON)) return false;
  return isSame(at, text, length);
}

function dropLastSegment(to: usize, text: usize, length: usize): usize {
  const last = lastStart();
  const stop = lastEnd(last);
  if (stop - last != length || length == 0 || !isSame(last, text, length)) return 0;
  return without(to, last, stop);
}

function lowerPath(to: usize): usize {
  if (!hasCapital(path, queryStart)) return 0;
  const image = copied(to, start, end);
  lower(to, path, queryStart);
  return image;
}

function lowerValues(to: usize, name: usize, length: usize): usize {
  let hasAny = false;
  for (let field: usize = 0; field < count; field++)
    if (hasName(field, name, length) && hasCapital(nameEndOf(field), endOf(field))) hasAny = true;
  if (!hasAny) return 0;
  const image = copied(to, start, end);
  for (let field: usize = 0; field < count; field++)
    if (hasName(field, name, length)) lower(to, nameEndOf(field), endOf(field));
  return image;
}

/** True if there is a capital letter outside of escapes. */
function hasCapital(at: usize, stop: usize): bool {
  if (!mayHaveCapital(at, stop)) return false;
  for (; at < stop; at++) {
    if (load<u8>(at) - 0x41 < 26) return true;
    if (isEscape(at, stop)) at += 2;
  }
  return false;
}

/** True if there is a capital letter, in escapes too. Sixteen bytes at a time. */
function mayHaveCapital(at: usize, stop: usize): bool {
  for (; at < stop; at += 16) {
    const isCapital = i8x16.lt_u(i8x16.sub(v128.load(at), i8x16.splat(0x41)), i8x16.splat(26));
    if (v128.any_true(isCapital)) return true;
  }
  return false;
}

/** Lowers the letters in [at, stop), in the copy of the form at `to`. */
function lower(to: usize, at: usize, stop: usize): void {
  for (; at < stop; at++) {
    const byte = load<u8>(at);
    if (isEscape(at, stop)) at += 2;
    else if (byte - 0x41 < 26) store<u8>(to + (at - start), byte + 0x20);
  }
}

function dropEmptyFields(to: usize): usize {
  let isAny = false;
  dropNone();
  for (let field = firstInQuery; field < count; field++) {
    const stop = endOf(field);
    if (stop != startOf(field) && stop != nameEndOf(field) + 1) continue;
    drop(field);
    isAny = true;
  }
  return isAny ? rewritten(to, NONE, 0, 0) : 0;
}

function dropNumberFields(to: usize): usize {
  if (isBareQuery) return 0;
  let isAny = false;
  for (let field = firstInQuery; field < count; field++) {
    if (!isNumber(startOf(field), endOf(field))) continue;
    if (!isAny) dropNone();
    drop(field);
    isAny = true;
  }
  return isAny ? rewritten(to, NONE, 0, 0) : 0;
}

function isNumber(at: usize, stop: usize): bool {
  if (at == stop) return false;
  while (at < stop && isDigit(load<u8>(at))) at++;
  return at == stop;
}

/** Drops fields that repeat the one before of the same name. */
function dropRepeatedFields(to: usize): usize {
  let isAny = false;
  for (let field = firstInQuery + 1; field < count; field++) {
    const text = startOf(field);
    const length = endOf(field) - text;
    if (length == 0) continue;
    let before = field;
    while (before > firstInQuery) if (!isEmpty(--before) && order(before, field) == 0) break;
    if (!isField(before, text, length)) continue;
    if (!isAny) dropNone();
    drop(field);
    isAny = true;
  }
  return isAny ? rewritten(to, NONE, 0, 0) : 0;
}

function isEmpty(field: usize): bool {
  return startOf(field) == endOf(field);
}

function sortFields(to: usize): usize {
  if (count - firstInQuery < 2) return 0;
  let isSorted = true;
  for (let field = firstInQuery + 1; field < count; field++) if (order(field - 1, field) > 0) isSorted = false;
  if (isSorted) return 0;
  const separator = load<u8>(endOf(firstInQuery));
  for (let field = firstInQuery; field + 1 < count; field++) if (load<u8>(endOf(field)) != separator) return 0;
  for (let field = firstInQuery; field < count; field++) {
    let place = ORDER + (field << 2);
    for (; place > ORDER + (firstInQuery << 2); place -= 4) {
      const before = load<u32>(place - 4);
      if (order(<usize>before, field) <= 0) break;
      store<u32>(place, before);
    }
    store<u32>(place, <u32>field);
  }
  to = copied(to, start, startOf(firstInQuery));
  for (let k = firstInQuery; k < count; k++) {
    const field = <usize>load<u32>(ORDER + (k << 2));
    if (k > firstInQuery) store<u8>(to++, separator);
    to = copied(to, startOf(field), endOf(field));
  }
  return to;
}

/** Sorts the fields of each name by their bytes, among the places of that name. Separators stay where they are. */
function sortValues(to: usize): usize {
  let isSorted = true;
  for (let field = firstInQuery; field < count; field++) {
    let place = field;
    for (let at = field; at > firstInQuery;) {
      const before = <usize>load<u32>(ORDER + (--at << 2));
      if (order(before, field) != 0) continue;
      if (orderOfTexts(before, field) <= 0) break;
      store<u32>(ORDER + (place << 2), <u32>before);
      place = at;
      isSorted = false;
    }
    store<u32>(ORDER + (place << 2), <u32>field);
  }
  if (isSorted) return 0;
  to = copied(to, start, startOf(firstInQuery));
  for (let k = firstInQuery; k < count; k++) {
    const field = <usize>load<u32>(ORDER + (k << 2));
    if (k > firstInQuery) store<u8>(to++, load<u8>(endOf(k - 1)));
    to = copied(to, startOf(field), endOf(field));
  }
  return to;
}

/** Negative, 0 or positive: compares the bytes of two fields. */
function orderOfTexts(a: usize, b: usize): i32 {
  return orderOf(startOf(a), endOf(a), startOf(b), endOf(b));
}

/** Negative, 0 or positive: compares the names of two fields. */
function order(a: usize, b: usize): i32 {
  return orderOf(startOf(a), nameEndOf(a), startOf(b), nameEndOf(b));
}

function orderOf(a: usize, aEnd: usize, b: usize, bEnd: usize): i32 {
  const aLength = aEnd - a;
  const bLength = bEnd - b;
  const length = min(aLength, bLength);
  for (let k: usize = 0; k < length; k++) {
    const difference = <i32>load<u8>(a + k) - <i32>load<u8>(b + k);
    if (difference != 0) return difference;
  }
  return <i32>aLength - <i32>bLength;
}

function oneSeparator(to: usize): usize {
  const first = nextOf(queryStart, end, SEMICOLON, SEMICOLON);
  if (first == end) return 0;
  const image = copied(to, start, end);
  for (let at = first; at < end; at++) if (load<u8>(at) == SEMICOLON) store<u8>(to + (at - start), AMPERSAND);
  return image;
}

function unescape(to: usize): usize {
  const begin = to;
  to = copied(to, start, path);
  for (let at = path; at < end; at++) {
    const isBare = isEscape(at, end) && isBareSign(escapedAt(at));
    store<u8>(to++, isBare ? escapedAt(at) : load<u8>(at));
    if (isBare) at += 2;
  }
  return to - begin == end - start ? 0 : to;
}

/** One of `!$'()*,:@`. */
function isBareSign(byte: u8): bool {
  return byte == 0x21 || byte == 0x24 || (byte >= 0x27 && byte <= 0x2a) || byte == 0x2c || byte == 0x3a || byte == 0x40;
}

function trimEnd(to: usize): usize {
  // Keeps the slash of the path.
  const floor = path + 1;
  let stop = end;
  for (let cut = stop; ;) {
    while (cut > floor && load<u8>(cut - 1) == DOT) cut--;
    if (cut <= floor) break;
    const unit = cut >= floor + 3 && isEscape(cut - 3, cut) ? cut - 3 : cut - 1;
    if (!isJunk(unit, cut)) break;
    stop = cut = unit;
  }
  return stop == end ? 0 : copied(to, start, stop);
}

/** True for a byte or an escape that URLs do not end in, unless it is a bracket that closes another one of the form. */
function isJunk(at: usize, stop: usize): bool {
  const byte = stop - at == 1 ? load<u8>(at) : escapedAt(at);
  const opens = openingOf(byte);
  if (opens == 0) return isJunkByte(byte);
  for (let before = path; before < at; before++) {
    if (load<u8>(before) == opens || (isEscape(before, at) && escapedAt(before) == opens)) return false;
  }
  return true;
}

/** The opening bracket of a closing one, or 0. */
function openingOf(byte: u8): u8 {
  if (byte == 0x29) return 0x28;
  if (byte == 0x3e) return 0x3c;
  return byte == 0x5d || byte == 0x7d ? byte - 2 : 0;
}

/** One of `"'`,;\<([{`, a space, a tab, or the end of a line. */
function isJunkByte(byte: u8): bool {
  switch (byte) {
    case 0x09:
    case 0x0a:
    case 0x0d:
    case 0x20:
    case 0x22:
    case 0x27:
    case 0x28:
    case 0x2c:
    case 0x3b:
    case 0x3c:
    case 0x5b:
    case 0x5c:
    case 0x60:
    case 0x7b:
      return true;
    default:
      return false;
  }
}
