// Which hypotheses follow from an answer? The other direction, or the rest outside a condition.
import { isGrowth } from '../../rule/standing.js';
import { withConditions } from './conditions.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import { whereWhole } from './questions.js';
import type { Tried } from './try/result.js';

/** With more conditions than this, the rule is not tried outside of them. */
const MAX_REMAINDERS = 6;

/** The reversed rule, if the site prefers that direction, or if the images of the first direction do not exist. */
export function turnedRound(
  { rules, origin }: Hypothesis,
  { decision, isBackward, isMissing, rules: tried }: Tried,
): Hypothesis[] {
  const [rule, ...others] = rules;
  if (rule?.kind === 'step' && rule.step === 'drop-end-slash' && isBackward) {
    return [hypothesisOf([{ ...rule, step: 'add-end-slash' }], { prior: 0.9, needsWord: true })];
  }
  if (rule?.kind !== 'substring' || others.length > 0 || decision !== 'refuted') return [];
  if (!isBackward && !isMissing) return [];
  const examples = rule.examples.map(([u, v]) => [v, u] as const);
  const turned = whereWhole({ ...rule, from: rule.to, to: rule.from, examples });
  if (turned.from === '' && turned.anchor === 'none') return [];
  const needsWord = isGrowth(turned);
  if (needsWord && !isBackward) return [];
  const otherWay = tried[0]?.verdict;
  return [hypothesisOf([turned], { ...(origin && { origin }), prior: isBackward ? 0.9 : 0.3, needsWord, otherWay })];
}

/** A narrowed rule may also hold outside its conditions. The prior comes from the URLs that were judged there. */
export function remainder(
  { needsWord }: Hypothesis,
  { decision, rules, leftOut: { positive, negative } }: Tried,
): Hypothesis[] {
  const [rule] = rules;
  if (decision !== 'accepted' || rule?.only === undefined || positive < 2) return [];
  const not = [...(rule.not ?? []), ...rule.only];
  if (not.length > MAX_REMAINDERS) return [];
  const { verdict: _verdict, except: _except, ...asked } = withConditions(rule, { only: [], not });
  return [hypothesisOf([{ ...asked, status: 'likely' }], { prior: positive / (positive + negative + 1), needsWord })];
}
