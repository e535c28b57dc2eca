// Which URL shows best what a rule does? One that the rule, as it is now, maps to its image. A rule that validation
// narrowed or derived from another may still have examples that it no longer changes.
import { decodeText, encodeText } from '../../base/bytes.js';
import { pathStart } from '../../url/form.js';
import { masked } from '../../url/secret.js';
import { compileRule, imageOf } from '../apply.js';
import type { Rule } from '../rule.js';

/** A URL and its form by this rule alone, without the origin if both have the same; undefined if no URL is known. */
export function exampleOf(rule: Rule): readonly [url: string, form: string] | undefined {
  const compiled = compileRule(rule);
  const known = [...rule.examples, ...(rule.verdict?.positives ?? [])];
  for (const [url] of known.toSorted(([a], [b]) => a.length - b.length)) {
    const bytes = encodeText(url);
    const form = imageOf(compiled, bytes, 0);
    const [shown, image] = [masked(url), masked(decodeText(form))];
    if (form !== bytes && shown !== image) return withoutOrigin(shown, image);
  }
  return undefined;
}

/** The rule with examples from these URLs, if its own examples show nothing because it was made of another rule. */
export function withExamples<R extends Rule>(rule: R, urls: readonly string[]): R {
  if (exampleOf(rule) !== undefined) return rule;
  const compiled = compileRule(rule);
  const examples: (readonly [string, string])[] = [];
  for (const url of urls) {
    const bytes = encodeText(url);
    const form = imageOf(compiled, bytes, 0);
    if (form !== bytes) examples.push([url, decodeText(form)]);
    if (examples.length === MOST_EXAMPLES) break;
  }
  return examples.length === 0 ? rule : { ...rule, examples };
}

const MOST_EXAMPLES = 3;

function withoutOrigin(url: string, form: string): readonly [string, string] {
  const [origin, other] = [url, form].map((one) => one.slice(0, pathStart(encodeText(one))));
  return origin === other ? [url.slice(origin!.length), form.slice(origin!.length)] : [url, form];
}
