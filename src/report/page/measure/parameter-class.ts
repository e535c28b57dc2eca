// What does a parameter do to the page (in the terms of Google's URL parameter tool)? Decided by groups of URLs that
// are equal except for it:
//
//  irrelevant   a valid or pinned rule removes it or sets it on the whole site; or the groups are one page: enough of
//               them, and more than other pages of their kind are by chance. This is the test that parameter rules are
//               mined by (SPEC 9): a rule that is only likely, or for some paths, adds nothing to it. A parameter that
//               names the page has groups that say so, too: `/` with and without it is one page, and 2,000 values of it
//               on one script are 2,000 pages. So most members of groups have to agree as well. Sizes alone say nothing
//               of a name that chooses something, such as an order or a language (mine/difference).
//  sorts        different pages of nearly one size: the same entries in another order. Few values, each in
//               several groups, and clearly more groups than other pages of the kind are of one size by chance. If only
//               sizes are known, and they are equal to the byte, such a page cannot be distinguished from that of an
//               irrelevant parameter: then, and only then, the name decides (`sort`, `order`, `dir`, …).
//  narrows      the groups differ, and in most the page without the parameter (or else with its usual value, which
//               twice as many URLs have as any other) is larger than the others.
//  changes      the groups differ in another way. Fewer than three groups suffice if ten of their pages differ from
//               the first one: one page with 500 sessions says little, but one script with 500 pages says a lot.
//  unknown      fewer than three groups are evidence, or they contradict each other, or such pages are alike anyway.
//               A name that everybody knows (`url/names`) is irrelevant then.
//
// "Enough" and "most" are lower ends of 95 % Wilson intervals, so that a hundred groups that agree count for more than
// three.
import { needsPages } from '../../../mine/difference.js';
import { countsAt } from '../../../mine/parameter-chance.js';
import { type GroupFacts, NEAR } from '../../../mine/parameter-facts.js';
import { ASKED, chanceShare, MAJORITY, marginOver } from '../../../mine/parameter-scope.js';
import { wilsonLower } from '../../../mine/rank.js';
import type { ParameterRule, Rule } from '../../../rule/rule.js';
import { accepts } from '../../../rule/standing.js';
import { isOrderName, knownKindOf } from '../../../url/names.js';
import type { Level } from '../../../table/nearness.js';
import type { ParameterClass } from '../model.js';

/** The groups of one parameter, read at the level that counts. */
export interface GroupEvidence extends Pick<
  GroupFacts,
  'silent' | 'narrower' | 'wider' | 'level' | 'nearByChance' | 'farByChance' | 'members' | 'hasSketches'
> {
  readonly same: number;
  readonly different: number;
  /** Groups whose pages are equal in size, but for what their addresses add, or by their sketches. */
  readonly equal: number;
  /** Groups whose sizes are nearly the same, and others that have two. */
  readonly near: number;
  readonly far: number;
  /** Chance: pages compared with one of another group of their kind, and how many of these were one page. */
  readonly asked: number;
  readonly sameByChance: number;
  /** Members whose page differs from the first of the group, and members with the same page. */
  readonly others: number;
  readonly likes: number;
}

/** Read at the level at which the groups are furthest from chance, as rules are mined. */
export function evidenceOf({ groups, chance, near, nearSizes, farSizes, ...facts }: GroupFacts): GroupEvidence {
  const level = levelOf(groups, chance);
  const [spoke, asked, members] = [groups, chance, near].map((levels) => countsAt(levels, level));
  return {
    ...facts,
    near: nearSizes,
    far: farSizes,
    same: spoke!.for,
    different: spoke!.against,
    equal: groups[0]!,
    asked: asked!.for + asked!.against,
    sameByChance: asked!.for,
    likes: members!.for,
    others: members!.against,
  };
}

function levelOf(groups: readonly number[], chance: readonly number[]): Level {
  let [best, most] = [ASKED[0]!, -Infinity];
  for (const level of ASKED) {
    const margin = marginOver(chanceShare(chance, level), countsAt(groups, level)) ?? -Infinity;
    if (margin > most) [best, most] = [level, margin];
  }
  return best;
}

interface ParameterFacts {
  readonly name: string;
  readonly values: number;
  readonly evidence: GroupEvidence;
  readonly sizeRatio: number | null;
  /** The first applied rule that removes or sets it. */
  readonly rule: ParameterRule | undefined;
}

interface Classification {
  readonly class: ParameterClass;
  readonly reason: string;
}

const MIN_GROUPS = 3;
const MIN_OTHERS = 10;
/** The least share of groups that differ, as a lower bound. */
const LEAST_DIFFERING = 0.4;
/** A parameter that sorts has at most so many values. */
const MOST_ORDERS = 32;
/** Each of its values occurs in at least so many groups, on average. */
const GROUPS_PER_VALUE = 2;

export function classify(facts: ParameterFacts): Classification {
  const { rule } = facts;
  if (rule === undefined) return byGroups(facts);
  if (accepts(rule, 'valid') && isOfWholeSite(rule)) return { class: 'irrelevant', reason: ruleReason(rule) };
  const { class: kind, reason } = byGroups(facts);
  return { class: kind, reason: `${reason}; ${accepts(rule, 'valid') ? '' : 'the likely '}${ruleReason(rule)}` };
}

/** False for a rule that leaves the parameter on some pages, which may need it. */
export function isOfWholeSite(rule: Rule): boolean {
  const { only = [], not = [], except = [] } = rule;
  return rule.kind === 'parameter' && rule.scope === 'site' && only.length + not.length + except.length === 0;
}

function byGroups(facts: ParameterFacts): Classification {
  const { evidence } = facts;
  const spoke = evidence.same + evidence.different;
  if (spoke < MIN_GROUPS) {
    const unknown = { class: 'unknown', reason: fewReason(evidence, spoke) } as const;
    return manyPages(facts) ?? byName(facts.name, unknown);
  }
  return (
    sorting(facts) ??
    agreeing(facts) ??
    differing(facts) ??
    manyPages(facts) ??
    byName(facts.name, contradicting(facts))
  );
}

/** A well-known name decides where the log does not. */
function byName(name: string, undecided: Classification): Classification {
  const kind = knownKindOf(name);
  if (kind === undefined) return undecided;
  return { class: 'irrelevant', reason: `known by its name as a ${kind} parameter; ${undecided.reason}` };
}

function ruleReason({ rank, action, value, scope, path }: ParameterRule): string {
  const does = action === 'remove' ? 'takes it out' : `sets it to ${value === null ? 'nothing' : `“${value}”`}`;
  return `rule ${rank} ${does}${scope === 'site' ? '' : ` in ${path}`}`;
}

function fewReason({ silent }: GroupEvidence, spoke: number): string {
  if (spoke + silent === 0) return 'no two URLs are equal but for it';
  const groups = groupsText(spoke + silent);
  if (silent === 0) return `only ${groups} of URLs equal but for it; ${MIN_GROUPS} are needed`;
  if (spoke === 0) return `${groups} of URLs equal but for it, without sizes or sketches to compare`;
  return `only ${spoke} of ${groups} of URLs equal but for it can be compared; ${MIN_GROUPS} are needed`;
}

function manyPages({ evidence: { others, likes } }: ParameterFacts): Classification | undefined {
  if (others < MIN_OTHERS || others < MAJORITY * likes) return undefined;
  const reason = `pages differ: ${others} of ${others + likes} are not what the first one of their group is`;
  return { class: 'changes', reason };
}

function sorting({ name, values, evidence }: ParameterFacts): Classification | undefined {
  const { same, different, equal, near, far, nearByChance, farByChance, members, hasSketches } = evidence;
  if (knownKindOf(name) !== undefined) return undefined;
  const isChoice = values <= MOST_ORDERS && members >= GROUPS_PER_VALUE * values;
  if (!isChoice || !isBeyondChance(near, far, nearByChance, nearByChance + farByChance)) return undefined;
  const closeness = `sizes are within ${percent(NEAR - 1)} of each other in ${near} of ${groupsText(near + far)}`;
  const choice = `the same ${values} values come again and again`;
  if (same + different > 2 * equal) return { class: 'sorts', reason: `${closeness}, but the pages differ; ${choice}` };
  if (hasSketches || !isOrderName(name)) return undefined;
  return { class: 'sorts', reason: `${closeness}; ${choice}, and its name suggests an order` };
}

function agreeing({ name, evidence }: ParameterFacts): Classification | undefined {
  const { same, different, asked, sameByChance, others, likes, hasSketches } = evidence;
  if (namesPages(others, likes) || !isBeyondChance(same, different, sameByChance, asked)) return undefined;
  if (!hasSketches && needsPages(name)) {
    const sizes = `sizes agree in ${same} of ${groupsText(same + different)}`;
    const choice = 'by its name it may choose an order, a language or a part of a page: only pages can tell';
    return { class: 'unknown', reason: `${sizes}, but ${choice}` };
  }
  const chance = asked === 0 ? '' : `; other pages of their kind are so in ${sameByChance} of ${asked}`;
  return { class: 'irrelevant', reason: `one page in ${same} of ${groupsText(same + different)}${chance}` };
}

/** True if at least as many members of groups are other pages as are the same. */
function namesPages(others: number, likes: number): boolean {
  return others >= MIN_OTHERS && others >= likes;
}

function isBeyondChance(good: number, bad: number, byChance: number, asked: number): boolean {
  return marginOver(asked === 0 ? 0 : byChance / asked, { for: good, against: bad }) !== undefined;
}

function differing({ evidence, sizeRatio }: ParameterFacts): Classification | undefined {
  const { same, different, narrower, wider, level } = evidence;
  if (different < MAJORITY * same || wilsonLower(different, same) < LEAST_DIFFERING) return undefined;
  const compared = narrower + wider + level;
  if (compared >= MIN_GROUPS && wilsonLower(narrower, wider + level) > 1 / 2) {
    return { class: 'narrows', reason: `pages are smaller with it in ${narrower} of ${groupsText(compared)}` };
  }
  const ratio = sizeRatio === null ? '' : `; the largest is ${sizeRatio} times the smallest, in the median`;
  return { class: 'changes', reason: `pages differ in ${different} of ${groupsText(same + different)}${ratio}` };
}

function contradicting({ evidence }: ParameterFacts): Classification {
  const { same, different, asked, sameByChance } = evidence;
  const spoke = groupsText(same + different);
  if (same < MAJORITY * different) {
    return { class: 'unknown', reason: `${same} of ${spoke} are one page and ${different} are not` };
  }
  const chance = `but so are ${sameByChance} of ${asked} other pages of their kind`;
  return { class: 'unknown', reason: `one page in ${same} of ${spoke}, ${chance}` };
}

function groupsText(count: number): string {
  return `${count} ${count === 1 ? 'group' : 'groups'}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
