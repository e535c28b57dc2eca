// What do all exports for web servers promise, and which status do their redirects have?
import { headingLines } from '../heading.js';
import type { ExportRequest, LeftOut, RedirectStatus } from '../target.js';

const leftAlone = `What an edit would change again is left alone, so no URL takes two redirects; so are a path with . or .. in it, an
empty field (?a=1&&b=2), more than 1,500 bytes, and a parameter in the path (;name=) that no example of its rule has there.`;

export const promise = `A GET or HEAD for a URL that a rule changes is sent to its form, in one redirect (301).
${leftAlone}`;

/** The promise of an export that sends canonical links instead of redirects. */
export const linkPromise = `The answer to a GET or HEAD for a URL that a rule changes names its form:
  Link: <https://www.example.com/page>; rel="canonical"
Nothing is redirected. A form with < > or " is not named.
${leftAlone}`;

export function statusOf({ status = '301' }: ExportRequest): RedirectStatus {
  return status;
}

/** The comment at the top of a file; `usage` is written for 301. */
export function serverHeading(request: ExportRequest, usage: string, left: readonly LeftOut[]): readonly string[] {
  const said = request.isLink === true ? linkPromise : promise;
  const text = `${usage}\n${said}`.replace(/\b301\b/g, statusOf(request));
  return headingLines(request, text, left).map((line) => `# ${line}`.trimEnd());
}

/** Characters that a form must not have if a header names it between < and >. */
export const UNNAMED = '[<>\\"]';

/** For servers that would send the reason they know the redirect by. */
export const REASONS = {
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
} as const satisfies Record<RedirectStatus, string>;
