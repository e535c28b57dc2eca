// How far may a rule reach that was tried on few URLs? Not beyond these: in one shop, a rule confirmed by three URLs
// with the same pair of values broke a filter.
//
//     without view, seen as view=list in 4 URLs      only where the query has view=list
//     /old/ -> / in 5 URLs of /docs/                 only where the first segment is "docs"
//     without page, seen as page=1 in 500 URLs       only where the query has page=1
//     without empty fields, but never tried tag=     not where the query has tag=
//
// Successful probes count as tried. Rules about visitors' fields and steps are not limited, as they mean the same
// everywhere.
import { dropsQuery } from '../../rule/idle-query.js';
import type { Condition, Rule } from '../../rule/rule.js';
import { namesOf } from './idle-queries.js';
import { conditionKey, partsOf } from './parts.js';
import { defaultPrior, isOfVisit } from './prior.js';
import type { Change } from './site-forms.js';

/**
 * From this number of tried URLs on, a rule is not limited to them. Of ten rules that fail every fifth time, nine would
 * have failed by then.
 */
export const ENOUGH_TRIED = 10;
/** With different values of the parameter. */
const MOST_EXCEPTIONS = 1;
/** The most values that a condition lists. */
const MOST_VALUES = 3;

/** `changes`: the URLs of the list that the rule changes. */
export function boundTo(rule: Rule, changes: readonly Change[]): Rule {
  if (rule.only !== undefined || changes.length === 0) return rule;
  const urls = textsOf(changes);
  const only = rule.kind === 'parameter' ? valuesIn(rule.name, urls) : rule.kind === 'substring' ? placeOf(urls) : [];
  return only.length === 0 ? rule : { ...rule, only };
}

/**
 * True for a parameter whose value decides what some pages show: exceptions have different values. Of 592 URLs of a
 * forum whose `r` is the number of a reply, three and four exceptions were found, and five and eight others were wrong.
 */
export function hasTooManyExceptions(rule: Rule): boolean {
  if (rule.kind !== 'parameter' || isOfVisit(rule.name)) return false;
  return valuesOf(rule.name, rule.except ?? []).length > MOST_EXCEPTIONS;
}

/**
 * For a numeric parameter: limits the rule to the values seen, if they are few and no probe with another value
 * succeeded. Lists of one page answer `page=2` with 404, which says nothing of longer lists.
 */
export function boundToValues(rule: Rule, changes: readonly Change[], probes: readonly string[]): Rule {
  if (rule.kind !== 'parameter' || rule.only !== undefined) return rule;
  const only = valuesIn(rule.name, textsOf(changes));
  const seen = new Set(only.map(({ is }) => is));
  const areNumbers = only.length > 0 && only.every(({ is }) => /=\d+$/.test(`${is}`));
  const isProbed = valuesOf(rule.name, probes).some((text) => !seen.has(text));
  return areNumbers && !isProbed ? { ...rule, only } : rule;
}

/**
 * For a rule about fields of any name: excludes names of which none was tried. `right`: URLs for which the rule proved
 * right.
 */
export function boundToNames(rule: Rule, changes: readonly Change[], right: readonly string[]): Rule {
  const namesOf = (url: string) => namedFields(rule, url);
  const tried = new Set(right.flatMap(namesOf).map(conditionKey));
  const all = new Map(
    textsOf(changes)
      .flatMap(namesOf)
      .map((one) => [conditionKey(one), one]),
  );
  const open = [...all].flatMap(([key, one]) => (tried.has(key) ? [] : [one]));
  return open.length === 0 ? rule : { ...rule, not: [...(rule.not ?? []), ...open] };
}

/** The fields of a URL that a rule about fields of any name drops: empty ones, such as `tag=`, or all. */
export function namedFields(rule: Rule, url: string): Condition[] {
  const { fields } = partsOf(url);
  if (dropsQuery(rule)) return namesOf(fields).map((is): Condition => ({ part: 'parameter', is }));
  if (rule.kind !== 'step' || rule.step !== 'drop-empty-fields') return [];
  return fields.flatMap(({ value, text }): Condition[] => (value === '' ? [{ part: 'field', is: text }] : []));
}

/**
 * True for a rule that removes one value on one path, unless the value is a likely default: `r=74` on
 * `/boards/1/topics/51`.
 */
export function isOfOneId(rule: Rule): boolean {
  if (rule.kind !== 'parameter' || rule.action !== 'remove' || rule.scope !== 'path') return false;
  const fields = rule.only?.filter(({ part }) => part === 'field') ?? [];
  return fields.length === 1 && defaultPrior(`${fields[0]!.is}`.slice(rule.name.length + 1)) < LIKELY_DEFAULT;
}

const LIKELY_DEFAULT = 0.4;

function textsOf(changes: readonly Change[]): string[] {
  return changes.map(({ form }) => form.text);
}

function valuesIn(name: string, urls: readonly string[]): Condition[] {
  const texts = valuesOf(name, urls);
  return texts.length > MOST_VALUES ? [] : texts.map((is) => ({ part: 'field', is }));
}

/** The fields of a name, as texts. */
function valuesOf(name: string, urls: readonly string[]): string[] {
  const own = urls.flatMap((url) => partsOf(url).fields.filter((field) => field.name === name));
  return [...new Set(own.map(({ text }) => text))];
}

/** A condition on the last segment that all URLs share, or else on the first. */
function placeOf(urls: readonly string[]): Condition[] {
  const parts = urls.map((url) => partsOf(url).segments);
  const last = parts[0]!.at(-1)!;
  if (last !== '' && parts.every((segments) => segments.at(-1) === last)) return [{ part: 'last', is: last }];
  const [first = ''] = parts[0]!;
  const isShared = first !== '' && parts.every((segments) => segments.length > 1 && segments[0] === first);
  return isShared ? [{ part: 'first', is: first }] : [];
}
