// May a rule that is only a key write URLs? Yes, if its images answer with the pages of the URLs.
//
// Clusters have shown which URLs are one page; only whether the image answers is asked here. So a key that fails stays
// a key, as nobody uses its images as addresses. What was found is recorded as its `otherWay`: the verdict on the rule
// as one that writes.
import type { Rule } from '../rule/rule.js';
import { isKey, isAnsweringKey } from '../rule/standing.js';

/** The rule that is tried. */
export function asWriting(rule: Rule): Rule {
  return isKey(rule) ? { ...rule, use: 'write' } : rule;
}

/** The key after a trial that did not hold for all that it changes. */
export function stillKey(key: Rule, { verdict }: Pick<Rule, 'verdict'>): Rule {
  const { otherWay: _, ...bare } = key;
  return verdict === undefined ? bare : { ...bare, otherWay: verdict };
}

/** The key without what pages said; what the clusters said stays. */
export function withoutAnswer(key: Rule): Rule {
  return stillKey(key, {});
}

/** The verdict to record: a key of clusters stays a key; any other rule takes what was found. */
export function orStillKey(before: Rule, tried: Rule): Rule {
  return isKey(before) && !isAnsweringKey(before) ? stillKey(before, tried) : tried;
}
