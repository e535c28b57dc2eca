// Which side of each rule is the page's name? Pages tell that two URLs are one page; the log tells which of the two the
// site prefers. Rules are visited by price, the dearest first:
//
//     turn    if the reverse redirects far fewer hits and merges as many URLs
//     key     if neither direction is worth its redirects: the rule says which URLs are one page, and writes URLs not
//             at all, or only under conditions under which its redirects are worth it
//
// Three rounds, as each turn changes what other rules redirect. A side that the log has only as a redirect is excluded,
// but that is no reason for the other side: many sites redirect to addresses that nobody uses.
import type { Hits, Rule } from '../../rule/rule.js';
import { isInsertion } from '../../rule/standing.js';
import { Census, type CanonizerOf, type HitList } from './census.js';
import { narrowed, type ConditionsOf } from './narrow.js';
import { MOST_PRICE, priceOf } from './price.js';
import { bounded, otherWayOf } from './ways.js';

const ROUNDS = 3;
/** Least decrease of redirected hits, as a share of all hits. */
const LEAST_GAIN = 0.005;
/** Largest share of the merged URLs that may be lost. */
const MOST_LOST = 0.005;
/** Largest share of redirects among the hits of the new side. */
const MOST_MOVED = 0.05;
/** How many further forms a turn may merge, if the site confirms it. */
const MOST_JOINED = 10;
/** A secure address is kept even if nobody has used it yet. */
const SECURE = /^https:/i;

export interface Choosing {
  readonly canonizerOf: CanonizerOf;
  /** True for rules whose direction somebody has decided. */
  readonly isFixed: (rule: Rule) => boolean;
  /**
   * True for rules that contradict the canonical name that the site itself gives: these are turned or become keys,
   * whatever the hits.
   */
  readonly isOpposed?: (rule: Rule) => boolean;
  /**
   * Asks the site about a turned rule: the rule to use, or undefined. Without `confirm`, no rule is turned so that it
   * adds text, as only the site can confirm that; such a rule becomes a key.
   */
  readonly confirm?: (turn: Turn) => Promise<Rule | undefined>;
  /** The conditions that rules may be narrowed by; without it they only become keys as a whole. */
  readonly conditionsOf?: ConditionsOf;
  /** True if rules keep their order, so that a turned one may not move behind all others. */
  readonly keepsOrder?: boolean;
}

export interface Turn {
  readonly rule: Rule;
  /** The other rules that write. */
  readonly others: readonly Rule[];
  /** Forms that were apart and would be merged. */
  readonly joined: readonly Joined[];
}

export type Joined = readonly [form: string, other: string];

/** What a rule has become. A narrowed rule becomes two; the key replaces the original. */
export interface Chosen {
  readonly before: Rule;
  readonly rule: Rule;
  /** True for the writing part of a narrowed rule, beside its key. */
  readonly isPart: boolean;
}

/** The rules to use, in the order of application. Fixed rules are returned as the same objects. */
export async function chosenNames(rules: readonly Rule[], list: HitList, choosing: Choosing): Promise<Chosen[]> {
  const choice = choices(rules, list, choosing);
  let step = choice.next();
  while (step.done !== true) step = choice.next(await choosing.confirm?.(step.value));
  return step.value;
}

/** The same from the log alone: for each rule, in their order, the rule to use. */
export function namesByHits(
  rules: readonly Rule[],
  list: HitList,
  choosing: Pick<Choosing, 'canonizerOf' | 'isFixed'>,
): Rule[] {
  const step = choices(rules, list, { ...choosing, keepsOrder: true }).next();
  if (step.done !== true) throw new Error('a question, and nobody to ask');
  return step.value.map(({ rule }) => rule);
}

/** Yields turned rules that the site has to confirm, and is resumed with the rule to use. */
type Questions<Result> = Generator<Turn, Result, Rule | undefined>;

function* choices(rules: readonly Rule[], list: HitList, choosing: Choosing): Questions<Chosen[]> {
  const chooser = new Chooser(rules, list, choosing);
  for (let round = 0; round < ROUNDS && (yield* chooser.round()); round++);
  return chooser.result();
}

/** A rule of the census, or a key. */
interface Slot {
  readonly before: Rule;
  /** Has the rank of `before`. */
  now: Rule;
  readonly isFixed: boolean;
  readonly isPart: boolean;
  /** For a key: its hits if it were written. */
  ofKey?: Hits;
  wasAsked?: boolean;
}

class Chooser {
  readonly #choosing: Choosing;
  /** In the order in which they are applied. */
  #slots: Slot[];
  /** The census of the rules that write. */
  #census: Census;

  constructor(rules: readonly Rule[], list: HitList, choosing: Choosing) {
    this.#choosing = choosing;
    this.#slots = rules.map((rule) => ({
      before: rule,
      now: rule,
      isFixed: choosing.isFixed(rule),
      isPart: false,
    }));
    this.#census = new Census(list, rules, choosing.canonizerOf);
  }

  /** True if another round may change more. */
  *round(): Questions<boolean> {
    const open = this.#slots
      .filter((slot) => slot.ofKey === undefined && !slot.isFixed)
      .map((slot, at) => ({ slot, at, price: this.#price(slot) }));
    let isChanged = false;
    for (const { slot } of open.sort((a, b) => b.price - a.price || a.at - b.at)) {
      if (yield* this.#turn(slot)) isChanged = true;
      else if (this.#isTooDear(slot)) {
        this.#narrow(slot);
        isChanged = true;
      }
    }
    return isChanged;
  }

  result(): Chosen[] {
    return this.#slots.map((slot) => {
      const { before, now, isPart, isFixed, ofKey } = slot;
      if (isFixed) return { before, rule: now, isPart };
      if (ofKey !== undefined) return { before, rule: { ...now, hits: ofKey, use: 'key' }, isPart };
      return { before, rule: { ...now, hits: hitsOfSides(this.#census, this.#inCensus(slot)) }, isPart };
    });
  }

  /** The census has only the rules that write, in the order of all. */
  #inCensus(slot: Slot): Rule {
    return this.#census.rules[writing(this.#slots).indexOf(slot)]!;
  }

  #price(slot: Slot): number {
    return this.#isOpposed(slot.now) ? Infinity : priceOf(this.#census, this.#inCensus(slot));
  }

  #isOpposed(rule: Rule): boolean {
    return this.#choosing.isOpposed?.(rule) ?? false;
  }

  #censusOf(slots: readonly Slot[]): Census {
    return this.#census.under(writing(slots).map(({ now }) => now));
  }

  /** True if the rule is turned from now on. */
  *#turn(slot: Slot): Questions<boolean> {
    if (slot.wasAsked === true) return false;
    const rule = this.#inCensus(slot);
    const turned = this.#mayTurn(rule) ? otherWayOf(rule) : undefined;
    if (turned === undefined) return false;
    const { confirm } = this.#choosing;
    if (confirm === undefined && isInsertion(turned)) return false;
    const place = this.#placeFor(slot, asIfCalledFor(turned));
    if (place === undefined) return false;
    slot.wasAsked = true;
    const others = writing(this.#slots)
      .filter((one) => one !== slot)
      .map(({ now }) => now);
    const confirmed = confirm === undefined ? turned : yield { rule: turned, others, joined: place.joined };
    if (confirmed === undefined) return false;
    const next = place.slotsWith({ ...bounded(confirmed), rank: slot.before.rank });
    const census = this.#censusOf(next);
    if (!this.#isBetter(census, rule) || isMore(joinsOf(this.#census, census), place.joined)) return false;
    this.#slots = next;
    this.#census = census;
    return true;
  }

  /**
   * True if the rule is not worth its redirects, or leads away from the hits. A secure address is always worth them,
   * unless the site says otherwise.
   */
  #isTooDear(slot: Slot): boolean {
    const isDear = this.#price(slot) > MOST_PRICE;
    if (isTowardsSecure(slot.now)) return isDear && this.#isOpposed(slot.now);
    return isDear || this.#isAgainstHits(slot);
  }

  /** True if the hits prefer a side that only the site could confirm, and it cannot be asked. */
  #isAgainstHits(slot: Slot): boolean {
    const rule = this.#inCensus(slot);
    const turned = this.#choosing.confirm === undefined && this.#mayTurn(rule) ? otherWayOf(rule) : undefined;
    if (turned === undefined || !isInsertion(turned)) return false;
    return this.#placeFor(slot, asIfCalledFor(turned)) !== undefined;
  }

  /** The place where the turned rule is better than the original: in its place, or behind all others. */
  #placeFor(slot: Slot, turned: Rule): Place | undefined {
    const rule = this.#inCensus(slot);
    const inPlace = (now: Rule) => this.#slots.map((one) => (one === slot ? { ...slot, now } : one));
    const last = (now: Rule) => [...this.#slots.filter((one) => one !== slot), { ...slot, now }];
    const { confirm, keepsOrder = false } = this.#choosing;
    const most = confirm === undefined ? 0 : MOST_JOINED;
    for (const slotsWith of keepsOrder ? [inPlace] : [inPlace, last]) {
      const census = this.#censusOf(slotsWith(turned));
      if (!this.#isBetter(census, rule)) continue;
      const joined = joinsOf(this.#census, census);
      if (joined.length <= most) return { slotsWith, joined };
    }
    return undefined;
  }

  /** True if a turn saves enough redirects and costs nothing else. */
  #isBetter(after: Census, rule: Rule): boolean {
    const isDue = isFromSecure(rule) || this.#isOpposed(rule);
    return (isDue || savesEnough(this.#census, after)) && costsNothing(this.#census, after, rule);
  }

  /** True if the rule redirects enough hits for a turn to pay; never away from https, unless the site says so. */
  #mayTurn(rule: Rule): boolean {
    if (this.#isOpposed(rule)) return true;
    if (isTowardsSecure(rule)) return false;
    return isFromSecure(rule) || hitsOfSides(this.#census, rule).given >= LEAST_GAIN * this.#census.list.allHits;
  }

  /** Makes the rule a key, and writes it only under conditions where it pays. */
  #narrow(slot: Slot): void {
    const rule = this.#inCensus(slot);
    const { conditionsOf } = this.#choosing;
    const part = this.#isOpposed(slot.now) ? undefined : conditionsOf && narrowed(this.#census, rule, conditionsOf);
    slot.ofKey = hitsOfSides(this.#census, rule);
    this.#slots = this.#slots.flatMap((one) => {
      if (one !== slot || part === undefined) return [one];
      return [{ before: slot.before, now: { ...part, rank: slot.before.rank }, isFixed: false, isPart: true }, one];
    });
    this.#census = this.#censusOf(this.#slots);
  }
}

interface Place {
  readonly slotsWith: (turned: Rule) => Slot[];
  readonly joined: readonly Joined[];
}

function writing(slots: readonly Slot[]): Slot[] {
  return slots.filter(({ ofKey }) => ofKey === undefined);
}

/** Marks a rule that adds text as confirmed by the site; without that it would not be applied. */
function asIfCalledFor(rule: Rule): Rule {
  return isInsertion(rule) ? { ...rule, word: 'redirect' } : rule;
}

function savesEnough(before: Census, after: Census): boolean {
  return before.totals.redirected - after.totals.redirected >= LEAST_GAIN * before.list.allHits;
}

function costsNothing(before: Census, after: Census, rule: Rule): boolean {
  const merges = before.list.urls.length - before.totals.forms;
  if (after.totals.forms - before.totals.forms > MOST_LOST * merges || after.unsettled > before.unsettled) return false;
  return !leadsToMoved(after, before.usedBy(rule));
}

/** True if the log has many of the forms only as redirects. */
function leadsToMoved({ list: { places, lines, hits }, forms }: Census, urls: readonly number[]): boolean {
  const names = [...new Set(urls.flatMap((at) => places.get(forms[at]!) ?? []))];
  const all = sumOf(names.map((at) => lines[at]!));
  return all - sumOf(names.map((at) => hits[at]!)) > MOST_MOVED * all;
}

/**
 * Forms that were apart and are merged now, about which pages have said nothing yet. A turn inside a chain of rules can
 * do that, as its images reach the other rules.
 */
function joinsOf(before: Census, after: Census): Joined[] {
  const firstBefore = new Map<string, string>();
  const joined = new Map<string, Joined>();
  for (const [at, form] of after.forms.entries()) {
    const was = before.forms[at]!;
    const first = firstBefore.get(form);
    if (first === undefined) firstBefore.set(form, was);
    else if (first !== was) joined.set(`${first}\n${was}`, [was, first]);
  }
  return [...joined.values()];
}

function isMore(some: readonly Joined[], known: readonly Joined[]): boolean {
  const keys = new Set(known.map((one) => one.join('\n')));
  return some.some((one) => !keys.has(one.join('\n')));
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
