// Byte strings for tests: many have common prefixes, some are others padded with zeros.
import fc from 'fast-check';
import { takeU32, takeU8 } from '../../src/base/heap.js';

const piece = fc.constantFrom('', '\0', '\0\0', 'a', 'b', '\xff', 'abcdefg', '0123456789abcdef', '\0\0\0\0\0\0\0\0');

export const byteString = fc
  .array(piece, { maxLength: 8, size: 'max' })
  .map((pieces) => Buffer.from(pieces.join(''), 'latin1'));

/** Address and length of each, u32, after `head` other words; with other bytes around the strings. */
export function placed(strings: readonly Uint8Array[], head: number): Uint32Array {
  const words = takeU32(strings.length * (head + 2)).fill(0);
  strings.forEach((string, k) => {
    const bytes = takeU8(string.length + 16).fill(77 + (k % 100));
    bytes.set(string, 3);
    words[k * (head + 2) + head] = bytes.byteOffset + 3;
    words[k * (head + 2) + head + 1] = string.length;
  });
  return words;
}
