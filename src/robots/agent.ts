// Who asked: a person, or which bot, and what is it for? And by which words of its user agent may robots.txt name it?
import { asSent, groupOfAgent, UNLISTED } from '../log/agents/agents.js';
import type { BotGroup as NamedGroup } from '../log/agents/list.js';
import { OF_BROWSERS, UNNAMED, unlistedName } from '../log/agents/unlisted.js';

/** `unknown`: without a user agent, as browsers never are. */
export type BotGroup = NamedGroup | 'unknown';

/** In the order in which they are listed. */
export const BOT_GROUPS: readonly BotGroup[] = [
  'search',
  'ai-search',
  'ai-training',
  'seo',
  'monitoring',
  'feed',
  'other-bot',
  'unknown',
];

export interface Visitor {
  readonly name: string;
  readonly group: BotGroup | 'person';
}

export function visitorOf(userAgent: string): Visitor {
  const { name, group } = groupOfAgent(userAgent);
  if (group === 'unknown') return { name: 'without a name', group };
  return { name: name === UNLISTED ? unlistedName(userAgent) : name, group };
}

/** No more of an agent is looked at: whatever is longer was written to be a nuisance. */
const MOST_CHARACTERS = 1024;
const WORD = /[a-z0-9][\w-]*/g;
/**
 * Libraries and tools that anybody uses: one that reads robots.txt and one that asks for a page need not be the same
 * program.
 */
const TOOLS =
  /^(?:curl|wget|python|urllib|httpx|aiohttp|go-http|okhttp|java|jakarta|apache-http|libwww|lwp|perl|ruby|php|guzzle|axios|node|undici|got|dart|scrapy|postman|powershell|winhttp|http|x11)/i;

/** True if all requests under a name are of one operator, who can be told what they may not. */
export function isOneBot({ name, group }: Visitor): boolean {
  return group !== 'person' && group !== 'unknown' && name !== UNNAMED && !TOOLS.test(name);
}

/**
 * The words by which a robots.txt may name an agent, the longest first: each word, and its beginnings up to a dash, as
 * Googlebot-Image obeys the group of Googlebot. Yandex documents `Yandex` as a name of all its bots.
 */
export function wordsOf(userAgent: string): readonly string[] {
  const words = new Set<string>();
  for (const [word] of asSent(userAgent.slice(0, MOST_CHARACTERS)).toLowerCase().matchAll(WORD)) {
    if (OF_BROWSERS.has(word)) continue;
    for (let end = word.length; end > 0; end = word.lastIndexOf('-', end - 1)) words.add(word.slice(0, end));
    if (word.startsWith('yandex')) words.add('yandex');
  }
  return Array.from(words).sort((a, b) => b.length - a.length);
}
