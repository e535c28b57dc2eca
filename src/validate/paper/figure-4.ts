// Figure 4 of the paper, line for line: which likely rules are valid?
//
//    1  Function Validate(rules list R, test URLList L)
//    2    create an empty list of rules LR
//    3    for i = 1 to |R| do
//    4      for j = 1 to i − 1 do
//    5        if (R[j] was not eliminated and R[i] refines R[j])
//    6          eliminate R[i] from the list
//    7          break
//    8      if (R[i] was eliminated)
//    9        continue
//   10      if (ValidateRule(R[i].α → R[i].β, L))
//   11        add R[i].α → R[i].β to LR
//   12      else if (ValidateRule(R[i].β → R[i].α, L))
//   13        add R[i].β → R[i].α to LR
//   14      else
//   15        eliminate R[i] from the list
//   16    return LR
//
// What the paper leaves open. A parameter has two actions instead of two directions: `remove`, then `set`; a step and a
// pattern have one. An eliminated rule stays in the file with its counter-examples, and one that too few samples could
// judge stays likely. Rules that have a verdict are not tried again. What is not eliminated, valid rules of before too,
// makes its refinements needless.
import { isKey, isAnsweringKey, accepts, isOpen } from '../../rule/standing.js';
import type { Rule } from '../../rule/rule.js';
import { stillKey } from '../key.js';
import { isNeedless } from '../special-case.js';
import type { PlannedRule } from '../plan.js';
import type { Settlement } from '../settlement.js';
import { validateRule, validRule, type PaperOptions, type Validated } from './figure-3.js';

/** Settles the rules of one site in their order. Ends early if the requests run out or the run is interrupted. */
export async function* validateRules(R: readonly PlannedRule[], options: PaperOptions): AsyncGenerator<Settlement> {
  const left: Rule[] = [];
  for (const planned of R) {
    const { rule } = planned;
    if (!isOpen(rule)) {
      if (accepts(rule, 'valid')) left.push(rule);
      yield { before: rule, after: [rule], outcome: 'kept', requests: 0 };
      continue;
    }
    if (left.some((broad) => isNeedless(rule, broad))) {
      yield { before: rule, after: [], outcome: 'needless', requests: 0 };
      continue;
    }
    const before = options.source.requests;
    const { isStopped, ...settled } = await settle(planned, options);
    left.push(...settled.after.filter((rule) => accepts(rule, 'valid')));
    yield { before: rule, ...settled, requests: options.source.requests - before };
    if (isStopped) return;
  }
}

type Settled = Pick<Settlement, 'after' | 'outcome'> & { readonly isStopped: boolean };

/** Lines 10 to 15 of the figure. */
async function settle({ rule, attempts }: PlannedRule, options: PaperOptions): Promise<Settled> {
  const failed: Validated[] = [];
  for (const { attempt, samples } of attempts) {
    const tried = await validateRule(attempt, samples, options);
    const otherWay = failed[0] === undefined ? {} : { otherWay: failed[0].verdict };
    if (tried.decision === 'valid') {
      return { after: [{ ...validRule(attempt, tried), ...otherWay }], outcome: 'valid', isStopped: false };
    }
    failed.push(tried);
    if (tried.decision === 'stop') break;
  }
  return { ...eliminated(rule, failed), isStopped: failed.at(-1)?.decision === 'stop' };
}

function eliminated(rule: Rule, [first, second]: readonly Validated[]): Pick<Settlement, 'after' | 'outcome'> {
  if (first === undefined) return { after: [rule], outcome: 'likely' };
  // A rule without evidence in the log was worth a request, but without a verdict it is dropped.
  if (rule.kind === 'parameter' && rule.support.groups === 0 && first.decision !== 'invalid') {
    return { after: [], outcome: 'likely' };
  }
  if (isKey(rule) && !isAnsweringKey(rule)) return { after: [stillKey(rule, first)], outcome: 'key' };
  const status = first.decision === 'invalid' && second?.decision !== 'stop' ? 'invalid' : 'likely';
  const otherWay = second === undefined ? {} : { otherWay: second.verdict };
  return { after: [{ ...rule, status, verdict: first.verdict, ...otherWay }], outcome: status };
}
