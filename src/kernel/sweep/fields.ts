// The fields of the form, as url/fields defines them. They are split on first use.
//
//   scratch   start … | name end … | end … | dropped …      64 entries each, path parameters first
import { MOST_FIELDS } from '../layout/rule';
import { SCRATCH } from '../layout/sweep';
import { isSame } from '../text/text';
import { addWork, AMPERSAND, copied, end, EQUALS, form, nextOf, path, QUESTION, SEMICOLON, SLASH, start } from './form';

const NAME_ENDS: i32 = SCRATCH + 4 * MOST_FIELDS;
const ENDS: i32 = SCRATCH + 8 * MOST_FIELDS;
const GOES: i32 = SCRATCH + 12 * MOST_FIELDS;

export let count: usize = 0;
export let firstInQuery: usize = 0;
/** The first `?`, or the end. */
export let queryStart: usize = 0;
/** True if the query is a single field without `=`, which is no parameter. */
export let isBareQuery: bool = false;
let areTooMany: bool = false;
let splitForm: u64 = 0;

/** True if the form has more fields or items than fit: results about them are wrong. */
export function isIncomplete(): bool {
  return areTooMany && splitForm == form;
}

/** The fields of the form are split, but it has too much of something else. */
export function giveUp(): void {
  areTooMany = true;
}

export function startOf(field: usize): usize {
  return <usize>load<u32>((field << 2) + SCRATCH);
}

export function nameEndOf(field: usize): usize {
  return <usize>load<u32>((field << 2) + NAME_ENDS);
}

export function endOf(field: usize): usize {
  return <usize>load<u32>((field << 2) + ENDS);
}

export function split(): void {
  if (splitForm == form) return;
  splitForm = form;
  addWork();
  count = 0;
  areTooMany = false;
  isBareQuery = false;
  queryStart = nextOf(path, end, QUESTION, SEMICOLON);
  if (queryStart < end && load<u8>(queryStart) == SEMICOLON) splitPath(queryStart);
  firstInQuery = count;
  if (queryStart < end) splitQuery();
}

/** Splits the path parameters, from the first semicolon on, which may be in the query. */
function splitPath(at: usize): void {
  queryStart = nextOf(at, end, QUESTION, QUESTION);
  for (; at < queryStart; at++) {
    if (load<u8>(at) != SEMICOLON) continue;
    const first = at + 1;
    let equals: usize = 0;
    for (at = first; at < queryStart && load<u8>(at) != SEMICOLON && load<u8>(at) != SLASH; at++)
      if (equals == 0 && load<u8>(at) == EQUALS) equals = at;
    if (equals > first) add(first, equals, at);
    at--;
  }
}

function splitQuery(): void {
  let filled = 0;
  let hasEquals = false;
  for (let first = queryStart + 1; first <= end;) {
    let stop = separatorOrEquals(first);
    let nameEnd = stop;
    if (stop < end && load<u8>(stop) == EQUALS) {
      hasEquals = true;
      stop = nextOf(stop + 1, end, AMPERSAND, SEMICOLON);
    }
    if (stop > first) filled++;
    add(first, nameEnd, stop);
    first = stop + 1;
  }
  isBareQuery = filled == 1 && !hasEquals;
}

function separatorOrEquals(at: usize): usize {
  while (at < end) {
    const bytes = v128.load(at);
    const isSeparator = v128.or(i8x16.eq(bytes, i8x16.splat(AMPERSAND)), i8x16.eq(bytes, i8x16.splat(SEMICOLON)));
    const found = i8x16.bitmask(v128.or(isSeparator, i8x16.eq(bytes, i8x16.splat(EQUALS))));
    if (found != 0) return min(at + <usize>ctz(found), end);
    at += 16;
  }
  return end;
}

function add(first: usize, nameEnd: usize, stop: usize): void {
  if (count == <usize>MOST_FIELDS) {
    areTooMany = true;
    return;
  }
  const to = (count++ << 2) + SCRATCH;
  store<u32>(to, <u32>first);
  store<u32>(to, <u32>nameEnd, NAME_ENDS - SCRATCH);
  store<u32>(to, <u32>stop, ENDS - SCRATCH);
}

/** True if the field is a parameter with this name. */
export function hasName(field: usize, name: usize, length: usize): bool {
  const first = startOf(field);
  if (nameEndOf(field) - first != length || length == 0) return false;
  return !(isBareQuery && field >= firstInQuery) && isSame(first, name, length);
}

/** True if the field equals this text. */
export function isField(field: usize, text: usize, length: usize): bool {
  const first = startOf(field);
  return endOf(field) - first == length && isSame(first, text, length);
}

/** Marks a field to be left out by `rewritten`. Call `dropNone` first. */
export function drop(field: usize): void {
  store<u8>(field + GOES, 1);
}

export function dropNone(): void {
  for (let k: usize = 0; k < <usize>MOST_FIELDS; k += 16) v128.store(k + GOES, i64x2.splat(0));
}

function isDropped(field: usize): bool {
  return load<u8>(field + GOES) != 0;
}

/** The number of no field. */
export const NONE: usize = MOST_FIELDS;

/**
 * Writes the form to `to` without the dropped fields, and with `value` as the value of field `set`; if `length` is
 * negative, that field has no value. Returns where it ends. See `rewriteFields` of url/fields.
 */
export function rewritten(to: usize, set: usize, value: usize, length: i32): usize {
  let at = start;
  for (let field: usize = 0; field < firstInQuery; field++) {
    if (field != set && !isDropped(field)) continue;
    to = copied(to, at, startOf(field) - 1);
    at = endOf(field);
    if (field != set) continue;
    store<u8>(to++, SEMICOLON);
    to = withValue(to, field, value, length);
  }
  to = copied(to, at, queryStart);
  let drops = false;
  for (let field = firstInQuery; field < count; field++) if (isDropped(field)) drops = true;
  let kept = 0;
  for (let field = firstInQuery; field < count; field++) {
    if (drops && (isDropped(field) || startOf(field) == endOf(field))) continue;
    store<u8>(to++, kept++ == 0 ? QUESTION : load<u8>(startOf(field) - 1));
    to = field == set ? withValue(to, field, value, length) : copied(to, startOf(field), endOf(field));
  }
  return to;
}

function withValue(to: usize, field: usize, value: usize, length: i32): usize {
  to = copied(to, startOf(field), nameEndOf(field));
  if (length < 0) return to;
  store<u8>(to++, EQUALS);
  return copied(to, value, value + <usize>length);
}
