// Is a user agent a bot? isbot decides, given a string; logs repeat a few thousand strings, so recent verdicts are
// cached by the bytes of the agent, in a direct-mapped table.
import { sameRange } from '../base/bytes.js';
import { createRequire } from 'node:module';
import { hashBytes } from '../base/hash.js';

const SLOTS = 4096;
/** Longer ones are not cached. */
const LONGEST = 512;

interface Known {
  readonly agent: Uint8Array;
  readonly isBot: boolean;
}

export class BotJudge {
  readonly #known: (Known | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  readonly #isBot: (agent: string) => boolean;

  constructor() {
    // Loaded on first use, synchronously: takes 5 ms, which only callers that need it pay.
    const load = createRequire(import.meta.url);
    ({ isbot: this.#isBot } = load('isbot') as typeof import('isbot'));
  }

  isBot(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    const slot = hashBytes(bytes, start, end) & (SLOTS - 1);
    const known = this.#known[slot];
    if (known?.agent.length === length && sameRange(known.agent, 0, bytes, start, length)) return known.isBot;
    const agent = Uint8Array.prototype.slice.call(bytes, start, end);
    const isBot = this.#isBot(Buffer.from(agent.buffer).toString('latin1'));
    if (length <= LONGEST) this.#known[slot] = { agent, isBot };
    return isBot;
  }
}
