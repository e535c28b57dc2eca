// `report --bot-addresses`: reads the addresses of bots from files as Google, Bing, OpenAI and others publish them:
//
//   { "creationTime": "2026-11-02T15:00:22", "prefixes": [{ "ipv6Prefix": "2001:db8:10::/64" }, { "ipv4Prefix": "192.0.2.0/27" }] }
//
// A file does not say whose addresses it has. Its name does (googlebot.json), or the user: Googlebot=FILE.
import { basename } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { readPrefix } from '../../../log/agents/address-ranges.js';
import { type BotRanges, MOST_BOTS } from '../../../log/agents/addresses.js';
import { LISTED_BOTS } from '../../../log/agents/agents.js';
import { parseJson } from '../../../rule/parse-json.js';
import { readAtMost } from '../../files.js';

const MOST_PREFIXES = 100_000;
const EXPECTED =
  'expected {"prefixes":[{"ipv4Prefix":"192.0.2.0/27"},{"ipv6Prefix":"2001:db8::/64"}]} as operators of bots publish it';
/** Published files have some kB. */
const SIZE = {
  most: 2 ** 24,
  remedy: 'Get it from the operator of the bot, or name another file',
  excess: `is larger than any list of addresses; ${EXPECTED}`,
};
const remedies = { none: EXPECTED, foreign: EXPECTED, again: `${EXPECTED}; get it again` };

/** Files that are not called like their bot. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  'common-crawlers': 'Googlebot',
  searchbot: 'OAI-SearchBot',
};

/** One for each bot, of all its files. Throws a UserError for a file that is none of these. */
export async function readBotAddresses(given: readonly string[], effects: Effects): Promise<readonly BotRanges[]> {
  const ranges = new Map<string, string[]>();
  for (const one of given) {
    const { bot, name } = namedBot(one);
    const known = ranges.get(bot) ?? [];
    ranges.set(bot, [...known, ...(await prefixesOf(name, effects))]);
  }
  if (ranges.size > MOST_BOTS)
    throw new UserError(`--bot-addresses: got ${ranges.size} bots; expected at most ${MOST_BOTS}`);
  return Array.from(ranges, ([bot, prefixes]) => ({ bot, prefixes }));
}

/** Of NAME=FILE, or FILE called like its bot. */
function namedBot(given: string): { readonly bot: string; readonly name: string } {
  const cut = given.indexOf('=');
  const named = cut < 0 ? undefined : listed(given.slice(0, cut));
  if (named !== undefined) return { bot: named, name: given.slice(cut + 1) };
  const own = basename(given).replace(/\.[^.]*$/, '').toLowerCase(); // prettier-ignore
  const bot = FILE_NAMES[own] ?? listed(own);
  if (bot !== undefined) return { bot, name: given };
  throw new UserError(
    `--bot-addresses: got ${printable(given)}, whose name is that of no known bot; expected NAME=FILE, such as Googlebot=${printable(given)}`,
  );
}

function listed(name: string): string | undefined {
  return LISTED_BOTS.find((bot) => bot.name.toLowerCase() === name.toLowerCase())?.name;
}

async function prefixesOf(name: string, effects: Effects): Promise<string[]> {
  const shownName = printable(name);
  const value = parseJson(await readAtMost(name, SIZE, effects), shownName, remedies) as {
    readonly prefixes?: unknown;
  } | null;
  const prefixes = typeof value === 'object' && value !== null ? value.prefixes : undefined;
  if (!Array.isArray(prefixes) || prefixes.length === 0)
    throw new UserError(`${shownName} has no prefixes; ${EXPECTED}`);
  if (prefixes.length > MOST_PREFIXES)
    throw new UserError(`${shownName} has ${prefixes.length} prefixes; expected at most ${MOST_PREFIXES}`);
  return prefixes.map((one: unknown, at) => {
    const { ipv4Prefix, ipv6Prefix } = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>;
    const prefix = ipv4Prefix ?? ipv6Prefix;
    if (typeof prefix === 'string' && readPrefix(prefix) !== undefined) return prefix;
    throw new UserError(
      `${shownName}: at /prefixes/${at}: got ${printable((JSON.stringify(one) ?? 'nothing').slice(0, 80))}; ${EXPECTED}`,
    );
  });
}
