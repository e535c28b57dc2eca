// When is a rule settled: Wald's test, with the operating characteristic that SPEC 10.1 gives.
import { describe, expect, it, test } from 'vitest';
import { decide, QUICKEST_ACCEPTANCE, type TrialOptions } from '../../src/validate/trial.js';

const sequential: TrialOptions = { N: 100, epsilon: 0.05 };

/** Samples until a decision, from a stream of outcomes. */
function run(
  options: TrialOptions,
  next: () => boolean,
  isForeign = false,
): { readonly accepted: boolean; readonly samples: number } {
  let positive = 0;
  let negative = 0;
  for (;;) {
    if (next()) positive++;
    else negative++;
    const decision = decide({ positive, negative, foreign: isForeign ? negative : 0 }, options);
    if (decision !== undefined) return { accepted: decision, samples: positive + negative };
  }
}

function randomNumbers(): () => number {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

describe('a trial', () => {
  it('accepts after 35 positives in a row, and refutes after 2 early negatives', () => {
    expect(QUICKEST_ACCEPTANCE).toBe(35);
    expect(run(sequential, () => true)).toEqual({ accepted: true, samples: 35 });
    expect(run(sequential, () => false)).toEqual({ accepted: false, samples: 2 });
  });

  it('needs half of the evidence for what is nearly certain, and refutes as fast', () => {
    const tally = (positive: number, negative: number) => ({ positive, negative, foreign: 0 });
    expect(decide(tally(17, 0), sequential, 'known')).toBeUndefined();
    expect(decide(tally(18, 0), sequential, 'known')).toBe(true);
    expect(decide(tally(0, 2), sequential, 'known')).toBe(false);
  });

  test.each([
    [0, false, 1, 1, 35, 35],
    [0.01, false, 0.99, 1, 41, 46],
    [0.02, false, 0.95, 0.99, 50, 59],
    [0.1, false, 0.02, 0.08, 33, 42],
    [0.2, false, 0, 0.005, 11, 17],
    [0.5, false, 0, 0.001, 3, 6],
    [0.01, true, 0.8, 0.95, 45, 60],
    [0.02, true, 0.55, 0.75, 55, 75],
    [0.1, true, 0.015, 0.035, 30, 42],
  ])(
    'at a failure rate of %d (of other content: %s) accepts with a probability from %d to %d, after %d to %d samples',
    (q, isForeign, low, high, few, many) => {
      const random = randomNumbers();
      let accepted = 0;
      let samples = 0;
      const runs = 4000;
      for (let k = 0; k < runs; k++) {
        const result = run(sequential, () => random() >= q, isForeign);
        if (result.accepted) accepted++;
        samples += result.samples;
      }
      expect(accepted / runs).toBeGreaterThanOrEqual(low);
      expect(accepted / runs).toBeLessThanOrEqual(high);
      expect(samples / runs).toBeGreaterThanOrEqual(few);
      expect(samples / runs).toBeLessThanOrEqual(many);
    },
  );

  it('needs fewer samples of a few URLs, as they are drawn without replacement', () => {
    const needed = (population: number, evidence: 'plenty' | 'known') => {
      for (let positive = 1; ; positive++)
        if (decide({ positive, negative: 0, foreign: 0 }, sequential, evidence, population) === true) return positive;
    };
    expect([10, 20, 40, 70, 500, 100_000].map((population) => needed(population, 'plenty'))).toEqual([
      10, 17, 23, 28, 34, 35,
    ]);
    expect([10, 20, 40, 70, 500, 100_000].map((population) => needed(population, 'known'))).toEqual([
      9, 12, 15, 16, 17, 18,
    ]);
  });

  test.each([20, 30, 40, 70, 150, 500])('of %d URLs a tenth is wrong: hardly ever accepted', (population) => {
    const random = randomNumbers();
    const wrong = population / 10;
    const runs = 4000;
    let accepted = 0;
    for (let k = 0; k < runs; k++) {
      const tally = { positive: 0, negative: 0, foreign: 0 };
      let decision: boolean | undefined;
      while (decision === undefined && tally.positive + tally.negative < population) {
        const left = population - tally.positive - tally.negative;
        tally[random() * left < wrong - tally.negative ? 'negative' : 'positive']++;
        decision = decide(tally, sequential, 'plenty', population);
      }
      if (decision === true) accepted++;
    }
    expect(accepted / runs).toBeLessThanOrEqual(0.08);
  });

  it('never asks for more than N', () => {
    let at = 0;
    const { samples } = run({ ...sequential, N: 40 }, () => at++ % 20 !== 3);
    expect(samples).toBeLessThanOrEqual(40);
  });
});
