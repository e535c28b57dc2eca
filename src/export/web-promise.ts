// What do all exports for web servers promise? One redirect to the form of `canonize`, or none.
import type { ExportRequest, RedirectStatus } from './target.js';

/** How often a repeated step of a rule is applied before the URL is given up. */
export const maxTimes = 4;

const leftAlone = `It is left alone if a form on the way would have to be normalised, if
canonize would not settle it, or if one rule would have to change it in more than ${maxTimes} places.`;

export const webPromise = `A GET or HEAD for a URL that is not canonical is sent to its canonical form, in one redirect (301): a URL that is
normalised goes where dustbuster canonize sends it. ${leftAlone}`;

/** Of an export that announces, and does not redirect. */
export const linkPromise = `The answer to a GET or HEAD for a URL that is not canonical names the form that dustbuster canonize gives it:
  Link: <https://www.example.com/page>; rel="canonical"
Nothing is redirected. A form with < > or " is not named. ${leftAlone}`;

export function statusOf({ status = '301' }: ExportRequest): RedirectStatus {
  return status;
}

/** A usage, which is written for 301, with the status of the request. */
export function withStatus(usage: string, request: ExportRequest): string {
  return usage.replace(/\b301\b/g, statusOf(request));
}

/** For servers that would send the reason they know the redirect by. */
export const REASONS = {
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
} as const satisfies Record<RedirectStatus, string>;
