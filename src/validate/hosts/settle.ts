// What do the answers of hosts make of a class rule?
//
//     valid      only the hosts that were asked and confirm it
//     invalid    only those that refute it
//     likely     the rest: all hosts that gave no answer, or were not asked yet
import { failureBound } from '../../base/binomial.js';
import type { Condition, OfHosts, Rule, Verdict } from '../../rule/rule.js';
import type { Settlement } from '../settlement.js';
import { verdictOf, type ClassAnswer, type SiteAnswer } from './ask.js';

/** The rules that replace the rule of this answer. */
export function settlementOf(answer: ClassAnswer, source: Verdict['source']): Settlement {
  const { rule, decision, holding, failing, unjudged, undecided } = answer;
  if (decision === 'fails') {
    const refuted: Rule = {
      ...rule,
      status: 'invalid',
      verdict: verdictOf([...holding, ...failing], { source, unjudged }),
    };
    return { before: rule, after: [refuted], outcome: 'invalid', requests: 0 };
  }
  if (decision === 'open') {
    const open: Rule = { ...rule, verdict: verdictOf([...holding, ...failing], { source, unjudged, undecided }) };
    return { before: rule, after: [open], outcome: undecided === undefined ? 'unasked' : 'likely', requests: 0 };
  }
  const hosts = figureOf(rule.hosts, holding.length, holding.length + failing.length);
  const onThese = (answers: readonly SiteAnswer[], status: 'valid' | 'invalid'): Rule[] => {
    const { not: _not, ...bare } = rule;
    const only = conditionsOf(answers.flatMap((one) => one.hosts));
    const verdict = verdictOf(answers, { source, unjudged: {} });
    return only.length === 0 ? [] : [{ ...bare, only, status, hosts, verdict }];
  };
  const rest = restOf(rule, holding, failing);
  const after = [...onThese(holding, 'valid'), ...onThese(failing, 'invalid'), ...rest];
  return { before: rule, after, outcome: holding.length > 0 ? 'valid' : 'likely', requests: 0 };
}

/** The rule on hosts that said nothing. A rule for all hosts except some stays one. */
function restOf(rule: Rule, holding: readonly SiteAnswer[], failing: readonly SiteAnswer[]): Rule[] {
  const failed = failing.flatMap((one) => one.hosts);
  if (rule.only === undefined) {
    const not = conditionsOf([...(rule.not ?? []).map(({ is }) => String(is)), ...failed]);
    return [{ ...rule, ...(not.length > 0 && { not }) }];
  }
  const heard = new Set([...holding.flatMap((one) => one.hosts), ...failed]);
  const only = rule.only.filter(({ is }) => !heard.has(String(is)));
  return only.length === 0 ? [] : [{ ...rule, only }];
}

/** The figure of a class of which so many sites were asked. */
export function figureOf(before: OfHosts | undefined, holds: number, of: number): OfHosts {
  const least = Math.round((1 - failureBound(of - holds, of)) * 1e6) / 1e6;
  return { holds, of, least, ...(before?.software !== undefined && { software: before.software }) };
}

function conditionsOf(hosts: readonly string[]): Condition[] {
  return [...new Set(hosts)].sort().map((is) => ({ part: 'host', is }));
}
