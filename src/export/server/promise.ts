// What do all exports for web servers have in common: what they promise, the status of their redirects, and how a file is
// put together?
import type { Edits } from '../edits/edit.js';
import { redirectEdits, redirectForms } from '../edits/order.js';
import { headingLines } from '../heading.js';
import type { ExportRequest, LeftOut, RedirectStatus, Target } from '../target.js';

const leftAlone = `What an edit would change again is left alone, so no URL takes two redirects; so are a path with . or .. in it, an
empty field (?a=1&&b=2), more than 1,500 bytes, and a parameter in the path (;name=) that no example of its rule has there.`;

const promise = `A GET or HEAD for a URL that a rule changes is sent to its form, in one redirect (301).
${leftAlone}`;

/** The promise of an export that sends canonical links instead of redirects. */
const linkPromise = `The answer to a GET or HEAD for a URL that a rule changes names its form:
  Link: <https://www.example.com/page>; rel="canonical"
Nothing is redirected. A form with < > or " is not named.
${leftAlone}`;

/** One server: its words, and its lines for the edits of a request. */
interface Server extends Pick<Target, 'name' | 'summary' | 'usage'> {
  /** What the file needs if it announces links. */
  readonly linkUsage: string;
  /** Never called without an edit. */
  readonly linesOf: (request: ExportRequest, edits: Edits) => readonly string[];
  /** Gives the export's own names to what the lines define. */
  readonly named: (lines: readonly string[], request: ExportRequest) => readonly string[];
}

export function serverTarget({ name, summary, usage, linkUsage, linesOf, named }: Server): Target {
  return {
    name,
    summary,
    usage: `${usage}\n${promise}`,
    isServer: true,
    formsBy: redirectForms,
    write(request) {
      const edits = redirectEdits(request);
      const heading = serverHeading(request, request.isLink === true ? linkUsage : usage, edits.left);
      const lines = edits.units.length === 0 ? [] : linesOf(request, edits);
      const all = named([...heading, '', ...lines], request);
      return { text: `${all.join('\n')}\n`, carried: edits.carried, left: edits.left };
    },
  };
}

export function statusOf({ status = '301' }: ExportRequest): RedirectStatus {
  return status;
}

/** The comment at the top of a file; `usage` is written for 301. */
function serverHeading(request: ExportRequest, usage: string, left: readonly LeftOut[]): readonly string[] {
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
