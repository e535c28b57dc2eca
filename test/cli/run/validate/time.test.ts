// How long a validation takes, in words.
import { expect, test } from 'vitest';
import { lengthWords, requestsFor, timeWords } from '../../../../src/cli/run/validate/time.js';

const flags = { maxFetches: 10_000, audit: 300 };

test.each([
  [1, '1 second'],
  [0.2, '1 second'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [1740, '29 minutes'],
  [10_000, '2 h 47 min'],
  [7200, '2 h'],
  [200_000, '3 days'],
])('%i seconds are %s', (seconds, words) => expect(lengthWords(seconds)).toBe(words));

test('both ends are given, at the rate of one host', () => {
  const words = 'about 29 minutes at 1 request a second, at most 2 h 47 min';
  expect(timeWords({ expected: 1740, most: 10_000 }, 1)).toBe(words);
  expect(timeWords({ expected: 500, most: 500 }, 0.5)).toBe('at most 17 minutes at 0.5 requests a second');
});

test('what is expected of the live sites is within a fifth of what they took', () => {
  const took = [3113, 1342, 4576, 1626, 7414, 2349, 8740, 3600];
  for (let k = 0; k < took.length; k += 2) {
    const { expected, most } = requestsFor(took[k]!, flags);
    expect(Math.abs(expected - took[k + 1]!) / took[k + 1]!).toBeLessThan(0.2);
    expect(most).toBeGreaterThanOrEqual(took[k + 1]!);
  }
});

test('a small site takes little, an audit alone what it asks for, and no run more than it may', () => {
  expect(requestsFor(20, flags).expected).toBe(60);
  expect(requestsFor(5000, { ...flags, auditAlone: true }).expected).toBe(600);
  expect(requestsFor(5000, { ...flags, maxFetches: 100 })).toEqual({ expected: 100, most: 100 });
});
