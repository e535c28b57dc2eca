// Where did a redirect lead? A browser follows one at once, so the next request of the same person (address and agent) is
// where it led. Bots queue targets, so their next requests say nothing. Redirects wait for the next request in a table of a fixed
// size; one that is pushed out by another is not followed.
const SLOTS = 1 << 12;

interface Waiting {
  readonly client: number;
  readonly agent: number;
  readonly source: Uint8Array;
}

export class Follows {
  readonly #waiting: (Waiting | undefined)[] = Array<Waiting | undefined>(SLOTS).fill(undefined);

  /** The URL that this person was redirected from just now; undefined if it was none. */
  take(client: number, agent: number): Uint8Array | undefined {
    const slot = slotOf(client, agent);
    const one = this.#waiting[slot];
    if (one === undefined || one.client !== client || one.agent !== agent) return undefined;
    this.#waiting[slot] = undefined;
    return one.source;
  }

  put(client: number, agent: number, source: Uint8Array): void {
    this.#waiting[slotOf(client, agent)] = { client, agent, source };
  }
}

function slotOf(client: number, agent: number): number {
  return (client ^ (agent >>> 3)) & (SLOTS - 1);
}
