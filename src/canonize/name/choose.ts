// Which side of each rule is the page's name? Pages say that two URLs are one page; the log says which of the two the
// site goes by. Rules are visited by price, the dearest first:
//
//     turn    where the other way redirects far fewer hits and makes as many URLs one
//     key     where no way is worth its redirects: it says which URLs are one page, and is not written
//
// Three rounds, as each turn changes what the others redirect. That the log has a URL only as a redirect is a veto
// against its side, and no reason for the other: many sites redirect to addresses that nobody uses.
import { turnedRule } from '../../rule/turn.js';
import type { Hits, Rule } from '../../rule/rule.js';
import { isInsertion } from '../../rule/standing.js';
import { Census, type CanonizerOf, type HitList } from './census.js';
import { MOST_PRICE, priceOf } from './price.js';

const ROUNDS = 3;
/** Redirected hits must fall by so much, as a share of all. */
const LEAST_GAIN = 0.005;
/** So many of the URLs that are made one may be lost, as a share. */
const MOST_LOST = 0.005;
/** The share of the hits of the new side that may be redirects. */
const MOST_MOVED = 0.05;
/** A secure address is kept, though nobody has used it yet. */
const SECURE = /^https:/i;

export interface Choosing {
  readonly canonizerOf: CanonizerOf;
  /** True for rules whose direction somebody has decided. */
  readonly isFixed: (rule: Rule) => boolean;
  /**
   * The turned rule as it may be used, after the site was asked; undefined if it may not. Without it, nothing that adds
   * text is turned to: only the site itself can call for that. Such a rule is a key.
   */
  readonly confirm?: (turned: Rule, others: readonly Rule[]) => Promise<Rule | undefined>;
}

/** For each rule, in their order, the rule as it is to be used; fixed ones are the same objects. */
export async function chosenNames(rules: readonly Rule[], list: HitList, choosing: Choosing): Promise<Rule[]> {
  const choice = choices(rules, list, choosing);
  let step = choice.next();
  while (step.done !== true) step = choice.next(await choosing.confirm?.(step.value.turned, step.value.others));
  return step.value;
}

/** The same by the log alone. */
export function namesByHits(rules: readonly Rule[], list: HitList, choosing: Omit<Choosing, 'confirm'>): Rule[] {
  const choice = choices(rules, list, choosing);
  const step = choice.next();
  if (step.done !== true) throw new Error('a question, and nobody to ask');
  return step.value;
}

/** A turned rule that the site is asked about; the answer is the rule as it may be used. */
interface Question {
  readonly turned: Rule;
  readonly others: readonly Rule[];
}

type Questions<Result> = Generator<Question, Result, Rule | undefined>;

function* choices(rules: readonly Rule[], list: HitList, choosing: Choosing): Questions<Rule[]> {
  const chooser = new Chooser(rules, list, choosing);
  for (let round = 0; round < ROUNDS && (yield* chooser.round()); round++);
  return chooser.result();
}

class Chooser {
  readonly #before: readonly Rule[];
  readonly #choosing: Choosing;
  /** What each of the given rules has become. */
  readonly #now: Rule[];
  /** For keys, the hits as if they were written. */
  readonly #keys = new Map<number, Hits>();
  readonly #asked = new Set<number>();
  #census: Census;

  constructor(rules: readonly Rule[], list: HitList, choosing: Choosing) {
    this.#before = rules;
    this.#choosing = choosing;
    this.#now = [...rules];
    this.#census = new Census(list, rules, choosing.canonizerOf);
  }

  /** True if another round may change more. */
  *round(): Questions<boolean> {
    const open = this.#before.flatMap((rule, at) =>
      this.#keys.has(at) || this.#choosing.isFixed(rule) ? [] : [{ at, price: this.#price(at) }],
    );
    let isChanged = false;
    for (const { at } of open.sort((a, b) => b.price - a.price || a.at - b.at)) {
      if (yield* this.#turn(at)) isChanged = true;
      else if (!isTowardsSecure(this.#now[at]!) && (this.#price(at) > MOST_PRICE || this.#isAgainstHits(at))) {
        this.#makeKey(at);
        isChanged = true;
      }
    }
    return isChanged;
  }

  result(): Rule[] {
    return this.#now.map((rule, at) => {
      if (this.#choosing.isFixed(this.#before[at]!)) return rule;
      const ofKey = this.#keys.get(at);
      if (ofKey !== undefined) return { ...rule, hits: ofKey, use: 'key' };
      return { ...rule, hits: hitsOfSides(this.#census, this.#inCensus(at)) };
    });
  }

  /** The census has only the rules that write, in the order of all. */
  #inCensus(at: number): Rule {
    const keysBefore = [...this.#keys.keys()].filter((key) => key < at).length;
    return this.#census.rules[at - keysBefore]!;
  }

  #price(at: number): number {
    return priceOf(this.#census, this.#inCensus(at));
  }

  /** True if the rule is turned from now on. */
  *#turn(at: number): Questions<boolean> {
    if (this.#asked.has(at)) return false;
    const rule = this.#inCensus(at);
    const turned = this.#mayTurn(rule) ? turnedRule(rule) : undefined;
    if (turned === undefined) return false;
    const { confirm } = this.#choosing;
    if (confirm === undefined && isInsertion(turned)) return false;
    let next = this.#census.replaced(rule, asIfCalledFor(turned));
    if (!isBetter(this.#census, next, rule)) return false;
    this.#asked.add(at);
    const others = this.#census.rules.filter((one) => one !== rule);
    const confirmed = confirm === undefined ? turned : yield { turned, others };
    if (confirmed === undefined) return false;
    next = this.#census.replaced(rule, confirmed);
    if (!isBetter(this.#census, next, rule)) return false;
    this.#now[at] = { ...confirmed, rank: this.#before[at]!.rank };
    this.#census = next;
    return true;
  }

  /** Whether only the site could call for the side that the hits go by, and cannot be asked. */
  #isAgainstHits(at: number): boolean {
    const rule = this.#inCensus(at);
    const turned = this.#choosing.confirm === undefined && this.#mayTurn(rule) ? turnedRule(rule) : undefined;
    if (turned === undefined || !isInsertion(turned)) return false;
    return isBetter(this.#census, this.#census.replaced(rule, asIfCalledFor(turned)), rule);
  }

  /** Whether it redirects enough for a turn to be worth it; never from https. */
  #mayTurn(rule: Rule): boolean {
    if (isTowardsSecure(rule)) return false;
    return isFromSecure(rule) || hitsOfSides(this.#census, rule).given >= LEAST_GAIN * this.#census.list.allHits;
  }

  #makeKey(at: number): void {
    const rule = this.#inCensus(at);
    const hits = hitsOfSides(this.#census, rule);
    this.#census = this.#census.replaced(rule, undefined);
    this.#keys.set(at, hits);
  }
}

/** Without the site's word, a rule that adds text would not be applied. */
function asIfCalledFor(rule: Rule): Rule {
  return isInsertion(rule) ? { ...rule, word: 'redirect' } : rule;
}

/** Whether a turn of the rule saves redirects, and costs nothing else. */
function isBetter(before: Census, after: Census, rule: Rule): boolean {
  const { urls, allHits } = before.list;
  const gain = before.totals.redirected - after.totals.redirected;
  if (!isFromSecure(rule) && gain < LEAST_GAIN * allHits) return false;
  const merges = urls.length - before.totals.forms;
  if (after.totals.forms - before.totals.forms > MOST_LOST * merges || after.unsettled > before.unsettled) return false;
  return !joins(before, after) && !leadsToMoved(after, before.usedBy(rule));
}

/** Whether the log has many of the forms only as redirects. */
function leadsToMoved({ list: { places, lines, hits }, forms }: Census, urls: readonly number[]): boolean {
  const names = [...new Set(urls.flatMap((at) => places.get(forms[at]!) ?? []))];
  const all = sumOf(names.map((at) => lines[at]!));
  return all - sumOf(names.map((at) => hits[at]!)) > MOST_MOVED * all;
}

/**
 * Whether URLs become one that were apart: pages have said nothing of these. A turn inside of a chain of rules does that,
 * and its images are handed to the others.
 */
function joins(before: Census, after: Census): boolean {
  const formBefore = new Map<string, string>();
  return after.forms.some((form, at) => {
    const known = formBefore.get(form);
    if (known === undefined) formBefore.set(form, before.forms[at]!);
    return known !== undefined && known !== before.forms[at];
  });
}

/** Hits at the URLs that a rule changes, and at their forms. */
function hitsOfSides(census: Census, rule: Rule): Hits {
  const { list, forms } = census;
  const changed = census.usedBy(rule).filter((at) => forms[at] !== list.urls[at]);
  const kept = new Set(changed.flatMap((at) => list.places.get(forms[at]!) ?? []));
  const hitsOf = (places: Iterable<number>) => sumOf(Array.from(places, (at) => list.hits[at]!));
  return { kept: hitsOf(kept), given: hitsOf(changed) };
}

function isFromSecure(rule: Rule): boolean {
  return rule.kind === 'substring' && SECURE.test(rule.from) && /^http:/i.test(rule.to);
}

function isTowardsSecure(rule: Rule): boolean {
  return rule.kind === 'substring' && SECURE.test(rule.to) && /^http:/i.test(rule.from);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
