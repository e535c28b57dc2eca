// Which hosts below a site belong to it? Other software does not have the public suffix list, so a domain with public
// suffixes below it (amazonaws.com has s3.amazonaws.com) gets no rules there.
import type { SitePolicy } from '../rule/rule.js';
import { publicSuffixesOf, registrableDomain } from '../url/public-suffix.js';

/** False for a site that cannot have subdomains: an address, a name without a dot, a public suffix. */
export function hasSubdomains(site: string): boolean {
  return registrableDomain(`x.${site}`.toLowerCase()) === site;
}

export const SUFFIXES_BELOW = 'holds for a site with public suffixes below it';

/** True if some hosts below the domain belong to other owners. */
export function hasSuffixesBelow(site: string, policy: SitePolicy): boolean {
  return policy === 'domain' && publicSuffixesOf([site]).some((line) => line.endsWith(`.${site}`));
}
