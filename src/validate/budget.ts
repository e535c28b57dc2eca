// Which verdicts have most likely changed by now, and so are worth tonight's fetches?
//
// A crawler has the same problem: pages change at rates λ that are estimated from visits, and M visits are to be spent
// so that changes wait the shortest time to be seen (CS345 "Crawling the Web", after Cho and Garcia-Molina 2000). A
// rule corresponds to a page, its verdict to the content.
//
//   rate   λ = log((N + 0.5) / (N - X + 0.5)) / I      of N visits, I days apart, X found a change; X/N alone
//                                                      ignores that a verdict may have changed twice in between
//   visits m ~ √λ                                      minimizes Σ λ T² / 2m, the delay, under Σ m = M
//
// The estimate is 0 for a rule that has never changed, which would then never be visited again. So each rule counts one
// visit more than it had, with the chance of a change that a visit of any rule of the file has on average: N + 1, X +
// p.
//
// To visit in proportion to √λ, take each night the rules with the largest age · √λ, where age is the number of days
// since the last visit: in the long run all are visited at the same value of it, which is an interval ~ 1/√λ. What a
// visit costs does not count: a rule that is wrong fails after two pages, but a true rule that has become wrong is what
// does harm.
//
// A rule without a verdict is certain to change when it is visited: N = X = 1, λ = log 3 per night. So new rules come
// first, until old verdicts have waited so long that their age outweighs their smaller √λ.
//
// test/validate/budget.test.ts has the figures of a simulation.
import { daysBetween, laterNight } from '../rule/night.js';
import type { History, Rule } from '../rule/rule.js';
import { isVetoed } from '../rule/standing.js';

/** Averages over all visits. */
export interface Prior {
  /** Chance that a visit finds a change. */
  readonly share: number;
  /** Days between two visits. */
  readonly interval: number;
}

type Visits = Pick<History, 'visits' | 'changes' | 'days'>;

/** Over all rules; half a change in one visit if there were no visits. */
export function priorOf(histories: readonly Visits[]): Prior {
  let [visits, changes, days] = [0, 0, 0];
  for (const history of histories) {
    visits += history.visits;
    changes += history.changes;
    days += history.days;
  }
  return { share: (changes + 0.5) / (visits + 1), interval: visits === 0 ? 1 : Math.max(1, days / visits) };
}

/** Changes of the verdict per day. */
export function changeRate({ visits, changes, days }: Visits, prior: Prior): number {
  const N = visits + 1;
  const X = changes + prior.share;
  return Math.log((N + 0.5) / (N - X + 0.5)) / ((days + prior.interval) / N);
}

/** The rate of a rule that is certain to change at its first visit. */
const FIRST_VISIT_RATE = Math.log(1.5 / 0.5);

/** The urgency of a visit: age · √λ, or 0 if the rule is not to be visited. */
export function urgency(rule: Rule, night: string, prior: Prior): number {
  const { history } = rule;
  if (isVetoed(rule)) return 0;
  if (history?.retired !== undefined && night < history.retired.retryFrom) return 0;
  const rate = rule.status === 'likely' || history === undefined ? FIRST_VISIT_RATE : changeRate(history, prior);
  return ageOf(history, night) * Math.sqrt(rate);
}

/** Days since pages were last fetched for the rule; at least one if they never were. */
function ageOf(history: History | undefined, night: string): number {
  if (history === undefined) return 1;
  const { lastValidated, lastTried, firstSeen } = history;
  const visits = [lastValidated, lastTried].filter((visit) => visit !== undefined);
  if (visits.length === 0) return daysBetween(firstSeen, night) + 1;
  return daysBetween(visits.reduce(laterNight), night);
}

/** The rules that are worth a visit tonight, the most urgent first; ties by rank. */
export function dueRules(rules: readonly Rule[], night: string): Rule[] {
  const prior = priorOf(rules.flatMap(({ history }) => (history === undefined ? [] : [history])));
  return rules
    .map((rule) => ({ rule, worth: urgency(rule, night, prior) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || a.rule.rank - b.rule.rank)
    .map(({ rule }) => rule);
}

/** The seed of a night, so that visits on other nights see other pages. */
export function seedOfNight(seed: number, night: string): number {
  return (seed + Math.imul(daysBetween('1970-01-01', night), 0x9e37_79b1)) >>> 0;
}
