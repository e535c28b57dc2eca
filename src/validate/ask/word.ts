// What rules do the site's own redirects and canonical links suggest? Those that several of them share: the step, the
// parameters or the text that lead from one URL to the other.
//
// Canonical links are sometimes wrong: they name the homepage, page one, or another host. So they only suggest rules;
// contents decide.
import type { Rule } from '../../rule/rule.js';
import { isGrowth } from '../../rule/standing.js';
import { isRun, tokensOf } from '../../url/token.js';
import type { Hint } from './answer.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import { partsOf } from './parts.js';
import { parameterRule, stepRule, substringRule, whereWhole } from './questions.js';

/** A rule needs this many pages that suggest it. */
const MIN_HINTS = 2;

export function hypothesesOf(site: string, hints: readonly Hint[]): Hypothesis[] {
  const found = new Map<string, Suggestion & { count: number }>();
  for (const { from, to } of hints) {
    const said = new Map(suggestions(site, from, to).map((one) => [JSON.stringify(one.rules), one]));
    for (const [key, one] of said) {
      const known = found.get(key);
      if (known === undefined) found.set(key, { ...one, count: 1 });
      else known.count++;
    }
  }
  return [...found.values()]
    .filter(({ count }) => count >= MIN_HINTS)
    .map(({ rules, needsWord }) => hypothesisOf(rules, { prior: 0.85, needsWord }));
}

interface Suggestion {
  /** Several rules if only all of them together lead from one URL to the other. */
  readonly rules: readonly Rule[];
  readonly needsWord: boolean;
}

function suggestions(site: string, from: string, to: string): Suggestion[] {
  const [u, v] = [partsOf(from), partsOf(to)];
  const names = new Set(v.fields.map(({ name }) => name));
  const dropped = u.fields.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  const found: Suggestion[] = [...new Set(dropped)].map((name) => ({
    rules: [parameterRule(site, name, 'remove', null)],
    needsWord: false,
  }));
  if (
    from.replace(/\/+($|\?)/, '$1') === to.replace(/\/+($|\?)/, '$1') &&
    /[^/](\?|$)/.test(from.replace(/\?.*$/s, ''))
  ) {
    found.push({ rules: [stepRule(site, 'add-end-slash')], needsWord: true });
  }
  for (const [one, other] of apart(from, to)) {
    const rules = differencesOf(one, other)?.map(({ alpha, beta, anchor }) =>
      whereWhole(substringRule(site, alpha, beta, anchor)),
    );
    if (rules !== undefined) found.push({ rules, needsWord: rules.some(isGrowth) });
  }
  return found;
}

/** Splits a redirect that changes several things at once: the host, and the path or its final slash. */
function apart(from: string, to: string): [string, string][] {
  const [host, otherHost] = [hostOf(from), hostOf(to)];
  if (host === otherHost) return [[from, to], withoutEnd(from, to)];
  const moved = otherHost + from.slice(host.length);
  return [[from, to], [host, otherHost], [moved, to], withoutEnd(moved, to)];
}

/** Scheme and host, with the slash after them; '' for a path. */
function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?]*\/?/is.exec(url)?.[0] ?? '';
}

/** Makes both end in the same slash, or none. */
function withoutEnd(from: string, to: string): [string, string] {
  const end = /\/*(?=$|\?)/s;
  return [from.replace(end, end.exec(to)?.[0] ?? ''), to];
}

interface Difference {
  readonly alpha: string;
  readonly beta: string;
  readonly anchor: 'none' | 'start' | 'end';
}

/** Longer differences do not make a rule. */
const MAX_TOKENS = 12;
/** The most tokens between the first and the last difference of two URLs. */
const MOST_BETWEEN = 60;

/**
 * Where two URLs differ: in one place, or in two with shared text between them. Undefined if they differ too much, or
 * not at all.
 */
function differencesOf(one: string, other: string): Difference[] | undefined {
  const [from, to] = [tokensOf(one), tokensOf(other)];
  const { start, end } = sharedEnds(from, to);
  if (from.length === start + end && to.length === start + end) return undefined;
  const [between, otherBetween] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  if (Math.max(between.length, otherBetween.length) > MOST_BETWEEN) return undefined;
  const middle = longestShared(between, otherBetween);
  if (middle === undefined) return inReason([differenceAt(from, to, start, end)]);
  const { length } = middle;
  const [first, second] = [middle.from + start, middle.to + start];
  const left = differenceAt(from.slice(0, first + length), to.slice(0, second + length), start, length);
  const right = differenceAt(from.slice(first), to.slice(second), length, end);
  return inReason([
    { ...left, anchor: left.anchor === 'start' ? 'start' : 'none' },
    { ...right, anchor: right.anchor === 'end' ? 'end' : 'none' },
  ]);
}

function inReason(differences: Difference[]): Difference[] | undefined {
  const isLong = (text: string) => tokensOf(text).length > MAX_TOKENS + 1;
  return differences.some(({ alpha, beta }) => isLong(alpha) || isLong(beta)) ? undefined : differences;
}

/** Number of tokens in the common prefix and the common suffix. */
function sharedEnds(from: readonly string[], to: readonly string[]): { readonly start: number; readonly end: number } {
  const least = Math.min(from.length, to.length);
  let start = 0;
  while (start < least && from[start] === to[start]) start++;
  let end = 0;
  while (end < least - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  return { start, end };
}

/** The longest common run of tokens that has a word, and something on both sides of it. */
function longestShared(from: readonly string[], to: readonly string[]) {
  let longest: { readonly from: number; readonly to: number; readonly length: number } | undefined;
  for (let i = 0; i < from.length; i++) {
    for (let j = 0; j < to.length; j++) {
      let length = 0;
      while (i + length < from.length && j + length < to.length && from[i + length] === to[j + length]) length++;
      const isInside = i + j > 0 && i + j + 2 * length < from.length + to.length;
      const hasWord = from.slice(i, i + length).some(isRun);
      if (isInside && hasWord && length > (longest?.length ?? 0)) longest = { from: i, to: j, length };
    }
  }
  return longest;
}

/** The text between the shared ends, extended by a token if one side would be empty. */
function differenceAt(from: readonly string[], to: readonly string[], start: number, end: number): Difference {
  const isEmpty = from.length === start + end || to.length === start + end;
  const [before, after] = !isEmpty ? [start, end] : end > 0 ? [start, end - 1] : [Math.max(0, start - 1), end];
  return {
    alpha: from.slice(before, from.length - after).join(''),
    beta: to.slice(before, to.length - after).join(''),
    anchor: before === 0 ? 'start' : after === 0 ? 'end' : 'none',
  };
}
