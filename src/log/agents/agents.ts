// Who sent a request, by its user agent: a person, a bot of the list (./list), or another bot. isbot decides for agents that
// name no bot of the list.
import { createRequire } from 'node:module';
import { VISITOR } from '../record.js';
import { type BotGroup, LISTED } from './list.js';

/** `unknown`: there is no user agent. */
export type AgentGroup = BotGroup | 'unknown' | 'person';

export interface Agent {
  /** As in its documentation: Googlebot. Of a bot that is not listed {@link UNLISTED}. */
  readonly name: string;
  readonly group: AgentGroup;
}

export interface ListedBot extends Agent {
  readonly group: BotGroup;
  /** The product token by which robots.txt and the user agent name it. */
  readonly token: string;
}

/** All bots that are known by name. */
export const LISTED_BOTS: readonly ListedBot[] = Object.entries(LISTED).map(([name, group]) => {
  return { name, group, token: name };
});

const PERSON: Agent = { name: 'people', group: 'person' };
const UNKNOWN: Agent = { name: 'unknown', group: 'unknown' };
/** Bots that are not listed (./unlisted): not the name of a group. */
export const UNLISTED = 'unlisted bots';
const OTHER_BOT: Agent = { name: UNLISTED, group: 'other-bot' };

/** Under the name of a listed bot, but not from its addresses (./addresses). */
const FORGED: Agent = { name: 'forged bots', group: 'other-bot' };

/** No more of an agent is looked at: whatever is longer was written to be a nuisance. */
const MOST_CHARACTERS = 1024;

/** Visitors below this number are no listed bots. */
export const FIRST_LISTED_BOT = VISITOR.bot + 1;

/** Says who a user agent is, as it stands in a log: with blanks, or with blanks escaped. */
export function groupOfAgent(userAgent: string): Agent {
  return agentOf(visitorOfAgent(userAgent));
}

/** The number of a user agent: one of VISITOR, or a listed bot. */
export function visitorOfAgent(userAgent: string): number {
  if (userAgent === '' || userAgent === '-') return VISITOR.unknown;
  const agent = asSent(userAgent.slice(0, MOST_CHARACTERS));
  const place = placeOfBot(agent);
  if (place >= 0) return FIRST_LISTED_BOT + place;
  return isOtherBot(agent) ? VISITOR.bot : VISITOR.person;
}

/** Who a number of {@link visitorOfAgent} stands for. */
export function agentOf(visitor: number): Agent {
  if (visitor >= FIRST_LISTED_BOT) return LISTED_BOTS[visitor - FIRST_LISTED_BOT] ?? FORGED;
  return visitor === VISITOR.unknown ? UNKNOWN : visitor === VISITOR.person ? PERSON : OTHER_BOT;
}

/** The place in {@link LISTED_BOTS}; -1 if the user agent names none of them. */
function placeOfBot(agent: string): number {
  const text = agent.toLowerCase();
  for (const [word] of text.matchAll(WORD)) {
    const place = placeOfWord(word);
    if (place !== undefined) return place;
  }
  return PHRASES.find(({ phrase }) => text.includes(phrase))?.place ?? -1;
}

const WORD = /[a-z0-9][\w.-]*/g;
const TOKENS = new Map(LISTED_BOTS.map(({ token }, place) => [token.toLowerCase(), place]));
const PHRASES = LISTED_BOTS.flatMap(({ token }, place) =>
  token.includes(' ') ? [{ phrase: token.toLowerCase(), place }] : [],
);
/** The most parts that are taken off a word: `pingdom.com_bot_version_1.4_` has six. */
const MOST_PARTS = 8;

/** A word that begins with a token and a sign is that bot: Googlebot-Image. */
function placeOfWord(word: string): number | undefined {
  for (let parts = 0; parts < MOST_PARTS; parts++) {
    const place = TOKENS.get(word);
    if (place !== undefined) return place;
    const cut = Math.max(word.lastIndexOf('-'), word.lastIndexOf('_'), word.lastIndexOf('.'));
    if (cut <= 0) return undefined;
    word = word.slice(0, cut);
  }
  return undefined;
}

let isbot: ((agent: string) => boolean) | undefined;

/** True if an agent that names no listed bot is one nevertheless. */
function isOtherBot(agent: string): boolean {
  // Loaded on first use, synchronously: only callers that need it spend the 5 ms.
  isbot ??= (createRequire(import.meta.url)('isbot') as typeof import('isbot')).isbot;
  return isbot(agent);
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
export function asSent(agent: string): string {
  if (BLANK.test(agent)) return agent;
  const text = /%(?:25)*20/.test(agent) ? agent : agent.replace(/\+(\+?)/g, ' $1');
  return text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
