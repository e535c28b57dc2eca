// Is a bot who it says it is? Operators publish the addresses of their bots. A request under the name of a bot from an
// address outside of them is forged; a line without an address is neither. Forged visitors have numbers of their own, from
// the top of a byte down:
//
//   0 … 2   VISITOR          3 …   listed bots          … 255   forged: 255 is a forged one of the first bot with ranges
import { type AddressRange, isInRanges, joinedRanges, readAddress, readPrefix } from './address-ranges.js';
import { agentOf } from './agents.js';

/** Addresses of a bot, as data for threads. */
export interface BotRanges {
  /** Its name in the list. */
  readonly bot: string;
  /** Such as 66.249.64.0/27. */
  readonly prefixes: readonly string[];
}

const LAST = 255;
/** The most bots whose addresses can be given. */
export const MOST_BOTS = 24;
const FIRST_FORGED = LAST - MOST_BOTS + 1;

/** Stands for all visitors under false names. */
export const FORGED = LAST;

/** True for the number of a visitor under a false name. */
export function isForged(visitor: number): boolean {
  return visitor >= FIRST_FORGED;
}

/** The place of the bot whose name a forged visitor has, among the bots with ranges. */
export function forgedOf(visitor: number): number {
  return LAST - visitor;
}

/** Addresses that were judged lately; a log has few of bots, but may be made to have many. */
const MOST_KNOWN = 1 << 14;

/** Built from prefixes that `readPrefix` accepts. */
export class Forgeries {
  readonly #lists: ReadonlyMap<string, { readonly list: readonly AddressRange[]; readonly place: number }>;
  readonly #known = new Map<string, boolean>();

  constructor(ranges: readonly BotRanges[]) {
    this.#lists = new Map(
      ranges.map(({ bot, prefixes }, place) => [
        bot,
        { list: joinedRanges(prefixes.flatMap((prefix) => readPrefix(prefix) ?? [])), place },
      ]),
    );
  }

  /** The number of a visitor, or that of a forged one if the client's address is not the bot's. */
  judge(visitor: number, bytes: Uint8Array, start: number, end: number): number {
    const { name } = agentOf(visitor);
    const found = this.#lists.get(name);
    if (found === undefined) return visitor;
    const address = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end - start, LONGEST)).toString(
      'latin1',
    );
    const key = `${found.place} ${address}`;
    let isOwn = this.#known.get(key);
    if (isOwn === undefined) {
      isOwn = isIn(found.list, address);
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(key, isOwn);
    }
    return isOwn ? visitor : LAST - found.place;
  }
}

const LONGEST = 64;

/** True also for what is no address: it proves nothing. */
function isIn(list: readonly AddressRange[], text: string): boolean {
  const address = readAddress(bareAddress(text));
  return address === undefined || isInRanges(list, address);
}

/** `1.2.3.4:5678`, `[2001:db8::1]:80` and the first of `1.2.3.4, 5.6.7.8` without the rest. */
function bareAddress(text: string): string {
  const [first = ''] = text.split(',');
  const bracketed = /^\[([^\]]*)\]/.exec(first);
  return bracketed?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(first)?.[1] ?? first;
}
