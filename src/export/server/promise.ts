// What do the exports for web servers share? What they promise, the status of their redirects, and how a file is put
// together.
import type { Edits } from '../edits/edit.js';
import { redirectEdits, redirectForms } from '../edits/order.js';
import { headingLines } from '../heading.js';
import type { ExportRequest, LeftOut, RedirectStatus, Target } from '../target.js';

const leftAlone = `A URL that an edit would change again is left alone, so no URL takes two redirects. So is a URL with . or .. in its path,
with an empty field (?a=1&&b=2), with more than 1,500 bytes, or with a parameter in the path (;name=) where no example of
the rule has one.`;

const promise = `A GET or HEAD for a URL that a rule changes is redirected to its canonical form, in one step (301).
${leftAlone}`;

/** The promise of an export that sends canonical links instead of redirects. */
const linkPromise = `The answer to a GET or HEAD for a URL that a rule changes names its form:
  Link: <https://www.example.com/page>; rel="canonical"
Nothing is redirected. A form with < > or " is not announced.
${leftAlone}`;

/** One server: its texts, and the function that writes its lines. */
interface Server extends Pick<Target, 'name' | 'summary' | 'usage'> {
  /** Replaces `usage` if the export sends links instead of redirects. */
  readonly linkUsage: string;
  /** Only called with at least one edit. */
  readonly linesOf: (request: ExportRequest, edits: Edits) => readonly string[];
  /** Puts the export's name into the names of its variables. */
  readonly named: (lines: readonly string[], request: ExportRequest) => readonly string[];
}

export function serverTarget({ name, summary, usage, linkUsage, linesOf, named }: Server): Target {
  return {
    name,
    summary,
    usage: `${usage}\n${promise}`,
    isServer: true,
    redirects: true,
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

/** The comment at the top of a file. `usage` speaks of status 301, which is replaced by the status in use. */
function serverHeading(request: ExportRequest, usage: string, left: readonly LeftOut[]): readonly string[] {
  const said = request.isLink === true ? linkPromise : promise;
  const text = `${usage}\n${said}`.replace(/\b301\b/g, statusOf(request));
  return headingLines(request, text, left).map((line) => `# ${line}`.trimEnd());
}

/** Characters that a header cannot have between < and >; forms with them are not announced. */
export const UNNAMED = '[<>\\"]';

/** Reason phrases, for servers that need them written out. */
export const REASONS = {
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
} as const satisfies Record<RedirectStatus, string>;
