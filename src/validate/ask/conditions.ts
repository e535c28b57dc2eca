// A rule is right for some URLs and wrong for others: where does it hold? The next thing to try is a condition or a few
// that separate the two (SPEC 7). A general rule with three exceptions beats forty prefixes.
import { withoutConditions } from '../../rule/condition.js';
import type { Condition, Rule } from '../../rule/rule.js';
import { conditionKey, conditionsOf } from './parts.js';

export interface Conditions {
  readonly only: readonly Condition[];
  readonly not: readonly Condition[];
}

export const NO_CONDITIONS: Conditions = { only: [], not: [] };

/** More conditions would overfit the sample; but what a page shows often depends on any of several parameters. */
const MAX_NOT = 3;
const MAX_NOT_PARAMETERS = 9;
const MAX_ONLY = 3;
const MIN_POSITIVES = 3;
/** An `only` condition has to hold for this share of what the rule changes. */
const LEAST_SHARE = 0.05;
/** A condition that keeps this share of what the rule changes is preferred to one on a character that keeps more. */
const LEAST_KEPT = 0.8;
/** The largest share of failures among the judged URLs of one `only` condition. */
const MOST_FAILING = 0.1;

export function withConditions<R extends Rule>(rule: R, { only, not }: Conditions): R {
  return {
    ...withoutConditions(rule),
    ...(only.length > 0 && { only }),
    ...(not.length > 0 && { not }),
  };
}

interface Candidate {
  readonly condition: Condition;
  /** Judged URLs for which it holds. */
  readonly positives: ReadonlySet<string>;
  readonly negatives: ReadonlySet<string>;
  /** Of all URLs that the rule changes, the number for which the condition holds. */
  readonly reach: number;
}

/**
 * Conditions to try, the least restrictive first: `not` if a few conditions cover all negatives and no positive; `only`
 * if a few cover positives and no negative.
 */
export function separate(
  positives: readonly string[],
  negatives: readonly string[],
  reach: readonly string[],
): Conditions[] {
  if (negatives.length === 0) return [];
  const candidates = candidatesOf(positives, negatives, reach);
  const found: { readonly conditions: Conditions; readonly kept: number }[] = [];
  const not = withoutSigns(candidates, negatives, reach) ?? coverNegatives(candidates, negatives, reach);
  if (not !== undefined) found.push({ conditions: { only: [], not }, kept: keptOf(reach, { only: [], not }) });
  const only = coverPositives(candidates, positives, reach);
  if (only !== undefined) found.push({ conditions: { only, not: [] }, kept: keptOf(reach, { only, not: [] }) });
  return found.sort((a, b) => b.kept - a.kept).map(({ conditions }) => conditions);
}

/** The same without conditions on a character, which explain nothing to an owner, if they would keep little more. */
function withoutSigns(
  candidates: readonly Candidate[],
  negatives: readonly string[],
  reach: readonly string[],
): Condition[] | undefined {
  const plain = candidates.filter(({ condition }) => condition.part !== 'text');
  const not = coverNegatives(plain, negatives, reach);
  return not !== undefined && keptOf(reach, { only: [], not }) >= LEAST_KEPT * reach.length ? not : undefined;
}

function candidatesOf(
  positives: readonly string[],
  negatives: readonly string[],
  reach: readonly string[],
): Candidate[] {
  const found = new Map<
    string,
    { condition: Condition; positives: Set<string>; negatives: Set<string>; reach: number }
  >();
  const add = (url: string, kind: 'positives' | 'negatives') => {
    for (const condition of conditionsOf(url).filter(isPolicy)) {
      const key = conditionKey(condition);
      let one = found.get(key);
      if (one === undefined)
        found.set(key, (one = { condition, positives: new Set(), negatives: new Set(), reach: 0 }));
      one[kind].add(url);
    }
  };
  for (const url of positives) add(url, 'positives');
  for (const url of negatives) add(url, 'negatives');
  for (const url of reach) {
    for (const condition of conditionsOf(url)) {
      const one = found.get(conditionKey(condition));
      if (one !== undefined) one.reach++;
    }
  }
  return [...found.values()];
}

/**
 * True for a condition that a site owner would recognise as a policy: no depth except the front page's, no number of
 * fields except none.
 */
function isPolicy({ part, is }: Condition): boolean {
  return (part !== 'depth' && part !== 'fields') || is === 0;
}

/**
 * Which condition would be the best `only` if a few more of its URLs proved right? It needs some positives and no
 * negative; of several, returns the one with the most URLs.
 */
export function promising(
  positives: readonly string[],
  negatives: readonly string[],
  reach: readonly string[],
): Condition | undefined {
  const open = candidatesOf(positives, negatives, reach).filter(
    (one) => couldBeOnly(one) && one.positives.size < MIN_POSITIVES && one.reach > one.positives.size,
  );
  const best = mostOf(open, (one) => one.reach);
  return best === undefined || best.reach < Math.max(leastReach(reach), LEAST_SHARE * reach.length)
    ? undefined
    : best.condition;
}

/** A part of the site is unseen if an archive lacks so many of its images, and this share of all that it lacks. */
const MIN_UNSEEN = 5;
const UNSEEN_SHARE = 0.1;

/**
 * Conditions of the parts of the site in which no form was judged, as an archive has none of their images. Without
 * them, a rule for a git site dropped `hb` on blobs and on histories, although it matters on histories: the archive had
 * these only with `hb`.
 */
export function unseenIn(
  positives: readonly string[],
  unknown: readonly string[],
  reach: readonly string[],
): Condition[] {
  const least = Math.max(MIN_UNSEEN, UNSEEN_SHARE * unknown.length);
  const open = candidatesOf(positives, unknown, reach).filter(
    ({ condition, positives: judged }) => condition.part !== 'text' && judged.size === 0,
  );
  const left = new Set(unknown);
  const chosen: Condition[] = [];
  while (chosen.length < MAX_NOT) {
    const best = mostOf(open, ({ negatives }) => sizeOfBoth(negatives, left));
    if (best === undefined || sizeOfBoth(best.negatives, left) < least) break;
    chosen.push(best.condition);
    for (const url of best.negatives) left.delete(url);
  }
  return chosen;
}

/**
 * Greedy set cover: the condition with the most uncovered negatives and no positive; ties go to the one with the most
 * URLs. What holds for a single page is an exception, not a condition.
 */
function coverNegatives(
  candidates: readonly Candidate[],
  negatives: readonly string[],
  reach: readonly string[],
): Condition[] | undefined {
  const left = new Set(negatives);
  const chosen: Condition[] = [];
  const pure = candidates.filter((one) => one.positives.size === 0 && one.reach >= leastReach(reach));
  while (left.size > 0) {
    const best = mostOf(pure, (one) => sizeOfBoth(one.negatives, left));
    if (best === undefined) return undefined;
    const others = chosen.filter(({ part }) => part !== 'parameter').length;
    const isFull =
      best.condition.part === 'parameter' ? chosen.length - others === MAX_NOT_PARAMETERS : others === MAX_NOT;
    if (isFull) return undefined;
    chosen.push(best.condition);
    for (const url of best.negatives) left.delete(url);
  }
  return chosen;
}

/** A condition on a character can explain failures, but not successes. */
function couldBeOnly({ condition, negatives }: Candidate): boolean {
  return negatives.size === 0 && condition.part !== 'text';
}

/** Greedy set cover: the condition with the most URLs, several positives and no negative, until little is added. */
function coverPositives(
  candidates: readonly Candidate[],
  positives: readonly string[],
  reach: readonly string[],
): Condition[] | undefined {
  const left = new Set(positives);
  const chosen: Condition[] = [];
  const pure = candidates.filter((one) => couldBeOnly(one) && one.positives.size >= MIN_POSITIVES);
  while (left.size > 0 && chosen.length < MAX_ONLY) {
    const best = mostOf(pure, (one) => (sizeOfBoth(one.positives, left) >= 1 ? one.reach : 0));
    if (best === undefined || best.reach < Math.max(leastReach(reach), LEAST_SHARE * reach.length)) break;
    chosen.push(best.condition);
    for (const url of best.positives) left.delete(url);
  }
  return chosen.length === 0 ? undefined : chosen;
}

function leastReach(reach: readonly string[]): number {
  return Math.max(3, 0.005 * reach.length);
}

function mostOf(candidates: readonly Candidate[], gain: (one: Candidate) => number): Candidate | undefined {
  let best: Candidate | undefined;
  let most = 0;
  for (const one of candidates) {
    const gained = gain(one);
    if (gained > most || (gained === most && gained > 0 && one.reach > best!.reach)) [best, most] = [one, gained];
  }
  return best;
}

function sizeOfBoth(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let size = 0;
  for (const one of some) if (others.has(one)) size++;
  return size;
}

/**
 * The `only` conditions that fail by themselves: more than a tenth of the judged URLs that satisfy only this one are
 * negative. Averaged over all conditions, such failures would pass as exceptions.
 */
export function failingOnly(
  { only }: Conditions,
  positives: readonly string[],
  negatives: readonly string[],
): Condition[] {
  if (only.length < 2) return [];
  const alone = (urls: readonly string[], one: Condition) => {
    const others = only.filter((other) => other !== one);
    const isAlone = (url: string) => holds(url, { only: [one], not: [] }) && !holds(url, { only: others, not: [] });
    return urls.filter(isAlone).length;
  };
  return only.filter((one) => {
    const failed = alone(negatives, one);
    return failed > MOST_FAILING * (failed + alone(positives, one));
  });
}

/** How many of these URLs satisfy the conditions. */
export function keptOf(urls: readonly string[], { only, not }: Conditions): number {
  return urls.filter((url) => holds(url, { only, not })).length;
}

export function holds(url: string, { only, not }: Conditions): boolean {
  const keys = new Set(conditionsOf(url).map(conditionKey));
  if (not.some((condition) => keys.has(conditionKey(condition)))) return false;
  return only.length === 0 || only.some((condition) => keys.has(conditionKey(condition)));
}
