// Could a rule make the host of a URL out of its path? `/example.com/` → `/` does, where `http://example.com/x` begins:
//
//     http://example.com/example.com/evil.test/login   →   http://example.com/evil.test/login   →   http://evil.test/login
//
// Whoever writes a link could then send people from the site to anywhere. `canonize` only prints what comes of it, but
// a server would redirect. So each rule is tried wherever its text could reach into the host, with a name after it that
// must not come to stand there. What a rule says itself, as `www.` → ``, nobody else can choose.
import { encodeText } from '../base/bytes.js';
import { compileSubstring, imageOf } from '../rule/apply.js';
import type { Rule } from '../rule/rule.js';
import { hasKnownSuffix } from '../url/public-suffix.js';

export const ELSEWHERE = 'could make a host of what stands in a path';

const STRANGER = 'evil';
const TAILS = ['', '/', '.', '@', ':', ':80@', '//', '-', '?', '/x@'].map((between) => `${between}${STRANGER}.test/x`);

/** Of rules for absolute URLs. */
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

/** What of a URL may come before a text that reaches into its host. */
function headsOf(site: string): readonly string[] {
  const whole = [`http://${site}`, `http://x.${site}`];
  return whole.flatMap((origin) => Array.from({ length: origin.length + 1 }, (_, length) => origin.slice(0, length)));
}

/** As browsers take it: whatever slashes there are, then all up to the path, credentials too. */
function hostOf(url: string): string {
  return /^https?:[/\\]*([^/\\?#]*)/i.exec(url)?.[1] ?? '';
}
