// Which rules apply to which bot? Bots with the same rules share them, so that a URL is judged once for all of these.
import { addTo } from '../base/group-by.js';
import { wordsOf } from './agent.js';
import { distinct, isRobotsFile, type RobotsFile, saidTo } from './file.js';
import { requestForm } from './form.js';
import { createMatcher, type Matcher, precedes, type Rule } from './match.js';

export interface RuleSet {
  readonly rules: readonly Rule[];
  readonly matcher: Matcher;
}

/** What a line does to a path: the rule that decides, and that which would decide without it. */
export interface Decided {
  readonly rule: Rule | undefined;
  readonly next: Rule | undefined;
}

/** Google's special crawlers, which by its documentation obey only groups that name them. */
const OWN_GROUP_ONLY = new Set(['adsbot-google', 'mediapartners-google', 'apis-google']);

export class RuleGroups {
  /** All that were asked for so far. */
  readonly sets: RuleSet[] = [];
  readonly #file: RobotsFile;
  /** By the name of an agent, the places of its lines in `file.agents`. */
  readonly #places = new Map<string, number[]>();
  readonly #byName = new Map<string, number>();
  readonly #byRules = new Map<string, number>();

  constructor(file: RobotsFile) {
    this.#file = file;
    for (const [place, { name, word }] of file.agents.entries()) {
      for (const one of new Set([name, word])) {
        addTo(this.#places, one, place);
      }
    }
  }

  /** The name of the group for a user agent: `*` if none names it, and '' if it obeys no group but its own. */
  nameFor(userAgent: string): string {
    const words = wordsOf(userAgent);
    return words.find((word) => this.#places.has(word)) ?? (words.some((word) => OWN_GROUP_ONLY.has(word)) ? '' : '*');
  }

  /** The place in `sets` of the rules for a name. */
  setOf(name: string): number {
    let set = this.#byName.get(name);
    if (set === undefined) this.#byName.set(name, (set = this.#create(name)));
    return set;
  }

  #create(name: string): number {
    const isChosen = Array<boolean>(this.#file.agents.length).fill(false);
    for (const place of this.#places.get(name) ?? []) isChosen[place] = true;
    const { rules } = saidTo(this.#file, isChosen);
    const key = rules.map(({ line }) => line).join(' ');
    let set = this.#byRules.get(key);
    if (set === undefined) {
      set = this.sets.push({ rules, matcher: createMatcher(distinct(rules)) }) - 1;
      this.#byRules.set(key, set);
    }
    return set;
  }
}

/** The rule that decides about a request target; undefined if none does. */
export function ruleFor({ matcher }: RuleSet, target: string): Rule | undefined {
  return isRobotsFile(target) ? undefined : matcher.match(requestForm(target));
}

export function decidedBy({ matcher }: RuleSet, target: string): Decided {
  let [rule, next]: [Rule | undefined, Rule | undefined] = [undefined, undefined];
  matcher.each(requestForm(target), (one) => {
    if (rule === undefined || precedes(one, rule)) [rule, next] = [one, rule];
    else if (next === undefined || precedes(one, next)) next = one;
  });
  return { rule, next };
}
