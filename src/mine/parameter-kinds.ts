// Of what kind is the value of a parameter?
//
// One name can mean two things: `p=2` is carried by many links in vain, and `p=6bf218ebb253e20d` names a page. That the
// first has no effect in a hundred groups says nothing about the second. So kinds are counted apart: in how many URLs
// each occurs, and in how many groups the pages are the same.
//
//   0  none: `p`, `p=`      1  a number      2  letters only      3  anything else
import { isDigit } from '../base/bytes.js';
import { fromCollationByte } from '../url/token.js';

export const VALUE_KINDS = 4;

/** Of collation bytes. */
export function kindOf(bytes: Uint8Array, start: number, end: number): number {
  let [digits, letters] = [0, 0];
  for (let at = start; at < end; at++) {
    const byte = fromCollationByte(bytes[at]!);
    if (isDigit(byte)) digits++;
    else if (isLetter(byte)) letters++;
    else return 3;
  }
  return end <= start ? 0 : letters === 0 ? 1 : digits === 0 ? 2 : 3;
}

function isLetter(byte: number): boolean {
  return byte >= 0x80 || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
}
