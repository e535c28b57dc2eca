import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextTable } from '../../src/base/text-table.js';

test('texts are numbered in the order in which they come, whatever their hashes', () => {
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

test.each([3, 5000])('a cleared table that had %i other texts works like a new one', (others) => {
  const table = new TextTable();
  const put = (text: string) => table.intern(Buffer.from(text), 0, text.length, text.length & 7);
  for (let k = 0; k < others; k++) put(`text ${k}`);
  table.clear();
  expect([table.count, table.heldBytes]).toEqual([0, 0]);
  expect(table.find(Buffer.from('text 1'), 0, 6, 6)).toBe(-1);
  expect(['b', 'text 1', 'b', 'c'].map(put)).toEqual([0, 1, 0, 2]);
  expect(Buffer.from(table.text(1)).toString()).toBe('text 1');
});
