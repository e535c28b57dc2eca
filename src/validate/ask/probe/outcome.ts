// What is a trial that was accepted, once its probes are known?
//
//     cut short     likely, and asked again by the next run
//     too narrow    likely, as one value on one page says nothing
//     wrong         refuted
import type { Rule, Verdict } from '../../../rule/rule.js';
import type { Tried } from '../try/result.js';
import type { Wrong } from './probing.js';

/** A rule whose probes could not be paid for is not accepted. */
export function stoppedIn(tried: Tried): Tried {
  return { ...tried, decision: 'stop', rules: likely(tried, 'budget') };
}

/** One value on one page is too little evidence. */
export function tooNarrow(tried: Tried): Tried {
  return { ...tried, decision: 'undecided', rules: likely(tried, 'few-samples') };
}

function likely({ rules }: Tried, undecided: NonNullable<Verdict['undecided']>): Rule[] {
  return rules.map(({ except: _except, ...rule }): Rule => {
    const { verdict } = rule;
    return { ...rule, status: 'likely', ...(verdict !== undefined && { verdict: { ...verdict, undecided } }) };
  });
}

/** The rule was refuted by probes. */
export function refutedBy(tried: Tried, wrong: readonly Wrong[]): Tried {
  const rules = tried.rules.map(({ except: _except, ...rule }): Rule => {
    const { verdict } = rule;
    const negatives = [...wrong, ...(verdict?.negatives ?? [])].slice(0, 3);
    const negative = (verdict?.negative ?? 0) + wrong.length;
    return {
      ...rule,
      status: 'invalid',
      ...(verdict !== undefined && { verdict: { ...verdict, negative, negatives } }),
    };
  });
  return { ...tried, decision: 'refuted', rules, isBackward: false, isMissing: false };
}
