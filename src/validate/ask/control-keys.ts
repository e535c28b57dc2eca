// Which accepted rules become keys, because a control of the site uses what they drop (`./control`)? Each call returns
// the same object for a key, as `./known` identifies rules by object. Rules that may hold only today do not become
// keys, but are dropped:
//
//     orderby=modified is dropped                another value is the default (`./one-default`)
//     sort is dropped with issue_id              pages depend on sort; here lists have one item so far
//     show_news is dropped, except with from     what happened lately is all that it shows
import type { Rule } from '../../rule/rule.js';
import { isKey, isPinned } from '../../rule/standing.js';
import type { Asker } from './answer.js';
import { isFieldOfForms, withoutBoxes } from './control.js';
import { leavingChosen } from './idle-queries.js';
import type { Known } from './known.js';
import { withOneDefault } from './one-default.js';
import { placesOf } from './policy.js';
import { type SiteForms, urlsChangedBy } from './site-forms.js';

interface Dropping {
  readonly forms: SiteForms;
  readonly asker: Asker;
  readonly known: Known;
  /** True if the site prefers the result, whatever its controls use. */
  readonly isCalledFor: (rule: Rule) => boolean;
}

export class ControlKeys {
  readonly #dropping: Dropping;
  readonly #keys = new Map<Rule, Rule>();

  constructor(dropping: Dropping) {
    this.#dropping = dropping;
  }

  /**
   * The rule as a key, if it drops something that a control of the site uses and the site does not prefer the result.
   */
  asKey(rule: Rule): Rule {
    const { asker, known, isCalledFor } = this.#dropping;
    const control = rule.control ?? (isFieldOfForms(rule, asker) ? 'form' : undefined);
    if (control === undefined || isKey(rule) || isPinned(rule) || isCalledFor(rule)) return rule;
    const before = this.#keys.get(rule);
    if (before !== undefined) return before;
    const key: Rule = { ...rule, control, use: 'key' };
    this.#keys.set(rule, key);
    known.follow(rule, key);
    return key;
  }

  /** Takes rules that become keys out of use, and returns the keys. Rules that may hold only today are retired. */
  takeOut(): Rule[] {
    const { forms, known, asker } = this.#dropping;
    const { rules } = forms;
    const narrowed = this.#narrowed(rules);
    const all = rules.flatMap((rule, at): Rule[] => {
      const ofValues = narrowed[at];
      if (!isPinned(rule) && (ofValues === undefined || this.#holdsOnlyToday(ofValues))) {
        known.retire(rule);
        return [];
      }
      const next = withoutBoxes(ofValues ?? rule, forms.urls, asker);
      if (next !== rule) known.follow(rule, next);
      return [this.asKey(next)];
    });
    if (all.length < rules.length || all.some((rule, at) => rule !== rules[at]))
      forms.setRules(all.filter((rule) => !isKey(rule)));
    return all.filter(isKey);
  }

  /**
   * True if pages depend on the field elsewhere, and in the places of the rule only their controls show it: a list may
   * get more items, and then be sorted or filtered by it.
   */
  #holdsOnlyToday(rule: Rule): boolean {
    if (rule.control !== 'state' || rule.kind !== 'parameter' || this.#dropping.isCalledFor(rule)) return false;
    const { only, not, scope } = rule;
    const places = [only, not].flatMap((some = []) => placesOf(rule, some));
    return this.#dropping.asker.matters(rule.name) && (scope !== 'site' || places.length > 0);
  }

  /** Without fields that visitors choose, and only for the default of a field; undefined if nothing is left of a rule. */
  #narrowed(rules: readonly Rule[]): (Rule | undefined)[] {
    const { asker, forms } = this.#dropping;
    const isChosen = (name: string) => asker.isSent(name);
    const droppings = rules.map((rule) => {
      const urls = urlsChangedBy(rule, forms);
      return { rule: leavingChosen(rule, urls, isChosen), urls };
    });
    return withOneDefault(droppings, (name) => asker.matters(name));
  }
}
