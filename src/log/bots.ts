// Tells whether a user agent is a person or which bot it is. isbot decides, given a string. Logs have a few thousand
// agents, so a direct-mapped table caches recent verdicts by the bytes of the agent.
import { sameRange } from '../base/bytes.js';
import { createRequire } from 'node:module';
import { hashBytes } from '../base/hash.js';
import { FIRST_NAMED_BOT, NAMED_BOTS, VISITOR } from './record.js';

const SLOTS = 4096;
/** Longer agents are not cached. */
const LONGEST = 512;

interface Known {
  readonly agent: Uint8Array;
  readonly visitor: number;
}

export class BotJudge {
  readonly #known: (Known | undefined)[] = Array<Known | undefined>(SLOTS).fill(undefined);
  readonly #isBot: (agent: string) => boolean;

  constructor() {
    // Loaded on first use, synchronously: only callers that need it spend the 5 ms.
    const load = createRequire(import.meta.url);
    ({ isbot: this.#isBot } = load('isbot') as typeof import('isbot'));
  }

  isBot(bytes: Uint8Array, start: number, end: number): boolean {
    return this.visitorOf(bytes, start, end) !== VISITOR.person;
  }

  /** A person, a bot, or the number of a named bot. */
  visitorOf(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const slot = hashBytes(bytes, start, end) & (SLOTS - 1);
    const known = this.#known[slot];
    if (known?.agent.length === length && sameRange(known.agent, 0, bytes, start, length)) return known.visitor;
    const agent = Uint8Array.prototype.slice.call(bytes, start, end);
    const visitor = this.#judge(asSent(Buffer.from(agent.buffer).toString('latin1')));
    if (length <= LONGEST) this.#known[slot] = { agent, visitor };
    return visitor;
  }

  #judge(agent: string): number {
    if (!this.#isBot(agent)) return VISITOR.person;
    const text = agent.toLowerCase();
    const name = LOWER_NAMES.findIndex((part) => text.includes(part));
    return name < 0 ? VISITOR.bot : FIRST_NAMED_BOT + name;
  }
}

// Logs whose fields end at blanks have the blanks of an agent escaped, and isbot takes a browser without blanks for a bot:
//
//   IIS          Mozilla/5.0+(compatible;+Googlebot/2.1;++http://www.google.com/bot.html)
//   CloudFront   Mozilla/5.0%20(compatible;%20Googlebot/2.1;%20+http://www.google.com/bot.html)
//                Mozilla/5.0%2520(…                in logs of its first years
//   Akamai       Mozilla%2F5.0+%28compatible%3B+…

const BLANK = / |\t/;
const ESCAPE = /%(?:25)*([0-9a-f]{2})/gi;

/** The agent as the client sent it. One that has a blank was not escaped. */
function asSent(agent: string): string {
  if (BLANK.test(agent)) return agent;
  const text = /%(?:25)*20/.test(agent) ? agent : agent.replace(/\+(\+?)/g, ' $1');
  return text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const LOWER_NAMES = NAMED_BOTS.map((name) => name.toLowerCase());
