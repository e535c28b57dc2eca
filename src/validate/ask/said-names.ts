// What do canonical links say about a rule's direction? Whether two URLs are one page is decided by the pages; which of
// the two is the canonical name, the site may say itself:
//
//     for         /a?sort=x names /a          the rule changes the first, and not what it names
//     against     http://h/a names http://www.h/a, which the rule changes
//
// A page that names itself is no evidence, as some software echoes any address. Nor is a link that the rule changes in
// the same way as the page: http://www.h/a?sid=1 names http://www.h/a wherever the host is echoed. Each named URL
// counts once, as some sites name the homepage everywhere.
import { encodeText } from '../../base/bytes.js';
import { compileRule, imageOf } from '../../rule/apply.js';
import type { Rule } from '../../rule/rule.js';
import { pathStart } from '../../url/form.js';
import type { Hint } from './answer.js';

export type Say = 'for' | 'against' | undefined;

const LEAST_VOICES = 3;
const SHARE = 0.8;

export function sayOf(rule: Rule, hints: readonly Hint[], { pathOnly }: { readonly pathOnly: boolean }): Say {
  const compiled = compileRule(rule);
  const changes = (url: string) => {
    const bytes = encodeText(url);
    return imageOf(compiled, bytes, pathOnly ? pathStart(bytes) : 0) !== bytes;
  };
  const voices = { for: new Set<string>(), against: new Set<string>() };
  for (const { from, to, word } of hints) {
    if (word !== 'canonical') continue;
    const [isFrom, isTo] = [changes(from), changes(to)];
    if (isTo && !isFrom) voices.against.add(to);
    else if (isFrom && !isTo) voices.for.add(to);
  }
  const all = voices.for.size + voices.against.size;
  if (voices.for.size >= Math.max(LEAST_VOICES, SHARE * all)) return 'for';
  return voices.against.size >= Math.max(LEAST_VOICES, SHARE * all) ? 'against' : undefined;
}
