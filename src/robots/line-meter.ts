// What does each line of a robots.txt do to the URLs of a log? Each URL is measured once, after the log was read.
import { decodeText } from '../base/bytes.js';
import { addTo } from '../base/group-by.js';
import { masked } from '../url/secret.js';
import { BOT_GROUPS, type BotGroup } from './agent.js';
import type { RobotsFile } from './file.js';
import { requestForm } from './form.js';
import { decidedBy, ruleFor, type RuleGroups, type RuleSet } from './groups.js';
import { createMatcher, type Rule } from './match.js';
import { ENGINES, PAGE, REDIRECTED, targetIn, type Visits } from './visits.js';

export interface LineResult {
  readonly line: number;
  readonly text: string;
  readonly allows: boolean;
  readonly pattern: string;
  /** Requests of bots that the line decides about. */
  readonly hits: number;
  readonly hitsOf: Readonly<Partial<Record<BotGroup, number>>>;
  /** URLs of the log that it decides about, and those of them that are pages. */
  readonly urls: number;
  readonly pages: number;
  /** Those that the rules give another form, which the file allows. */
  readonly duplicates: number;
  /** Those that have another form or are redirected; and those that are redirected for good, to something else. */
  readonly redirected: number;
  readonly moved: number;
  /** Visits by people to what the line forbids. */
  readonly people: number;
  /** Pages that search engines would no longer show, and how many visitors they sent there. */
  readonly lostPages: number;
  readonly lostVisits: number;
  /** Such pages, most visitors first; else URLs that redirect; else any. */
  readonly examples: readonly string[];
  /** URLs that the line misses, as its parameter is not the first there. */
  readonly elsewhere: number;
  /** Why the line does nothing; undefined if it does something. */
  readonly idle?: Idle;
}

/**
 * `no-agent`: none of its bots came. `no-match`: no URL matches. `never-decides`: another line decides about all URLs
 * that match. `no-change`: without it all URLs would be judged the same.
 */
export type Idle = 'no-agent' | 'no-match' | 'never-decides' | 'no-change';

/** What callers know of URLs. */
export interface AboutUrls {
  /** The canonical form of a URL, by rules that are proven. */
  readonly formOf?: FormOf | undefined;
  /** The same by all rules in use: it counts only for URLs that the server redirects. */
  readonly guessOf?: FormOf | undefined;
  /** True for a path and query that sort or filter a list, or do something: it is no loss if such a page vanishes. */
  readonly isChoice?: ((target: string) => boolean) | undefined;
}

export type FormOf = (url: Uint8Array) => Uint8Array;

const MOST_EXAMPLES = 3;

interface LineTally {
  urls: number;
  pages: number;
  duplicates: number;
  redirected: number;
  moved: number;
  people: number;
  lostPages: number;
  lostVisits: number;
  elsewhere: number;
  differs: boolean;
  matches: boolean;
  /** Rows and their weight, the heaviest first. */
  examples: { row: number; weight: number }[];
}

interface Measured {
  readonly visits: Visits;
  readonly groups: RuleGroups;
  /** The rules of the bots that came. */
  readonly sets: readonly number[];
  readonly about: AboutUrls;
}

/** Measures what each line does to the URLs of the log. */
export class LineMeter {
  readonly lost = { pages: 0, visits: 0 };
  readonly #visits: Visits;
  readonly #groups: RuleGroups;
  readonly #sets: readonly number[];
  readonly #about: AboutUrls;
  readonly #tallies: Map<Rule, LineTally>;
  /** The sets that have the rule, of bots that came. */
  readonly #setsOf = new Map<Rule, number[]>();
  /** Lines that forbid a parameter only where it comes first, by its name. */
  readonly #firstOnly = new Map<string, Rule[]>();
  readonly #moved: ReadonlySet<number>;
  /** The sets of the search engines. */
  readonly #engines: readonly number[];

  constructor(file: RobotsFile, { visits, groups, sets, about }: Measured) {
    this.#visits = visits;
    this.#groups = groups;
    this.#about = about;
    this.#tallies = new Map(file.rules.map(({ what }) => [what, emptyTally()]));
    this.#sets = sets;
    this.#moved = visits.movedAway;
    this.#engines = ENGINES.map(({ agent }) => groups.setOf(groups.nameFor(agent)));
    for (const set of sets) for (const rule of groups.sets[set]!.rules) addTo(this.#setsOf, rule, set);
    for (const { what } of file.rules) {
      const name = what.allows ? undefined : fieldOf(what.pattern)?.split('=', 1)[0];
      if (name !== undefined) addTo(this.#firstOnly, name, what);
    }
  }

  /** Measures one URL. `decide`: the rule of a set for it. */
  measure(row: number, target: string, decide: (set: number) => Rule | undefined): void {
    const facts = this.#visits.facts.get(row);
    const form = this.#otherForm(row, facts);
    const isDuplicate = form !== undefined;
    const isPage = (facts & PAGE) !== 0;
    const seen: Rule[] = [];
    const forbidding = new Set<number>();
    for (const set of this.#sets) {
      const rule = decide(set);
      if (rule !== undefined && !rule.allows) forbidding.add(set);
      if (rule === undefined || seen.includes(rule)) continue;
      seen.push(rule);
      const tally = this.#tallies.get(rule)!;
      tally.urls++;
      tally.matches = true;
      if (!tally.differs) tally.differs = isDecisive(this.#groups.sets[set]!, target, rule);
      if (rule.allows) continue;
      if (isPage) tally.pages++;
      if (isDuplicate && ruleFor(this.#groups.sets[set]!, form)?.allows !== false) tally.duplicates++;
      if (this.#moved.has(row)) tally.moved++;
      if (isDuplicate || (facts & REDIRECTED) !== 0) tally.redirected++;
      tally.people += this.#visits.people.get(row);
      keepExample(tally, { row, weight: isDuplicate || (facts & REDIRECTED) !== 0 ? 0 : -1 });
    }
    if (this.#firstOnly.size > 0) this.#noteElsewhere(target, forbidding);
    if (isPage && !isDuplicate && this.#about.isChoice?.(target) !== true) this.#noteLost(row, decide);
  }

  /** Finds for lines that decide nothing whether any URL matches. */
  findMatches(): void {
    const idle = new Map<string, Rule[]>();
    for (const [rule, { matches }] of this.#tallies) {
      if (!matches && this.#setsOf.has(rule)) addTo(idle, rule.pattern, rule);
    }
    if (idle.size === 0) return;
    const matcher = createMatcher(Array.from(idle.values(), ([first]) => first!));
    for (let row = 0; row < this.#visits.length; row++) {
      const url = this.#visits.urlOf(row);
      matcher.each(requestForm(targetIn(url, 0, url.length)), ({ pattern }) => {
        for (const rule of idle.get(pattern)!) this.#tallies.get(rule)!.matches = true;
      });
    }
  }

  resultOf(rule: Rule, hits: Uint32Array | undefined): LineResult {
    const { line, text, allows, pattern } = rule;
    const { examples, differs, matches, ...tally } = this.#tallies.get(rule)!;
    const hitsOf = BOT_GROUPS.flatMap((group, at) => (hits?.[at] ? [[group, hits[at]] as const] : []));
    const idle = differs ? undefined : idleness(tally.urls, matches, this.#setsOf.has(rule));
    return {
      line,
      text,
      allows,
      pattern,
      hits: hitsOf.reduce((sum, [, count]) => sum + count, 0),
      hitsOf: Object.fromEntries(hitsOf),
      ...tally,
      examples: examples.map(({ row }) => masked(decodeText(this.#visits.urlOf(row)))),
      ...(idle !== undefined && { idle }),
    };
  }

  /** The target of the form of a URL that is not its own; undefined if there is none. */
  #otherForm(row: number, facts: number): string | undefined {
    const { formOf, guessOf } = this.#about;
    for (const canonize of [formOf, (facts & REDIRECTED) === 0 ? undefined : guessOf]) {
      if (canonize === undefined) continue;
      const url = Uint8Array.from(this.#visits.urlOf(row));
      const form = canonize(url);
      if (Buffer.compare(form, url) !== 0) return targetIn(form, 0, form.length);
    }
    return undefined;
  }

  #noteElsewhere(target: string, forbidding: ReadonlySet<number>): void {
    const query = target.indexOf('?');
    if (query < 0) return;
    const missing = new Set<Rule>();
    for (const field of target
      .slice(query + 1)
      .split('&')
      .slice(1)) {
      const form = requestForm(field);
      for (const rule of this.#firstOnly.get(form.split('=', 1)[0]!) ?? []) {
        if (form.startsWith(fieldOf(rule.pattern)!)) missing.add(rule);
      }
    }
    for (const rule of missing) {
      if (this.#setsOf.get(rule)?.some((set) => !forbidding.has(set)) === true) this.#tallies.get(rule)!.elsewhere++;
    }
  }

  #noteLost(row: number, decide: (set: number) => Rule | undefined): void {
    const byRule = new Map<Rule, number>();
    for (const [engine, set] of this.#engines.entries()) {
      const visits = this.#visits.fromSearch[engine]!.get(row);
      const rule = visits === 0 ? undefined : decide(set);
      if (rule !== undefined && !rule.allows) byRule.set(rule, (byRule.get(rule) ?? 0) + visits);
    }
    if (byRule.size > 0) this.lost.pages++;
    for (const [rule, visits] of byRule) {
      const tally = this.#tallies.get(rule)!;
      this.lost.visits += visits;
      tally.lostVisits += visits;
      tally.lostPages++;
      keepExample(tally, { row, weight: visits });
    }
  }
}

/** The field that a pattern such as `/*?sort=` or `/*?do=edit` looks for where a query begins. */
function fieldOf(pattern: string): string | undefined {
  return /\*\?([^*&=$?]+=[^*&$?]*)\*?$/.exec(pattern)?.[1];
}

function emptyTally(): LineTally {
  return {
    urls: 0,
    pages: 0,
    duplicates: 0,
    redirected: 0,
    moved: 0,
    people: 0,
    lostPages: 0,
    lostVisits: 0,
    elsewhere: 0,
    differs: false,
    matches: false,
    examples: [],
  };
}

function keepExample({ examples }: LineTally, one: { readonly row: number; readonly weight: number }): void {
  if (examples.length === MOST_EXAMPLES && examples.at(-1)!.weight >= one.weight) return;
  const others = examples.filter(({ row }) => row !== one.row);
  examples.splice(0, Infinity, ...[...others, one].sort((a, b) => b.weight - a.weight).slice(0, MOST_EXAMPLES));
}

/** True if the path would be judged otherwise without the rule. */
function isDecisive(set: RuleSet, target: string, rule: Rule): boolean {
  const { next } = decidedBy(set, target);
  return (next?.allows ?? true) !== rule.allows;
}

function idleness(urls: number, matches: boolean, isUsed: boolean): Idle {
  if (!isUsed) return 'no-agent';
  if (urls > 0) return 'no-change';
  return matches ? 'never-decides' : 'no-match';
}
