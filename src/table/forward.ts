// What of a URL is known from the one before it in the list: how many tokens they share, and how many it has.
//
// Four collation bytes at once: adding 62 to each sets its highest bit where it is a run byte (66 + 62 = 128). A byte begins
// a token unless it and the one before are run bytes.
//
//   bytes      / c a t - 2 1 /
//   is run     0 1 1 1 0 1 1 0
//   inside     0 0 1 1 0 0 1 0      the others begin a token: 5
import { FIRST_RUN_BYTE } from '../url/token.js';

const TO_HIGH_BITS = 0x01010101 * (0x80 - FIRST_RUN_BYTE);
const HIGH_BITS = 0x80808080 | 0;

/** Columns by row of a list. Token counts include START and END. */
export interface Forward {
  readonly tokens: Uint16Array;
  /** First tokens that URL r shares with URL r - 1; START counts. 0 for the first. */
  readonly sharedFirst: Uint16Array;
}

/**
 * Sets the columns of a row: its URL is at `at` of `bytes`, the URL of the row before at `before`; `before` is -1 where there
 * is none. Both are multiples of 4, and `words` holds the same as `bytes`.
 */
export function setForward(
  { tokens, sharedFirst }: Forward,
  row: number,
  bytes: Uint8Array,
  words: Int32Array,
  before: number,
  beforeLength: number,
  at: number,
  length: number,
): void {
  const limit = before < 0 ? 0 : Math.min(beforeLength, length);
  let count = 0;
  /** 0x80 where the byte before is a run byte. */
  let carry = 0;
  let word = at >> 2;
  let k = 0;
  for (const last = word + (limit >> 2), ahead = (before - at) >> 2; word < last; word++) {
    const four = words[word]!;
    if (four !== words[word + ahead]) break;
    const runs = (((four & ~HIGH_BITS) + TO_HIGH_BITS) | four) & HIGH_BITS;
    count += 4 - (Math.imul((runs & ((runs << 8) | carry)) >>> 7, 0x01010101) >>> 24);
    carry = runs >>> 24;
  }
  for (k = word * 4 - at; k < limit && bytes[at + k] === bytes[before + k]; k++) {
    const isRun = bytes[at + k]! >= FIRST_RUN_BYTE ? 0x80 : 0;
    if ((isRun & carry) === 0) count++;
    carry = isRun;
  }
  if (before >= 0) {
    // A run that goes on in one of them, behind what they share, is no token that they share.
    const goesOn =
      carry !== 0 &&
      ((k < length && bytes[at + k]! >= FIRST_RUN_BYTE) || (k < beforeLength && bytes[before + k]! >= FIRST_RUN_BYTE));
    sharedFirst[row] = goesOn ? count : count + 1;
  } else {
    sharedFirst[row] = 0;
  }
  for (; k < length && (k & 3) !== 0; k++) {
    const isRun = bytes[at + k]! >= FIRST_RUN_BYTE ? 0x80 : 0;
    if ((isRun & carry) === 0) count++;
    carry = isRun;
  }
  word = (at + k) >> 2;
  for (const last = (at + length) >> 2; word < last; word++) {
    const four = words[word]!;
    const runs = (((four & ~HIGH_BITS) + TO_HIGH_BITS) | four) & HIGH_BITS;
    count += 4 - (Math.imul((runs & ((runs << 8) | carry)) >>> 7, 0x01010101) >>> 24);
    carry = runs >>> 24;
    k += 4;
  }
  for (; k < length; k++) {
    const isRun = bytes[at + k]! >= FIRST_RUN_BYTE ? 0x80 : 0;
    if ((isRun & carry) === 0) count++;
    carry = isRun;
  }
  tokens[row] = count + 2;
}
