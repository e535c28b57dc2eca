// Splits a line into words: offsets in two columns, which the next line overwrites:
//
//   GET  /a  200        word i is bytes[starts[i], ends[i])
//   ^  ^ ^ ^ ^  ^       words are separated by any number of blanks and control characters
import { QUOTE, SPACE } from '../../base/ascii.js';
import { setSpan, type Span } from './format.js';

export interface Words {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  count: number;
}

export function createWords(most: number): Words {
  return { starts: new Int32Array(most), ends: new Int32Array(most), count: 0 };
}

/** Finds the first words of bytes[start, end), up to the capacity of the columns; returns the offset after the last. */
export function splitWords(bytes: Uint8Array, start: number, end: number, words: Words): number {
  const { starts, ends } = words;
  let count = 0;
  let at = start;
  while (count < starts.length) {
    while (at < end && bytes[at]! <= SPACE) at++;
    if (at === end) break;
    starts[count] = at;
    while (at < end && bytes[at]! > SPACE) at++;
    ends[count++] = at;
  }
  words.count = count;
  return at;
}

/** Sets the span to a word; leaves it empty if the word is `-` or missing. */
export function setWord(span: Span, bytes: Uint8Array, words: Words, word: number): void {
  if (word >= words.count) return;
  const start = words.starts[word]!;
  const end = words.ends[word]!;
  if (end - start === 1 && bytes[start] === 0x2d) return;
  setSpan(span, bytes, start, end);
}

/**
 * The offset of the first quote at or after `start` that is followed by a blank or the end of the line; -1 if none is.
 */
export function findWordQuote(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] === QUOTE && (at + 1 === end || bytes[at + 1]! <= SPACE)) return at;
  }
  return -1;
}

/** Offset of the first such byte at or after `start`; `end` if there is none. */
export function findByte(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

/** True if `bytes` has the ASCII text `text` at `at`, and all of it before `end`. */
export function hasText(bytes: Uint8Array, at: number, end: number, text: string): boolean {
  if (end - at < text.length) return false;
  for (let k = 0; k < text.length; k++) if (bytes[at + k] !== text.charCodeAt(k)) return false;
  return true;
}
