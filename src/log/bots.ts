// Tells whether a user agent is a person or which bot it is (./agents), given bytes of a log. Logs have a few thousand
// agents, so a direct-mapped table caches recent verdicts by the bytes of the agent.
import { sameRange } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';
import { visitorOfAgent } from './agents/agents.js';
import { unlistedName } from './agents/unlisted.js';
import { VISITOR } from './record.js';

const SLOTS = 4096;
/** Longer agents are not cached. */
const LONGEST = 512;

interface Known {
  readonly agent: Uint8Array;
  readonly visitor: number;
  /** What it is called if it is a bot that is not listed; undefined if nobody has asked. */
  name?: string;
}

export class BotJudge {
  readonly #known: (Known | undefined)[] = Array<Known | undefined>(SLOTS).fill(undefined);
  #last: Known = { agent: new Uint8Array(0), visitor: VISITOR.unknown };

  /** The hash of the agent that was judged last. */
  hash = 0;

  /** The name of that agent if it is a bot that is not listed. */
  get unlisted(): string {
    return (this.#last.name ??= unlistedName(latin1(this.#last.agent)));
  }

  isBot(bytes: Uint8Array, start: number, end: number): boolean {
    return this.visitorOf(bytes, start, end) !== VISITOR.person;
  }

  /** One of VISITOR, or a listed bot. */
  visitorOf(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    this.hash = hashBytes(bytes, start, end);
    const slot = this.hash & (SLOTS - 1);
    const known = this.#known[slot];
    if (known?.agent.length === length && sameRange(known.agent, 0, bytes, start, length)) {
      this.#last = known;
      return known.visitor;
    }
    const agent = Uint8Array.prototype.slice.call(bytes, start, end);
    this.#last = { agent, visitor: visitorOfAgent(latin1(agent)) };
    if (length <= LONGEST) this.#known[slot] = this.#last;
    return this.#last.visitor;
  }
}

function latin1(agent: Uint8Array): string {
  return Buffer.from(agent.buffer, agent.byteOffset, agent.length).toString('latin1');
}
