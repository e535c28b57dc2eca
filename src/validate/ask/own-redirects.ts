// Which rules do what the site's own redirects do? Of the URLs that were requested, nearly all that such a rule changes
// redirect to one that it does not change:
//
//     /index.php/a redirects to /a       `/index.php/` at the start becomes `/`
//     /a?x=1 redirects to /a/?x=1        not: x is still there
import { encodeText } from '../../base/bytes.js';
import { compileRule, imageOf } from '../../rule/apply.js';
import type { Rule } from '../../rule/rule.js';
import { pathStart } from '../../url/form.js';

/** A URL that was requested, and where it redirected to. */
export interface Heard {
  readonly from: string;
  readonly redirect: string | undefined;
}

const LEAST_HEARD = 3;
const SHARE = 0.8;

export function isOwnRedirect(
  rule: Rule,
  heard: Iterable<Heard>,
  { pathOnly }: { readonly pathOnly: boolean },
): boolean {
  const compiled = compileRule(rule);
  const changes = (url: string) => {
    const bytes = encodeText(url);
    return imageOf(compiled, bytes, pathOnly ? pathStart(bytes) : 0) !== bytes;
  };
  let [all, own] = [0, 0];
  for (const { from, redirect } of heard) {
    if (!changes(from)) continue;
    all++;
    if (redirect !== undefined && !changes(redirect)) own++;
  }
  return own >= Math.max(LEAST_HEARD, SHARE * all);
}
