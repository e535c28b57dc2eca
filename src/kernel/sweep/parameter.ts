// What does a parameter rule make of the form? As rule/parameter.
import {
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
import { addWork, end, hostStart, path, QUESTION, SEMICOLON } from './form';

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
