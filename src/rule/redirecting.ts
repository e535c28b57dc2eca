// Did an image of this rule redirect in validation? A server that redirects to it would begin a chain, or a loop if the
// site redirects back.
import type { Rule } from './rule.js';

/** `reason` comes from a negative sample: `redirects`, `redirect-loop`, `redirect-outside http://…`. */
export function isRedirect(reason: string): boolean {
  return reason.startsWith('redirect');
}

/** True if a negative sample redirected. A verdict keeps three negatives, those that redirect first. */
export function leadsToRedirect({ verdict }: Rule): boolean {
  return verdict?.negatives.some(([, , reason]) => isRedirect(reason)) === true;
}
