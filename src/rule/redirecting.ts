// What do redirects of the site mean for a rule? If an image redirected in validation, a server that redirects to it would
// begin a chain, or a loop if the site redirects back. If its URLs redirect to their images, the site needs no such rule,
// though a list with these URLs should be merged.
import type { Rule } from './rule.js';
import { isKey } from './standing.js';

/** `reason` comes from a negative sample: `redirects`, `redirect-loop`, `redirect-outside http://…`. */
export function isRedirect(reason: string): boolean {
  return reason.startsWith('redirect');
}

/** True if a negative sample redirected. A verdict keeps three negatives, those that redirect first. */
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
