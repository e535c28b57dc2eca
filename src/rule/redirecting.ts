// Did an image of this rule redirect in validation? A server that redirects there would begin a chain, or a loop if the
// site leads back.
import type { Rule } from './rule.js';

/** For the reason of a negative sample: `redirects`, `redirect-loop`, `redirect-outside http://…`. */
export function isRedirect(reason: string): boolean {
  return reason.startsWith('redirect');
}

/** Validation keeps three negatives of a rule, those that redirect first. */
export function leadsToRedirect({ verdict }: Rule): boolean {
  return verdict?.negatives.some(([, , reason]) => isRedirect(reason)) === true;
}
