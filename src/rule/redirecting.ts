// What do redirects of the site mean for a rule? An image that redirected in validation: a server that redirects there
// would begin a chain, or a loop if the site leads back. URLs that redirect to their images: the rule is needless on
// that server, though a list with such URLs should be merged.
import type { Rule } from './rule.js';
import { isKey } from './standing.js';

/** For the reason of a negative sample: `redirects`, `redirect-loop`, `redirect-outside http://…`. */
export function isRedirect(reason: string): boolean {
  return reason.startsWith('redirect');
}

/** Validation keeps three negatives of a rule, those that redirect first. */
export function leadsToRedirect({ verdict }: Rule): boolean {
  return verdict?.negatives.some(([, , reason]) => isRedirect(reason)) === true;
}

/**
 * True for a rule that does only what the site's own redirects do already: fetched pages redirected so, or the log has
 * all URLs that the rule changes only as redirects.
 */
export function isDoneBySite(rule: Rule): boolean {
  return rule.word === 'redirect' || (!isKey(rule) && rule.hits?.given === 0);
}
