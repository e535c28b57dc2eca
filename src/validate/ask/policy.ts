// Where does a rule hold, as its owner would say it? In one or two places of one kind. If a rule was narrowed to more
// places, those where it changes most URLs are kept, if these are nearly all:
//
//     under /debug.git/, or where `tree` is a part of the path, or with `id`     where `tree` is a part of the path
//     under /a/, /b/, /c/ or /d/                                                 under /a/ or /b/
//     do= or do=show is dropped                                                  these are values, and stay
import { groupBy } from '../../base/group-by.js';
import type { Condition, Rule } from '../../rule/rule.js';
import { withConditions } from './conditions.js';
import { conditionKey, conditionsOf } from './parts.js';

const MOST_PLACES = 2;
/**
 * A rule stays as it is where it would lose more of the URLs that it changes: without that, a wiki lost a seventh of its
 * merges (coverage .493 -> .422).
 */
const LEAST_KEPT = 0.75;

/** `urls`: those of the list that the rule changes. */
export function asPolicy<R extends Rule>(rule: R, urls: readonly string[]): R {
  const { only = [], not = [] } = rule;
  if (isPolicy(rule, only)) return rule;
  const kinds = [...groupBy(only, (one) => (isOwnValue(rule, one) ? 'value' : one.part)).values()];
  const met = urls.map((url) => new Set(conditionsOf(url).map(conditionKey)));
  const best = kinds
    .map((some) => (isOwnValue(rule, some[0]!) ? some : commonest(some, met)))
    .map((some) => ({ some, urls: countOf(some, met) }))
    .reduce((a, b) => (b.urls > a.urls ? b : a));
  return best.urls < LEAST_KEPT * countOf(only, met) ? rule : withConditions(rule, { only: best.some, not });
}

/** The conditions among these that are no value of the rule's own parameter. */
export function placesOf(rule: Rule, conditions: readonly Condition[]): Condition[] {
  return conditions.filter((one) => !isOwnValue(rule, one));
}

/** Whether these `only` conditions of a rule are few, and of one kind. */
export function isPolicy(rule: Rule, only: readonly Condition[]): boolean {
  const places = placesOf(rule, only);
  const isMixed =
    new Set(places.map(({ part }) => part)).size > 1 || (places.length > 0 && places.length < only.length);
  return !isMixed && places.length <= MOST_PLACES;
}

/** True for a value of the parameter that the rule is about. */
function isOwnValue(rule: Rule, { part, is }: Condition): boolean {
  return rule.kind === 'parameter' && part === 'field' && (is === rule.name || `${is}`.startsWith(`${rule.name}=`));
}

type Met = readonly ReadonlySet<string>[];

function commonest(some: readonly Condition[], met: Met): readonly Condition[] {
  return some
    .map((one) => ({ one, urls: countOf([one], met) }))
    .sort((a, b) => b.urls - a.urls)
    .slice(0, MOST_PLACES)
    .map(({ one }) => one);
}

function countOf(some: readonly Condition[], met: Met): number {
  const keys = some.map(conditionKey);
  return met.filter((of) => keys.some((key) => of.has(key))).length;
}
