// Tells whether a user agent is a person or which bot it is (./agents), given bytes of a log. Logs have a few thousand
// agents, so a direct-mapped table caches recent verdicts by the bytes of the agent.
import { sameRange } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';
import { visitorOfAgent } from './agents/agents.js';
import { VISITOR } from './record.js';

const SLOTS = 4096;
/** Longer agents are not cached. */
const LONGEST = 512;

interface Known {
  readonly agent: Uint8Array;
  readonly visitor: number;
}

export class BotJudge {
  readonly #known: (Known | undefined)[] = Array<Known | undefined>(SLOTS).fill(undefined);

  /** The hash of the agent that was judged last. */
  hash = 0;

  isBot(bytes: Uint8Array, start: number, end: number): boolean {
    return this.visitorOf(bytes, start, end) !== VISITOR.person;
  }

  /** One of VISITOR, or a listed bot. */
  visitorOf(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    this.hash = hashBytes(bytes, start, end);
    const slot = this.hash & (SLOTS - 1);
    const known = this.#known[slot];
    if (known?.agent.length === length && sameRange(known.agent, 0, bytes, start, length)) return known.visitor;
    const agent = Uint8Array.prototype.slice.call(bytes, start, end);
    const visitor = visitorOfAgent(Buffer.from(agent.buffer).toString('latin1'));
    if (length <= LONGEST) this.#known[slot] = { agent, visitor };
    return visitor;
  }
}
