// Which path segments have no effect, whatever their value? Candidates are URLs that differ in one segment only, in
// many places:
//
//     /s/8fa2/item/7      /s/19bc/item/7      -> /s/19bc/item/7
//
// Languages and repositories look like that too, but a site has few of them, so many values are required. The last
// segment is not asked about: a page that answers under many names, such as a list of changes or a login page, counts
// as a soft error (`soft`).
import type { PatternRule } from '../../rule/rule.js';
import { faultOfPattern } from '../../rule/pattern.js';
import { secretKindOf } from '../../url/secret.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import type { UrlParts } from './parts.js';

/** Least number of URLs that a pattern must merge with others. */
const LEAST_SAVED = 8;
/** Least share of a folder's URLs that also occur with another value of the segment. */
const LEAST_SHARE = 0.3;
const LEAST_VALUES = 10;
const MOST_BEFORE = 2;
/** How many patterns become questions: those that save the most. */
const MOST_QUESTIONS = 6;
const PRIOR = 0.15;

/** URLs that one pattern would cover. */
interface Group {
  /** Text of the path before the segment. */
  readonly before: string;
  /** Maps the rest of the URL to the segments that occur with it. */
  readonly places: Map<string, Set<string>>;
  urls: number;
}

export function segmentQuestionsOf(site: string, parts: readonly UrlParts[]): Hypothesis[] {
  return insidePaths(parts)
    .filter(isUsual)
    .map((group) => ({ group, saved: savedBy(group) }))
    .filter(({ saved }) => saved >= LEAST_SAVED)
    .sort((a, b) => b.saved - a.saved || (a.group.before < b.group.before ? -1 : 1))
    .slice(0, MOST_QUESTIONS)
    .flatMap(({ group }) => patternOf(site, group) ?? [])
    .map((rule) => hypothesisOf([rule], { prior: PRIOR }));
}

/** `/s/{segment}/{1:path}?{*}`, for each start. */
function insidePaths(parts: readonly UrlParts[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { scheme, host, segments, query = '' } of parts) {
    for (let at = 0; at <= MOST_BEFORE && at + 1 < segments.length; at++) {
      const rest = segments.slice(at + 1).join('/');
      if (rest === '' || segments[at] === '') continue;
      const start = segments.slice(0, at).map((one) => `${one}/`);
      note(groups, `/${start.join('')}`, `${scheme}${host} ${rest}?${query}`, segments[at]!);
    }
  }
  return [...groups.values()];
}

function note(groups: Map<string, Group>, before: string, place: string, segment: string): void {
  const group = groups.get(before) ?? { before, places: new Map<string, Set<string>>(), urls: 0 };
  group.places.set(place, (group.places.get(place) ?? new Set()).add(segment));
  group.urls++;
  groups.set(before, group);
}

function savedBy({ places }: Group): number {
  let saved = 0;
  for (const segments of places.values()) saved += segments.size - 1;
  return saved;
}

function isUsual(group: Group): boolean {
  const values = new Set([...group.places.values()].flatMap((segments) => [...segments]));
  return values.size >= LEAST_VALUES && savedBy(group) >= LEAST_SHARE * group.urls;
}

/** Rewrites to the segment that occurs in the most places, unless it identifies a visitor. */
function patternOf(site: string, { before, places }: Group): PatternRule | undefined {
  const counts = new Map<string, number>();
  for (const segments of places.values()) for (const one of segments) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [segment] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]!;
  const pattern = `${before}{segment}/{1:path}?{*}`;
  const template = `${before}${segment}/{1}?{*}`;
  const isSecret = secretKindOf('', segment) !== undefined;
  if (isSecret || /[{}]/.test(before + segment) || faultOfPattern({ pattern, template }) !== undefined)
    return undefined;
  const support = { clusters: 0, urls: 0 };
  const base = { rank: 0, status: 'likely', examples: [], against: 0, confidence: 0 } as const;
  return { ...base, kind: 'pattern', site, pattern, template, support };
}
