// Which hosts does the site of a rule have? The public suffix list knows; other software is told what is written here.
import { createRequire } from 'node:module';

const { getDomain } = createRequire(import.meta.url)('tldts') as typeof import('tldts');

/** Of the site policy `domain`: true for a registrable domain, false for a name that is a site by itself (`localhost`, an address). */
export function hasSubdomains(site: string): boolean {
  return getDomain(site, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) === site;
}
