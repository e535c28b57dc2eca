// Which hosts below a site belong to it? Other software does not have the public suffix list, so rules of a domain with
// public suffixes below it are left out (amazonaws.com, s3.amazonaws.com).
import type { SitePolicy } from '../rule/rule.js';
import { publicSuffixesOf, registrableDomain } from '../url/public-suffix.js';

/** False for a site without subdomains: an address, a name without a dot, a public suffix. */
export function hasSubdomains(site: string): boolean {
  return registrableDomain(`x.${site}`.toLowerCase()) === site;
}

export const SUFFIXES_BELOW = 'is for a site with public suffixes below it';

/** True if hosts below the domain belong to others. */
export function hasSuffixesBelow(site: string, policy: SitePolicy): boolean {
  return policy === 'domain' && publicSuffixesOf([site]).some((line) => line.endsWith(`.${site}`));
}
