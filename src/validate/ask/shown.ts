// What do tables show of a rule besides its words? An example that the rule, as written, changes, and how many hits of
// the log it redirects. If hits chose its direction (`canonize/name`), those hits are shown. Rules about trackers and
// the like have no choice of direction, so hits are counted here, for the rule alone.
import { decodeText, encodeText } from '../../base/bytes.js';
import { compileRule, imageOf } from '../../rule/apply.js';
import type { Hits, Rule } from '../../rule/rule.js';
import { isKey } from '../../rule/standing.js';
import { withExamples } from '../../rule/words/example.js';
import type { AskList } from './list.js';

/** An accepted rule with the example and hits that tables show. */
export function shownRule(rule: Rule, list: AskList): Rule {
  const shown = withExamples(rule, list.urls);
  const isCounted = rule.hits !== undefined || rule.word !== undefined || isKey(rule) || rule.status !== 'valid';
  return isCounted || list.hits.length === 0 ? shown : { ...shown, hits: hitsOf(rule, list) };
}

/** Hits at the URLs of the list that the rule changes, and at their images. */
function hitsOf(rule: Rule, { urls, hits }: AskList): Hits {
  const compiled = compileRule(rule);
  const forms = new Set<string>();
  let given = 0;
  for (const [at, url] of urls.entries()) {
    const bytes = encodeText(url);
    const form = imageOf(compiled, bytes, 0);
    if (form === bytes) continue;
    given += hits[at]!;
    forms.add(decodeText(form));
  }
  const kept = urls.reduce((sum, url, at) => sum + (forms.has(url) ? hits[at]! : 0), 0);
  return { kept, given };
}
