// Separators: what stands between two values of a line of JSON, such as `,"uri":"`. The lines of a log have the same
// few of them, whatever their values are, so plain-json compares a whole separator and does not look up its names.
//
// A state is all that the rest of a line depends on: the name of the last value, which says in which objects it is, and
// whether it is in a list (layout/json-names). From a state, a known separator leads to the next value. An unknown one
// is learned once plain-json has read it name by name.
import {
  END_STATE,
  FIRST_SEPARATORS,
  MOST_SEPARATORS,
  MOST_SEPARATOR_BYTES,
  SEPARATOR,
  SEPARATORS,
  SEPARATOR_BYTES,
  SEPARATOR_TEXT,
  SEPARATOR_TEXT_BYTES,
  SEPARATOR_USED,
} from '../layout/json-names';
import { isDigit } from './line';

const MINUS: u8 = 0x2d;
const LETTER_A: u8 = 0x61;

/** A separator, in layout/json-names. */
@unmanaged
export class Separator {
  text: usize;
  length: usize;
  /** The number of the next separator of this state, or 0. */
  following: u32;
  /** The state after the value that follows, and the meaning of that value. */
  next: u32;
  meaning: u32;
  /** 1 if the separator ends with the opening quote of a text. */
  isBeforeText: u32;
}

/** Separators per state: each is compared in turn, so there must not be too many. */
const MOST_OF_STATE = 24;

/** The number of the separator at `at` that follows a value in this state; 0 if it is unknown. */
export function separatorAt(names: usize, state: u32, at: usize): u32 {
  for (let number = <u32>load<u16>(firstOf(names, state)); number != 0;) {
    const one = separator(names, number);
    const length = one.length;
    if (isAhead(one.text, at, length) && fits(one, at + length)) return number;
    number = one.following;
  }
  return 0;
}

/** Adds a separator, unless there is no room for it. `isText`: it ends with the opening quote of a text. */
export function learnSeparator(
  names: usize,
  state: u32,
  start: usize,
  end: usize,
  next: u32,
  meaning: u32,
  isText: bool,
): void {
  const length = end - start;
  const number = load<u32>(names, SEPARATORS) + 1;
  const used = <usize>load<u32>(names, SEPARATOR_USED);
  if (number >= <u32>MOST_SEPARATORS || length > <usize>MOST_SEPARATOR_BYTES) return;
  if (used + length > <usize>SEPARATOR_TEXT_BYTES) return;
  const first = firstOf(names, state);
  let count = 0;
  for (let other = <u32>load<u16>(first); other != 0; other = separator(names, other).following) {
    const one = separator(names, other);
    if (one.length == length && isAhead(one.text, start, length)) return;
    if (++count == MOST_OF_STATE) return;
  }
  const text = names + SEPARATOR_TEXT + used;
  memory.copy(text, start, length);
  const one = separator(names, number);
  one.text = text;
  one.length = length;
  one.following = <u32>load<u16>(first);
  one.next = next;
  one.meaning = meaning;
  one.isBeforeText = u32(isText);
  store<u16>(first, <u16>number);
  store<u32>(names, number, SEPARATORS);
  store<u32>(names, <u32>(used + length), SEPARATOR_USED);
}

export function separator(names: usize, number: u32): Separator {
  return changetype<Separator>(names + SEPARATOR + <usize>(number * SEPARATOR_BYTES));
}

function firstOf(names: usize, state: u32): usize {
  return names + FIRST_SEPARATORS + ((<usize>state) << 1);
}

/** A separator such as `"size":` also starts `"size": 1`, `"size":"1"` and `"size":{}`, which it does not fit. */
function fits(one: Separator, valueStart: usize): bool {
  if (one.isBeforeText != 0 || one.next == END_STATE) return true;
  const byte = load<u8>(valueStart);
  return isDigit(valueStart) || byte == MINUS || byte - LETTER_A < 26;
}

/** True if `text` is at `at`. May read some bytes past both. */
function isAhead(text: usize, at: usize, length: usize): bool {
  let k: usize = 0;
  for (; k + 16 <= length; k += 16) {
    if (!i8x16.all_true(i8x16.eq(v128.load(text + k), v128.load(at + k)))) return false;
  }
  const left = <i32>(length - k);
  const rest = (1 << left) - 1;
  return (i8x16.bitmask(i8x16.eq(v128.load(text + k), v128.load(at + k))) & rest) == rest;
}
