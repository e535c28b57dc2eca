// What is known about the rules of a site while it is asked? One record: the rule of the file that each came from, the
// requests it took, and what became of those that are not in use.
//
//     origin      the rule of the plan; a rule that questions found has none
//     settled     what the file has in the place of an origin that is not in use; nothing for a needless one
//     handed      for a rule that needs the site's word: the forms that the site was asked about
//     unseen      rules of the plan that change no URL of the list: they stay
import { sayingKey, subjectKey } from '../../rule/identity.js';
import type { Rule } from '../../rule/rule.js';
import { isKey, isAnsweringKey } from '../../rule/standing.js';
import { orStillKey, stillKey } from '../key.js';
import type { PlannedRule } from '../plan.js';

export class Known {
  readonly settled = new Map<Rule, readonly Rule[]>();
  readonly origins = new Map<Rule, Rule>();
  /** Requests spent on each rule. */
  readonly requests = new Map<Rule, number>();
  readonly unseen = new Set<Rule>();
  readonly handed = new Map<Rule, ReadonlySet<string>>();
  readonly #ofPlan: ReadonlySet<Rule>;

  constructor(plan: readonly PlannedRule[]) {
    this.#ofPlan = new Set(plan.map(({ rule }) => rule));
  }

  isOfPlan(rule: Rule): boolean {
    return this.#ofPlan.has(rule);
  }

  /** Records the origin of a rule. A rule narrowed from a key joins the key in the file, and does not replace it. */
  noteOrigin(rule: Rule, origin: Rule): void {
    const isNarrowed = subjectKey(rule) !== subjectKey(origin) || rule.except !== undefined;
    if (isKey(origin) && !isAnsweringKey(origin) && isNarrowed) this.settled.set(origin, [stillKey(origin, rule)]);
    else this.origins.set(rule, origin);
  }

  /** The rule of the file from which a rule was made, possibly itself. */
  originOf(rule: Rule): Rule | undefined {
    return this.origins.get(rule) ?? (this.isOfPlan(rule) ? rule : undefined);
  }

  /** The rule of the file, if it is a key because of the hits of an earlier log. */
  keyOf(rule: Rule): Rule | undefined {
    const origin = this.origins.get(rule);
    return origin !== undefined && isAnsweringKey(origin) && origin.status === 'valid' ? origin : undefined;
  }

  /** Copies what is known about a rule to its turned version. */
  follow(before: Rule, rule: Rule): void {
    const origin = this.originOf(before);
    if (origin !== undefined) this.origins.set(rule, origin);
    this.#followHanded(before, rule);
    const requests = this.requests.get(before);
    if (requests !== undefined) this.requests.set(rule, requests);
    if (this.unseen.has(before)) this.unseen.add(rule);
  }

  /** Copies what is known about a rule to its narrowed version. */
  narrow(before: Rule, rule: Rule): void {
    const origin = this.originOf(before);
    if (origin !== undefined) this.noteOrigin(rule, origin);
    this.#followHanded(before, rule);
  }

  #followHanded(before: Rule, rule: Rule): void {
    const handed = this.handed.get(before);
    if (handed !== undefined) this.handed.set(rule, handed);
  }

  /** Settles a rule that pages or the site have refuted. */
  retire(rule: Rule): void {
    const origin = this.originOf(rule);
    if (origin !== undefined) this.settled.set(origin, [orStillKey(origin, { ...rule, status: 'invalid' })]);
  }

  /** Settles a rule that no longer changes anything: the file loses it. */
  drop(rule: Rule): void {
    const origin = this.originOf(rule);
    if (origin !== undefined) this.settled.set(origin, []);
  }
}

/** True if choosing names turned the rule into another one. */
export function isRenamed(was: Rule, rule: Rule): boolean {
  return isKey(rule) !== isKey(was) || sayingKey(rule) !== sayingKey(was);
}
