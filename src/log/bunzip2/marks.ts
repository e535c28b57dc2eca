// Where do the blocks of bzip2 begin and end? At marks of 48 bits, which may begin at any bit.
//
//   byte      i        i+1      i+2      i+3      i+4      i+5      i+6
//   mark      ...BBBBB BBBBBBBB BBBBBBBB BBBBBBBB BBBBBBBB BBBBBBBB BBB.....
//
// A mark that begins within byte i fills the next five, and each of its eight shifts has different bytes there. So a
// table for each of the five says which marks and shifts a byte value is consistent with, and the masks are ANDed:
// nearly always nothing is left after two look-ups.

/** The digits of pi, and of its square root. */
export const BLOCK_MARK = 0x314159265359;
export const END_MARK = 0x177245385090;
export const MARK_BITS = 48;

const MARKS = [BLOCK_MARK, END_MARK];
const FULL_BYTES = 5;

/** For each of the five bytes and each value: bit `8 * mark + shift` is set if it is consistent. */
const fits = Array.from({ length: FULL_BYTES }, () => new Uint16Array(256));
for (const [k, mark] of MARKS.entries()) {
  for (let shift = 0; shift < 8; shift++) {
    for (let byte = 0; byte < FULL_BYTES; byte++) {
      // Byte i has the first 8 - shift bits.
      const value = Number((BigInt(mark) >> BigInt(MARK_BITS - 16 + shift - 8 * byte)) & 0xffn);
      fits[byte]![value]! |= 1 << (8 * k + shift);
    }
  }
}

/**
 * The bit where the first mark at or after bit `from` begins, within the first `used` bytes; -1 if there is no whole
 * one.
 */
export function findMark(bytes: Uint8Array, used: number, from: number): number {
  const [first, second] = [fits[0]!, fits[1]!];
  for (let at = from >> 3; at + FULL_BYTES < used; at++) {
    let fitting = first[bytes[at + 1]!]! & second[bytes[at + 2]!]!;
    if (fitting === 0) continue;
    for (let k = 2; k < FULL_BYTES; k++) fitting &= fits[k]![bytes[at + 1 + k]!]!;
    for (let shift = 0; shift < 8 && fitting !== 0; shift++) {
      const bit = 8 * at + shift;
      if ((fitting & (0x0101 << shift)) === 0 || bit < from || bit + MARK_BITS > 8 * used) continue;
      if (MARKS.includes(readMark(bytes, bit))) return bit;
    }
  }
  return -1;
}

export function readMark(bytes: Uint8Array, bit: number): number {
  return readBits(bytes, bit, 24) * 2 ** 24 + readBits(bytes, bit + 24, 24);
}

/** The number in `count` bits, at most 32. */
export function readBits(bytes: Uint8Array, bit: number, count: number): number {
  let value = 0;
  for (let k = bit; k < bit + count; k++) value = 2 * value + ((bytes[k >> 3]! >> (7 - (k & 7))) & 1);
  return value;
}
