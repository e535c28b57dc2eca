// Which value of a field is the default, the one that a URL without the field means? At most one: a list without
// `orderby` is not sorted by both date and edit. If both look the same, as nothing was edited yet or the list has one
// item, that is true only today:
//
//     orderby=date is dropped, 17 URLs        the default
//     orderby=modified is dropped, 10         no rule: tomorrow somebody edits
//     orderby but orderby=title is dropped    only orderby=date is
//
// An empty value does not count as a value, and a field that is dropped with any value has no default.
import { groupBy } from '../../base/group-by.js';
import type { Condition, ParameterRule, Rule, SubstringRule } from '../../rule/rule.js';
import { partsOf } from './parts.js';

export interface Dropping {
  readonly rule: Rule;
  /** URLs of the list that the rule changes. */
  readonly urls: readonly string[];
}

/** A field with more values does not choose among a few. */
const MOST_VALUES = 10;

type Values = ReadonlyMap<string, number>;

/**
 * Returns for each rule: the same rule, the rule narrowed to the default of its field, or undefined if it drops only
 * other values. `matters`: whether pages depend on a field of this name.
 */
export function withOneDefault(
  droppings: readonly Dropping[],
  matters: (name: string) => boolean,
): (Rule | undefined)[] {
  const values = droppings.map((one) => valuesOf(one, matters));
  const all = new Map<string, number>();
  for (const some of values) for (const [field, n] of some) all.set(field, (all.get(field) ?? 0) + n);
  const defaults = new Set([...groupBy([...all], nameOf).values()].map(commonest));
  return droppings.map(({ rule }, at) => {
    const own = [...values[at]!.keys()];
    const others = own.filter((field) => !defaults.has(field));
    if (others.length === 0) return rule;
    return rule.kind === 'parameter' && others.length < own.length ? narrowed(rule, new Set(others)) : undefined;
  });
}

function nameOf([field]: readonly [string, number]): string {
  return field.slice(0, field.indexOf('='));
}

function commonest(entries: readonly [string, number][]): string {
  return entries.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Fields (`name=value`) that a rule drops with some values only, with the URLs that have them. */
function valuesOf({ rule, urls }: Dropping, matters: (name: string) => boolean): Values {
  const names = new Set(rule.kind === 'parameter' ? namesOf(rule) : rule.kind === 'substring' ? namesIn(rule) : []);
  const found = new Map<string, number>();
  const fields = names.size === 0 ? [] : urls.flatMap((url) => partsOf(url).fields);
  for (const { name, text, value } of fields)
    if (names.has(name) && matters(name) && (value ?? '') !== '' && isDropped(rule, text))
      found.set(text, (found.get(text) ?? 0) + 1);
  return found.size > MOST_VALUES ? new Map() : found;
}

/** The name, if the rule does not hold for all values. */
function namesOf({ name, action, only = [], not = [] }: ParameterRule): string[] {
  const isOwn = ({ part, is }: Condition) => part === 'field' && `${is}`.startsWith(`${name}=`);
  return action === 'remove' && [...only, ...not].some(isOwn) ? [name] : [];
}

/** Names of whole fields, only at the end of the URL: elsewhere the text that follows may belong to the value. */
function namesIn({ from, to, anchor }: SubstringRule): string[] {
  if (anchor !== 'end' || /[?&;]/.test(to)) return [];
  return [...from.matchAll(/[?&;]([^?&;=]+)=(?=[^?&;=]+(?:$|[&;]))/g)].map(([, name]) => name!);
}

function isDropped(rule: Rule, field: string): boolean {
  return rule.kind !== 'substring' || rule.from.split(/[?&;]/).includes(field);
}

/** The rule, except where one of these fields is. */
function narrowed(rule: ParameterRule, others: ReadonlySet<string>): Rule {
  const { only = [], not = [] } = rule;
  if (only.length > 0) return { ...rule, only: only.filter(({ is }) => !others.has(`${is}`)) };
  return { ...rule, not: [...not, ...Array.from(others, (is): Condition => ({ part: 'field', is }))] };
}
