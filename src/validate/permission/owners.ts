// Whose are the values of a field? All readers of a commit request the same value, and a crawler meets thousands. A
// session belongs to one client, and so does a link that was sent by mail. Looks at random values only, by field:
//
//   field        values   of two clients   clients   with one URL
//   h             5,812            1,904        37          2,211    everybody's
//   DokuWiki        605                0         9            340    each is of one client: personal
//   download          3                0         3              3    too few to say more: a value with one URL is a token
import type { Reader } from './readers.js';

/** With fewer values or clients, a field is unknown. */
const LEAST_VALUES = 5;
const LEAST_CLIENTS = 3;
/** The largest share of a personal field's values that two clients request: people send links to each other. */
const MOST_SHARED = 0.02;
/** If a crawler has read this many values, it found them in links. */
const ENOUGH_CRAWLED = 3;

const MOST_FIELDS = 2000;
/** The most values of a field that are counted. */
const MOST_VALUES = 20_000;

/** How clients are told apart (readers). */
export type ClientBy = 'addresses' | 'agents';

interface Value {
  readonly reader: Reader;
  readonly url: number;
  readonly isShared: Record<ClientBy, boolean>;
  hasTwoUrls: boolean;
}

interface Field {
  readonly values: Map<number, Value>;
  readonly addresses: Set<number>;
  readonly agents: Set<number>;
  /** How many values two clients requested. */
  readonly shared: Record<ClientBy, number>;
  crawled: number;
}

/** A request with a value for a field. `value` and `url` are hashes; `url` hashes the URL without the value. */
export interface Use {
  readonly field: string;
  readonly value: number;
  readonly url: number;
  readonly reader: Reader;
}

export class Owners {
  readonly #fields = new Map<string, Field>();

  add({ field, value, url, reader }: Use): void {
    let known = this.#fields.get(field);
    if (known === undefined) {
      if (this.#fields.size === MOST_FIELDS) return;
      this.#fields.set(field, (known = emptyField()));
    }
    if (known.addresses.size <= LEAST_CLIENTS) known.addresses.add(reader.address);
    if (known.agents.size <= LEAST_CLIENTS) known.agents.add(reader.agent);
    const before = known.values.get(value);
    if (before === undefined) {
      if (known.values.size === MOST_VALUES) return;
      if (reader.isCrawler) known.crawled++;
      known.values.set(value, { reader, url, isShared: { addresses: false, agents: false }, hasTwoUrls: false });
      return;
    }
    if (before.reader.address !== reader.address) noteShared(known, before, 'addresses');
    if (before.reader.agent !== reader.agent) noteShared(known, before, 'agents');
    if (before.url !== url) before.hasTwoUrls = true;
  }

  /** True if each value of a field belongs to one client. */
  isPersonal(name: string, by: ClientBy): boolean {
    const field = this.#fields.get(name);
    if (field === undefined || field.values.size < LEAST_VALUES || field[by].size < LEAST_CLIENTS) return false;
    return field.shared[by] <= MOST_SHARED * field.values.size;
  }

  /** True if a value has only one URL, and nothing shows that its field is in links which everybody may follow. */
  isToken(name: string, value: number): boolean {
    const field = this.#fields.get(name);
    if (field === undefined || field.crawled >= ENOUGH_CRAWLED) return false;
    return field.values.get(value)?.hasTwoUrls === false;
  }
}

function emptyField(): Field {
  const shared = { addresses: 0, agents: 0 };
  return { values: new Map(), addresses: new Set(), agents: new Set(), shared, crawled: 0 };
}

function noteShared(field: Field, value: Value, by: ClientBy): void {
  if (value.isShared[by]) return;
  value.isShared[by] = true;
  field.shared[by]++;
}
