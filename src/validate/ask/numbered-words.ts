// Does only the number count, where a segment or a value has words beside it? Only asked where the log has several
// words beside one number, as only then the answer saves anything:
//
//     /t/how-to-sow_17/    /t/sowing_17/      -> /t/17/
//     /topic?id=17-sowing  /topic?id=17-beds  -> /topic?id=17
//
// The form is the number alone, if the site has a page there: words that anybody may choose make no name. A site that
// redirects to the right words does by itself what no rule can do, since a number does not say which words are right.
import type { PatternRule } from '../../rule/rule.js';
import { faultOfPattern } from '../../rule/pattern.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import type { UrlParts } from './parts.js';

/** Least number of URLs that a pattern must merge with others. */
const LEAST_SAVED = 3;
const MOST_QUESTIONS = 6;
const PRIOR = 0.3;

/** A text of words and a number, as a pattern writes it, and the number. A class ends where its text may go on. */
interface Numbered {
  readonly pattern: string;
  /** The same without the words. */
  readonly bare: string;
  readonly number: string;
}

function numbered(text: string): Numbered | undefined {
  const [, first, sign] = /^(\d+)([-_.,~])[^?&;]*[a-z]/i.exec(text) ?? [];
  if (first !== undefined) return { pattern: `{1:digits}${sign}{WORDS}`, bare: '{1}', number: first };
  const [, mark, last, end = ''] = /^[0-9a-z-]*[a-z][0-9a-z-]*([_.,~])(\d+)(\.[a-z]+)?$/i.exec(text) ?? [];
  if (last === undefined) return undefined;
  return { pattern: `{label}${mark}{1:digits}${end}`, bare: `{1}${end}`, number: last };
}

/** A URL pattern, with the words that occur beside each number and the same other text. */
interface Group {
  readonly pattern: string;
  readonly template: string;
  readonly places: Map<string, Set<string>>;
}

export function numberQuestionsOf(site: string, parts: readonly UrlParts[]): Hypothesis[] {
  const groups = new Map<string, Group>();
  for (const one of parts) {
    noteSegments(groups, one);
    noteFields(groups, one);
  }
  return [...groups.values()]
    .filter((group) => savedBy(group) >= LEAST_SAVED)
    .sort((a, b) => savedBy(b) - savedBy(a) || (a.pattern < b.pattern ? -1 : 1))
    .slice(0, MOST_QUESTIONS)
    .flatMap((group) => ruleOf(site, group) ?? [])
    .map((rule) => hypothesisOf([rule], { prior: PRIOR }));
}

/** `/t/how-to-sow_17/x` as `/t/{label}_{1:digits}/{2:path}`. */
function noteSegments(groups: Map<string, Group>, { scheme, host, segments, query = '' }: UrlParts): void {
  for (const [at, segment] of segments.entries()) {
    const found = numbered(segment);
    if (found === undefined) continue;
    const before = `/${segments
      .slice(0, at)
      .map((one) => `${one}/`)
      .join('')}`;
    const rest = segments.slice(at + 1).join('/');
    const [after, copied] = at + 1 === segments.length ? ['', ''] : rest === '' ? ['/', '/'] : ['/{2:path}', '/{2}'];
    const pattern = `${before}${found.pattern.replace('WORDS', 'segment')}${after}?{*}`;
    const place = `${scheme}${host} ${found.number} ${rest}?${query}`;
    note(groups, { pattern, template: `${before}${found.bare}${copied}?{*}` }, place, segment);
  }
}

/** `/topic?id=17-sowing` as `/topic?id={1:digits}-{value}`. */
function noteFields(groups: Map<string, Group>, { scheme, host, segments, fields }: UrlParts): void {
  for (const { name, value = '' } of fields) {
    const found = numbered(value);
    if (found === undefined) continue;
    const path = `/${segments.join('/')}?${name}=`;
    const others = fields.filter((field) => field.name !== name).map(({ text }) => text);
    const pattern = `${path}${found.pattern.replace('WORDS', 'value')}&{*}`;
    note(
      groups,
      { pattern, template: `${path}${found.bare}&{*}` },
      `${scheme}${host} ${found.number} ${others.join('&')}`,
      value,
    );
  }
}

function note(groups: Map<string, Group>, text: Omit<Group, 'places'>, place: string, words: string): void {
  const group = groups.get(text.pattern) ?? { ...text, places: new Map<string, Set<string>>() };
  group.places.set(place, (group.places.get(place) ?? new Set()).add(words));
  groups.set(text.pattern, group);
}

function savedBy({ places }: Group): number {
  let saved = 0;
  for (const words of places.values()) saved += words.size - 1;
  return saved;
}

function ruleOf(site: string, { pattern, template }: Group): PatternRule | undefined {
  if (faultOfPattern({ pattern, template }) !== undefined) return undefined;
  const base = { rank: 0, status: 'likely', examples: [], against: 0, confidence: 0 } as const;
  return { ...base, kind: 'pattern', site, pattern, template, support: { clusters: 0, urls: 0 } };
}
