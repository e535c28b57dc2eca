// Where is a rule worth its redirects? A rule that respells URLs which everybody uses may still merge URLs in one
// folder, on one host or for one field, where both spellings are in use:
//
//     ; → &      4,962 hits redirected for 30 URLs less       only where the last segment is "old.cgi": 40 for 28
//
// A few conditions describe such places: those where the rule is cheap (`only`), or where it is dearest (`not`). They
// are conditions on the form that reaches the rule, and are verified with the whole set of rules.
import type { Condition, Rule } from '../../rule/rule.js';
import type { Census, Changed } from './census.js';
import { MOST_PRICE, priceOf } from './price.js';

/** Every condition that holds for a URL. */
export type ConditionsOf = (url: string) => readonly Condition[];

const MOST_CONDITIONS = 3;
/** How many places of one kind a rule is limited to: with more, nobody sees why there and nowhere else. */
const MOST_PLACES = 2;
/** How many of the conditions that hold for a site's URLs are considered. */
const MOST_PARTS = 100;
/** A narrowed rule that saves less, or less for each of its places, is not worth a line. */
const LEAST_SAVED = 3;
const LEAST_FOR_PLACE = 5;
const LEAST_SHARE = 0.2;
/** Conditions that a site owner would recognise as a policy, unlike a depth or a number of fields. */
const POLICIES: ReadonlySet<Condition['part']> = new Set([
  'host',
  'first',
  'segment',
  'last',
  'extension',
  'parameter',
  'field',
]);

/** The forms that a rule changes under one condition. */
interface Part {
  readonly condition: Condition;
  readonly forms: ReadonlySet<string>;
}

/** The effect of a rule: for each form that reaches it, the cost of its redirects and the image. */
interface Work {
  readonly cost: ReadonlyMap<string, number>;
  readonly imageOf: ReadonlyMap<string, string>;
  /** Images that exist without the rule. */
  readonly there: ReadonlySet<string>;
}

/** The rule limited to places where it is worth its price; undefined if there are none, or if that saves too little. */
export function narrowed(census: Census, rule: Rule, conditionsOf: ConditionsOf): Rule | undefined {
  const work = workOf(census, census.changesOf(rule));
  const all = [...work.cost.keys()];
  const mean = census.list.allHits / census.list.urls.length;
  const parts = partsOf(all, conditionsOf);
  const least = Math.max(LEAST_SAVED, LEAST_SHARE * savedBy(all, work));
  const isCheap = (forms: Iterable<string>) => costOf(forms, work) <= MOST_PRICE * mean * savedBy(forms, work);
  const candidates = [
    rule.only === undefined ? { only: cheapest(parts, work, isCheap), not: [] } : { only: [], not: [] },
    { only: [], not: withoutDearest(parts, work, all, isCheap) },
  ];
  return candidates
    .filter(({ only, not }) => only.length + not.length > 0)
    .map(({ only, not }): Rule => ({ ...rule, ...(only.length > 0 && { only }), ...notOf(rule, not) }))
    .map((one) => ({
      one,
      saved: savedWith(census, rule, one),
      places: rule.only === undefined ? one.only?.length : 0,
    }))
    .filter(({ saved, places = 0 }) => saved >= Math.max(least, LEAST_FOR_PLACE * places))
    .sort((a, b) => b.saved - a.saved)[0]?.one;
}

function notOf(rule: Rule, not: readonly Condition[]) {
  const all = [...(rule.not ?? []), ...not];
  return all.length > 0 ? { not: all } : {};
}

/** URLs that the narrowed rule merges, among all rules; 0 if that costs too much. */
function savedWith(census: Census, rule: Rule, one: Rule): number {
  const next = census.under(census.rules.map((other) => (other === rule ? one : other)));
  const placed = next.rules[census.rules.indexOf(rule)]!;
  if (next.unsettled > census.unsettled || priceOf(next, placed) > MOST_PRICE) return 0;
  return next.without(placed).forms - next.totals.forms;
}

function workOf(census: Census, changes: readonly Changed[]): Work {
  const cost = new Map<string, number>();
  const members = new Map<string, number>();
  for (const { at, form, image } of changes) {
    const more = census.redirectedTo(image, at) - census.redirectedTo(form, at);
    cost.set(form, (cost.get(form) ?? 0) + more);
    members.set(image, (members.get(image) ?? 0) + 1);
  }
  const images = [...members].filter(([image, count]) => census.membersOf(image) > count).map(([image]) => image);
  return { cost, imageOf: new Map(changes.map(({ form, image }) => [form, image])), there: new Set(images) };
}

function costOf(forms: Iterable<string>, { cost }: Work): number {
  let sum = 0;
  for (const form of forms) sum += cost.get(form)!;
  return sum;
}

/** How many fewer forms there are if the rule changes these. */
function savedBy(forms: Iterable<string>, { imageOf, there }: Work): number {
  const made = new Set<string>();
  let count = 0;
  for (const form of forms) {
    count++;
    const image = imageOf.get(form)!;
    if (!there.has(image)) made.add(image);
  }
  return count - made.size;
}

function partsOf(forms: readonly string[], conditionsOf: ConditionsOf): Part[] {
  const parts = new Map<string, { condition: Condition; forms: Set<string> }>();
  for (const form of forms) {
    for (const condition of conditionsOf(form)) {
      if (!POLICIES.has(condition.part) || condition.is === '') continue;
      const key = `${condition.part}=${condition.is}`;
      const known = parts.get(key);
      if (known === undefined) parts.set(key, { condition, forms: new Set([form]) });
      else known.forms.add(form);
    }
  }
  return [...parts.values()].filter((part) => part.forms.size >= LEAST_SAVED);
}

/** Conditions of one kind under which the rule is cheap, those that save most first. */
function cheapest(parts: readonly Part[], work: Work, isCheap: (forms: Iterable<string>) => boolean): Condition[] {
  const cheap = most(parts, ({ forms }) => savedBy(forms, work)).filter(({ forms }) => isCheap(forms));
  const chosen: Condition[] = [];
  let covered = new Set<string>();
  while (chosen.length < MOST_PLACES) {
    const saved = savedBy(covered, work);
    const ofKind = cheap.filter(({ condition }) => chosen.every(({ part }) => part === condition.part));
    const [best] = most(ofKind, ({ forms }) => savedBy(new Set([...covered, ...forms]), work) - saved);
    const next = new Set([...covered, ...(best?.forms ?? [])]);
    if (best === undefined || !isCheap(next)) break;
    covered = next;
    chosen.push(best.condition);
  }
  return chosen;
}

/** Conditions to exclude so that the rule is cheap, the dearest first; none if a few do not suffice. */
function withoutDearest(
  parts: readonly Part[],
  work: Work,
  all: readonly string[],
  isCheap: (forms: Iterable<string>) => boolean,
): Condition[] {
  const dear = most(parts, ({ forms }) => costOf(forms, work));
  const chosen: Condition[] = [];
  let left = [...all];
  while (chosen.length < MOST_CONDITIONS && !isCheap(left)) {
    const [best] = most(dear, ({ forms }) =>
      costOf(
        left.filter((form) => forms.has(form)),
        work,
      ),
    );
    if (best === undefined) return [];
    left = left.filter((form) => !best.forms.has(form));
    chosen.push(best.condition);
  }
  return isCheap(left) ? chosen : [];
}

/** The parts with the largest gains, all above zero. */
function most(parts: readonly Part[], gainOf: (part: Part) => number): Part[] {
  return parts
    .map((part) => ({ part, gain: gainOf(part) }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MOST_PARTS)
    .map(({ part }) => part);
}
