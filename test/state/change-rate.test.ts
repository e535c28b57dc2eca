// The estimator is the paper's where visits are regular, and nearly without bias where they are not.
import { expect, test } from 'vitest';
import { changeRate, plannedRate } from '../../src/state/change-rate.js';
import { seededRandom } from '../planted.js';

test('with equal intervals it is log((N + 0.5) / (N − X + 0.5)) an interval', () => {
  for (const [comparisons, changes, days] of [
    [10, 3, 1],
    [7, 7, 3],
    [1, 1, 30],
    [12, 1, 2],
  ] as const) {
    const counts = { comparisons, changes, daysCompared: comparisons * days, daysChanged: changes * days };
    const paper = Math.log((comparisons + 0.5) / (comparisons - changes + 0.5)) / days;
    expect(changeRate(counts)).toBeCloseTo(paper, 12);
    expect(plannedRate(counts, 1)).toBe(changeRate(counts));
  }
  expect(changeRate({ comparisons: 0, changes: 0, daysCompared: 0, daysChanged: 0 })).toBeUndefined();
});

test('pages without a change are planned to be seen again, the less often the longer they stayed the same', () => {
  const never = (comparisons: number, days: number) => ({
    comparisons,
    changes: 0,
    daysCompared: comparisons * days,
    daysChanged: 0,
  });
  const rates = [never(1, 1), never(1, 9), never(9, 9), never(99, 9)].map((counts) => plannedRate(counts, 7));
  expect(rates.toSorted((a, b) => b - a)).toEqual(rates);
  expect(rates.at(-1)).toBeGreaterThan(0);
  expect(plannedRate(never(0, 0), 7)).toBe(7);
});

// Means over 4,000 pages of 30 visits each; the mean interval in place of both sums gives .92 and .75.
test.each([
  ['every second night is missing', 0.5, 0.2, 0.96, 1.04],
  ['four of five nights are missing', 0.8, 0.2, 0.89, 0.98],
  ['nine of ten visits find no change', 0.5, 0.05, 0.96, 1.04],
])('if %s, the mean estimate is near the rate', (_, missing, rate, least, most) => {
  const random = seededRandom(17);
  let sum = 0;
  for (let page = 0; page < 4000; page++) {
    const counts = { comparisons: 30, changes: 0, daysCompared: 0, daysChanged: 0 };
    for (let k = 0; k < counts.comparisons; k++) {
      let gap = 1;
      while (random() < missing) gap++;
      counts.daysCompared += gap;
      if (random() < Math.exp(-rate * gap)) continue;
      counts.changes++;
      counts.daysChanged += gap;
    }
    sum += changeRate(counts)! / rate;
  }
  expect(sum / 4000).toBeGreaterThan(least);
  expect(sum / 4000).toBeLessThan(most);
});
