// Decides which records the user wants. The first filter that rejects a line is the cause under which it is counted, in
// this order: method and status, as always; time; then, on the composed URL, host, path and kind of document; user
// agent last.
//
//   no-time, time, host, path, not-a-document, no-agent, bot, not-a-bot
//
// A line is also dropped if it lacks the field that a filter needs, as it cannot be judged.
import { emptyParts, splitUrl, type UrlParts } from '../url/parse.js';
import type { BotRanges } from './agents/addresses.js';
import { BotJudge } from './bots.js';
import { type Filters, isDocument } from './filters.js';
import { type Fields, isMissing, type Span, type Wants } from './format/format.js';
import { createHostMatcher, createPathMatcher, type PathMatcher } from './glob/match.js';
import { dropped, type Refusal } from './record.js';
import { readTime } from './time.js';

export type { Filters };

const NO_TIME = dropped('no-time');
const OTHER_TIME = dropped('time');
const OTHER_HOST = dropped('host');
const OTHER_PATH = dropped('path');
const NO_DOCUMENT = dropped('not-a-document');
const NO_AGENT = dropped('no-agent');
const BOT = dropped('bot');
const NOT_A_BOT = dropped('not-a-bot');

/** What a reader must determine beside URLs, sizes and sketches. */
export interface Questions {
  /** Which lines become records; by default all that count. */
  readonly filters?: Filters;
  /** Whether batches have for each record who made it, on which day, and how long it took. */
  readonly visitors?: boolean;
  /** With `visitors`: whether batches also have the client. */
  readonly clients?: boolean;
  /** With `visitors` and `clients`: whether batches also have the requests that no page answered, beside their rows. */
  readonly answers?: boolean;
  /** With `visitors` and `clients`: addresses that bots have; requests in their names from others are forged. */
  readonly botRanges?: readonly BotRanges[];
  /** Whether batches have the status of each row, and also rows for lines that are dropped because of it. */
  readonly statuses?: boolean;
  /**
   * Whether sketches have before them what a crawl says of its URLs beside (kernel/layout/facts): for URL lists only. Not
   * together with visitors or statuses.
   */
  readonly facts?: boolean;
  /** Whether each line is shown whole (`onRequest`), with its time, agent and referrer. */
  readonly requests?: boolean;
}

export function wantsFacts({ visitors = false, statuses = false, facts = false }: Questions): boolean {
  return facts && !visitors && !statuses;
}

/** The fields that must be parsed only for these questions. */
export function wantsOf(questions: Questions): Wants {
  const { filters: { since, until, bots } = {}, visitors = false, clients = false } = questions;
  const { requests = false, answers = false } = questions;
  const time = visitors || requests || since !== undefined || until !== undefined;
  const facts = wantsFacts(questions);
  return {
    time,
    agent: visitors || requests || bots !== undefined,
    duration: visitors,
    client: clients,
    answers,
    facts,
    ...((requests || answers) && { referrer: true }),
  };
}

/** Null if there is nothing to filter by. Throws a UserError for an invalid glob. */
export function createFilter(filters: Filters = {}): LineFilter | null {
  return Object.values(filters).some((value) => value !== undefined && value !== false)
    ? new LineFilter(filters)
    : null;
}

export class LineFilter {
  readonly #since: number;
  readonly #until: number;
  readonly #wants: Wants;
  readonly #isHost: ((host: string, port: string) => boolean) | null;
  readonly #include: PathMatcher | null;
  readonly #exclude: PathMatcher | null;
  readonly #onlyDocuments: boolean;
  readonly #bots: BotJudge | null;
  readonly #botsAreWanted: boolean;
  readonly #parts = emptyParts();

  constructor(filters: Filters) {
    const { since = -Infinity, until = Infinity, hosts, include, exclude, onlyDocuments = false, bots } = filters;
    this.#since = since;
    this.#until = until;
    this.#wants = wantsOf({ filters });
    this.#isHost = hosts === undefined ? null : createHostMatcher(hosts);
    this.#include = include === undefined ? null : createPathMatcher(include);
    this.#exclude = exclude === undefined ? null : createPathMatcher(exclude);
    this.#onlyDocuments = onlyDocuments;
    this.#bots = bots === undefined ? null : new BotJudge();
    this.#botsAreWanted = bots === 'only';
  }

  /** Judges what can be judged before the URL is composed. */
  judgeLine({ time }: Fields): Refusal | null {
    return this.#judgeTime(time);
  }

  /** Judges a composed URL, as it would be written in a row, and its line. */
  judgeRecord(bytes: Uint8Array, start: number, end: number, { agent }: Fields): Refusal | null {
    return this.#judgeUrl(bytes, start, end) ?? this.#judgeAgent(agent);
  }

  #judgeTime({ bytes, start, end }: Span): Refusal | null {
    if (!this.#wants.time) return null;
    const time = readTime(bytes, start, end);
    if (Number.isNaN(time)) return NO_TIME;
    return time >= this.#since && time < this.#until ? null : OTHER_TIME;
  }

  #judgeUrl(bytes: Uint8Array, start: number, end: number): Refusal | null {
    const isHost = this.#isHost;
    const hasGlobs = this.#include !== null || this.#exclude !== null;
    if (isHost === null && !hasGlobs && !this.#onlyDocuments) return null;
    const parts = splitUrl(bytes, start, end, this.#parts);
    const { hostStart, portStart, pathStart, queryStart } = parts;
    if (isHost !== null && !isHost(text(bytes, hostStart, portStart), text(bytes, portStart, pathStart))) {
      return OTHER_HOST;
    }
    if (hasGlobs && !this.#isWantedPath(parts)) return OTHER_PATH;
    return this.#onlyDocuments && !isDocument(bytes, pathStart, queryStart) ? NO_DOCUMENT : null;
  }

  #judgeAgent(agent: Span): Refusal | null {
    if (this.#bots === null) return null;
    if (isMissing(agent)) return NO_AGENT;
    const isBot = this.#bots.isBot(agent.bytes, agent.start, agent.end);
    return isBot === this.#botsAreWanted ? null : isBot ? BOT : NOT_A_BOT;
  }

  #isWantedPath({ bytes, pathStart, queryStart, fragmentStart }: UrlParts): boolean {
    const path = pathStart === queryStart ? '/' : text(bytes, pathStart, queryStart);
    const query = queryStart === fragmentStart ? null : text(bytes, queryStart + 1, fragmentStart);
    return this.#include?.matches(path, query) !== false && this.#exclude?.matches(path, query) !== true;
  }
}

/** One character per byte. */
function text(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
