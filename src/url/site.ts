// Which site does a URL belong to, by the whole public suffix list?
import { registrableDomain } from './public-suffix.js';
import { createSiteFinder, type SiteOf, type SitePolicy } from './site-finder.js';

export type { SiteOf, SitePolicy };

/** Logs of search engines name many hosts. */
const HOSTS = 1 << 16;

/** The site of all URLs on one of these hosts, on any port. */
export const ONE_SITE = '*';

/** Hosts that are one site, as if they were of one domain; each other host is a site of its own. */
export function createOneSiteOf(hosts: readonly string[]): SiteOf {
  const own = new Set(hosts);
  return createSiteFinder('domain', (host) => (own.has(host) ? ONE_SITE : host), HOSTS);
}

/** One for each policy: it only remembers, and takes 8 MiB if it meets many hosts. */
const finders: Partial<Record<SitePolicy, SiteOf>> = {};

export function createSiteOf(policy: SitePolicy): SiteOf {
  return (finders[policy] ??= createSiteFinder(policy, registrableDomain, HOSTS));
}
