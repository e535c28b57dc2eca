// What would this file have done to the requests of a log? Build (`add` for each request), then ask (`finish`).
//
//   while reading   a bot's request → its rules → the line that decides: hits by line and group of bots
//   at the end      each URL → the line that decides for the bots that came, and for search engines: URLs, pages, what
//                   visitors from search would no longer find, and lines without which nothing would change
import { decodeText } from '../base/bytes.js';
import { addTo } from '../base/group-by.js';
import { UNNAMED } from '../log/agents/unlisted.js';
import { BOT_GROUPS, type BotGroup, isOneBot, type Visitor, visitorOf } from './agent.js';
import { isRobotsFile, readRobots, type RobotsFile } from './file.js';
import { inForce, type RobotsAnswer } from './force.js';
import { ruleFor, RuleGroups } from './groups.js';
import { masked } from '../url/secret.js';
import { type AboutUrls, LineMeter, type LineResult } from './line-meter.js';
import type { Rule } from './match.js';
import { bound, Forbidden, type Stretch } from './obedience.js';
import { type BotClass, Counts, targetIn, type Visits } from './visits.js';

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
  readonly class: BotClass | undefined;
  requests: number;
  readonly forbidden: Forbidden;
}

export interface TrialOptions {
  /** The file is in force from then on, whatever the log shows; milliseconds since 1970. */
  readonly liveSince?: number | undefined;
}

/** User agents that are remembered; then all are forgotten. */
const MOST_AGENTS = 1 << 16;
/** Bots with names of their own. */
const MOST_BOTS = 5000;

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
    if (row >= 0) who.class?.hits.add(row);
    const rule = this.#decide(who.set, row, target);
    if (rule === undefined) return who;
    let hits = this.#hits.get(rule);
    if (hits === undefined) this.#hits.set(rule, (hits = new Uint32Array(BOT_GROUPS.length)));
    hits[BOT_GROUPS.indexOf(who.group)]!++;
    if (!rule.allows) who.forbidden.add(time, row);
    return who;
  }

  finish(about: AboutUrls = {}): TrialResult {
    const sets = [...new Set(Array.from(this.#bots.values(), ({ set }) => set))];
    const lines = new LineMeter(this.file, { visits: this.#visits, groups: this.#groups, sets, about });
    for (let row = 0; row < this.#visits.length; row++) {
      const url = this.#visits.urlOf(row);
      const target = targetIn(url, 0, url.length);
      if (isRobotsFile(target)) continue;
      lines.measure(row, target, (set) => this.#decide(set, row, target));
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
    const own = this.#bots.size < MOST_BOTS ? name : UNNAMED;
    const key = `${own} ${set}`;
    let bot = this.#bots.get(key);
    if (bot === undefined) {
      const class_ = this.#visits.classOf(as, group);
      bot = { name: own, group, as, set, class: class_, requests: 0, forbidden: new Forbidden() };
      this.#bots.set(key, bot);
    }
    return bot;
  }

  #noteRead(name: string, answer: RobotsAnswer): void {
    addTo(this.#answers, name, answer);
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
      ...(example >= 0 && { example: masked(decodeText(this.#visits.urlOf(example))) }),
    };
  }
}
