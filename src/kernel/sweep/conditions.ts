// Evaluates the conditions of rules (rule/condition) on the form. A condition of several rules is tested once per form.
//
//   tested   by condition: twice the number of the last form it was tested on, plus 1 if the form met it
import {
  CONDITION_SHIFT,
  IS,
  IS_LENGTH,
  NOT,
  NOT_COUNT,
  NUMBER,
  OF_DEPTH,
  OF_EXTENSION,
  OF_FIELD,
  OF_FIELDS,
  OF_FIRST,
  OF_HOST,
  OF_LAST,
  OF_PARAMETER,
  OF_QUERY,
  OF_SEGMENT,
  ONLY,
  ONLY_COUNT,
  PART,
} from '../layout/rule';
import { CONDITIONS, TESTED } from '../layout/sweep';
import { isSame } from '../text/text';
import { count, endOf, firstInQuery, hasName, isField, queryStart, split, startOf } from './fields';
import { addWork, DOT, end, form, hostStart, path, SEMICOLON, SLASH } from './form';
import { told } from './look';

const AT: u8 = 0x40;

/** True if the rule's conditions hold for the form. */
export function holds(rule: usize): bool {
  const nots = <usize>load<u32>(rule, NOT);
  for (let at: usize = 0; at < <usize>load<u32>(rule, NOT_COUNT); at++)
    if (isMetBy(<usize>load<u32>(nots + (at << 2)))) return false;
  const onlies = load<i32>(rule, ONLY_COUNT);
  if (onlies < 0) return true;
  const only = <usize>load<u32>(rule, ONLY);
  for (let at: usize = 0; at < <usize>onlies; at++) if (isMetBy(<usize>load<u32>(only + (at << 2)))) return true;
  return false;
}

function isMetBy(number: usize): bool {
  const tested = told(TESTED) + (number << 3);
  if (load<u64>(tested) >> 1 != form)
    store<u64>(tested, (form << 1) | u64(isMet(told(CONDITIONS) + (number << CONDITION_SHIFT))));
  return (load<u64>(tested) & 1) != 0;
}

function isMet(condition: usize): bool {
  split();
  addWork();
  const is = <usize>load<u32>(condition, IS);
  const length = <usize>load<u32>(condition, IS_LENGTH);
  switch (load<i32>(condition, PART)) {
    case OF_HOST:
      return isHost(is, length);
    case OF_FIRST:
      return isText(path + 1, nameEnd(path + 1), is, length);
    case OF_LAST: {
      const last = lastSegment();
      return isText(last, nameEnd(last), is, length);
    }
    case OF_SEGMENT:
      return isSegment(is, length);
    case OF_EXTENSION: {
      const last = lastSegment();
      const stop = nameEnd(last);
      return isText(extensionStart(last, stop), stop, is, length);
    }
    case OF_DEPTH:
      return depth() == load<i32>(condition, NUMBER);
    case OF_FIELDS:
      return fieldsInQuery() == load<i32>(condition, NUMBER);
    case OF_PARAMETER:
      for (let at: usize = 0; at < count; at++) if (hasName(at, is, length)) return true;
      return false;
    case OF_FIELD:
      for (let at: usize = 0; at < count; at++) if (isField(at, is, length)) return true;
      return false;
    case OF_QUERY:
      return hasText(queryStart + 1, end, is, length);
    default:
      return hasText(path, end, is, length);
  }
}

function isText(from: usize, to: usize, text: usize, length: usize): bool {
  return to - from == length && isSame(from, text, length);
}

/** The host is compared without user information. */
function isHost(is: usize, length: usize): bool {
  let from = hostStart();
  if (from == 0) return length == 0;
  for (let at = from; at < path; at++) if (load<u8>(at) == AT) from = at + 1;
  return isText(from, path, is, length);
}

/** The end of the name of the segment that begins at `at`, before its path parameters. */
function nameEnd(at: usize): usize {
  while (at < queryStart && load<u8>(at) != SLASH && load<u8>(at) != SEMICOLON) at++;
  return at;
}

function lastSegment(): usize {
  let at = queryStart;
  while (load<u8>(at - 1) != SLASH) at--;
  return at;
}

function isSegment(is: usize, length: usize): bool {
  for (let at = path; at < queryStart; at++)
    if (load<u8>(at) == SLASH && isText(at + 1, nameEnd(at + 1), is, length)) return true;
  return false;
}

function extensionStart(from: usize, to: usize): usize {
  for (let at = to - 1; at > from; at--) if (load<u8>(at) == DOT) return at + 1;
  return to;
}

/** Number of segments that are not empty. */
function depth(): i32 {
  let found = 0;
  for (let at = path; at + 1 < queryStart; at++) {
    if (load<u8>(at) != SLASH) continue;
    const next = load<u8>(at + 1);
    if (next != SLASH && next != SEMICOLON) found++;
  }
  return found;
}

/** Number of fields of the query that are not empty. */
function fieldsInQuery(): i32 {
  let filled = 0;
  for (let at = firstInQuery; at < count; at++) if (endOf(at) > startOf(at)) filled++;
  return filled;
}

/** True if the text occurs in [from, to). */
function hasText(from: usize, to: usize, is: usize, length: usize): bool {
  if (length == 0) return from <= to;
  const first = load<u8>(is);
  for (let at = from; at + length <= to; at++) if (load<u8>(at) == first && isSame(at, is, length)) return true;
  return false;
}
