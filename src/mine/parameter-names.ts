// Finds the names that occur in enough URLs, and numbers them in byte order.
//
// One pass counts all names in a table. If the table outgrows its share, as with the millions of names in a hostile
// log, there are several passes, each for a part of the names by hash, after a counting Bloom filter has excluded most
// rare names.
import { mixed } from '../base/hash.js';
import { HashFilter } from '../base/hash-filter.js';
import { TextTable } from '../base/text-table.js';
import { bytesFor } from '../memory-plan.js';
import type { SiteUrls } from '../table/site-urls.js';
import { uncollate } from '../url/token.js';
import { listScan, type UrlScan } from './parameter-scan.js';

/** The most passes. With so many, a table may be larger than its share. */
const MAX_PARTS = 4 ** 6;

export class Names {
  readonly count: number;
  /** By number: how many URLs have the name. */
  readonly urls: Uint32Array;
  /** How many URLs of the list have a host. */
  readonly withHost: number;
  readonly #table: TextTable;

  constructor(found: readonly Found[], withHost: number) {
    this.count = found.length;
    this.urls = Uint32Array.from(found, ({ urls }) => urls);
    this.withHost = withHost;
    this.#table = new TextTable();
    for (const { text, hash } of found) this.#table.intern(text, 0, text.length, hash);
  }

  /** Raw bytes of a name. */
  name(number: number): Uint8Array {
    return uncollate(this.#table.text(number));
  }

  lengthOf(number: number): number {
    return this.#table.lengthOf(number);
  }

  /** The number of a parameter of the scanned URL, or -1. */
  find(scan: UrlScan, parameter: number): number {
    const at = scan.nameAt[parameter]!;
    return this.#table.find(scan.bytes, scan.at + at, scan.nameEnd[parameter]! - at, hashOf(scan, parameter));
  }
}

/** What one pass finds out about fields (names with their values). */
export interface SeenFields {
  /** Passes the hash of every field that several URLs have, and a few other hashes. */
  readonly repeated: HashFilter;
  readonly meanBytes: number;
}

/** A name in collation bytes. */
interface Found {
  readonly text: Uint8Array;
  readonly hash: number;
  readonly urls: number;
}

/** Reused for all sites, as most have few names. */
const counted = new TextTable();

/** The names in at least `least` URLs. `memoryBytes` is for the whole search. */
export function countNames(
  urls: SiteUrls,
  least: number,
  memoryBytes: number,
): { readonly names: Names; readonly seen: SeenFields } {
  let filter: HashFilter | undefined;
  for (let parts = 1; ; parts *= 4) {
    const counter = new NameCounter(urls, listScan, least, memoryBytes, filter);
    let part = 0;
    while (part < parts && counter.count(part, parts)) part++;
    if (part === parts) return { names: counter.names(), seen: counter.seen };
    filter ??= filterOf(urls, listScan, least, memoryBytes);
  }
}

function hashOf(scan: UrlScan, parameter: number): number {
  return mixed(scan.nameHash[parameter]!);
}

function filterOf(urls: SiteUrls, scan: UrlScan, least: number, memoryBytes: number): HashFilter {
  const filter = new HashFilter(least, bytesFor('parameters/names', memoryBytes));
  for (let row = 0; row < urls.count; row++) {
    scan.read(urls, row);
    for (let k = 0; k < scan.count; k++) filter.add(hashOf(scan, k));
  }
  return filter;
}

class NameCounter {
  #withHost = 0;
  #fields = 0;
  #fieldBytes = 0;
  readonly #repeated: HashFilter;
  readonly #urls: SiteUrls;
  readonly #scan: UrlScan;
  readonly #least: number;
  readonly #tableBytes: number;
  readonly #filter: HashFilter | undefined;
  readonly #found: Found[] = [];

  constructor(urls: SiteUrls, scan: UrlScan, least: number, memoryBytes: number, filter: HashFilter | undefined) {
    this.#urls = urls;
    this.#scan = scan;
    this.#least = least;
    this.#tableBytes = bytesFor('parameters/names', memoryBytes);
    this.#filter = filter;
    this.#repeated = new HashFilter(2, Math.min(bytesFor('parameters/repeated-values', memoryBytes), 16 * urls.count));
  }

  /** Counts the names of one part; false if they do not fit. */
  count(part: number, parts: number): boolean {
    const table = counted.clear();
    const hashes: number[] = [];
    const counts: number[] = [];
    const scan = this.#scan;
    this.#withHost = 0;
    for (let row = 0; row < this.#urls.count; row++) {
      scan.read(this.#urls, row);
      if (scan.hasHost) this.#withHost++;
      for (let k = 0; k < scan.count; k++) {
        if (part === 0) {
          this.#repeated.add(scan.fieldHash[k]!);
          this.#fields++;
          this.#fieldBytes += scan.end[k]! - scan.nameAt[k]!;
        }
        const hash = hashOf(scan, k);
        if (parts > 1 && (hash >>> 0) % parts !== part) continue;
        if (this.#filter?.passes(hash) === false) continue;
        const name = table.intern(scan.bytes, scan.at + scan.nameAt[k]!, scan.nameEnd[k]! - scan.nameAt[k]!, hash);
        if (name < counts.length) counts[name]!++;
        else {
          counts.push(1);
          hashes.push(hash);
        }
      }
      if (table.heldBytes > this.#tableBytes && table.count > 1 && parts < MAX_PARTS) return false;
    }
    for (const [name, urls] of counts.entries()) {
      if (urls >= this.#least) this.#found.push({ text: table.text(name).slice(), hash: hashes[name]!, urls });
    }
    return true;
  }

  get seen(): SeenFields {
    return { repeated: this.#repeated, meanBytes: this.#fieldBytes / Math.max(1, this.#fields) };
  }

  names(): Names {
    const named = this.#found.map((found) => ({ found, name: uncollate(found.text) }));
    named.sort((a, b) => Buffer.compare(a.name, b.name));
    return new Names(
      named.map(({ found }) => found),
      this.#withHost,
    );
  }
}
