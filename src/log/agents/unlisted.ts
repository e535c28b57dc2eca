// What is a bot called that is not on the list (./list)? By a word of its user agent.
import { asSent } from './agents.js';

/** Bots without names of their own. */
export const UNNAMED = 'unnamed bots';

/** No more of an agent is looked at: whatever is longer was written to be a nuisance. */
const MOST_CHARACTERS = 1024;

/**
 * The word that names a bot, without its version: `Examplebot` of `Mozilla/5.0 (compatible; Examplebot/2.1; …)`. One that
 * says that it is a bot, else one with a version, or an agent of one word.
 */
export function unlistedName(userAgent: string): string {
  const words = asSent(userAgent.slice(0, MOST_CHARACTERS)).split(/[\s();,"']+/);
  const names = words.filter((word) => NAME.test(word) && !OF_BROWSERS.has(nameIn(word).toLowerCase()));
  const named = names.find((word) => SAYS_BOT.test(nameIn(word))) ?? names.find((word) => VERSION.test(word));
  if (named !== undefined) return nameIn(named);
  return words.length === 1 && names.length === 1 ? nameIn(names[0]!) : UNNAMED;
}

function nameIn(word: string): string {
  return word.split('/', 1)[0]!;
}

/** No address of a page or of a mailbox. */
const NAME = /^[a-z][\w.-]*(?:$|\/)(?!\/)/i;
const VERSION = /\/v?\d/i;
const SAYS_BOT = /bot|crawl|spider|fetch/i;

/** What every browser says of itself, and so many bots too. */
export const OF_BROWSERS = new Set(
  'mozilla compatible applewebkit khtml like gecko chrome safari firefox trident msie opera edge edg opr version mobile android linux windows macintosh http https'.split(
    ' ',
  ),
);
