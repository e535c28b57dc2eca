// Which lines may a robots.txt be given? Each is tried alone on the URLs of a log, as the last line of the file; one that
// would hide a page with visits from search, or a redirect, is refused, and its narrower form is tried in its place:
//
//   /*?color=      178 pages with visits from search      refused
//   /*?color=*&    none: people searched for one colour   proposed
//
// What lines hide together one of them hides alone, so together they do no harm either.
import { BOT_GROUPS } from './agent.js';
import { isRobotsFile, readRobots } from './file.js';
import { ruleFor, RuleGroups } from './groups.js';
import { type AboutUrls, LineMeter, type LineResult } from './line-meter.js';
import { linesOf } from './lines.js';
import type { Rule } from './match.js';
import { targetIn, type Visits } from './visits.js';

/** A pattern, and narrower ones for the case that it would do harm. */
export type Candidate = readonly string[];

export interface Proposal {
  /** Lines that do no harm on this log and keep bots off something, each with what it does beside the others. */
  readonly lines: readonly LineResult[];
  /** Lines that would keep bots off something and do harm, narrower ones behind the first, each with what it would do alone. */
  readonly refused: readonly LineResult[];
  /** Requests of bots that the file forbids with these lines, and without them does not. */
  readonly spared: number;
}

/** The file with a group for all crawlers at its end: groups of one name apply together (RFC 9309, 2.2.1). */
export function withPatterns(body: Uint8Array, patterns: readonly string[]): Uint8Array {
  if (patterns.length === 0) return body;
  const lines = patterns.map((pattern) => `${lineOf(pattern)}\n`).join('');
  return Buffer.concat([body, Buffer.from(`\n\nUser-agent: *\n${lines}`)]);
}

/**
 * Proposes lines for a file. `isOwn` chooses the URLs that it is for. A page with visits from search is one even if its
 * parameters sort or filter: the owner has to decide on these.
 */
export function propose(
  body: Uint8Array,
  candidates: readonly Candidate[],
  visits: Visits,
  { formOf, guessOf }: AboutUrls,
  isOwn: (url: Uint8Array) => boolean = () => true,
): Proposal {
  const matches = matcherOf(candidates.flat());
  const urls: Url[] = [];
  for (let row = 0; row < visits.length; row++) {
    const url = visits.urlOf(row);
    const target = targetIn(url, 0, url.length);
    if (matches(target) && !isRobotsFile(target) && isOwn(url)) urls.push({ row, target });
  }
  const tryWith = (patterns: readonly string[]) => tried(body, patterns, visits, urls, { formOf, guessOf });
  const refused: LineResult[] = [];
  const chosen = new Set<string>();
  for (const candidate of candidates) {
    for (const pattern of candidate) {
      const [alone] = tryWith([pattern]).added;
      if (alone === undefined || alone.hits === 0) break;
      if (!isHarmful(alone)) {
        chosen.add(pattern);
        break;
      }
      refused.push(alone);
    }
  }
  const { added, forbidden } = tryWith([...chosen]);
  return {
    lines: added.filter(({ hits }) => hits > 0),
    refused,
    spared: forbidden - tryWith([]).forbidden,
  };
}

interface Url {
  readonly row: number;
  readonly target: string;
}

function matcherOf(patterns: readonly string[]): (target: string) => boolean {
  const rules = new RuleGroups(readRobots(withPatterns(Buffer.alloc(0), patterns)));
  const set = rules.sets[rules.setOf('*')]!;
  return (target) => ruleFor(set, target) !== undefined;
}

function lineOf(pattern: string): string {
  return `Disallow: ${pattern}`;
}

function isHarmful({ lostPages, duplicates, moved }: LineResult): boolean {
  return lostPages + duplicates + moved > 0;
}

/** What the file does with these lines at its end. */
function tried(
  body: Uint8Array,
  patterns: readonly string[],
  visits: Visits,
  urls: readonly Url[],
  about: AboutUrls,
): { readonly added: readonly LineResult[]; readonly forbidden: number } {
  const file = readRobots(withPatterns(body, patterns));
  const groups = new RuleGroups(file);
  const bots = visits.bots.map(({ as, group, hits }) => ({
    set: groups.setOf(as),
    place: BOT_GROUPS.indexOf(group),
    hits,
  }));
  const sets = [...new Set(bots.map(({ set }) => set))];
  const meter = new LineMeter(file, { visits, groups, sets, about });
  const hitsOf = new Map(file.rules.map(({ what }) => [what, new Uint32Array(BOT_GROUPS.length)]));
  let forbidden = 0;
  for (const { row, target } of urls) {
    const known = new Map<number, Rule | undefined>();
    const decide = (set: number) => {
      if (!known.has(set)) known.set(set, ruleFor(groups.sets[set]!, target));
      return known.get(set);
    };
    meter.measure(row, target, decide);
    for (const { set, place, hits } of bots) {
      const count = hits.get(row);
      const rule = count === 0 ? undefined : decide(set);
      if (rule === undefined) continue;
      hitsOf.get(rule)![place]! += count;
      if (!rule.allows) forbidden += count;
    }
  }
  const own = linesOf(body).length;
  const added = file.rules.filter(({ what }) => what.line > own);
  return { added: added.map(({ what }) => meter.resultOf(what, hitsOf.get(what))), forbidden };
}
