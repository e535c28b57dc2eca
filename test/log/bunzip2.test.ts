import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCK_MARK, END_MARK, findMark, MARK_BITS, readBits, readMark } from '../../src/log/bunzip2.js';

/** Looks at every bit. */
function findSlowly(bytes: Uint8Array, used: number, from: number): number {
  for (let bit = from; bit + MARK_BITS <= 8 * used; bit++) {
    if ([BLOCK_MARK, END_MARK].includes(readMark(bytes, bit))) return bit;
  }
  return -1;
}

function plant(bytes: Uint8Array, bit: number, mark: number): void {
  const digits = mark.toString(2).padStart(MARK_BITS, '0');
  for (const [k, digit] of digits.split('').entries()) {
    const place = bit + k;
    const mask = 0x80 >> (place & 7);
    bytes[place >> 3] = digit === '1' ? bytes[place >> 3]! | mask : bytes[place >> 3]! & ~mask;
  }
}

test('a mark is found at any bit, and only if it is complete', () => {
  let found = 0;
  const some = fc.uint8Array({ minLength: 6, maxLength: 40 });
  fc.assert(
    fc.property(some, fc.nat(), fc.nat(), fc.nat(), fc.boolean(), (bytes, place, from, unused, isBlock) => {
      plant(bytes, place % (8 * bytes.length - MARK_BITS + 1), isBlock ? BLOCK_MARK : END_MARK);
      const used = bytes.length - (unused % 3);
      const start = from % 20;
      const bit = findMark(bytes, used, start);
      if (bit >= 0) found++;
      expect(bit).toBe(findSlowly(bytes, used, start));
    }),
    { seed: 1, numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(300);
});

test('bits are read from the highest down, across bytes', () => {
  const bytes = Uint8Array.of(0b1010_0000, 0b0000_0001, 0xff, 0xff, 0xff, 0xff);
  expect(readBits(bytes, 0, 3)).toBe(5);
  expect(readBits(bytes, 7, 9)).toBe(1);
  expect(readBits(bytes, 16, 32)).toBe(0xffff_ffff);
});
