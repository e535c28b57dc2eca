// The policy by itself: rates, order, and a simulation of many nights with planted rates of change.
import { describe, expect, it } from 'vitest';
import { changeRate, dueRules, priorOf, seedOfNight, urgency } from '../../src/validate/budget.js';
import { nightAfter } from '../../src/rule/night.js';
import type { History, Rule } from '../../src/rule/rule.js';
import { recordVisit } from '../../src/rule/visit.js';
import { seededRandom } from '../planted.js';
import { sampleRule } from '../rule/sample.js';

const history = (more: Partial<History> = {}): History => ({
  firstSeen: '2026-01-01',
  lastSupported: '2026-01-01',
  lastValidated: '2026-01-01',
  visits: 0,
  changes: 0,
  days: 0,
  ...more,
});
const prior = { share: 0.1, interval: 1 };

describe('the rate of change', () => {
  it('is that of the lecture if the added visit agrees with all others', () => {
    // N = 10, X = 3: the simple estimator says 0.3, the improved one 0.34.
    const rate = changeRate({ visits: 10, changes: 3, days: 10 }, { share: 0.3, interval: 1 });
    expect(rate).toBeCloseTo(0.34, 2);
    expect(Math.log(10.5 / 7.5)).toBeCloseTo(0.34, 2);
  });

  it('is per day: visits that are further apart mean slower change', () => {
    const often = changeRate({ visits: 10, changes: 3, days: 10 }, prior);
    const seldom = changeRate({ visits: 10, changes: 3, days: 70 }, { ...prior, interval: 7 });
    expect(often / seldom).toBeCloseTo(7, 9);
  });

  it('is never 0, so that a rule that never changed is visited again, and falls with every such visit', () => {
    let last = Infinity;
    for (let visits = 0; visits < 50; visits++) {
      const rate = changeRate({ visits, changes: 0, days: visits }, prior);
      expect(rate).toBeGreaterThan(0);
      expect(rate).toBeLessThan(last);
      last = rate;
    }
  });

  it('is finite if every visit found a change', () => {
    expect(changeRate({ visits: 20, changes: 20, days: 20 }, { share: 1, interval: 1 })).toBeLessThan(4);
  });

  it('comes from all rules together without visits of its own', () => {
    expect(priorOf([])).toEqual({ share: 0.5, interval: 1 });
    expect(priorOf([history({ visits: 9, changes: 2, days: 27 })])).toEqual({ share: 0.25, interval: 3 });
  });
});

describe('the rules that are due', () => {
  const rule = (rank: number, more: Partial<Rule> = {}) => ({ ...sampleRule(`a${rank}`, 'b'), rank, ...more }) as Rule;
  const night = '2026-01-11';
  const ranks = (...rules: Rule[]) => dueRules(rules, night).map(({ rank }) => rank);

  it('are those without a verdict first, then those that changed most, then those that have waited longest', () => {
    const calm = rule(1, { history: history({ visits: 9, days: 27, lastValidated: '2026-01-08' }) });
    const restless = rule(2, { history: history({ visits: 9, changes: 5, days: 27, lastValidated: '2026-01-08' }) });
    const old = rule(3, { history: history({ visits: 9, days: 27, lastValidated: '2026-01-02' }) });
    const fresh = rule(4, { status: 'likely', history: history({ firstSeen: '2026-01-06' }) as never });
    const unseen = { ...fresh, history: { ...history({ firstSeen: '2026-01-06' }) } } as Rule;
    delete (unseen.history as { lastValidated?: string }).lastValidated;
    expect(ranks(calm, old, restless, unseen)).toEqual([4, 2, 3, 1]);
  });

  it('are not vetoed, not visited tonight already, and not retired before their time', () => {
    const retired = { night: '2026-01-08', failures: 1, retryFrom: '2026-01-12' };
    expect(
      ranks(
        rule(1, { veto: 'local', history: history() }),
        rule(2, { history: history({ lastValidated: night }) }),
        rule(3, { status: 'invalid', history: history({ retired }) }),
        rule(4, { status: 'invalid', history: history({ retired: { ...retired, retryFrom: night } }) }),
        rule(5, { history: history({ lastTried: night }) }),
      ),
    ).toEqual([4]);
  });

  it('include an old verdict in the end, however many new rules there are each night', () => {
    const old = rule(1, { history: history({ visits: 50, days: 350, lastValidated: '2026-01-01' }) });
    const isDue = (after: number) => {
      const tonight = nightAfter('2026-01-01', after);
      const { lastValidated: _, ...unseen } = history({ firstSeen: tonight });
      const young = rule(2, { status: 'likely', history: unseen });
      return dueRules([old, young], tonight)[0] === old;
    };
    expect(isDue(2)).toBe(false);
    expect(isDue(365)).toBe(true);
  });

  it('grow in urgency with age', () => {
    const one = rule(1, { history: history() });
    const worth = [1, 5, 30].map((days) => urgency(one, nightAfter('2026-01-01', days), prior));
    expect(worth[1]! / worth[0]!).toBeCloseTo(5, 9);
    expect(worth[2]! / worth[0]!).toBeCloseTo(30, 9);
  });
});

describe('a visit', () => {
  it('draws different samples each night, the same ones for the same night', () => {
    const seeds = Array.from({ length: 365 }, (_, day) => seedOfNight(1, nightAfter('2026-01-01', day)));
    expect(new Set(seeds).size).toBe(365);
    expect(seedOfNight(1, '2026-01-01')).toBe(seeds[0]);
    for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32).toBe(true);
  });
});

// Verdicts change as a Poisson process at planted rates, from one in 4 days to one in 400; a night has 10 visits for
// 200 rules. The delay of a change is the number of days until a visit sees it, or would have, if it had not changed
// back.
describe('over six hundred nights', { timeout: 30_000 }, () => {
  const RULES = 200;
  const VISITS = 10;
  const NIGHTS = 600;
  const rates = Array.from({ length: RULES }, (_, k) => 0.25 * 0.01 ** (k / (RULES - 1)));
  const start = '2026-01-01';

  interface Planted {
    rule: Rule;
    readonly rate: number;
    /** Changes that no visit has seen yet. */
    waiting: number[];
    isValid: boolean;
    last: number;
  }

  /** Mean delay of a change in days, after 200 nights of learning the rates. */
  function meanDelay(worth: (one: Planted, today: number, night: string) => number): number {
    const random = seededRandom(7);
    const planted = rates.map((rate): Planted => {
      const rule = { ...sampleRule('a', 'b'), history: history({ lastValidated: start }) };
      return { rule, rate, waiting: [], isValid: true, last: 0 };
    });
    let [delay, turns] = [0, 0];
    for (let today = 1; today <= NIGHTS; today++) {
      const night = nightAfter(start, today);
      for (const one of planted) {
        for (
          let at = today - 1 - Math.log(1 - random()) / one.rate;
          at < today;
          at -= Math.log(1 - random()) / one.rate
        ) {
          one.waiting.push(at);
          one.isValid = !one.isValid;
        }
      }
      const byWorth = planted.map((one) => ({ one, w: worth(one, today, night) })).sort((a, b) => b.w - a.w);
      for (const { one } of byWorth.slice(0, VISITS)) {
        if (today > 200) {
          delay += one.waiting.reduce((sum, at) => sum + today - at, 0);
          turns += one.waiting.length;
        }
        one.waiting = [];
        one.last = today;
        // Retirement is switched off: this is about rates alone.
        const { retired: _, ...past } = one.rule.history!;
        one.rule = recordVisit(
          { ...one.rule, history: past },
          { ...one.rule, status: one.isValid ? 'valid' : 'invalid' },
          night,
        );
      }
    }
    for (const { waiting } of planted) {
      delay += waiting.reduce((sum, at) => sum + NIGHTS - at, 0);
      turns += waiting.length;
    }
    return delay / turns;
  }

  it('changed verdicts are found sooner by √λ than round-robin or by λ, even with estimated rates', () => {
    const age = (one: Planted, today: number) => today - one.last;
    const uniform = meanDelay(age);
    const proportional = meanDelay((one, today) => age(one, today) * one.rate);
    const best = meanDelay((one, today) => age(one, today) * Math.sqrt(one.rate));
    let [today, general] = [0, prior];
    const histories: History[] = [];
    const ours = meanDelay((one, day, night) => {
      if (day !== today) {
        if (histories.length > 0) general = priorOf(histories.splice(0));
        today = day;
      }
      histories.push(one.rule.history!);
      const { retired: _, ...past } = one.rule.history!;
      return urgency({ ...one.rule, history: past }, night, general);
    });
    const figures = { uniform, proportional, best, ours };
    if (process.env['FIGURES'] !== undefined) console.log(figures);
    expect(best).toBeLessThan(0.8 * uniform);
    expect(best).toBeLessThan(0.8 * proportional);
    expect(ours).toBeLessThan(0.9 * uniform);
    expect(ours).toBeLessThan(0.9 * proportional);
    expect(ours).toBeLessThan(1.25 * best);
  });
});
