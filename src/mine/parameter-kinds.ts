// The kinds of values of a parameter.
//
// One name can mean two things: many links carry `p=2` in vain, and `p=6bf218ebb253e20d` names a page. That the former
// has no effect in a hundred groups proves nothing about the latter. So kinds are counted separately: the URLs that
// have each, and the groups in which the pages are the same.
//
//   0  none: `p`, `p=`      1  a number      2  letters only      3  anything else
import { isDigit } from '../base/bytes.js';
import { fromCollationByte } from '../url/token.js';

export const VALUE_KINDS = 4;

/** `bytes` are in collation bytes. */
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
