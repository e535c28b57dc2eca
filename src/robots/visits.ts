// Which URLs does a log have, and who came to them? One row per URL, in columns:
//
//   url │ facts: page? redirected? │ host │ people │ people from Google │ … from Bing │ … │ bots by class │ …
//
// When the memory is full, further URLs get no row: their hits count, the URLs themselves do not.
import { decodeText } from '../base/bytes.js';
import { addTo } from '../base/group-by.js';
import { hashBytes } from '../base/hash.js';
import { TextTable } from '../base/text-table.js';
import { isDocument } from '../log/filters.js';
import { emptyParts, splitUrl } from '../url/parse.js';
import type { BotGroup } from './agent.js';

/** Facts of a URL, as bits. */
export const PAGE = 1;
export const REDIRECTED = 2;
/** Redirected for good. */
const MOVED = 4;

/** Search engines whose crawlers have names of their own; others obey the group for all. */
export const ENGINES = [
  { name: 'Google', agent: 'Googlebot', referrer: /(?:^|\.)google\.[a-z.]+$/ },
  { name: 'Bing', agent: 'bingbot', referrer: /(?:^|\.)(?:bing|duckduckgo|yahoo|ecosia|qwant)\.[a-z.]+$/ },
  { name: 'Yandex', agent: 'YandexBot', referrer: /(?:^|\.)(?:yandex|ya)\.[a-z.]+$/ },
  { name: 'Baidu', agent: 'Baiduspider', referrer: /(?:^|\.)baidu\.com$/ },
  { name: 'others', agent: '', referrer: /(?:^|\.)(?:startpage|seznam|naver|sogou|mojeek|kagi|brave)\.[a-z.]+$/ },
] as const;

/** The place in ENGINES of the search engine that a visitor came from, or -1. */
export function engineOf(referrer: string): number {
  const host = /^https?:\/\/([^/:?#]+)/i.exec(referrer)?.[1]?.toLowerCase();
  if (host === undefined) return -1;
  return ENGINES.findIndex((engine) => engine.referrer.test(host) && !/^(?:mail|drive|docs)\./.test(host));
}

/** Counts by row, 0 at first. */
export class Counts {
  #counts = new Uint32Array(0);

  get(at: number): number {
    return this.#counts[at] ?? 0;
  }

  set(at: number, count: number): void {
    if (at >= this.#counts.length) {
      const wider = new Uint32Array(Math.max(1 << 10, 2 * at));
      wider.set(this.#counts);
      this.#counts = wider;
    }
    this.#counts[at] = count;
  }

  add(at: number): void {
    this.set(at, this.get(at) + 1);
  }
}

/** Bots of one group that a robots.txt speaks to by one name. */
export interface BotClass {
  readonly as: string;
  readonly group: BotGroup;
  readonly hits: Counts;
}

/** A robots.txt that names more of them was written to be a nuisance: the hits of further ones are not kept by URL. */
const MOST_CLASSES = 32;

/** The memory for one row, beside its URL. */
const ROW_BYTES = 96;

export class Visits {
  /** URLs that got no row. A URL counts each time that it comes. */
  unlisted = 0;
  /** Requests by host, whatever its port; those for URLs without a row are left out. */
  readonly hosts = new Map<string, number>();
  readonly people = new Counts();
  readonly fromSearch = ENGINES.map(() => new Counts());
  readonly facts = new Counts();
  readonly bots: BotClass[] = [];
  #movedAway: ReadonlySet<number> | undefined;
  readonly #hostOf = new Counts();
  readonly #hostNames: string[] = [];
  readonly #hostPlaces = new Map<string, number>();
  readonly #urls = new TextTable();
  readonly #memoryBytes: number;
  readonly #parts = emptyParts();

  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
  }

  get length(): number {
    return this.#urls.count;
  }

  /** The row of a URL; -1 if there is none, and no room for another. */
  rowOf(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    const isFull = this.#urls.heldBytes + ROW_BYTES * this.#urls.count > this.#memoryBytes;
    if (isFull) {
      const known = this.#urls.find(bytes, start, end - start, hash);
      if (known < 0) this.unlisted++;
      return known;
    }
    const before = this.#urls.count;
    const row = this.#urls.intern(bytes, start, end - start, hash);
    if (row === before) this.#noteHost(row, bytes, start, end);
    return row;
  }

  /** Counts a request for a URL that has a row. */
  addRequest(row: number): void {
    const host = this.#hostNames[this.#hostOf.get(row) - 1];
    if (host !== undefined) this.hosts.set(host, this.hosts.get(host)! + 1);
  }

  /** The counts of a class of bots; undefined if there are too many classes. */
  classOf(as: string, group: BotGroup): BotClass | undefined {
    const known = this.bots.find((one) => one.as === as && one.group === group);
    if (known !== undefined || this.bots.length === MOST_CLASSES) return known;
    const created = { as, group, hits: new Counts() };
    this.bots.push(created);
    return created;
  }

  /** Notes an answer with this status, -1 if the log has none. */
  noteAnswer(row: number, status: number, bytes: Uint8Array, start: number, end: number): void {
    const isPage = status === 200 || status === 304 || status === -1;
    const isRedirect = status >= 300 && status < 400 && status !== 304;
    const known = this.facts.get(row);
    if ((known & PAGE) === 0 && isPage && this.#isDocument(bytes, start, end)) this.facts.set(row, known | PAGE);
    if (isRedirect) this.facts.set(row, known | REDIRECTED | (status === 301 || status === 308 ? MOVED : 0));
  }

  /**
   * URLs that the server only redirected, and for good, to somewhere else: no page has the same path and query on another
   * host, or with another slash at the end. A log does not say where a redirect leads. Ask when all was read.
   */
  get movedAway(): ReadonlySet<number> {
    return (this.#movedAway ??= this.#findMovedAway());
  }

  #findMovedAway(): ReadonlySet<number> {
    const byTarget = new Map<string, number[]>();
    for (let row = 0; row < this.length; row++) {
      if ((this.facts.get(row) & (MOVED | PAGE)) !== MOVED) continue;
      addTo(byTarget, this.#slashlessOf(row), row);
    }
    for (let row = 0; byTarget.size > 0 && row < this.length; row++)
      if ((this.facts.get(row) & PAGE) !== 0) byTarget.delete(this.#slashlessOf(row));
    return new Set(Array.from(byTarget.values()).flat());
  }

  #slashlessOf(row: number): string {
    const url = this.urlOf(row);
    return targetIn(url, 0, url.length).replace(/\/(?=\?|$)/, '');
  }

  urlOf(row: number): Uint8Array {
    return this.#urls.text(row);
  }

  #isDocument(bytes: Uint8Array, start: number, end: number): boolean {
    const { pathStart, queryStart } = splitUrl(bytes, start, end, this.#parts);
    return isDocument(bytes, pathStart, queryStart);
  }

  #noteHost(row: number, bytes: Uint8Array, start: number, end: number): void {
    const { hostStart, portStart } = splitUrl(bytes, start, end, this.#parts);
    if (portStart <= hostStart) return;
    const host = decodeText(bytes, hostStart, portStart);
    let place = this.#hostPlaces.get(host);
    if (place === undefined && this.#hostNames.length < MOST_HOSTS) {
      place = this.#hostNames.push(host);
      this.#hostPlaces.set(host, place);
      this.hosts.set(host, 0);
    }
    this.#hostOf.set(row, place ?? 0);
  }
}

const MOST_HOSTS = 1000;

/** The request target of a URL: path and query. */
export function targetIn(bytes: Uint8Array, start: number, end: number): string {
  const { pathStart, queryStart, fragmentStart } = splitUrl(bytes, start, end, PARTS);
  const target = Buffer.from(bytes.buffer, bytes.byteOffset + pathStart, fragmentStart - pathStart).toString('latin1');
  return pathStart === queryStart ? `/${target}` : target;
}

const PARTS = emptyParts();
