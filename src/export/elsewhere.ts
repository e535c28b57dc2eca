// Could a rule turn a part of the path into the host of a URL? `/example.com/` → `/` does, at the beginning of
// `http://example.com/x`:
//
//     http://example.com/example.com/evil.test/login  →  http://example.com/evil.test/login  →  http://evil.test/login
//
// This would be an open redirect: a link to the site could send people to any other site. `canonize` only prints the
// result, but a server would redirect. So each rule is tried at every place where its text could reach into the host,
// followed by a foreign host name, which must not become the host. A host that stands in the rule itself, as in `www.`
// → ``, is harmless: the author of a link cannot choose it.
import { encodeText } from '../base/bytes.js';
import { compileSubstring, imageOf } from '../rule/apply.js';
import type { Rule } from '../rule/rule.js';
import { hasKnownSuffix } from '../url/public-suffix.js';

export const ELSEWHERE = 'could turn a part of a path into the host';

const STRANGER = 'evil';
const TAILS = ['', '/', '.', '@', ':', ':80@', '//', '-', '?', '/x@'].map((between) => `${between}${STRANGER}.test/x`);

/** Expects a rule on absolute URLs. */
export function leadsElsewhere(rule: Rule): boolean {
  if (rule.kind !== 'substring' || rule.anchor === 'end' || rule.anchor === 'both') return false;
  const substitution = compileSubstring(rule);
  const site = rule.site === '*' || rule.site === '' ? 'example.com' : rule.site;
  for (const head of headsOf(site)) {
    const begin = head + rule.from;
    for (const tail of TAILS) {
      const url = begin + tail;
      const host = hostOf(url);
      const isOwn = rule.site === '*' ? hasKnownSuffix(host) : host === site || host.endsWith(`.${site}`);
      if (!isOwn || host.includes(STRANGER)) continue;
      if (hostOf(Buffer.from(imageOf(substitution, encodeText(url), 0)).toString('latin1')).includes(STRANGER))
        return true;
    }
  }
  return false;
}

/** All beginnings of a URL up to and into the host, to put before the rule's text. */
function headsOf(site: string): readonly string[] {
  const whole = [`http://${site}`, `http://x.${site}`];
  return whole.flatMap((origin) => Array.from({ length: origin.length + 1 }, (_, length) => origin.slice(0, length)));
}

/** The host as browsers parse it: any number of slashes, then everything up to the path, including credentials. */
function hostOf(url: string): string {
  return /^https?:[/\\]*([^/\\?#]*)/i.exec(url)?.[1] ?? '';
}
