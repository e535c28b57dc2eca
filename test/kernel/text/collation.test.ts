import { expect, test } from 'vitest';
import { inArena, kernel, takeU8 } from '../../../src/base/heap.js';
import { collate } from '../../../src/url/token.js';

const { collateTo } = kernel();

test('every byte is copied as its collation byte, and zeros pad only the last unit', () => {
  inArena(() => {
    const source = takeU8(400).map((_, k) => k * 7 + 3);
    const from = takeU8(400);
    from.set(source);
    const to = takeU8(400);
    for (let length = 0; length <= 300; length++) {
      to.fill(9);
      collateTo(to.byteOffset + 8, from.byteOffset + 4, length);
      const units = Math.ceil(length / 8) * 8;
      const copied = [...collate(Uint8Array.from(source.subarray(4, 4 + length)))];
      const zeros = Array.from({ length: units - length }, () => 0);
      expect([...to.subarray(0, 16 + units)]).toEqual([...Array(8).fill(9), ...copied, ...zeros, ...Array(8).fill(9)]);
    }
    expect(new Set(source.subarray(4, 304)).size).toBe(256);
  });
});
