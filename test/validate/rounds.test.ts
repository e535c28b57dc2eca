import { describe, expect, test } from 'vitest';
import type { Rule, Verdict } from '../../src/rule/rule.js';
import type { SitePlan } from '../../src/validate/plan.js';
import { nextRound, plansOfRound, spendBudget, type Rounds } from '../../src/validate/rounds.js';
import { attemptsOf } from '../../src/validate/sample.js';
import type { Settlement } from '../../src/validate/validate.js';
import { sampleRule } from '../rule/sample.js';

const verdict = (positive: number): Verdict => ({
  source: 'live',
  positive,
  negative: 0,
  unjudged: {},
  positives: [],
  negatives: [],
});
const pending = (from: string, more: Partial<Parameters<typeof sampleRule>[2]> = {}) =>
  sampleRule(from, 'z', { site: 's', status: 'likely', ...more });

/** A site with rules that cost so many requests each; those of cost 0 have no verdict yet. */
function roundsOf(costs: Readonly<Record<string, number>>, samples = ['/x']): Rounds {
  const visited = new Map<Rule, Rule>();
  const due = Object.entries(costs).map(([from, cost]): Rule => {
    const rule = pending(from);
    if (cost > 0) visited.set(rule, { ...rule, status: 'valid', verdict: verdict(cost / 2) });
    return rule;
  });
  const rules = due.map((rule) => ({
    rule,
    attempts: attemptsOf(rule).map((attempt) => ({
      attempt,
      samples: { urls: samples, isExhaustive: true, suspects: [] },
    })),
  }));
  return { plans: [{ site: 's', rules, sketches: undefined, list: undefined }], due, visited };
}

const names = (rules: Iterable<Rule>) => [...rules].map((rule) => (rule.kind === 'substring' ? rule.from : ''));
const settledAs = (rule: Rule, after: readonly Rule[]): [Rule, Settlement] => [
  rule,
  { before: rule, after, outcome: 'valid', requests: 1 },
];

describe('a round', () => {
  test('takes the most urgent rules that fit the budget, including the first pages of a site', () => {
    const rounds = roundsOf({ a: 100, b: 60, c: 4, d: 60 });
    expect(names(nextRound(rounds, new Map(), 165))).toEqual(['a', 'b', 'c']);
    expect(names(nextRound(rounds, new Map(), 110))).toEqual(['a', 'c']);
    expect(names(nextRound(roundsOf({ a: 10, b: 4 }), new Map(), 85))).toEqual(['a']);
  });

  test('is not empty the first time, however small the budget, but may be later', () => {
    const rounds = roundsOf({ a: 100, b: 60 });
    const [a] = rounds.due;
    expect(names(nextRound(rounds, new Map(), 1))).toEqual(['a']);
    expect(names(nextRound(rounds, new Map(), 0))).toEqual([]);
    expect(names(nextRound(rounds, new Map([settledAs(a!, [])]), 5))).toEqual([]);
  });

  test('omits rules without samples', () => {
    expect(names(nextRound(roundsOf({ a: 100 }, []), new Map(), 1000))).toEqual([]);
  });

  test('has the other rules of the site as they are, except those without a verdict', () => {
    const rounds = roundsOf({ a: 100, b: 60, c: 0, d: 60 });
    const [a, b, c] = rounds.due as [Rule, Rule, Rule, Rule];
    const after: Rule = { ...a, status: 'invalid' };
    const [plan] = plansOfRound(rounds, new Set([b]), new Map([settledAs(a, [after])])) as [SitePlan];
    expect(plan.rules.map(({ rule, attempts }) => [names([rule])[0], rule.status, attempts.length])).toEqual([
      ['a', 'invalid', 0],
      ['b', 'likely', 2],
      ['d', 'valid', 0],
    ]);
    expect(plan.rules.map(({ rule }) => rule)).not.toContain(c);
    const d = plan.rules.at(-1)!.rule;
    expect(d.verdict, 'counter-examples of another night are no evidence').toBeUndefined();
    expect(plansOfRound(rounds, new Set(), new Map())).toEqual([]);
  });
});

test('a budget is spent in rounds, on no rule twice, until nothing fits', async () => {
  const rounds = roundsOf({ a: 100, b: 100, c: 100, d: 100, e: 100, f: 100 });
  const settled = new Map<Rule, Settlement>();
  const asked: string[][] = [];
  let left = 310;
  const { signal } = new AbortController();
  await spendBudget(rounds, {
    settled,
    signal,
    left: () => left,
    settle: async (plans) => {
      const chosen = plans.flatMap((plan) => plan.rules).filter(({ attempts }) => attempts.length > 0);
      asked.push(names(chosen.map(({ rule }) => rule)));
      // They cost half of the last visit, as they share pages; the third has no effect at all.
      for (const { rule } of chosen) {
        left -= 50;
        if (names([rule])[0] !== 'c') settled.set(...settledAs(rule, [rule]));
      }
    },
  });
  expect(asked).toEqual([['a', 'b', 'c'], ['d'], ['e']]);
  expect(left).toBe(60);
});
