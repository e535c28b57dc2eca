// What would one ask about a site without knowing it? These are questions, not assumptions: each is tried like any
// other rule.
//
//     steps         doubled slashes, a slash at the end, case, separators, empty, repeated and numeric fields,
//                   order, junk at the end
//     parameters    each one in enough URLs: removed, alone or with those that it always occurs with, or set to its
//                   commonest value, or removed where it has a value that may be the default; and all that have the
//                   names of trackers, together
//     values        of fields that a URL has several times: sorted
//     segments      each one that can be dropped so that another URL of the list results; and where it may not matter
//                   which segment it is
//     queries       of paths that may ignore them as a whole
//     words         beside a number that may be all that counts
//     twins         hosts, schemes and folders that are followed by the same rests
//     characters    one character or escape replaced by another in paths and values
//
// A question is worth its requests only if it saves forms; the caller counts them.
import { placeText } from '../../rule/items-place.js';
import type { Condition, ParameterRule, Rule, StepName, StepRule, SubstringRule } from '../../rule/rule.js';
import { faultOfStep } from '../../rule/step.js';
import { hypothesisKey, hypothesisOf, type Asked, type Hypothesis } from './hypothesis.js';
import { queryQuestionsOf } from './idle-queries.js';
import { segmentQuestionsOf } from './idle-segments.js';
import { numberQuestionsOf } from './numbered-words.js';
import { partsOf, type UrlParts } from './parts.js';
import { defaultPrior, parameterPrior } from './prior.js';
import type { IsTracker } from './trackers.js';
import { likelyTwins } from './twins.js';

/** Parts that occur in fewer URLs are not asked about. */
const MIN_URLS = 3;
/** The most segments, values and twins that are asked about: those in the most URLs. */
const MAX_SEGMENTS = 400;
const MAX_TWINS = 40;
const MAX_PARAMETERS = 500;
const MAX_REPEATED = 20;
const MAX_NUMBERS = 3;
const LIKELY_DEFAULT = 0.4;
/**
 * Parameters with this prior are asked about together: nearly all sites ignore all of them, so that one answer is
 * enough.
 */
const TRACKER_PRIOR = 0.95;
const JOINT_PRIOR = 0.9;

const RULE_BASE = { rank: 0, status: 'likely', examples: [], against: 0, confidence: 0 } as const;

export function stepRule(site: string, step: StepName, text = ''): StepRule {
  return { ...RULE_BASE, kind: 'step', site, step, text, support: { urls: 0 } };
}

export function substringRule(
  site: string,
  from: string,
  to: string,
  anchor: SubstringRule['anchor'] = 'none',
): SubstringRule {
  return { ...RULE_BASE, kind: 'substring', site, from, to, anchor, support: { low: 0, high: 0 } };
}

export function parameterRule(
  site: string,
  name: string,
  action: ParameterRule['action'],
  value: string | null,
): ParameterRule {
  const support = { groups: 0, urls: 0 };
  return { ...RULE_BASE, kind: 'parameter', site, name, action, value, scope: 'site', path: '', support, chance: 0 };
}

/** How often each kind of question held on the sites examined; only the order matters. */
const STEP_PRIOR: readonly (readonly [StepName, number])[] = [
  ['fold-slashes', 0.9],
  ['trim-end', 0.8],
  ['drop-end-slash', 0.6],
  ['drop-empty-fields', 0.8],
  ['drop-repeated-fields', 0.8],
  ['drop-number-fields', 0.6],
  ['one-separator', 0.6],
  ['unescape', 0.6],
  ['lower-case', 0.4],
  ['sort-fields', 0.7],
];

/** `isTracker`: names that are asked about as trackers, beside those that are known. */
export function questionsOf(site: string, urls: readonly string[], isTracker?: IsTracker): Hypothesis[] {
  const parts = urls.map(partsOf);
  return [
    ...STEP_PRIOR.map(([step, prior]) => ask([stepRule(site, step)], { prior })),
    ...repeatedQuestions(site, parts),
    ...parameterQuestions(site, parts, isTracker),
    ...segmentQuestions(site, parts),
    ...segmentQuestionsOf(site, parts),
    ...queryQuestionsOf(site, parts),
    ...numberQuestionsOf(site, parts),
    ...twinQuestions(site, parts),
    ...separatorQuestions(site),
  ];
}

function ask(rules: readonly Rule[], asked: Asked): Hypothesis {
  return hypothesisOf(rules, asked);
}

interface Parameter {
  readonly name: string;
  readonly urls: Set<number>;
  readonly values: Map<string, number>;
  hasUpperCase: boolean;
}

function parameterQuestions(site: string, parts: readonly UrlParts[], isTracker?: IsTracker): Hypothesis[] {
  const priorOf = ({ name, values }: Parameter) => parameterPrior(name, [...values.keys()], isTracker);
  const parameters = [...parametersOf(parts).values()]
    .filter(({ urls }) => urls.size >= MIN_URLS)
    .sort((a, b) => b.urls.size - a.urls.size || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_PARAMETERS);
  const trackers = parameters.filter((parameter) => priorOf(parameter) >= TRACKER_PRIOR);
  const removed = ({ name, values }: Parameter) => parameterRule(site, name, 'remove', [...values.keys()][0]!);
  const joint = trackers.length < 2 ? [] : [ask(trackers.map(removed), { prior: JOINT_PRIOR, isJoint: true })];
  const single = parameters.flatMap((parameter) => {
    const { name, values } = parameter;
    const ordered = [...values].sort(([a, m], [b, n]) => n - m || a.length - b.length || (a < b ? -1 : 1));
    const commonest = ordered[0]![0];
    const prior = priorOf(parameter);
    const together = companionsOf(parameter, parameters);
    return [
      ask([parameterRule(site, name, 'remove', commonest)], { prior }),
      ask([parameterRule(site, name, 'set', commonest)], { prior: prior / 6 }),
      ...(values.size < 2 ? [] : ordered).flatMap(([value, times], at) =>
        isDefault(value, times, parameter) || isCommonNumber(value, times, at)
          ? [defaultQuestion(site, name, value)]
          : [],
      ),
      ...(parameter.hasUpperCase ? [ask([stepRule(site, 'lower-case', name)], { prior: 0.3 })] : []),
      // One question for all of them, asked with the first.
      ...(together.length > 1 && together[0] === parameter ? [ask(together.map(removed), { prior })] : []),
    ];
  });
  const known = new Set(single.map(hypothesisKey));
  return [...joint.filter((one) => !known.has(hypothesisKey(one))), ...single];
}

/** Does the order of several fields with the same name matter? */
function repeatedQuestions(site: string, parts: readonly UrlParts[]): Hypothesis[] {
  const repeated = new Map<string, number>();
  for (const { fields } of parts) {
    const names = fields.map(({ name }) => name);
    for (const name of new Set(names.filter((one, at) => names.indexOf(one) < at))) count(repeated, name);
  }
  return oftenest(repeated, MAX_REPEATED).flatMap((name) => {
    const text = placeText({ slot: 'repeated', name, separator: '&' });
    if (faultOfStep({ step: 'sort-items', text }) !== undefined) return [];
    return [ask([stepRule(site, 'sort-items', text)], { prior: 0.5 })];
  });
}

/** True if half of the URLs with the parameter have this value, or it looks like a default. */
function isDefault(value: string, times: number, { urls }: Parameter): boolean {
  if (value === '' || times < MIN_URLS) return false;
  return 2 * times >= urls.size || defaultPrior(value) >= LIKELY_DEFAULT;
}

/** True for a common number, as `limit=25`: the default of a list is one of the sizes that are requested most. */
function isCommonNumber(value: string, times: number, at: number): boolean {
  return at < MAX_NUMBERS && times >= MIN_URLS && /^\d{1,4}$/.test(value);
}

/** Is the value the default, so that the page is the same without the field? */
function defaultQuestion(site: string, name: string, value: string): Hypothesis {
  const only: Condition[] = [{ part: 'field', is: `${name}=${value}` }];
  return ask([{ ...parameterRule(site, name, 'remove', value), only }], { prior: defaultPrior(value) });
}

function parametersOf(parts: readonly UrlParts[]): Map<string, Parameter> {
  const found = new Map<string, Parameter>();
  for (const [at, { fields }] of parts.entries()) {
    for (const { name, value } of fields) {
      if (name === '' || /^\d+$/.test(name)) continue;
      let parameter = found.get(name);
      if (parameter === undefined) {
        parameter = { name, urls: new Set(), values: new Map(), hasUpperCase: false };
        found.set(name, parameter);
      }
      parameter.urls.add(at);
      parameter.values.set(value ?? '', (parameter.values.get(value ?? '') ?? 0) + 1);
      if (value !== undefined && /[A-Z]/.test(value)) parameter.hasUpperCase = true;
    }
  }
  return found;
}

/** Two parameters are companions if at least half of the URLs with either have both. */
function companionsOf(parameter: Parameter, all: readonly Parameter[]): Parameter[] {
  return all
    .filter((other) => {
      if (other === parameter) return true;
      const both = [...other.urls].filter((url) => parameter.urls.has(url)).length;
      return both >= 0.5 * (parameter.urls.size + other.urls.size - both);
    })
    .slice(0, 6);
}

function segmentQuestions(site: string, parts: readonly UrlParts[]): Hypothesis[] {
  const counts = new Map<string, number>();
  const lasts = new Map<string, number>();
  for (const { segments } of parts) {
    for (const segment of new Set(segments)) if (isName(segment)) count(counts, segment);
    if (isName(segments.at(-1)!)) count(lasts, segments.at(-1)!);
  }
  return [
    ...oftenest(lasts, MAX_SEGMENTS).map((segment) =>
      ask([stepRule(site, 'drop-last-segment', segment)], { prior: segmentPrior(segment) }),
    ),
    // If the segment is an index page at the end, this keeps the slash.
    ...oftenest(counts, MAX_SEGMENTS).map((segment) =>
      ask([stepRule(site, 'drop-segment', segment)], { prior: segmentPrior(segment) }),
    ),
  ];
}

/**
 * True for a segment that is no year, number or version. Pages of 2024 may be the current ones until next year, so
 * today's answer would not last.
 */
function isName(segment: string): boolean {
  return segment !== '' && !/^v?\d+(?:[._-]\d+)*$/i.test(segment);
}

/** The entries that are in enough URLs, the commonest first. */
function oftenest(some: ReadonlyMap<string, number>, most: number): string[] {
  return [...some]
    .filter(([, n]) => n >= MIN_URLS)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([one]) => one);
}

/** Folders are shown by their index page. */
function segmentPrior(segment: string): number {
  return /^(?:index|default|home|main|start|welcome)\b/i.test(segment) ? 0.7 : 0.15;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Also called for forms: escapes, trackers and slashes can hide that two starts have the same continuations. */
export function twinQuestions(site: string, parts: readonly UrlParts[]): Hypothesis[] {
  return likelyTwins(parts)
    .slice(0, MAX_TWINS)
    .map(({ from, to, prior }) => ask([whereWhole(substringRule(site, from, to, 'start'))], { prior }));
}

/**
 * A rule that removes the `?` of a query would leave further fields in the path (`/index.php?title=A&action=edit`), so
 * it is restricted to queries without further fields.
 */
export function whereWhole<R extends Rule>(rule: R): R {
  if (rule.kind !== 'substring' || rule.only !== undefined || rule.anchor === 'end' || rule.anchor === 'both')
    return rule;
  const query = rule.from.indexOf('?');
  if (query < 0 || rule.to.includes('?')) return rule;
  return { ...rule, only: [{ part: 'fields', is: rule.from.slice(query).split(/[&;]/).length }] };
}

function separatorQuestions(site: string): Hypothesis[] {
  const pairs = [
    [':', '/'],
    ['_', '-'],
    [';', '&'],
    ['+', '_'],
    ['.', '_'],
    ['%20', '_'],
    ['%20', '+'],
    ['%2F', '/'],
  ] as const;
  return pairs.map(([from, to]) => ask([substringRule(site, from, to)], { prior: 0.15 }));
}
