// What is carried over to tonight's rules from earlier nights?
//
//   last night's file        tonight's mining             tonight's file
//   A valid, turned          A likely                     A valid, turned: pages decided it, the log agrees
//   B invalid                B likely                     B invalid, not tried again every night
//   C valid                                               C valid, last supported some nights ago
//   D likely                                              (D had no verdict)
//                            E likely                     E likely, first seen tonight
//
// Mining decides what is supported, pages decide what is true, and neither overwrites the other: otherwise a nightly
// run that fetches nothing would lose every verdict. Valid rules come first, in the order in which they were validated,
// as each was tried on the forms that the ones before it leave; then the mined rules, by tonight's rank.
import { carryHosts, classKey, isDecidedOnHosts } from './carry-hosts.js';
import { withoutConditions } from './condition.js';
import { saidAs, sayingKey, subjectKey, type RuleSaying } from './identity.js';
import { daysBetween, FORGET_DAYS, laterNight } from './night.js';
import { isOfHosts } from './of-hosts.js';
import type { History, NightRules, Rule, RulesFile } from './rule.js';
import { isKey, usedAs } from './standing.js';

/**
 * `next`, mined tonight, with the state of `previous`: verdicts, exceptions, marks, notes and history of the same
 * rules, and decided rules that are no longer mined, until `forgetDays` have passed. `night` is a day in UTC; if
 * `previous` has a later one, as after the clock was set back, that one counts. Idempotent.
 */
export function carryHistory(
  previous: RulesFile | null,
  next: RulesFile,
  night: string,
  forgetDays = FORGET_DAYS,
): RulesFile {
  const tonight = nightAfterAll(previous, night);
  const { carried, kept } = carryRules(previous?.rules ?? [], next.rules, tonight, forgetDays);
  const order = new Map(previous?.rules.map((rule) => [sayingKey(rule), rule.rank]));
  const all = [...carried, ...kept];
  const rankBefore = (rule: Rule) => order.get(sayingKey(rule)) ?? Infinity;
  const valid = all.filter(({ status }) => status === 'valid').sort((a, b) => rankBefore(a) - rankBefore(b));
  const rest = all.filter(({ status }) => status !== 'valid');
  const rules = [...valid, ...rest].map((rule, at) => ({ ...rule, rank: at + 1 }));
  const validation = next.validation ?? previous?.validation;
  return { ...next, ...(validation !== undefined && { validation }), night: tonight, rules };
}

/** Tonight, unless the earlier file is of a later night. */
export function nightAfterAll(previous: Pick<RulesFile, 'night'> | null, night: string): string {
  return previous?.night === undefined ? night : laterNight(previous.night, night);
}

/** The same for the rules of one site or of all sites, before they are sorted. */
export function carryRules<R extends RuleSaying>(
  previous: readonly Rule[],
  mined: readonly R[],
  night: string,
  forgetDays = FORGET_DAYS,
): { readonly carried: R[]; readonly kept: Rule[] } {
  const { previous: earlier, mined: open } = carryHosts(previous, mined, night);
  const known = new KnownRules(earlier.filter((rule) => !isDecidedOnHosts(rule)));
  const carried = open.map((rule) => {
    const before = known.take(rule);
    return before === undefined
      ? { ...rule, history: rule.history ?? newHistory(night) }
      : inherit(rule, before, night);
  });
  const left = new Set(known.left);
  const kept = earlier
    .filter((rule) => left.has(rule) || isDecidedOnHosts(rule))
    .filter((rule) => isMarked(rule) || rule.status !== 'likely')
    .map((rule) => ({ ...rule, history: rule.history ?? newHistory(night) }))
    .filter((rule) => isMarked(rule) || daysBetween(rule.history.lastSupported, night) <= forgetDays);
  return { carried, kept };
}

/**
 * `next` with the decisions that people wrote into `previous`, and nothing else, so that the same input gives the same
 * rules: pins, vetoes and notes, and pinned or vetoed rules that are no longer mined. These have a verdict only if
 * `next` has a history.
 */
export function carryMarks<F extends NightRules>(previous: Pick<RulesFile, 'rules'>, next: F): F {
  const written = previous.rules.filter((rule) => rule.pin === true || rule.veto === true || rule.note !== undefined);
  if (written.length === 0) return next;
  const known = new KnownRules(written);
  const carried = next.rules.map((rule) => {
    const before = known.take(rule);
    return before === undefined ? rule : { ...sideOf(rule, before), ...marksOf(before) };
  });
  const left = known.left.filter((rule) => rule.pin === true || rule.veto === true);
  const kept = next.night === undefined ? left.map(withoutVerdict) : left;
  const rules = [...carried, ...kept].map((rule, at) => ({ ...rule, rank: at + 1 }));
  return { ...next, rules };
}

/** The rule as if no page had ever been fetched. */
function withoutVerdict(rule: Rule): Rule {
  const { verdict: _verdict, otherWay: _otherWay, except: _except, history: _history, ...bare } = rule;
  return { ...bare, status: 'likely' };
}

export function newHistory(night: string): History {
  return { firstSeen: night, lastSupported: night, visits: 0, changes: 0, days: 0 };
}

function isMarked({ pin, veto }: Rule): boolean {
  return (pin ?? false) !== false || (veto ?? false) !== false;
}

/**
 * Finds each earlier rule once: by its exact statement, or else by its subject. A valid rule is also found if only
 * validation added its conditions, as mining finds the rule without them. Hosts are no part of a class.
 */
class KnownRules {
  readonly #left: Set<Rule>;
  readonly #bySaying = new Map<string, Rule>();
  readonly #bySubject = new Map<string, Rule>();
  readonly #byBareSubject = new Map<string, Rule>();
  readonly #byClass = new Map<string, Rule>();

  constructor(rules: readonly Rule[]) {
    this.#left = new Set(rules);
    for (const rule of rules) {
      this.#bySaying.set(sayingKey(rule), rule);
      if (isOfHosts(rule)) {
        if (rule.status === 'likely' || !this.#byClass.has(classKey(rule))) this.#byClass.set(classKey(rule), rule);
        continue;
      }
      if (!this.#bySubject.has(subjectKey(rule))) this.#bySubject.set(subjectKey(rule), rule);
      const bare = subjectKey(withoutConditions(rule));
      if (rule.status === 'valid' && !this.#byBareSubject.has(bare)) this.#byBareSubject.set(bare, rule);
    }
  }

  get left(): Rule[] {
    return [...this.#left];
  }

  take(rule: RuleSaying): Rule | undefined {
    const subject = subjectKey(rule);
    const others = isOfHosts(rule)
      ? [this.#byClass.get(classKey(rule))]
      : [this.#bySubject.get(subject), this.#byBareSubject.get(subject)];
    for (const found of [this.#bySaying.get(sayingKey(rule)), ...others]) {
      if (found !== undefined && this.#left.delete(found)) return found;
    }
    return undefined;
  }
}

/** Tonight's figures, with the earlier verdict and history. */
function inherit<R extends RuleSaying>(rule: R, before: Rule, night: string): R {
  const { firstSeen, ...past } = before.history ?? newHistory(night);
  const { status, verdict, otherWay, except } = before;
  // If no page has decided on the direction of a rule, tonight's hits do.
  const hits = status === 'likely' && !isMarked(before) ? undefined : before.hits;
  return {
    ...inUseAs(sideOf(rule, before), before),
    status,
    ...(except !== undefined && { except }),
    ...(verdict !== undefined && { verdict }),
    ...(otherWay !== undefined && { otherWay }),
    ...(hits !== undefined && { hits }),
    ...marksOf(before),
    history: { firstSeen, ...past, lastSupported: laterNight(past.lastSupported, night) },
  };
}

/** The earlier nights know whether images answer, unless tonight's clusters show it. */
function inUseAs<R extends RuleSaying>(rule: R, before: Rule): R {
  const isShown = rule.status === 'valid' && !isKey(rule);
  return before.status === 'likely' || isShown ? rule : usedAs(rule, before);
}

/**
 * Mined rules have no direction and no conditions, so those of a verdict or a user are kept. The hosts of a class are
 * tonight's.
 */
function sideOf<R extends RuleSaying>(rule: R, before: Rule): R {
  if (!isMarked(before) && before.status === 'likely') return rule;
  if (isOfHosts(rule)) return saidAs(rule, before);
  const { only, not } = before;
  return { ...saidAs(rule, before), ...(only !== undefined && { only }), ...(not !== undefined && { not }) };
}

function marksOf({ pin, veto, note }: Rule): Pick<Rule, 'pin' | 'veto' | 'note'> {
  return {
    ...(pin !== undefined && { pin }),
    ...(veto !== undefined && { veto }),
    ...(note !== undefined && { note }),
  };
}
