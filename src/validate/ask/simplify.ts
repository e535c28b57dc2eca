// Makes the rules as few as a person would write: joins rules that one rule can replace, and drops rules and conditions
// that change nothing.
//
//     joined     remove `do` if it is `do=`  +  remove `do` if it is `do=show`  →  remove `do` if it is either
//     dropped    a rule without which the list has no more forms; last accepted first, as the first was worth most
//     implied    in the end, also of rules that were valid before: a special case of another rule
import type { CanonizerOf, HitList } from '../../canonize/name/census.js';
import type { Condition, Rule } from '../../rule/rule.js';
import { sayingKey } from '../../rule/identity.js';
import { isKey, isPinned } from '../../rule/standing.js';
import { isImplied, isNeedless } from '../special-case.js';
import { withConditions } from './conditions.js';
import type { Known } from './known.js';
import { conditionKey } from './parts.js';
import { neededRules } from './needed.js';
import { asPolicy, isPolicy } from './policy.js';
import { type SiteForms, urlsChangedBy } from './site-forms.js';

/**
 * Finds fewer rules with the same result on the list: merges rules that differ in scope, drops those that change
 * nothing. On a night, a rule of earlier nights is dropped only if other rules imply it, as another list may need it.
 */
export function simplify(forms: SiteForms, known: Known, { isNight }: { readonly isNight: boolean }): void {
  asPolicies(forms, known);
  const isImpliedByNone = (rule: Rule) => !forms.rules.some((other) => other !== rule && isNeedless(rule, other));
  const isSettledBefore = (rule: Rule) => known.isOfPlan(rule) && (!isNight || isImpliedByNone(rule));
  const isKept = (rule: Rule) => isPinned(rule) || known.unseen.has(rule) || isSettledBefore(rule);
  keepOnly(simplified(forms, isKept).rules, forms, known);
  generalFirst(forms);
}

/** Rules that were found in this run hold where their owner would say so (`./policy`). */
export function asPolicies(forms: SiteForms, known: Known): void {
  const rules = forms.rules.map((rule) => {
    if (known.isOfPlan(rule) || isPinned(rule) || isKey(rule)) return rule;
    const next = asPolicy(rule, urlsChangedBy(rule, forms));
    if (next !== rule) known.narrow(rule, next);
    return next;
  });
  forms.setRules(rules);
}

/** Drops rules without which every URL of the list keeps its form (`./needed`). `isKept`: rules that stay anyway. */
export function dropUnneeded(forms: SiteForms, known: Known, { list, canonizerOf, isKept }: Using): void {
  keepOnly(
    neededRules(forms.rules, list, canonizerOf, (rule) => isPinned(rule) || isKept(rule)),
    forms,
    known,
  );
}

interface Using {
  readonly list: HitList;
  readonly canonizerOf: CanonizerOf;
  readonly isKept: (rule: Rule) => boolean;
}

/** Drops special cases of other rules in use, also those accepted on earlier nights. */
export function dropImplied(forms: SiteForms, known: Known): void {
  keepOnly(withoutImplied(forms, isPinned), forms, known);
}

function keepOnly(rules: readonly Rule[], forms: SiteForms, known: Known): void {
  const kept = new Set(rules);
  for (const rule of forms.rules) if (!kept.has(rule)) known.drop(rule);
  forms.setRules(rules);
}

/**
 * Moves rules that hold everywhere to the front, so that conditions and exceptions of the others see one form of each
 * page. Keeps the order if that would leave more forms.
 */
function generalFirst(forms: SiteForms): void {
  const { rules, count } = forms;
  const isGeneral = (rule: Rule) => rule.only === undefined && rule.not === undefined && rule.except === undefined;
  const ordered = [...rules.filter(isGeneral), ...rules.filter((rule) => !isGeneral(rule))];
  if (ordered.every((rule, at) => rule === rules[at])) return;
  forms.setRules(ordered);
  if (forms.count > count) forms.setRules(rules);
}

/** Fewer rules that leave the list with no more forms than before. Rules for which `isKept` is true are not changed. */
export function simplified(forms: SiteForms, isKept: (rule: Rule) => boolean): { readonly rules: readonly Rule[] } {
  let rules = forms.rules;
  for (const rule of forms.rules.toReversed()) {
    if (isKept(rule) || !rules.includes(rule)) continue;
    const without = rules.filter((one) => one !== rule);
    if (new Set(forms.formsUnder(without)).size <= forms.count) rules = without;
  }
  for (const rule of rules) {
    if (isKept(rule) || !rules.includes(rule)) continue;
    for (const other of rules) {
      const joined = other === rule || isKept(other) ? undefined : join(rule, other);
      if (joined === undefined) continue;
      const next = rules.flatMap((one) => (one === rule ? [joined] : one === other ? [] : [one]));
      if (!isSame(forms.formsUnder(next), forms.formsUnder(rules))) continue;
      rules = next;
      break;
    }
  }
  for (const rule of rules) if (!isKept(rule)) rules = withoutIdleOnly(rule, rules, forms);
  return { rules };
}

/** The rules without special cases of others, as long as every form of the list stays as it is. */
export function withoutImplied(forms: SiteForms, isKept: (rule: Rule) => boolean): readonly Rule[] {
  let rules = forms.rules;
  for (const rule of forms.rules.toReversed()) {
    if (isKept(rule) || !rules.some((broad) => broad !== rule && isImplied(rule, broad))) continue;
    const without = rules.filter((one) => one !== rule);
    if (isSame(forms.formsUnder(without), forms.formsUnder(rules))) rules = without;
  }
  return rules;
}

/** If the rule has several `only` conditions: drops those without which every form of the list stays the same. */
function withoutIdleOnly(rule: Rule, rules: readonly Rule[], forms: SiteForms): readonly Rule[] {
  let [now, all] = [rule, rules];
  for (const condition of rule.only?.toReversed() ?? []) {
    const only = now.only!.filter((one) => one !== condition);
    if (only.length === 0) break;
    const next = { ...now, only };
    const others = all.map((one) => (one === now ? next : one));
    if (isSame(forms.formsUnder(others), forms.formsUnder(all))) [now, all] = [next, others];
  }
  return all;
}

/** One rule for two that differ only in their conditions. */
function join(a: Rule, b: Rule): Rule | undefined {
  if (a.only === undefined || b.only === undefined || a.word !== b.word) return undefined;
  const bare = { only: [], not: [] };
  if (sayingKey(withConditions(a, bare)) !== sayingKey(withConditions(b, bare))) return undefined;
  const only = distinct([...a.only, ...b.only]);
  if (!isPolicy(a, only)) return undefined;
  const own = new Set(only.map(conditionKey));
  const not = distinct([...(a.not ?? []), ...(b.not ?? [])].filter((one) => !own.has(conditionKey(one))));
  const except = [...(a.except ?? []), ...(b.except ?? [])];
  const { verdict: v, ...joined } = withConditions(a, { only, not });
  const verdict = v !== undefined && b.verdict !== undefined ? { verdict: sumOf(v, b.verdict) } : {};
  return { ...joined, ...verdict, ...(except.length > 0 && { except }) };
}

type Verdict = NonNullable<Rule['verdict']>;

function sumOf(a: Verdict, b: Verdict): Verdict {
  return { ...a, positive: a.positive + b.positive, negative: a.negative + b.negative };
}

function distinct(conditions: readonly Condition[]): Condition[] {
  return [...new Map(conditions.map((one) => [conditionKey(one), one])).values()];
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.every((one, at) => one === others[at]);
}
