// Applies parameter rules to the form as rule/parameter does, and substring rules as rule/apply does, which explains
// why.
import {
  AT_END,
  AT_START,
  FLAGS,
  IN_PREFIX,
  KIND,
  LIST,
  LIST_COUNT,
  ON_PATH,
  OTHER,
  OTHER_LENGTH,
  REMOVE,
  TEXT,
  TEXT_LENGTH,
} from '../layout/rule';
import { isSame } from '../text/text';
import { count, drop, dropNone, endOf, hasName, nameEndOf, NONE, rewritten, split } from './fields';
import {
  addWork,
  copied,
  end,
  hostStart,
  isEscape,
  isRunByte,
  nextOf,
  origin,
  path,
  QUESTION,
  SEMICOLON,
  SLASH,
  start,
} from './form';

/** Writes the image to `target`; returns where it ends, or 0 if there is none. */
export function edit(rule: usize, target: usize): usize {
  const name = <usize>load<u32>(rule, TEXT);
  const length = <usize>load<u32>(rule, TEXT_LENGTH);
  split();
  addWork();
  let first: usize = 0;
  while (first < count && !hasName(first, name, length)) first++;
  if (first == count || !isInScope(rule)) return 0;
  const removes = load<i32>(rule, KIND) == REMOVE;
  dropNone();
  let drops = removes;
  if (removes) drop(first);
  for (let field = first + 1; field < count; field++) {
    if (!hasName(field, name, length)) continue;
    drop(field);
    drops = true;
  }
  const value = <usize>load<u32>(rule, LIST);
  const valueLength = load<i32>(rule, LIST_COUNT);
  if (!drops && hasValue(first, value, valueLength)) return 0;
  return rewritten(target, removes ? NONE : first, value, valueLength);
}

function hasValue(field: usize, value: usize, length: i32): bool {
  const nameEnd = nameEndOf(field);
  const bytes = <i32>(endOf(field) - nameEnd);
  if (length < 0 || bytes == 0) return length < 0 && bytes == 0;
  return bytes == length + 1 && isSame(nameEnd + 1, value, <usize>length);
}

function isInScope(rule: usize): bool {
  const flags = load<u32>(rule, FLAGS);
  if ((flags & (IN_PREFIX | ON_PATH)) == 0) return true;
  const scope = <usize>load<u32>(rule, OTHER);
  const length = <usize>load<u32>(rule, OTHER_LENGTH);
  let at = path;
  if (length > 1 && load<u16>(scope) == 0x2f2f) {
    const host = hostStart();
    if (host == 0) return false;
    at = host - 2;
  }
  const stop = at + length;
  if (stop > end || !isSame(at, scope, length)) return false;
  if ((flags & IN_PREFIX) != 0 || stop == end) return true;
  return load<u8>(stop) == SEMICOLON || load<u8>(stop) == QUESTION;
}

// The rule that is being applied.
let from: usize = 0;
let fromLength: usize = 0;
let to: usize = 0;
let toLength: usize = 0;
let atStart: bool = false;
let atEnd: bool = false;

/** Writes the image to `target`; returns where it ends, or 0 if there is none. */
export function substitute(rule: usize, target: usize): usize {
  from = <usize>load<u32>(rule, TEXT);
  fromLength = <usize>load<u32>(rule, TEXT_LENGTH);
  to = <usize>load<u32>(rule, OTHER);
  toLength = <usize>load<u32>(rule, OTHER_LENGTH);
  const flags = load<u32>(rule, FLAGS);
  atStart = (flags & AT_START) != 0;
  atEnd = (flags & AT_END) != 0;
  addWork();
  let at = findMatch(rule, origin);
  while (at != 0 && at <= path && !keepsBeginning(at)) at = findMatch(rule, at + 1);
  if (at == 0) return 0;
  target = copied(copied(target, start, at), to, to + toLength);
  return copied(target, at + fromLength, end);
}

/** The first match from `least` on that is not already a result; 0 if there is none. */
function findMatch(rule: usize, least: usize): usize {
  if (fromLength > end - origin) return 0;
  const last = end - fromLength;
  const stop = atStart ? min(origin, last) : last;
  let at = atEnd ? max(last, least) : least;
  const byte: u8 = fromLength == 0 ? 0 : load<u8>(from);
  for (; at <= stop; at++) {
    if (fromLength > 0) at = nextOf(at, stop + 1, byte, byte);
    if (at > stop) return 0;
    if (standsAt(at, from, fromLength) && !isOwnResult(rule, at)) return at;
  }
  return 0;
}

function isOwnResult(rule: usize, at: usize): bool {
  const inside = <usize>load<u32>(rule, LIST);
  const count = <usize>load<u32>(rule, LIST_COUNT);
  for (let k: usize = 0; k < count; k++) {
    const offset = <usize>load<u32>(inside + (k << 2));
    if (at >= origin + offset && standsAt(at - offset, to, toLength)) return true;
  }
  return false;
}

/** True if the text is at `at`, as whole tokens, and anchored as the rule demands. */
function standsAt(at: usize, text: usize, length: usize): bool {
  const stop = at + length;
  if (stop > end || !isSame(at, text, length)) return false;
  if ((atStart && at != origin) || (atEnd && stop != end)) return false;
  return isCut(at) && isCut(stop);
}

function isCut(at: usize): bool {
  if (at == origin || at == end || !isRunByte(load<u8>(at))) return true;
  if (!isRunByte(load<u8>(at - 1))) return !isEscape(at - 1, end);
  return at >= origin + 3 && isEscape(at - 3, end);
}

function keepsBeginning(place: usize): bool {
  if (origin > start) return place > origin || byteOfImage(place, origin) == SLASH;
  if (path == start) return byteOfImage(place, start) == SLASH;
  if (hasRun(place, min(place + fromLength, path))) return beginsUrl(place);
  for (let at = place; at < path; at++) if (byteOfImage(place, at) != load<u8>(at)) return false;
  const next = byteOfImage(place, path);
  return next == SLASH || next == QUESTION || next == 0;
}

function hasRun(at: usize, stop: usize): bool {
  for (; at < stop; at++) if (isRunByte(load<u8>(at))) return true;
  return false;
}

/** True if the image begins with a slash, `http://` or `https://`, in any case. */
function beginsUrl(place: usize): bool {
  let begin: u64 = 0;
  for (let k: usize = 0; k < 8; k++) begin |= (<u64>byteOfImage(place, start + k)) << ((<u64>k) << 3);
  if (<u8>begin == SLASH) return true;
  const lower = begin | 0x20202020;
  if (<u32>lower != 0x70747468) return false;
  const rest = begin >> 32;
  if ((rest & 0xffffff) == 0x2f2f3a) return true;
  return (rest | 0x20) == 0x2f2f3a73;
}

/** The byte at `at` of the image, in which the text at `place` is replaced; 0 after the end. */
function byteOfImage(place: usize, at: usize): u8 {
  if (at >= place && at < place + toLength) return load<u8>(to + (at - place));
  const before = at < place ? at : at - toLength + fromLength;
  return before < end ? load<u8>(before) : 0;
}
