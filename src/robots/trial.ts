// What would this file have done to the requests of a log? Build (`add` for each request), then ask (`finish`).
//
//   while reading   a bot's request → its rules → the line that decides: hits by line and group of bots
//   at the end      each URL → the line that decides for the bots that came, and for search engines: URLs, pages, what
//                   visitors from search would no longer find, and lines without which nothing would change
import { decodeText } from '../base/bytes.js';
import { BOT_GROUPS, type BotGroup, isOneBot, OTHERS, type Visitor, visitorOf } from './agent.js';
import { isRobotsFile, readRobots, type RobotsFile } from './file.js';
import { requestForm } from './form.js';
import { inForce, type RobotsAnswer } from './force.js';
import { decidedBy, type RuleSet, ruleFor, RuleGroups } from './groups.js';
import { createMatcher, type Rule } from './match.js';
import { bound, Forbidden, type Stretch } from './obedience.js';
import { Counts, ENGINES, PAGE, REDIRECTED, targetIn, type Visits } from './visits.js';

export interface LineResult {
  readonly line: number;
  readonly text: string;
  readonly allows: boolean;
  readonly pattern: string;
  /** Requests of bots that the line decides about. */
  readonly hits: number;
  readonly hitsOf: Readonly<Partial<Record<BotGroup, number>>>;
  /** URLs of the log that it decides about, and those of them that are pages, have another form, or are redirected. */
  readonly urls: number;
  readonly pages: number;
  readonly duplicates: number;
  readonly redirected: number;
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

export interface BotResult {
  readonly name: string;
  readonly group: BotGroup;
  /** The name under which the file speaks to the bot. */
  readonly as: string;
  readonly requests: number;
  /** Requests that the file forbids, whenever they were made. */
  readonly forbidden: number;
  /** How often it asked for /robots.txt. */
  readonly reads: number;
  /**
   * Forbidden requests after it had read the file; null if it is not known that it read this file, or if the name is that
   * of a tool that anybody uses.
   */
  readonly disobeyed: number | null;
  readonly example?: string;
}

export interface TrialResult {
  readonly lines: readonly LineResult[];
  /** Most requests first. */
  readonly bots: readonly BotResult[];
  readonly requests: number;
  readonly forbidden: number;
  /** When the file was in force, as far as the log shows. */
  readonly stretches: readonly Stretch[];
  /** All pages that would vanish from search, and the visitors they had from there. */
  readonly lost: { readonly pages: number; readonly visits: number };
}

/** A request for a page, as a trial needs it. */
export interface Request {
  readonly row: number;
  /** Path and query. */
  readonly target: string;
  readonly agent: string;
  /** Milliseconds since 1970; NaN if unknown. */
  readonly time: number;
  readonly status: number;
  readonly size: number;
}

interface Bot {
  readonly name: string;
  readonly group: BotGroup;
  readonly as: string;
  readonly set: number;
  requests: number;
  readonly forbidden: Forbidden;
}

/** The canonical form of a URL, if rules are given. */
export type FormOf = (url: Uint8Array) => Uint8Array;

export interface TrialOptions {
  /** The file is in force from then on, whatever the log shows; milliseconds since 1970. */
  readonly liveSince?: number | undefined;
}

/** User agents that are remembered; then all are forgotten. */
const MOST_AGENTS = 1 << 16;
/** Bots with names of their own. */
const MOST_BOTS = 5000;
const MOST_EXAMPLES = 3;

export class Trial {
  readonly file: RobotsFile;
  readonly #fileBytes: number;
  readonly #visits: Visits;
  readonly #options: TrialOptions;
  readonly #groups: RuleGroups;
  readonly #agents = new Map<string, Bot | Visitor>();
  readonly #bots = new Map<string, Bot>();
  /** By the name of a bot. */
  readonly #answers = new Map<string, RobotsAnswer[]>();
  /** By rule: hits of each group of bots. */
  readonly #hits = new Map<Rule, Uint32Array>();
  /** By set of rules and URL: the place of the rule in the file, and 2 more; 1 for none, 0 for not judged yet. */
  readonly #verdicts: Counts[] = [];
  readonly #placeOf = new Map<Rule, number>();

  constructor(body: Uint8Array, visits: Visits, options: TrialOptions = {}) {
    this.file = readRobots(body);
    this.#fileBytes = body.length;
    this.#visits = visits;
    this.#options = options;
    this.#groups = new RuleGroups(this.file);
    for (const [place, { what }] of this.file.rules.entries()) this.#placeOf.set(what, place);
  }

  /** Counts a request. Returns who made it. */
  add({ row, target, agent, time, status, size }: Request): Visitor {
    const who = this.#who(agent);
    if (isRobotsFile(target)) this.#noteRead(who.name, { time, status, size });
    if (!('forbidden' in who)) return who;
    who.requests++;
    const rule = this.#decide(who.set, row, target);
    if (rule === undefined) return who;
    let hits = this.#hits.get(rule);
    if (hits === undefined) this.#hits.set(rule, (hits = new Uint32Array(BOT_GROUPS.length)));
    hits[BOT_GROUPS.indexOf(who.group)]!++;
    if (!rule.allows) who.forbidden.add(time, row);
    return who;
  }

  finish(formOf?: FormOf): TrialResult {
    const sets = [...new Set(Array.from(this.#bots.values(), ({ set }) => set))];
    const lines = new LineMeter(this.file, { visits: this.#visits, groups: this.#groups, sets, formOf });
    const engines = ENGINES.map(({ agent }) => this.#groups.setOf(this.#groups.nameFor(agent)));
    for (let row = 0; row < this.#visits.length; row++) {
      const url = this.#visits.urlOf(row);
      const target = targetIn(url, 0, url.length);
      if (isRobotsFile(target)) continue;
      lines.measure(row, target, (set) => this.#decide(set, row, target), engines);
    }
    lines.findMatches();
    const answers = Array.from(this.#answers.values()).flat();
    const stretches = this.#inForce(answers);
    const bots = Array.from(this.#bots.values(), (bot) => this.#resultOf(bot, stretches));
    return {
      lines: this.file.rules.map(({ what }) => lines.resultOf(what, this.#hits.get(what))),
      bots: bots.sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1)),
      requests: bots.reduce((sum, { requests }) => sum + requests, 0),
      forbidden: bots.reduce((sum, { forbidden }) => sum + forbidden, 0),
      stretches,
      lost: lines.lost,
    };
  }

  /** A log of several hosts has the answers of several files. */
  #inForce(answers: readonly RobotsAnswer[]): readonly Stretch[] {
    const { liveSince } = this.#options;
    if (this.#visits.hosts.size > 1) return [];
    return liveSince === undefined ? inForce(answers, this.#fileBytes) : [{ from: liveSince, to: Infinity }];
  }

  #who(agent: string): Bot | Visitor {
    let who = this.#agents.get(agent);
    if (who !== undefined) return who;
    const visitor = visitorOf(agent);
    who = visitor.group === 'person' ? visitor : this.#botOf(visitor.name, visitor.group, agent);
    if (this.#agents.size === MOST_AGENTS) this.#agents.clear();
    this.#agents.set(agent, who);
    return who;
  }

  #botOf(name: string, group: BotGroup, agent: string): Bot {
    const as = this.#groups.nameFor(agent);
    const set = this.#groups.setOf(as);
    const own = this.#bots.size < MOST_BOTS ? name : OTHERS;
    const key = `${own} ${set}`;
    let bot = this.#bots.get(key);
    if (bot === undefined) {
      bot = { name: own, group, as, set, requests: 0, forbidden: new Forbidden() };
      this.#bots.set(key, bot);
    }
    return bot;
  }

  #noteRead(name: string, answer: RobotsAnswer): void {
    const answers = this.#answers.get(name);
    if (answers === undefined) this.#answers.set(name, [answer]);
    else answers.push(answer);
  }

  #decide(set: number, row: number, target: string): Rule | undefined {
    const of = this.#groups.sets[set]!;
    if (row < 0) return ruleFor(of, target);
    const verdicts = (this.#verdicts[set] ??= new Counts());
    const known = verdicts.get(row);
    if (known > 0) return this.file.rules[known - 2]?.what;
    const rule = ruleFor(of, target);
    verdicts.set(row, rule === undefined ? 1 : this.#placeOf.get(rule)! + 2);
    return rule;
  }

  #resultOf({ name, group, as, requests, forbidden }: Bot, stretches: readonly Stretch[]): BotResult {
    const answers = this.#answers.get(name) ?? [];
    const reads = answers.filter(({ status }) => status === 200 || status === 304 || status === -1);
    const times = isOneBot({ name, group }) ? reads.map(({ time }) => time) : [];
    const after = bound(times, stretches);
    let [disobeyed, example] = [0, -1];
    for (const row of forbidden.within(after)) {
      disobeyed++;
      if (example < 0) example = row;
    }
    return {
      name,
      group,
      as,
      requests,
      forbidden: forbidden.length,
      reads: answers.length,
      disobeyed: after.length === 0 ? null : disobeyed,
      ...(example >= 0 && { example: decodeText(this.#visits.urlOf(example)) }),
    };
  }
}

interface LineTally {
  urls: number;
  pages: number;
  duplicates: number;
  redirected: number;
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
  readonly formOf: FormOf | undefined;
}

/** Measures what each line does to the URLs of the log. */
class LineMeter {
  readonly lost = { pages: 0, visits: 0 };
  readonly #visits: Visits;
  readonly #groups: RuleGroups;
  readonly #sets: readonly number[];
  readonly #formOf: FormOf | undefined;
  readonly #tallies: Map<Rule, LineTally>;
  /** The sets that have the rule, of bots that came. */
  readonly #setsOf = new Map<Rule, number[]>();
  /** Lines that forbid a parameter only where it comes first, by its name. */
  readonly #firstOnly = new Map<string, Rule[]>();

  constructor(file: RobotsFile, { visits, groups, sets, formOf }: Measured) {
    this.#visits = visits;
    this.#groups = groups;
    this.#formOf = formOf;
    this.#tallies = new Map(file.rules.map(({ what }) => [what, emptyTally()]));
    this.#sets = sets;
    for (const set of sets) {
      for (const rule of groups.sets[set]!.rules) {
        const others = this.#setsOf.get(rule);
        if (others === undefined) this.#setsOf.set(rule, [set]);
        else others.push(set);
      }
    }
    for (const { what } of file.rules) {
      const name = what.allows ? undefined : /\?([^*&=$?]+)=/.exec(what.pattern)?.[1];
      if (name === undefined) continue;
      const others = this.#firstOnly.get(name);
      if (others === undefined) this.#firstOnly.set(name, [what]);
      else others.push(what);
    }
  }

  /** Measures one URL. `engines`: the rules of the search engines. */
  measure(row: number, target: string, decide: (set: number) => Rule | undefined, engines: readonly number[]): void {
    const facts = this.#visits.facts.get(row);
    const isDuplicate = this.#isDuplicate(row);
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
      if (isDuplicate) tally.duplicates++;
      if (isDuplicate || (facts & REDIRECTED) !== 0) tally.redirected++;
      tally.people += this.#visits.people.get(row);
      keepExample(tally, { row, weight: isDuplicate || (facts & REDIRECTED) !== 0 ? 0 : -1 });
    }
    if (this.#firstOnly.size > 0) this.#noteElsewhere(target, forbidding);
    if (isPage && !isDuplicate) this.#noteLost(row, decide, engines);
  }

  /** Finds for lines that decide nothing whether any URL matches. */
  findMatches(): void {
    const idle = new Map<string, Rule[]>();
    for (const [rule, { matches }] of this.#tallies) {
      if (matches || !this.#setsOf.has(rule)) continue;
      const others = idle.get(rule.pattern);
      if (others === undefined) idle.set(rule.pattern, [rule]);
      else others.push(rule);
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
      examples: examples.map(({ row }) => decodeText(this.#visits.urlOf(row))),
      ...(idle !== undefined && { idle }),
    };
  }

  #isDuplicate(row: number): boolean {
    if (this.#formOf === undefined) return false;
    const url = Uint8Array.from(this.#visits.urlOf(row));
    return Buffer.compare(this.#formOf(url), url) !== 0;
  }

  #noteElsewhere(target: string, forbidding: ReadonlySet<number>): void {
    const query = target.indexOf('?');
    if (query < 0) return;
    const names = new Set(
      target
        .slice(query + 1)
        .split('&')
        .slice(1)
        .map((field) => requestForm(field).split('=', 1)[0]!),
    );
    for (const name of names) {
      for (const rule of this.#firstOnly.get(name) ?? []) {
        if (this.#setsOf.get(rule)?.some((set) => !forbidding.has(set)) === true) this.#tallies.get(rule)!.elsewhere++;
      }
    }
  }

  #noteLost(row: number, decide: (set: number) => Rule | undefined, engines: readonly number[]): void {
    const byRule = new Map<Rule, number>();
    for (const [engine, set] of engines.entries()) {
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

function emptyTally(): LineTally {
  return {
    urls: 0,
    pages: 0,
    duplicates: 0,
    redirected: 0,
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
