// Which sites are the rules of an export for? Software that visits other sites as well, such as a crawler, must not
// apply them there. Rules of a domain or a host name their site. Rules of a log that was mined as one site (`--site
// all`) do not: they hold for the sites of all hosts in the examples of the file's rules.
import type { CanonizerOptions } from '../canonize/canonizer.js';
import { everySite, type Rule } from '../rule/rule.js';
import { registrableDomain } from '../url/public-suffix.js';

type How = Pick<CanonizerOptions, 'urlForm' | 'sitePolicy'>;

/** The sites, or undefined if the rules hold for all URLs. `known` has all rules of the file. */
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

/** The host in lower case, without user, port and trailing dots. */
function hostOf(url: string): string | undefined {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  const host = authority?.slice(authority.lastIndexOf('@') + 1).replace(/(?<!\.)\.*(:\d*)?$/, '');
  return host === '' ? undefined : host?.toLowerCase();
}
