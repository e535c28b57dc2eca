import { describe, expect, it } from 'vitest';
import { nightAfter } from '../../src/rule/night.js';
import type { Rule, Verdict } from '../../src/rule/rule.js';
import { standingOf } from '../../src/rule/standing.js';
import { recordVisit, settleRule } from '../../src/rule/visit.js';
import { sampleParameter, sampleRule } from './sample.js';

const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  source: 'live',
  positive: 0,
  negative: 0,
  unjudged: {},
  positives: [],
  negatives: [],
  ...more,
});
const likely = sampleRule('a', 'b', { status: 'likely' });
const valid: Rule = { ...likely, status: 'valid', verdict: verdict({ positive: 35 }) };
const invalid: Rule = {
  ...likely,
  status: 'invalid',
  verdict: verdict({ negative: 2, negatives: [['/a', '/b', 'status 404']] }),
};
const unsure = (undecided: Verdict['undecided']): Rule => ({
  ...likely,
  verdict: { ...verdict(), ...(undecided && { undecided }) },
});
const start = '2026-01-01';

/** One visit after another, each so many days after the one before. */
function visits(...outcomes: readonly (readonly [Rule, number])[]): Rule {
  let rule: Rule = { ...likely, history: { firstSeen: start, lastSupported: start, visits: 0, changes: 0, days: 0 } };
  let night = start;
  for (const [after, days] of outcomes) rule = recordVisit(rule, after, (night = nightAfter(night, days)));
  return rule;
}

describe('a visit', () => {
  it('the first time does not count, as there was no verdict to change', () => {
    expect(visits([valid, 2]).history).toMatchObject({
      visits: 0,
      changes: 0,
      days: 0,
      lastValidated: '2026-01-03',
      verdictSince: '2026-01-03',
    });
  });

  it('counts, with the days since the last, and is a change if the verdict changed', () => {
    const { history } = visits([valid, 0], [valid, 3], [invalid, 4], [invalid, 10], [valid, 1]);
    expect(history).toMatchObject({ visits: 4, changes: 2, days: 18, verdictSince: '2026-01-19' });
  });

  it('of the same night counts once', () => {
    expect(visits([valid, 0], [valid, 5], [valid, 0]).history).toMatchObject({ visits: 1, days: 5 });
  });

  it('that reverses the rule is a change, and retires nothing', () => {
    const turned: Rule = { ...valid, from: 'b', to: 'a' } as Rule;
    const { history } = visits([valid, 0], [turned, 5]);
    expect(history).toMatchObject({ visits: 1, changes: 1 });
    expect(history!.retired).toBeUndefined();
  });

  it('without a result leaves the verdict as it was: a failing network is not evidence', () => {
    const after = visits([valid, 0], [unsure('few-samples'), 5]);
    expect(after).toMatchObject({ status: 'valid', verdict: valid.verdict });
    expect(after.history).toMatchObject({ visits: 0, lastValidated: start, lastTried: '2026-01-06' });
    const cut = visits([valid, 0], [unsure('budget'), 5]);
    expect(cut.history!.lastTried).toBeUndefined();
  });

  it('without a result on a rule without a verdict says why', () => {
    expect(visits([unsure('few-samples'), 1]).verdict!.undecided).toBe('few-samples');
  });

  it('keeps exceptions found earlier', () => {
    const before: Rule = { ...valid, except: ['/x', '/y'] };
    expect(recordVisit(before, { ...valid, except: ['/y', '/z'] }, start).except).toEqual(['/x', '/y', '/z']);
  });
});

describe('a rule that was valid and fails', () => {
  it('is retired, with what differed, and is retried a week later', () => {
    const after = visits([valid, 0], [invalid, 5]);
    expect(standingOf(after)).toBe('retired');
    expect(after.history!.retired).toEqual({
      night: '2026-01-06',
      pair: ['/a', '/b', 'status 404'],
      failures: 1,
      retryFrom: '2026-01-13',
    });
  });

  it('waits twice as long after each further failure, up to ninety days', () => {
    const waits = [7, 14, 28, 56, 90, 90];
    let rule = visits([valid, 0], [invalid, 1]);
    for (const [at, wait] of waits.entries()) {
      const { retired, lastValidated } = rule.history!;
      expect(retired).toMatchObject({ failures: at + 1, retryFrom: nightAfter(lastValidated!, wait) });
      rule = recordVisit(rule, invalid, retired!.retryFrom);
    }
    expect(rule.history!.retired!.night, 'when it first failed').toBe('2026-01-02');
  });

  it('recovers when pages agree again', () => {
    const after = visits([valid, 0], [invalid, 1], [valid, 7]);
    expect(standingOf(after)).toBe('valid');
    expect(after.history).toMatchObject({ changes: 2, visits: 2 });
    expect(after.history!.retired).toBeUndefined();
  });

  it('is not retired if it was never valid', () => {
    expect(visits([invalid, 0], [invalid, 5]).history!.retired).toBeUndefined();
  });
});

describe('the rule after a validation', () => {
  it('is dropped if it is needless, unless a user pinned it', () => {
    expect(settleRule(likely, [], start)).toEqual([]);
    const pinned: Rule = { ...likely, pin: true };
    expect(settleRule(pinned, [], start)).toEqual([pinned]);
  });

  it('is the pinned rule as it was written, refuted if only the other direction holds', () => {
    const turned: Rule = {
      ...sampleRule('b', 'a'),
      verdict: verdict({ positive: 35 }),
      otherWay: verdict({ negative: 2 }),
    };
    const [after] = settleRule({ ...likely, pin: 'local' }, [turned], start);
    expect(after).toMatchObject({ from: 'a', to: 'b', status: 'invalid', pin: 'local' });
    expect(after).toMatchObject({ verdict: { negative: 2 }, otherWay: { positive: 35 } });
    expect(standingOf(after!)).toBe('pinned, refuted');
  });

  it('has no pin or veto on the narrower scopes that were found instead', () => {
    const wide = sampleParameter('p', { status: 'likely', pin: true, note: 'mine' });
    const narrow = sampleParameter('p', { scope: 'path', path: '/x', pin: true, note: 'mine' });
    const [first, second] = settleRule(wide, [{ ...wide, status: 'invalid' }, narrow], start);
    expect(first).toMatchObject({ pin: true, note: 'mine' });
    expect(second!.pin).toBeUndefined();
    expect(second!.history).toMatchObject({ firstSeen: start, lastValidated: start });
  });

  it('is as it was, and as due as before, if the site was not reached', () => {
    const lost = {
      ...likely,
      verdict: verdict({ unjudged: { 'u: network': 9, 'u: action-url': 1 }, undecided: 'few-samples' }),
    };
    const before = visits([valid, 2]);
    const night = nightAfter(start, 9);
    for (const rule of [before, visits()]) expect(settleRule(rule, [lost], night)).toEqual([rule]);
    const refused = { ...lost, verdict: verdict({ unjudged: { 'u: network': 9, 'v: status 403': 1 } }) };
    expect(settleRule(before, [refused], night)[0]!.history!.lastTried).toBe(night);
  });

  it('has no history without a date', () => {
    expect(settleRule(likely, [valid], undefined)).toEqual([valid]);
  });
});
