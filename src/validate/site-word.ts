// Which of two forms of a page does the site itself use (SPEC 10, directions)? It says so by a redirect, or by the
// canonical link of a page.
import type { Judgement } from './judge.js';
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

/**
 * The judgement of two forms (absolute) of one page, by what the site does with them: an image that redirects is no
 * canonical form, and what is longer (`isGrowth`) has to be what the site calls for.
 */
export function heeding(judgement: Judgement, form: string, image: string, isGrowth: boolean): Judgement {
  if (judgement.kind !== 'positive') return judgement;
  const { u, v } = judgement;
  if (v.redirects > 0) {
    const isElsewhere = u.redirects > 0 && siteWordOf(v, form) === undefined;
    return isElsewhere ? { kind: 'unjudged', reason: BOTH_REDIRECT } : { kind: 'negative', reason: 'redirects', u, v };
  }
  if (isGrowth && siteWordOf(u, image) === undefined) return { kind: 'negative', reason: UNSAID, u, v };
  return judgement;
}
