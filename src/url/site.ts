// Which site does a URL belong to, by the whole public suffix list?
import { registrableDomain } from './public-suffix.js';
import { createSiteFinder, type SiteOf, type SitePolicy } from './site-finder.js';

export type { SiteOf, SitePolicy };

/** Logs of search engines name many hosts. */
const HOSTS = 1 << 16;

export function createSiteOf(policy: SitePolicy): SiteOf {
  return createSiteFinder(policy, registrableDomain, HOSTS);
}
