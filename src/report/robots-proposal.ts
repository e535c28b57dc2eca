// Which lines should a robots.txt have for what a report has found? Only for parameters that no rule in use redirects:
// crawlers would never see the redirect.
import { UserError } from '../base/error.js';
import type { CrawlSpace, CrawlSpaceKind, SpaceParameter } from './page/model.js';

/** Kinds of URLs that crawlers should stay away from. */
export const FORBIDDEN_KINDS: ReadonlySet<CrawlSpaceKind> = new Set(['facets', 'actions', 'calendars']);

/** Names that need no escape in a pattern. */
const PLAIN_NAME = /^[\w.~[\]%-]{1,60}$/;
const MOST_LINES = 40;

/** Two lines for each parameter, as it may be the first of a query or a later one. */
export function disallowLines(parameters: readonly SpaceParameter[]): readonly string[] {
  const lines = parameters.flatMap(({ name, values, isByValue, changed }) => {
    if (changed !== 'nowhere' || !PLAIN_NAME.test(name)) return [];
    const fields = isByValue
      ? values.filter((value) => PLAIN_NAME.test(value)).map((value) => `${name}=${value}`)
      : [`${name}=`];
    return fields.flatMap((field) => [`Disallow: /*?${field}`, `Disallow: /*&${field}`]);
  });
  return lines.slice(0, MOST_LINES);
}

/** The lines for what a report has found, given the JSON of `report --json`. Throws a UserError for anything else. */
export function proposedLines(report: unknown): readonly string[] {
  const spaces = spacesOf(report);
  if (spaces === undefined)
    throw new UserError('--propose: got JSON without what a report finds in a log; expected that of report --json LOG');
  const forbidden = spaces.filter(({ kind }) => FORBIDDEN_KINDS.has(kind));
  return [...new Set(forbidden.flatMap(({ parameters }) => disallowLines(parameters)))];
}

function spacesOf(report: unknown): readonly CrawlSpace[] | undefined {
  if (typeof report !== 'object' || report === null || !('format' in report)) return undefined;
  if (report.format !== 'dustbuster-report' || !('log' in report)) return undefined;
  const { crawlSpace } = (report.log ?? {}) as { readonly crawlSpace?: unknown };
  return Array.isArray(crawlSpace) && crawlSpace.every(isSpace) ? crawlSpace : undefined;
}

function isSpace(space: unknown): space is CrawlSpace {
  if (typeof space !== 'object' || space === null || !('kind' in space) || !('parameters' in space)) return false;
  return Array.isArray(space.parameters) && space.parameters.every(isParameter);
}

function isParameter(one: unknown): one is SpaceParameter {
  if (typeof one !== 'object' || one === null) return false;
  const { name, values } = one as Partial<SpaceParameter>;
  return typeof name === 'string' && Array.isArray(values) && values.every((value) => typeof value === 'string');
}

/** The file with a group for all crawlers at its end: groups of one name apply together (RFC 9309, 2.2.1). */
export function withLines(body: Uint8Array, lines: readonly string[]): Uint8Array {
  return lines.length === 0 ? body : Buffer.concat([body, Buffer.from(`\n\nUser-agent: *\n${lines.join('\n')}\n`)]);
}
