// Where does a rule hold, in the words of the owner of the site? The words contain raw text of the log, which callers
// escape.
//
//     scope /lib/exe/ and below          below `/lib/exe/`
//     only segment library or depth 2    where a part of the path is `library` or on paths as deep as `/a/b`
//     not first rss, first atom          except under `/rss/` or `/atom/`
//     not text _, not a query with :     if the address has no `_` and the query has no `:`
//     two URLs that were wrong           except at 2 addresses
import { many } from '../../base/amounts.js';
import type { Condition, ParameterRule, Rule } from '../rule.js';
import { listed, quoted } from './quoted.js';

/** Such as ``under `/feed/`, except where the path ends in `/rss` ``; '' for a rule that holds everywhere. */
export function whereWords(rule: Pick<Rule, 'only' | 'not' | 'except'>): string {
  const where = [onlyWords(rule), ifWords(rule)].filter((words) => words !== '').join(' ');
  return [where, exceptWords(rule)].filter((words) => words !== '').join(', ');
}

export function onlyWords({ only = [] }: Pick<Rule, 'only'>): string {
  return conditionsWords(only);
}

/** What an address must not have: ``if the query has no `:` ``. Other exceptions are places. */
export function ifWords({ not = [] }: Pick<Rule, 'not'>): string {
  const words = sharedWords(not.flatMap((condition) => absenceWords(condition) ?? []));
  return words.length === 0 ? '' : `if ${listed(words)}`;
}

export function exceptWords({ not = [], except = [] }: Pick<Rule, 'not' | 'except'>): string {
  const places = not.filter((condition) => absenceWords(condition) === undefined);
  const exceptions = [
    ...(places.length === 0 ? [] : [conditionsWords(places)]),
    ...(except.length === 0
      ? []
      : [except.length === 1 ? `at ${quoted(except[0]!)}` : `at ${except.length} addresses`]),
  ];
  return exceptions.length === 0 ? '' : `except ${exceptions.join(' and ')}`;
}

/** Where a parameter is changed: ``below `/shop/` ``, ``on `/search` ``; '' for the whole site. */
export function scopeWords({ scope, path }: Pick<ParameterRule, 'scope' | 'path'>): string {
  if (scope === 'site') return '';
  const place = quoted(path.startsWith('//') ? path.slice(2) : path);
  return scope === 'prefix' ? `below ${place}` : `on ${place}`;
}

function conditionsWords(conditions: readonly Condition[]): string {
  return listed(sharedWords(conditions.map(conditionWords)), 'or');
}

/** Conditions of one part share its words: ``under `/a/` or `/b/` ``. */
function sharedWords(all: readonly Words[]): string[] {
  const byWords = new Map<string, string[]>();
  for (const [words, what] of all) {
    const some = byWords.get(words) ?? [];
    byWords.set(words, some);
    if (what !== undefined) some.push(what);
  }
  return Array.from(byWords, ([words, some]) => {
    if (words === ON_HOST && some.length > MOST_HOSTS) return `on ${some.length.toLocaleString('en')} hosts`;
    return words.replace('…', listed(some, 'or'));
  });
}

const ON_HOST = 'on the host …';
/** More hosts are counted. */
const MOST_HOSTS = 3;

type Words = readonly [words: string, what?: string];

/** The words for the opposite of a condition about text in the address; undefined for a condition about a place. */
function absenceWords({ part, is }: Condition): [Words] | undefined {
  switch (part) {
    case 'fields':
      return is === 0 ? [['the address has a query']] : undefined;
    case 'parameter':
      return [['the address has no parameter …', quoted(is)]];
    case 'field':
      return [is === '' ? ['the address has no empty parameter'] : ['the address has no …', quoted(is)]];
    case 'query':
      return [is === '' ? ['the address has no query'] : ['the query has no …', quoted(is)]];
    case 'text':
      return [['the address has no …', quoted(is)]];
    default:
      return undefined;
  }
}

/** The words with `…` for the name, so that conditions with the same words can be joined. */
function conditionWords({ part, is }: Condition): Words {
  switch (part) {
    case 'host':
      return is === '' ? ['on addresses without a host'] : [ON_HOST, quoted(is)];
    case 'first':
      return is === '' ? ['on the front page'] : ['under …', quoted(`/${is}/`)];
    case 'last':
      return is === '' ? ['where the path ends in a slash'] : ['where the path ends in …', quoted(`/${is}`)];
    case 'segment':
      return is === '' ? ['where the path has an empty part'] : ['where a part of the path is …', quoted(is)];
    case 'extension':
      return is === '' ? ['where the path ends without a dot'] : ['where the path ends in …', quoted(`.${is}`)];
    case 'depth':
      return is === 0 ? ['on the front page'] : ['on paths as deep as …', pathOfDepth(is)];
    case 'fields':
      return is === 0
        ? ['on addresses without a query']
        : [`on addresses with ${is === 1 ? 'one parameter' : many(is, 'parameter')}`];
    case 'parameter':
      return ['on addresses with the parameter …', quoted(is)];
    case 'field':
      return is === '' ? ['on addresses with an empty parameter'] : ['on addresses with …', quoted(is)];
    case 'query':
      return is === '' ? ['on addresses with a query'] : ['on addresses with … in the query', quoted(is)];
    case 'text':
      return ['on addresses with … in them', quoted(is)];
    default:
      return part satisfies never;
  }
}

const DEEP = '/a/b/c/d/e/f/g/h';

function pathOfDepth(depth: number): string {
  return 2 * depth <= DEEP.length ? quoted(DEEP.slice(0, 2 * depth)) : `one of ${many(depth, 'part')}`;
}
