// The bound of a share by a sample, compared with sums of exact fractions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chanceOfMore, failureBound } from '../../src/base/binomial.js';

test.each([
  [0, 300, 0.009937],
  [1, 300, 0.015715],
  [2, 300, 0.020837],
  [0, 1, 0.95],
  [1, 2, 0.97468],
  [3, 10, 0.606625],
  [0, 59, 0.049508],
  [10, 10, 1],
  [0, 0, 1],
])('for %i failures in %i the share is at most %f', (failures, sample, bound) => {
  expect(failureBound(failures, sample)).toBe(bound);
});

/** P(X ≤ k | n, p), p in millionths, in integers only. */
function naive(k: number, n: number, millionths: number): number {
  const [p, q] = [BigInt(millionths), BigInt(1e6 - millionths)];
  let [sum, choices] = [0n, 1n];
  for (let i = 0; i <= k; i++) {
    sum += choices * p ** BigInt(i) * q ** BigInt(n - i);
    choices = (choices * BigInt(n - i)) / BigInt(i + 1);
  }
  return Number((sum * 10n ** 15n) / 10n ** BigInt(6 * n)) / 1e15;
}

test('the bound is the smallest share, in millionths, at which so few failures occur in one of twenty samples', () => {
  const some = fc
    .integer({ min: 1, max: 400 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n - 1 }), fc.constant(n)));
  fc.assert(
    fc.property(some, ([k, n]) => {
      const bound = Math.round(failureBound(k, n) * 1e6);
      expect(naive(k, n, bound)).toBeLessThanOrEqual(0.05);
      expect(naive(k, n, bound - 1)).toBeGreaterThan(0.05);
    }),
    { numRuns: 100, seed: 1 },
  );
});

test('the bound of a large sample is near the observed share', () => {
  const bound = failureBound(1000, 1_000_000);
  expect(bound).toBeGreaterThan(0.001);
  expect(bound).toBeLessThan(0.0011);
});

test('the chance of more failures is that of exact fractions', () => {
  const some = fc.integer({ min: 1, max: 400 }).chain((n) => fc.tuple(fc.nat(Math.floor(n / 20)), fc.constant(n)));
  fc.assert(
    fc.property(some, ([k, n]) => {
      expect(chanceOfMore(k, n, 0.05)).toBeCloseTo(1 - naive(k, n, 50_000), 5);
    }),
  );
});
