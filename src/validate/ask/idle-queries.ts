// Which paths ignore their whole query? A product page ignores what a list of products is sorted by, and a pixel
// whatever it is sent. One rule says so, instead of a rule for each field and value:
//
//     /pixel.gif?id=7&81    /pixel.gif?id=9      -> /pixel.gif
//     /p/red-shoe/?page=2   /p/hat/?sort=up      -> /p/{1:segment}/
//
// Fields that may mean money or choice are left to rules of their own, as equal pages prove nothing about them.
import { ANY_SEGMENT, dropsQuery, queryDropping } from '../../rule/idle-query.js';
import { faultOfPattern } from '../../rule/pattern.js';
import type { Condition, PatternRule, Rule } from '../../rule/rule.js';
import { mayMean } from '../../url/names.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import { partsOf, type UrlParts } from './parts.js';

/** Least number of URLs that a pattern must merge with others, and of different queries on its paths. */
const LEAST_SAVED = 8;
const LEAST_QUERIES = 5;
/** Fewer paths are asked about one by one. */
const LEAST_PATHS = 3;
/** One name needs no more than a rule of its own. Each is tried, so there may not be many. */
const LEAST_NAMES = 2;
const MOST_NAMES = 12;
const MOST_SEGMENTS = 8;
/** The most patterns that are asked about: those that save the most. */
const MOST_QUESTIONS = 15;
const PRIOR = 0.2;
const NUMBER = '#';

/** The URLs with a query whose paths are alike but for one segment. */
interface Group {
  readonly path: string;
  readonly names: Set<string>;
  readonly queries: Set<string>;
  /** With hosts. */
  readonly paths: Set<string>;
  urls: number;
}

export function queryQuestionsOf(site: string, parts: readonly UrlParts[]): Hypothesis[] {
  const meaning = new Set(parts.flatMap(({ fields }) => fields.map(({ name }) => name)).filter(mayMean));
  const not = Array.from(meaning, (is): Condition => ({ part: 'parameter', is }));
  return groupsOf(parts, meaning)
    .filter((group) => savedBy(group) >= LEAST_SAVED && group.queries.size >= LEAST_QUERIES)
    .filter(({ names }) => names.size >= LEAST_NAMES && names.size <= MOST_NAMES)
    .filter(
      ({ path, paths }) => !path.includes(ANY_SEGMENT) || new Set([...paths].map(withoutHost)).size >= LEAST_PATHS,
    )
    .sort((a, b) => savedBy(b) - savedBy(a) || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_QUESTIONS)
    .flatMap(({ path }) => patternOf(site, path) ?? [])
    .map((rule) => hypothesisOf([not.length === 0 ? rule : { ...rule, not }], { prior: PRIOR, isJoint: true }));
}

function groupsOf(parts: readonly UrlParts[], meaning: ReadonlySet<string>): Group[] {
  const groups = new Map<string, Group>();
  for (const { scheme, host, segments, fields, query } of parts) {
    if (fields.length === 0 || fields.some(({ name }) => meaning.has(name)) || segments.length > MOST_SEGMENTS)
      continue;
    for (const path of pathsOf(segments)) {
      let group = groups.get(path);
      if (group === undefined)
        groups.set(path, (group = { path, names: new Set(), queries: new Set(), paths: new Set(), urls: 0 }));
      for (const { name } of fields) group.names.add(isNumber(name) ? NUMBER : name);
      group.queries.add(query!);
      group.paths.add(`${scheme}${host}/${segments.join('/')}`);
      group.urls++;
    }
  }
  return [...groups.values()];
}

/** The path itself, and the path with each one of its segments replaced by a wildcard. */
function pathsOf(segments: readonly string[]): string[] {
  const whole = `/${segments.join('/')}`;
  return [
    whole,
    ...segments.flatMap((one, at) => (one === '' ? [] : [`/${segments.with(at, ANY_SEGMENT).join('/')}`])),
  ];
}

function withoutHost(path: string): string {
  return path.slice(path.indexOf('/', path.indexOf('://') + 3));
}

/** A number is rather something that makes a request unique than a name. */
function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

export function namesOf(fields: UrlParts['fields']): string[] {
  return fields.map(({ name }) => name).filter((name) => !isNumber(name));
}

/** The rule without fields that visitors choose in forms: what they select may matter tomorrow. */
export function leavingChosen(rule: Rule, urls: readonly string[], isChosen: (name: string) => boolean): Rule {
  const names = dropsQuery(rule) ? urls.flatMap((url) => namesOf(partsOf(url).fields)).filter(isChosen) : [];
  if (names.length === 0) return rule;
  return {
    ...rule,
    not: [...(rule.not ?? []), ...Array.from(new Set(names), (is): Condition => ({ part: 'parameter', is }))],
  };
}

function savedBy({ urls, paths }: Group): number {
  return urls - paths.size;
}

function patternOf(site: string, path: string): PatternRule | undefined {
  const text = queryDropping(path);
  if (/[{}]/.test(path.replace(ANY_SEGMENT, '')) || faultOfPattern(text) !== undefined) return undefined;
  const base = { rank: 0, status: 'likely', examples: [], against: 0, confidence: 0 } as const;
  return { ...base, kind: 'pattern', site, ...text, support: { clusters: 0, urls: 0 } };
}
