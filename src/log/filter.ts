// Which records does the user want? Judged in this order, the first that has something against a line is the cause that it
// is dropped for: method and status, as always; time; then, of the URL as it goes to a row, host, path and kind of
// document; user agent last.
//
//   no-time, time, host, path, not-a-document, no-agent, bot, not-a-bot
//
// A line that does not say what a filter asks for is dropped too: nobody can tell whether it is wanted.
import { emptyParts, splitUrl, type UrlParts } from '../url/parse.js';
import { BotJudge } from './bots.js';
import { isDocument } from './document.js';
import type { Filters } from './filters.js';
import { isMissing, type Span, type Wants } from './format/format.js';
import { createHostMatcher, createPathMatcher, type PathMatcher } from './glob.js';
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

/** What reading has to find out beside URLs, sizes and sketches. */
export interface Questions {
  /** Which of the lines become records; all that count where it is not given. */
  readonly filters?: Filters;
  /** Whether batches say of each record if a bot asked. */
  readonly visitors?: boolean;
  /** Whether batches say of each row its status, and have rows for lines that are dropped for theirs. */
  readonly statuses?: boolean;
}

/** The fields that are found for nothing else. */
export function wantsOf({ filters: { since, until, bots } = {}, visitors = false }: Questions): Wants {
  return { time: since !== undefined || until !== undefined, agent: visitors || bots !== undefined };
}

/** Null where there is nothing to judge by. Throws a UserError for a glob that is none. */
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

  judgeTime({ bytes, start, end }: Span): Refusal | null {
    if (!this.#wants.time) return null;
    const time = readTime(bytes, start, end);
    if (Number.isNaN(time)) return NO_TIME;
    return time >= this.#since && time < this.#until ? null : OTHER_TIME;
  }

  /** Of a URL as it would stand in a row. */
  judgeUrl(bytes: Uint8Array, start: number, end: number): Refusal | null {
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

  judgeAgent(agent: Span): Refusal | null {
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

/** A character for each byte. */
function text(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
