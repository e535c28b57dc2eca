import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashFilter, TextTable } from '../../src/mine/parameter-texts.js';

test('texts are numbered as they come, whatever their hashes', () => {
  const text = fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 300, size: 'max' }), fc.constantFrom(0, 1, 3, -1), (texts, mask) => {
      const table = new TextTable();
      const numbers = new Map<string, number>();
      for (const [k, one] of texts.entries()) {
        const bytes = Buffer.from(`x${one}y`);
        const hash = (one.length * 31 + one.charCodeAt(0) || 0) & mask;
        const known = numbers.get(one);
        expect(table.find(bytes, 1, one.length, hash)).toBe(known ?? -1);
        expect(table.intern(bytes, 1, one.length, hash), `${k}`).toBe(known ?? numbers.size);
        if (known === undefined) numbers.set(one, numbers.size);
      }
      for (const [one, number] of numbers) expect(Buffer.from(table.text(number)).toString()).toBe(one);
      expect(table.count).toBe(numbers.size);
    }),
  );
});

test.each([1, 2, 3, 10, 1000])('a filter passes all hashes that came %i times, and few others', (most) => {
  const filter = new HashFilter(most, 1 << 16);
  const hash = (k: number) => Math.imul(k, 0x9e3779b1);
  const times = Math.min(most, 255);
  for (let k = 0; k < 200; k++) for (let n = 0; n < (k % 2 === 0 ? times + 1 : times - 1); n++) filter.add(hash(k));
  const passes = Array.from({ length: 200 }, (_, k) => filter.passes(hash(k)));
  expect(passes.filter((_, k) => k % 2 === 0)).toEqual(Array.from({ length: 100 }, () => true));
  expect(passes.filter((passed, k) => k % 2 === 1 && passed).length).toBeLessThan(20);
  expect(Math.abs(filter.passing - 100)).toBeLessThan(20);
});
