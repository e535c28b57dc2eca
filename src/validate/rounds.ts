// How is a budget of fetches spent? In rounds: the most urgent rules first, as many as the budget allows by what they
// cost last time; then, with what is left, the next ones.
//
// In a round, the valid rules of a site that are not visited are still applied to samples. Rules without a verdict are
// ignored, as nothing is known about them. Counter-examples of earlier nights are ignored too: they may come from one
// bad night, and rules that share them would keep each other from recovering.
import type { Rule } from '../rule/rule.js';
import { isOpen } from '../rule/standing.js';
import { costOf } from './budget.js';
import type { PlannedRule, SitePlan } from './plan.js';
import type { Settlement } from './validate.js';

/** Pages fetched first to learn the template of a site. */
const SITE_COST = 84;

export interface Rounds {
  readonly plans: readonly SitePlan[];
  /** Rules of the plans, the most urgent first. */
  readonly due: readonly Rule[];
  /** Rules of the plans that have a verdict, as they are in the file. */
  readonly visited: ReadonlyMap<Rule, Rule>;
}

export interface Spending {
  readonly settled: ReadonlyMap<Rule, Settlement>;
  readonly signal: AbortSignal;
  /** Requests that are left. */
  readonly left: () => number;
  /** Settles the rules of the plans, and puts the results into `settled`. */
  readonly settle: (plans: readonly SitePlan[]) => Promise<void>;
}

/**
 * Rounds until the budget is spent, nothing is left that is worth a visit, or the run is ended. No rule is tried twice.
 */
export async function spendBudget(rounds: Rounds, { settled, signal, left, settle }: Spending): Promise<void> {
  const tried = new Set<Rule>();
  while (!signal.aborted) {
    const due = rounds.due.filter((rule) => !tried.has(rule));
    const chosen = nextRound({ ...rounds, due }, settled, left());
    if (chosen.size === 0) return;
    for (const rule of chosen) tried.add(rule);
    await settle(plansOfRound(rounds, chosen, settled));
  }
}

/** The rules of the next round; in the first at least one, however small the budget. */
export function nextRound(rounds: Rounds, settled: ReadonlyMap<Rule, Settlement>, left: number): ReadonlySet<Rule> {
  const { plans, due, visited } = rounds;
  const chosen = new Set<Rule>();
  const sites = new Set(
    [...settled.values()].flatMap(({ before, outcome }) => (outcome === 'kept' ? [] : [before.site])),
  );
  const drawn = new Map(plans.flatMap((plan) => plan.rules.map((planned) => [planned.rule, planned] as const)));
  let room = left;
  for (const rule of due) {
    if (room <= 0) break;
    if (settled.has(rule) || !hasSamples(drawn.get(rule))) continue;
    const own = costOf(visited.get(rule) ?? rule);
    const cost = sites.has(rule.site) ? own : Math.max(own, SITE_COST);
    // A visit that is cut short is wasted; but even a small budget should get something.
    if (cost > room && (chosen.size > 0 || settled.size > 0)) continue;
    chosen.add(rule);
    sites.add(rule.site);
    room -= cost;
  }
  return chosen;
}

function hasSamples(planned: PlannedRule | undefined): boolean {
  return planned?.attempts.some(({ samples }) => samples.urls.length > 0) === true;
}

/** The plans of the sites that have a chosen rule: chosen rules to be settled, the others as they are. */
export function plansOfRound(
  { plans, visited }: Rounds,
  chosen: ReadonlySet<Rule>,
  settled: ReadonlyMap<Rule, Settlement>,
): SitePlan[] {
  const standing = (planned: PlannedRule): PlannedRule[] => {
    const { rule } = planned;
    if (chosen.has(rule)) return [planned];
    const settlement = settled.get(rule);
    const rules = settlement === undefined ? [asOfBefore(visited.get(rule) ?? rule)] : settlement.after;
    return rules.filter((one) => !isOpen(one)).map((one) => ({ rule: one, attempts: [] }));
  };
  return plans
    .filter((plan) => plan.rules.some(({ rule }) => chosen.has(rule)))
    .map((plan) => ({ ...plan, rules: plan.rules.flatMap(standing) }));
}

function asOfBefore({ verdict: _verdict, ...rule }: Rule): Rule {
  return rule;
}
