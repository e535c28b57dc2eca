// What rules do the site's own redirects and canonical links suggest? What several of them have in common: the step, the parameters or
// the text by which they lead from one URL to the other.
//
// A canonical link lies at times: to the homepage, to page one, to another host. So it only proposes; contents decide.
import type { Rule } from '../../rule/rule.js';
import { isGrowth } from '../../rule/standing.js';
import type { Hint } from './answer.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import { partsOf } from './parts.js';
import { parameterRule, stepRule, substringRule } from './questions.js';

/** So many pages have to say it. */
const MIN_HINTS = 2;

export function hypothesesOf(site: string, hints: readonly Hint[]): Hypothesis[] {
  const found = new Map<string, { readonly rule: Rule; needsWord: boolean; count: number }>();
  for (const { from, to } of hints) {
    for (const { rule, needsWord } of suggestions(site, from, to)) {
      const key = JSON.stringify(rule);
      const known = found.get(key);
      if (known === undefined) found.set(key, { rule, needsWord, count: 1 });
      else known.count++;
    }
  }
  return [...found.values()]
    .filter(({ count }) => count >= MIN_HINTS)
    .map(({ rule, needsWord }) => hypothesisOf([rule], { prior: 0.85, needsWord }));
}

interface Suggestion {
  readonly rule: Rule;
  readonly needsWord: boolean;
}

const TOKEN = /[0-9A-Za-z\u0080-\u{10ffff}]+|[^0-9A-Za-z\u0080-\u{10ffff}]/gsu;

function suggestions(site: string, from: string, to: string): Suggestion[] {
  const [u, v] = [partsOf(from), partsOf(to)];
  const names = new Set(v.fields.map(({ name }) => name));
  const dropped = u.fields.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  const found: Suggestion[] = [...new Set(dropped)].map((name) => ({
    rule: parameterRule(site, name, 'remove', null),
    needsWord: false,
  }));
  if (
    from.replace(/\/+($|\?)/, '$1') === to.replace(/\/+($|\?)/, '$1') &&
    /[^/](\?|$)/.test(from.replace(/\?.*$/s, ''))
  ) {
    found.push({ rule: stepRule(site, 'add-end-slash'), needsWord: true });
  }
  const difference = differenceOf(from.match(TOKEN) ?? [], to.match(TOKEN) ?? []);
  if (difference !== undefined) {
    const { alpha, beta, anchor } = difference;
    const rule = substringRule(site, alpha, beta, anchor);
    if (alpha !== beta) found.push({ rule, needsWord: isGrowth(rule) });
  }
  return found;
}

/** The one place in which two URLs differ; with a token beside it where one side would be empty. Long ones are no rule. */
function differenceOf(
  from: readonly string[],
  to: readonly string[],
): { readonly alpha: string; readonly beta: string; readonly anchor: 'none' | 'start' | 'end' } | undefined {
  let start = 0;
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++;
  let end = 0;
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  if (from.length - start - end > 12 || to.length - start - end > 12) return undefined;
  const isEmpty = from.length === start + end || to.length === start + end;
  if (isEmpty && end > 0) end--;
  else if (isEmpty && start > 0) start--;
  const alpha = from.slice(start, from.length - end).join('');
  const beta = to.slice(start, to.length - end).join('');
  return { alpha, beta, anchor: start === 0 ? 'start' : end === 0 ? 'end' : 'none' };
}
