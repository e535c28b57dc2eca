// What differs between the rules of two nights?
//
//   new, gone      a rule that the other file does not have
//   turned         the other direction, the other action, or another value
//   verdict        another status (likely, valid, invalid); `retired` if a valid rule failed
//   exceptions     other URLs that a valid rule leaves alone
//   hosts          a rule of a class holds for other hosts
//   marked         pinned, vetoed or a key, or no longer
//   weakened       support or confidence fell by more than the threshold, as a share of what it was
//   strengthened   or rose by more
//
// Rank, examples and other counts are not differences: they change every night.
import { classKey } from './carry-hosts.js';
import { withoutConditions } from './condition.js';
import { sayingKey, subjectKey } from './identity.js';
import { hostsNamed, isOfHosts } from './of-hosts.js';
import type { Rule, RulesFile } from './rule.js';
import { accepts, isKey, isPinned, isVetoed, standingOf } from './standing.js';

export type ChangeKind =
  'new' | 'gone' | 'turned' | 'verdict' | 'retired' | 'exceptions' | 'hosts' | 'marked' | 'weakened' | 'strengthened';

export interface RuleChange {
  readonly kind: ChangeKind;
  /** Before; undefined for a new rule. */
  readonly before: Rule | undefined;
  /** Now; undefined for one that is gone. */
  readonly after: Rule | undefined;
  /** The old and the new value, such as a standing or a figure. */
  readonly from: string;
  readonly to: string;
}

/**
 * Kinds of changes in what rules say and do, not in their evidence. `--check` and `mine --fail-on-change` use these.
 */
export const EFFECTIVE: ReadonlySet<ChangeKind> = new Set([
  'new',
  'gone',
  'turned',
  'verdict',
  'retired',
  'exceptions',
  'hosts',
  'marked',
] as const);

export const THRESHOLD = 0.2;

/** The changes in rank order of the new file, then removed rules. A rule may have changed in several ways. */
export function diffRules(before: Rules, after: Rules, threshold = THRESHOLD): RuleChange[] {
  const left = new Set(before.rules);
  const bySaying = new Map(before.rules.map((rule) => [sayingKey(rule), rule]));
  const exact = new Set(after.rules.map(sayingKey));
  // A rule in both files is not the reverse of another one.
  const turnable = before.rules.filter((rule) => !exact.has(sayingKey(rule)));
  const bySubject = new Map(turnable.map((rule) => [aboutKey(rule), rule]));
  const changes: RuleChange[] = [];
  for (const rule of after.rules) {
    const was = bySaying.get(sayingKey(rule)) ?? bySubject.get(aboutKey(rule));
    if (was !== undefined && left.delete(was)) changes.push(...changesOf(was, rule, threshold));
    else changes.push({ kind: 'new', before: undefined, after: rule, from: '', to: standingOf(rule) });
  }
  for (const rule of left)
    changes.push({ kind: 'gone', before: rule, after: undefined, from: standingOf(rule), to: '' });
  return changes;
}

type Rules = Pick<RulesFile, 'rules'>;

/** What a rule is about. A class has a rule for the hosts of each verdict. */
function aboutKey(rule: Rule): string {
  return isOfHosts(rule) ? `${classKey(rule)} ${rule.status}` : subjectKey(rule);
}

/**
 * The changes that can affect canonical forms: of rules that were or are in use. If neither file has rules in use,
 * likely rules are all there is, and all changes are returned.
 */
export function changesInUse(changes: readonly RuleChange[], before: Rules, after: Rules): readonly RuleChange[] {
  if (!isAnyInUse(before, after)) return changes;
  return changes.filter((change) => isUsed(change.before) || isUsed(change.after));
}

/** True if URLs are canonized by a rule of either file. */
export function isAnyInUse(before: Rules, after: Rules): boolean {
  return before.rules.some(isUsed) || after.rules.some(isUsed);
}

function isUsed(rule: Rule | undefined): boolean {
  return rule !== undefined && accepts(rule, 'valid');
}

function changesOf(before: Rule, after: Rule, threshold: number): RuleChange[] {
  const found: RuleChange[] = [];
  const add = (kind: ChangeKind, from: string, to: string) => found.push({ kind, before, after, from, to });
  if (haveOtherHosts(before, after)) add('hosts', hostsWords(before), hostsWords(after));
  if (statementOf(before) !== statementOf(after)) add('turned', wayOf(before), wayOf(after));
  const isRetired = before.history?.retired === undefined && after.history?.retired !== undefined;
  if (before.status !== after.status) add(isRetired ? 'retired' : 'verdict', before.status, after.status);
  const [was, is] = [before.except ?? [], after.except ?? []];
  if (!haveSame(was, is)) add('exceptions', String(was.length), String(is.length));
  if ([isPinned, isVetoed, isKey].some((is) => is(before) !== is(after))) {
    add('marked', standingOf(before), standingOf(after));
  }
  const figures = [
    ['support', supportOf(before), supportOf(after)],
    ['confidence', before.confidence, after.confidence],
  ] as const;
  for (const [name, old, now] of figures) {
    if (now < old * (1 - threshold)) add('weakened', `${name} ${old}`, String(now));
    else if (now > old * (1 + threshold)) add('strengthened', `${name} ${old}`, String(now));
  }
  return found;
}

/** True if both have the same texts, in any order. */
function haveSame(was: readonly string[], is: readonly string[]): boolean {
  if (was.length !== is.length) return false;
  const known = new Set(is);
  return was.every((url) => known.has(url));
}

/** What a rule says; a class does so on whatever hosts. */
function statementOf(rule: Rule): string {
  return sayingKey(isOfHosts(rule) ? withoutConditions(rule) : rule);
}

function haveOtherHosts(before: Rule, after: Rule): boolean {
  if (!isOfHosts(before) || !isOfHosts(after)) return false;
  return (before.only === undefined) !== (after.only === undefined) || !haveSame(hostsNamed(before), hostsNamed(after));
}

/** Such as `57`, or `all but 3`. */
function hostsWords(rule: Rule): string {
  const named = hostsNamed(rule).length;
  return rule.only === undefined ? `all but ${named}` : String(named);
}

function wayOf(rule: Rule): string {
  if (rule.kind === 'substring') return `${rule.from} → ${rule.to}`;
  if (rule.kind === 'step') return rule.step;
  if (rule.kind === 'pattern') return `${rule.pattern} → ${rule.template}`;
  return rule.action === 'remove' ? 'remove' : `set ${rule.value ?? ''}`.trimEnd();
}

/** The witnesses for a rule: pairs of URLs, groups of URLs, or URLs that it changes. */
export function supportOf(rule: Rule): number {
  switch (rule.kind) {
    case 'substring':
      return rule.support.low;
    case 'parameter':
      return rule.support.groups;
    case 'step':
      return rule.support.urls;
    case 'pattern':
      return rule.support.clusters;
    default:
      return rule satisfies never;
  }
}
