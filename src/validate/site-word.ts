// Which of two forms of a page does the site itself use (SPEC 10, directions)? It says so by a redirect, or by the
// canonical link of a page.
import type { PageResult } from './source.js';

export type SiteWord = 'redirect' | 'canonical';

/** Why an insertion is refused although both pages are the same. */
export const UNSAID = 'the site does not say so';
/** Form and image redirect to a third URL: neither is canonical. */
export const BOTH_REDIRECT = 'both redirect';

/** How a page names another URL, which is absolute. */
export function siteWordOf(page: PageResult | undefined, other: string): SiteWord | undefined {
  if (page?.kind !== 'page') return undefined;
  if (page.redirects > 0 && page.finalUrl === other) return 'redirect';
  return page.canonical === other ? 'canonical' : undefined;
}
