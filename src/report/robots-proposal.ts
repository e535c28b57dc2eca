// Which lines should a robots.txt have for what a report has found? `report` and `robots --propose` try the same candidates
// (robots/proposal), and write the same text. Candidates are about parameters that no rule in use redirects, and about two
// choices and more: single choices stay, as people search for them.
import { agreeing, many } from '../base/amounts.js';
import { UserError } from '../base/error.js';
import { addTo } from '../base/group-by.js';
import type { ListFacts } from '../mine/lists/facts.js';
import type { FieldChoices } from '../mine/lists/fields.js';
import type { LineResult } from '../robots/line-meter.js';
import type { Candidate, Proposal } from '../robots/proposal.js';
import type { CrawlSpace, CrawlSpaceKind, LogFacts, SpaceParameter, TriedLines } from './page/model.js';

/** Kinds of URLs that crawlers should stay away from. */
const FORBIDDEN_KINDS: ReadonlySet<CrawlSpaceKind> = new Set(['facets', 'actions', 'calendars']);

/** Names that need no escape in a pattern. */
const PLAIN = /^[\w.~[\]%-]{1,60}$/;
const PLAIN_FOLDER = /^\/[\w.~%/-]{0,200}$/;
/** More lines are no help to anybody. */
const MOST_LINES = 40;
const MOST_OF_LIST = 24;

/** The part of a report that lines are proposed for. */
export type Found = Pick<LogFacts, 'crawlSpace' | 'lists' | 'robots'>;

/**
 * Candidates by site. What the report itself refused because its rules give URLs another form is none: whoever tries the
 * others need not know these rules.
 */
export function candidatesOf({ crawlSpace, lists, robots }: Found): ReadonlyMap<string, readonly Candidate[]> {
  const bySite = new Map<string, Candidate[]>();
  const hiding = new Set(
    robots?.proposals.flatMap(({ refused }) =>
      refused.flatMap(({ pattern, duplicates }) => (duplicates > 0 ? [pattern] : [])),
    ),
  );
  const add = (site: string, candidates: readonly Candidate[]) => {
    for (const candidate of candidates) {
      const some = candidate.filter((pattern) => !hiding.has(pattern));
      if (some.length > 0) addTo(bySite, site, some);
    }
  };
  for (const { kind, parameters } of crawlSpace)
    if (FORBIDDEN_KINDS.has(kind)) for (const one of parameters) add(one.site, parameterCandidates(one));
  for (const list of lists?.inside ?? []) add(list.site, listCandidates(insidePatterns(list)));
  for (const choices of lists?.across ?? []) add(choices.site, listCandidates(acrossPatterns(choices)));
  return new Map(Array.from(bySite, ([site, all]) => [site, all.slice(0, MOST_LINES)]));
}

/** Two for each field, as it may be the first of a query or a later one; where that does harm, only with a further field. */
function parameterCandidates({ name, values, isByValue, changed }: SpaceParameter): readonly Candidate[] {
  if (changed !== 'nowhere' || !PLAIN.test(name)) return [];
  const fields = isByValue
    ? values.filter((value) => PLAIN.test(value)).map((value) => `${name}=${value}`)
    : [`${name}=`];
  return fields.flatMap((field) => [
    [`/*?${field}`, `/*?${field}*&`],
    [`/*&${field}`, `/*&${field}*&`],
  ]);
}

function listCandidates(patterns: readonly string[]): readonly Candidate[] {
  return patterns.length > MOST_OF_LIST ? [] : patterns.map((pattern) => [pattern]);
}

/** Lists of two items and more; nothing if a pattern would forbid other pages, too. */
function insidePatterns({ place, spellings }: ListFacts): readonly string[] {
  const { slot, name, heads } = place;
  if (heads !== undefined && !heads.every((head) => PLAIN.test(head))) return [];
  const seconds = spellings.flatMap((sign) => heads?.map((head) => `${sign}${head}${sign}`) ?? [sign]);
  const isPlain = slot === 'below' ? PLAIN_FOLDER.test(name) : PLAIN.test(name);
  if (!isPlain) return [];
  switch (slot) {
    case 'parameter':
      return seconds.flatMap((second) => [`/*?${name}=*${second}`, `/*&${name}=*${second}`]);
    case 'after':
      return seconds.map((second) => `/*/${name}/*${second}`);
    case 'below':
      return heads === undefined ? [] : heads.map((head) => `${name}*/${head}/`);
    case 'repeated':
      return /\[\]$|%5B%5D$/i.test(name) ? [] : [`/*?*${name}=*&${name}=`];
    default:
      return slot satisfies never;
  }
}

function acrossPatterns({ names }: FieldChoices): readonly string[] {
  if (!names.every((name) => PLAIN.test(name))) return [];
  return names.flatMap((a) => names.flatMap((b) => (a === b ? [] : [`/*?*${a}=*&${b}=`])));
}

/** What was found, given the JSON of `report --json`. Throws a UserError for anything else. */
export function foundIn(report: unknown): Found {
  const found = logOf(report);
  if (found === undefined)
    throw new UserError('--propose: got JSON without what a report finds in a log; expected that of report --json LOG');
  return found;
}

function logOf(report: unknown): Found | undefined {
  if (typeof report !== 'object' || report === null || !('format' in report)) return undefined;
  if (report.format !== 'dustbuster-report' || !('log' in report)) return undefined;
  const { crawlSpace, lists = {}, robots } = (report.log ?? {}) as Partial<Record<keyof Found, unknown>>;
  if (!isArrayOf(crawlSpace, isSpace) || typeof lists !== 'object' || lists === null) return undefined;
  const { inside = [], across = [] } = lists as Partial<Record<'inside' | 'across', unknown>>;
  if (!isArrayOf(inside, isList) || !isArrayOf(across, isChoices)) return undefined;
  if (robots !== undefined && !isTried(robots)) return undefined;
  return { crawlSpace, lists: { inside, across }, ...(robots !== undefined && { robots }) };
}

function isArrayOf<One>(value: unknown, is: (one: unknown) => one is One): value is One[] {
  return Array.isArray(value) && value.every(is);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isSpace(space: unknown): space is CrawlSpace {
  if (typeof space !== 'object' || space === null || !('kind' in space) || !('parameters' in space)) return false;
  return isArrayOf(space.parameters, isParameter);
}

function isParameter(one: unknown): one is SpaceParameter {
  if (typeof one !== 'object' || one === null) return false;
  const { name, values } = one as Partial<SpaceParameter>;
  return isText(name) && isArrayOf(values, isText);
}

function isList(one: unknown): one is ListFacts {
  const { place, spellings } = (one ?? {}) as Partial<ListFacts>;
  if (typeof place !== 'object' || place === null) return false;
  return isText(place.name) && isArrayOf(place.heads ?? [], isText) && isArrayOf(spellings, isText);
}

function isTried(one: unknown): one is TriedLines {
  const { proposals } = (one ?? {}) as Partial<TriedLines>;
  return isArrayOf(proposals, (some): some is TriedLines['proposals'][number] =>
    isArrayOf(((some ?? {}) as Partial<Proposal>).refused, (line): line is LineResult =>
      isText(((line ?? {}) as Partial<LineResult>).pattern),
    ),
  );
}

function isChoices(one: unknown): one is FieldChoices {
  return isArrayOf(((one ?? {}) as Partial<FieldChoices>).names, isText);
}

/** Lines to copy: those that do no harm, then those that would, as comments with their figures. */
export function proposalText({ lines, refused }: Proposal): string {
  const group = lines.length === 0 ? [] : ['User-agent: *', ...lines.map(({ text }) => text)];
  const widest = refused.filter(({ pattern }) => !refused.some((one) => pattern === `${one.pattern}*&`));
  const comments = widest.flatMap((line) => [
    `# not proposed, as it ${harmOf(line)}; it would spare ${many(line.hits, 'request')} of bots:`,
    `# ${line.text}`,
  ]);
  return [...group, ...comments].join('\n');
}

function harmOf({ lostPages, lostVisits, duplicates, moved, examples: [example] }: LineResult): string {
  const harm = [
    ...(lostPages === 0 ? [] : [`hides ${many(lostPages, 'page')} with ${many(lostVisits, 'visit')} from search`]),
    ...(duplicates === 0
      ? []
      : [`hides ${many(duplicates, 'URL')} that ${agreeing(duplicates, 'has', 'have')} another form`]),
    ...(moved === 0 ? [] : [`hides the redirect of ${many(moved, 'URL')}`]),
  ];
  return `${harm.join(' and ')}${example === undefined ? '' : `, such as ${example}`}`;
}
