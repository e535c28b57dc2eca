import { describe, expect, test } from 'vitest';
import { nightAfter } from '../../src/rule/night.js';
import { RefutedQuestions } from '../../src/state/refuted.js';

const FIRST = '2026-01-01';
const on = (day: number, kept: RefutedQuestions) => new RefutedQuestions(kept.content(), nightAfter(FIRST, day));

describe('a refuted question', () => {
  test('rests for 7, 14, 28, 56 and then always 90 days', () => {
    let kept = new RefutedQuestions([], FIRST);
    let day = 0;
    for (const days of [7, 14, 28, 56, 90, 90]) {
      kept = on(day, kept);
      kept.note('does page matter?', true);
      expect(on(day + days - 1, kept).rests('does page matter?')).toBe(true);
      expect(on(day + days, kept).rests('does page matter?')).toBe(false);
      day += days;
    }
  });

  test('is no longer kept if the site says yes', () => {
    const kept = new RefutedQuestions([], FIRST);
    kept.note('a', true);
    kept.note('a', false);
    expect(kept.content()).toEqual([]);
    kept.note('a', true);
    expect(kept.content()).toEqual([[expect.stringMatching(/^[0-9a-f]{16}$/), FIRST, 1]]);
  });

  test('is forgotten if ten thousand others are newer', () => {
    const kept = new RefutedQuestions([], FIRST);
    for (let k = 0; k < 10_001; k++) kept.note(`question ${k}`, true);
    kept.note('question 1', true);
    const next = on(1, kept);
    expect(next.content()).toHaveLength(10_000);
    expect([0, 1, 2, 10_000].map((k) => next.rests(`question ${k}`))).toEqual([false, true, true, true]);
  });
});
