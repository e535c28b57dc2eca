import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawRows } from '../../src/table/draw-rows.js';

const counts = fc.integer({ min: 0, max: 3000 });

test('each row is drawn once, and a smaller sample is the beginning of a larger one', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 0, max: 4000 }), (count, most) => {
      const all = drawRows(count, Infinity);
      expect([...all].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, row) => row));
      expect(drawRows(count, most)).toEqual(all.slice(0, most));
    }),
  );
});

test('the first rows lie spread over the list', () => {
  for (const count of [100, 108, 1000, 99_991, 1 << 20]) {
    const parts = Array.from(drawRows(count, 40), (row) => Math.floor((10 * row) / count));
    for (let part = 0; part < 10; part++) expect(parts.filter((one) => one === part).length).toBeGreaterThanOrEqual(2);
  }
});
