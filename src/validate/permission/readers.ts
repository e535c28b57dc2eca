// Who has read URLs of a kind? Kept small and of fixed size: whether a crawler did, and up to three clients.
//
// A client is an address. If one address makes most of the requests, as behind a proxy or in a log of one machine,
// addresses say nothing, and a client is an address with a user agent.
export interface Readers {
  crawler: boolean;
  readonly addresses: number[];
  readonly agents: number[];
}

/** The least number of clients that counts as "several". */
export const SEVERAL = 3;

/** Who made a request. The numbers are hashes; 0 means unknown. */
export interface Reader {
  readonly isCrawler: boolean;
  readonly address: number;
  /** A hash of address and agent together. */
  readonly agent: number;
}

export function noReaders(): Readers {
  return { crawler: false, addresses: [], agents: [] };
}

export function addReader(readers: Readers, { isCrawler, address, agent }: Reader): void {
  if (isCrawler) readers.crawler = true;
  addTo(readers.addresses, address);
  addTo(readers.agents, agent);
}

export function addReaders(readers: Readers, others: Readers): void {
  if (others.crawler) readers.crawler = true;
  for (const address of others.addresses) addTo(readers.addresses, address);
  for (const agent of others.agents) addTo(readers.agents, agent);
}

function addTo(known: number[], one: number): void {
  if (one !== 0 && known.length < SEVERAL && !known.includes(one)) known.push(one);
}

/**
 * Counts the most frequent numbers, in little memory (Misra and Gries 1982). A count is too low by at most total / FEW.
 */
export class Frequent {
  static readonly FEW = 64;
  total = 0;
  readonly #counts = new Map<number, number>();

  add(one: number): void {
    this.total++;
    const count = this.#counts.get(one);
    if (count !== undefined || this.#counts.size < Frequent.FEW) {
      this.#counts.set(one, (count ?? 0) + 1);
      return;
    }
    for (const [other, left] of this.#counts) {
      if (left === 1) this.#counts.delete(other);
      else this.#counts.set(other, left - 1);
    }
  }

  /** A lower bound for the share of the most frequent number. */
  get most(): number {
    return this.total === 0 ? 0 : Math.max(0, ...this.#counts.values()) / this.total;
  }
}
