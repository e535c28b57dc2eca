import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nightOf } from '../../src/rule/night.js';
import {
  mergeable,
  type StateContent,
  type StateRun,
  dayOf,
  parseKeep,
  withoutOldNights,
} from '../../src/state/content.js';

const nightAt = (day: number) => nightOf(new Date(day * 86_400_000));
const MIB = 1 << 20;

/** What becomes of the runs of so many nights of some size, and how many bytes were written. */
function fold(nights: number, bytes: number, keepDays: number | undefined) {
  let runs: StateRun[] = [];
  let [written, most] = [0, 0];
  for (let day = 0; day < nights; day++) {
    const night = nightAt(day);
    runs.push({ number: day, rows: 1, bytes, longestKey: 1, sha256: '', folds: [day, day], nights: [night, night] });
    const folds = runs.map(
      ({ folds: [number], nights: [first] }) => ({ number, night: first }) as StateContent['folds'][0],
    );
    if (keepDays !== undefined) runs = [...withoutOldNights({ options: {}, folds, runs }, night, keepDays).runs];
    for (let range = mergeable(runs, keepDays); range; range = mergeable(runs, keepDays)) {
      const group = runs.slice(...range);
      const [first, last] = [group[0]!, group.at(-1)!];
      const total = group.reduce((sum, run) => sum + run.bytes, 0);
      written += total;
      const joined = { folds: [first.folds[0], last.folds[1]], nights: [first.nights[0], last.nights[1]] } as const;
      runs.splice(range[0], group.length, { ...first, bytes: total, ...joined });
    }
    most = Math.max(most, runs.length);
  }
  return { runs, written, most };
}

describe('runs of many nights', () => {
  test('stay few, and a row is rewritten a few times in a thousand nights', () => {
    for (const bytes of [1000, MIB, 100 * MIB]) {
      const { runs, written, most } = fold(1000, bytes, undefined);
      expect(most).toBeLessThan(24);
      // Runs below a MiB count as the same size: the cost of writing them is negligible.
      if (bytes >= MIB) expect(written / (1000 * bytes)).toBeLessThan(8);
      expect(runs.reduce((sum, run) => sum + run.bytes, 0)).toBe(1000 * bytes);
    }
  });

  test('stay in order, each next to the one before', () => {
    for (const keepDays of [undefined, 3, 40, 365]) {
      const { runs } = fold(500, 5 * MIB, keepDays);
      for (const [k, run] of runs.slice(1).entries()) expect(run.folds[0]).toBe(runs[k]!.folds[1] + 1);
    }
  });

  test('that are kept for a month have one night each, and are dropped when they are due', () => {
    const { runs } = fold(100, 5 * MIB, 30);
    expect(runs.map(({ nights }) => nights)).toEqual(
      Array.from({ length: 31 }, (_, k) => [nightAt(69 + k), nightAt(69 + k)]),
    );
  });

  test('are dropped at most a sixteenth of the time too late, and never too early', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 600 }), (keepDays, nights) => {
        const { runs, most } = fold(nights, 5 * MIB, keepDays);
        const age = nights - 1 - dayOf(runs[0]!.nights[0]);
        expect(age).toBeLessThanOrEqual(keepDays + keepDays / 16);
        expect(age).toBeGreaterThanOrEqual(Math.min(keepDays, nights - 1));
        expect(most).toBeLessThan(64);
      }),
      { numRuns: 30 },
    );
  });
});

test.each([
  ['1d', 1],
  ['30d', 30],
  [' 2w ', 14],
])('--keep %s is %i days', (text, days) => expect(parseKeep(text)).toBe(days));

test.each(['', '0d', '30', '-1d', '1m', '1.5d', '9999999d', 'd'])('--keep %j is refused', (text) => {
  expect(() => parseKeep(text)).toThrow(`--keep: got "${text}", expected a number of days or weeks such as 30d or 4w`);
});
