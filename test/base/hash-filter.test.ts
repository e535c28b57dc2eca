import { expect, test } from 'vitest';
import { HashFilter } from '../../src/base/hash-filter.js';

test.each([1, 2] as const)('a filter passes all hashes that were added %i times, and few others', (most) => {
  const filter = new HashFilter(most, 1 << 16);
  const hash = (k: number) => Math.imul(k, 0x9e3779b1);
  for (let k = 0; k < 200; k++) for (let n = 0; n < (k % 2 === 0 ? most + 1 : most - 1); n++) filter.add(hash(k));
  const passes = Array.from({ length: 200 }, (_, k) => filter.passes(hash(k)));
  expect(passes.filter((_, k) => k % 2 === 0)).toEqual(Array.from({ length: 100 }, () => true));
  expect(passes.filter((passed, k) => k % 2 === 1 && passed).length).toBeLessThan(20);
  expect(Math.abs(filter.passing - 100)).toBeLessThan(20);
});
