// Which sites are the rules of an export for? Software that visits other sites as well, such as a crawler, must not
// apply them there. Rules of a domain or of a host say it themselves. Those of a log that was mined as one site (`--site
// all`) do not: they are for the sites of the hosts that were seen, as the examples of all rules of the file tell.
import type { CanonizerOptions } from '../canonize/canonizer.js';
import { everySite, type Rule } from '../rule/rule.js';
import { registrableDomain } from '../url/public-suffix.js';

type How = Pick<CanonizerOptions, 'urlForm' | 'sitePolicy'>;

/** Sites, or undefined if the rules are for all URLs. `known` are all rules of the file. */
export function scopeOf(
  rules: readonly Rule[],
  known: readonly Rule[],
  { urlForm, sitePolicy }: How,
): readonly string[] | undefined {
  if (urlForm === 'path') return undefined;
  if (sitePolicy === 'all') {
    const hosts = new Set(known.flatMap(({ examples }) => examples.flatMap(([url]) => hostOf(url) ?? [])));
    return hosts.size === 0 ? undefined : [...new Set(Array.from(hosts, registrableDomain))].sort();
  }
  const sites = new Set(rules.map(({ site }) => site));
  return sites.has(everySite) ? undefined : [...sites].sort();
}

/** Without user, port, and dots at the end, in lower case. */
function hostOf(url: string): string | undefined {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  const host = authority?.slice(authority.lastIndexOf('@') + 1).replace(/(?<!\.)\.*(:\d*)?$/, '');
  return host === '' ? undefined : host?.toLowerCase();
}
