// precision@k (SPEC 12): of the first k rules in rank order, how many are right?
//
// By verdict a rule is right if it is valid and wrong if it is invalid; by labels see `RuleMeasures.isRight`. A rule
// for which neither is known is unjudged and not counted: precision is right / (right + wrong).
import type { Rule } from '../rule/rule.js';
import { shareOf } from './measure-forms.js';
import type { RuleMeasures } from './measure-rules.js';

export interface PrecisionAt {
  readonly k: number | 'all';
  readonly right: number;
  readonly wrong: number;
  readonly unjudged: number;
  /** Null if no rule could be judged. */
  readonly precision: number | null;
}

const CUTS = [1, 2, 5, 10, 20, 50, 100];

export function precisionByVerdict(rules: readonly Rule[]): PrecisionAt[];
/** At the given cuts, each at most the number of rules. */
export function precisionByVerdict(rules: readonly Rule[], cuts: readonly number[]): (PrecisionAt & { k: number })[];
export function precisionByVerdict(rules: readonly Rule[], cuts?: readonly number[]): PrecisionAt[] {
  return precisionAt(
    rules.map(({ status }) => (status === 'likely' ? null : status === 'valid')),
    cuts,
  );
}

export function precisionByLabels(rules: readonly RuleMeasures[]): PrecisionAt[] {
  return precisionAt(rules.map(({ isRight }) => isRight));
}

/** At 1, 2, 5, … up to the number of rules, and for all. */
export function precisionAt(
  judged: readonly (boolean | null)[],
  cuts: readonly PrecisionAt['k'][] = [...CUTS.filter((k) => k <= judged.length), 'all'],
): PrecisionAt[] {
  return cuts.map((k) => {
    const first = k === 'all' ? judged : judged.slice(0, k);
    const right = first.filter((isRight) => isRight === true).length;
    const wrong = first.filter((isRight) => isRight === false).length;
    return { k, right, wrong, unjudged: first.length - right - wrong, precision: shareOf(right, right + wrong) };
  });
}
