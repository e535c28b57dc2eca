// Which URLs beyond the list does the audit request? A few for each rule in use, made like its probes but drawn
// separately, and without those that the rule was tried with.
import { encodeText } from '../../../base/bytes.js';
import type { Rule } from '../../../rule/rule.js';
import { drawNumber } from '../../sample.js';
import { hypothesisOf } from '../hypothesis.js';
import type { Change, SiteForms } from '../site-forms.js';
import { isWritable } from './grammar.js';
import { urlsOf, type Making } from './probes.js';

/** A URL, and what all rules together make of it. */
export interface Tomorrow {
  readonly url: string;
  readonly form: string;
}

/** One URL for each rule, then another for each, up to `most`. */
export function tomorrowOf(
  forms: SiteForms,
  making: Making,
  { most, seed }: { most: number; seed: number },
): Tomorrow[] {
  const ofRules = forms.rules.map((rule) => drawn(urlsOf(rule, changesIn(rule, forms), making), seed));
  const found = new Map<string, Tomorrow>();
  for (let turn = 0; found.size < most && ofRules.some((urls) => turn < urls.length); turn++) {
    for (const urls of ofRules) {
      const url = urls[turn];
      if (url === undefined || found.size === most || making.grammar.has(url) || !isWritable(url)) continue;
      const form = forms.formOf(url);
      if (form !== url) found.set(url, { url, form });
    }
  }
  return [...found.values()];
}

function drawn(urls: readonly string[], seed: number): string[] {
  const numbered = [...new Set(urls)].map((url) => ({ url, number: drawNumber(encodeText(url), seed) }));
  return numbered.sort((a, b) => a.number - b.number).map(({ url }) => url);
}

/** URLs of the list that the rule itself changes. */
function changesIn(rule: Rule, forms: SiteForms): Change[] {
  const hypothesis = hypothesisOf([rule], { prior: 1 });
  return forms.urls
    .map((url) => forms.looseForm(url))
    .filter((form) => forms.changes(hypothesis, form))
    .map((form) => ({ form, image: forms.formOf(form.text) }));
}
