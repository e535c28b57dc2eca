// The URLs of one canonical form, streamed: their total cost, and those of them with the most hits (top-k).
import { readU32, type Row, type RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { putNumber, readNumber } from '../../sort-keys.js';
import type { Costs } from './visits.js';

const MAX_MEMBERS = 5;

export const COSTS = ['hits', 'bytes', 'botHits', 'micros'] as const;

const COST_BYTES = 8 * COSTS.length;

export function putCosts(row: RowWriter, costs: Costs): void {
  putNumber(row, costs.hits);
  putNumber(row, costs.bytes);
  putNumber(row, costs.botHits);
  putNumber(row, costs.micros);
}

/** Reads what {@link putCosts} wrote, from a row whose payload begins with four other bytes. */
export function costsOf({ bytes, keyEnd }: Row): Costs {
  const at = keyEnd + 4;
  return {
    hits: readNumber(bytes, at),
    bytes: readNumber(bytes, at + 8),
    botHits: readNumber(bytes, at + 16),
    micros: readNumber(bytes, at + 24),
  };
}

/** The number of the fix in a row, behind its costs; NO_FIX is written as 0. */
export function fixOf({ bytes, keyEnd }: Row): number {
  return readU32(bytes, keyEnd + 4 + COST_BYTES) + NO_FIX;
}

/** Where the URL of a row begins, behind its fix. */
export function urlStartOf({ keyEnd }: Row): number {
  return keyEnd + 4 + COST_BYTES + 4;
}

export type Totals = { -readonly [Key in keyof Costs]: number } & { urls: number };

export function emptyTotals(): Totals {
  return { urls: 0, hits: 0, bytes: 0, botHits: 0, micros: 0 };
}

/** The first URL of a form. Most have no other, so a group is made only when a second one comes. */
export class LoneUrl implements Costs {
  isThere = false;
  site = '';
  hits = 0;
  bytes = 0;
  botHits = 0;
  micros = 0;
  fix = 0;
  readonly #url = new Run();

  take(site: string, fix: number, row: Row, start: number, end: number): void {
    this.isThere = true;
    this.site = site;
    this.fix = fix;
    const { hits, bytes, botHits, micros } = costsOf(row);
    this.hits = hits;
    this.bytes = bytes;
    this.botHits = botHits;
    this.micros = micros;
    this.#url.remember(row, start, end);
  }

  group(): OpenGroup {
    const group = new OpenGroup();
    group.add(this.site, this.fix, this, this.#url.view, 0, this.#url.view.length);
    return group;
  }

  get url(): Uint8Array {
    return this.#url.view;
  }
}

/** Adds the costs of one more URL. */
export function addCosts(total: Totals, costs: Costs): void {
  total.urls++;
  total.hits += costs.hits;
  total.bytes += costs.bytes;
  total.botHits += costs.botHits;
  total.micros += costs.micros;
}

/** The fix of a URL that no rule changes. */
export const NO_FIX = -1;

interface Member extends Costs {
  readonly url: Uint8Array;
  readonly site: string;
  readonly fix: number;
}

/** Most hits first; ties to the first in byte order. */
export function byHits(a: Pick<Member, 'hits' | 'url'>, b: Pick<Member, 'hits' | 'url'>): number {
  return b.hits - a.hits || Buffer.compare(a.url, b.url);
}

/** The URLs of one form: their costs together, and those with the most hits. */
export class OpenGroup {
  /** Made on demand, by canonizing any of its URLs. */
  form: Uint8Array | undefined;
  readonly total: Totals = emptyTotals();
  readonly members: Member[] = [];
  /** The site of the first URL; undefined after a different one, then the parts of all sites. */
  readonly #byFix = new Map<number, Totals>();
  #site: string | undefined;
  #parts: Map<string, OpenGroup> | undefined;

  /** The URL bytes[start, end). */
  add(site: string, fix: number, costs: Costs, bytes: Uint8Array, start: number, end: number): void {
    if (site !== (this.#site ??= site) && this.#parts === undefined) this.#split();
    this.#add(costs, site, fix, bytes, start, end);
    addCosts(this.#ofFix(fix), costs);
    if (this.#parts === undefined) return;
    let part = this.#parts.get(site);
    if (part === undefined) this.#parts.set(site, (part = new OpenGroup()));
    part.#add(costs, site, fix, bytes, start, end);
  }

  get name(): Member {
    return this.members[0]!;
  }

  *parts(): Generator<readonly [string, OpenGroup]> {
    if (this.#parts === undefined) yield [this.#site!, this];
    else yield* this.#parts;
  }

  #ofFix(fix: number): Totals {
    let sum = this.#byFix.get(fix);
    if (sum === undefined) this.#byFix.set(fix, (sum = emptyTotals()));
    return sum;
  }

  /**
   * The cost of duplicates, by the fix that retires them. If no rule changes a duplicate, it is the canonical form
   * itself, with fewer hits than the group's name: then the fix of the name retires it.
   */
  *duplicatesByFix(): Generator<readonly [fix: number, costs: Totals]> {
    const { name } = this;
    for (const [fix, sum] of this.#byFix) {
      if (fix !== name.fix) yield [fix === NO_FIX ? name.fix : fix, sum];
      else {
        const rest = { ...sum, urls: sum.urls - 1 };
        for (const cost of COSTS) rest[cost] -= name[cost];
        yield [fix, rest];
      }
    }
  }

  /** Turns the totals so far, all of one site, into its part. */
  #split(): void {
    const part = new OpenGroup();
    Object.assign(part.total, this.total);
    for (const member of this.members) part.members.push(member);
    this.#parts = new Map([[this.#site!, part]]);
  }

  #add(costs: Costs, site: string, fix: number, bytes: Uint8Array, start: number, end: number): void {
    const { total, members } = this;
    addCosts(total, costs);
    if (members.length === MAX_MEMBERS && members[MAX_MEMBERS - 1]!.hits > costs.hits) return;
    const { hits, bytes: sent, botHits, micros } = costs;
    members.push({ hits, bytes: sent, botHits, micros, url: bytes.slice(start, end), site, fix });
    if (members.length > 1) members.sort(byHits).splice(MAX_MEMBERS);
  }
}
