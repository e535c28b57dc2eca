// Finds the names that occur in enough URLs, and numbers them in byte order.
//
// One pass counts all names in a table. If that outgrows its share, as with the millions of names in a hostile log, it is
// written to disk as rows, and rows of one name are added up at the end.
//
// A field that is a number and nothing else, such as a cache buster or a counter (`?a=1&1700000000`), has no name of its
// own: all of these are values of one parameter, whose name is empty (SPEC 9).
import { isDigit } from '../base/bytes.js';
import { mixed } from '../base/hash.js';
import { HashFilter } from '../base/hash-filter.js';
import { readU32, RowWriter } from '../base/row.js';
import { Run } from '../base/run.js';
import { SpillSorter } from '../base/spill.js';
import { TextTable } from '../base/text-table.js';
import { TopK } from '../base/top-k.js';
import { bytesFor, roomFor } from '../memory-plan.js';
import type { SiteUrls } from '../table/site-urls.js';
import { fromCollationByte, uncollate } from '../url/token.js';
import type { Room } from './engine.js';
import { listScan, type UrlScan } from './parameter-scan.js';

export interface NameOptions {
  /** A rule may be about a parameter that is in so many URLs. */
  readonly paramMinUrls: number;
  /** So many are listed for a report, those in the most URLs; none if left out. */
  readonly listed?: number | undefined;
}

export class Names {
  readonly count: number;
  /** By number: how many URLs have the name. */
  readonly urls: Uint32Array;
  /** How many URLs of the list have a host. */
  readonly withHost: number;
  /** How many names the list has in all. */
  readonly inList: number;
  /** The number of the parameter that has no name, whose values are bare numbers; -1 if it is not considered. */
  readonly bare: number;
  readonly #table: TextTable;
  readonly #isListed: Uint8Array;
  readonly #isMined: Uint8Array;

  constructor(found: readonly Found[], withHost: number, inList: number) {
    this.count = found.length;
    this.urls = Uint32Array.from(found, ({ urls }) => urls);
    this.withHost = withHost;
    this.inList = inList;
    this.bare = found.findIndex(({ text }) => text.length === 0);
    this.#isListed = Uint8Array.from(found, ({ isListed }) => Number(isListed));
    this.#isMined = Uint8Array.from(found, ({ isMined }) => Number(isMined));
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

  /** True if a rule may be about it. */
  isMined(number: number): boolean {
    return this.#isMined[number] === 1;
  }

  /** True if a report lists it. */
  isListed(number: number): boolean {
    return this.#isListed[number] === 1;
  }

  /** The number of a parameter of the URL that was scanned, or -1. */
  find(scan: UrlScan, parameter: number): number {
    if (isBareNumber(scan, parameter)) return this.bare;
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
  readonly isMined: boolean;
  readonly isListed: boolean;
}

/** The names that a rule may be about or a report lists. */
export function countNames(
  urls: SiteUrls,
  options: NameOptions,
  room: Room,
): { readonly names: Names; readonly seen: SeenFields } {
  const { paramMinUrls, listed = 0 } = options;
  const counter = new NameCounter(roomFor('parameters/names', room), listed > 0);
  const repeated = new HashFilter(
    2,
    Math.min(bytesFor('parameters/repeated-values', room.memoryBytes), 16 * urls.count),
  );
  let [withHost, fields, fieldBytes] = [0, 0, 0];
  for (let row = 0; row < urls.count; row++) {
    const scan = listScan.read(urls, row);
    if (scan.hasHost) withHost++;
    counter.addUrl(scan, listed > 0 && scan.count > 0 ? urls.hitsAt(scan.at) : 0);
    fields += scan.count;
    for (let k = 0; k < scan.count; k++) {
      repeated.add(scan.fieldHash[k]!);
      fieldBytes += scan.end[k]! - scan.nameAt[k]!;
    }
  }
  const { found, inList } = chosen(counter, paramMinUrls, listed);
  return { names: new Names(found, withHost, inList), seen: { repeated, meanBytes: fieldBytes / Math.max(1, fields) } };
}

/** The names in enough URLs, and those that are listed, in byte order. */
function chosen(counter: NameCounter, paramMinUrls: number, listed: number) {
  const mined: Counted[] = [];
  const top = new TopK<Counted>(listed, byUrls);
  let inList = 0;
  counter.each((name) => {
    inList++;
    const isMined = name.urls >= paramMinUrls && name.text.length > 0;
    if (!isMined && listed === 0) return;
    const kept = { ...name, text: name.text.slice() };
    if (isMined) mined.push(kept);
    if (listed > 0) top.add(kept);
  });
  const isListed = new Set(listed > 0 ? top.finish() : []);
  const isMined = new Set(mined);
  const all = Array.from(new Set([...mined, ...isListed]), (counted) => ({
    found: { ...counted, isMined: isMined.has(counted), isListed: isListed.has(counted) },
    name: uncollate(counted.text),
  }));
  all.sort((a, b) => Buffer.compare(a.name, b.name));
  return { found: all.map(({ found }) => found), inList };
}

interface Counted {
  readonly text: Uint8Array;
  readonly hash: number;
  readonly urls: number;
  readonly hits: number;
}

/** The most URLs first, ties to the most hits, then to the first in byte order. */
function byUrls(a: Counted, b: Counted): number {
  return b.urls - a.urls || b.hits - a.hits || Buffer.compare(uncollate(a.text), uncollate(b.text));
}

function hashOf(scan: UrlScan, parameter: number): number {
  return mixed(scan.nameHash[parameter]!);
}

/** True for a field that is a number and nothing else. */
function isBareNumber(scan: UrlScan, parameter: number): boolean {
  const end = scan.end[parameter]!;
  if (scan.nameEnd[parameter] !== end) return false;
  for (let at = scan.nameAt[parameter]!; at < end; at++) {
    if (!isDigit(fromCollationByte(scan.bytes[scan.at + at]!))) return false;
  }
  return true;
}

/** Shared by all sites, as most have few names. */
const counted = new TextTable();

/** The hash of the empty name. */
const NO_NAME = 0;

/** How many URLs have a name, and how many hits those have. */
class NameCounter {
  readonly #room: Room;
  readonly #hasHits: boolean;
  readonly #table = counted.clear();
  #hashes: number[] = [];
  #urls: number[] = [];
  #hits: number[] = [];
  #sorter: SpillSorter | undefined;

  constructor(room: Room, hasHits: boolean) {
    this.#room = room;
    this.#hasHits = hasHits;
  }

  addUrl(scan: UrlScan, hits: number): void {
    for (let k = 0; k < scan.count; k++) {
      const at = scan.at + scan.nameAt[k]!;
      const isBare = isBareNumber(scan, k);
      const length = isBare ? 0 : scan.nameEnd[k]! - scan.nameAt[k]!;
      const hash = isBare ? NO_NAME : hashOf(scan, k);
      const name = this.#table.intern(scan.bytes, at, length, hash);
      if (name < this.#urls.length) this.#urls[name]!++;
      else {
        this.#urls.push(1);
        this.#hashes.push(hash);
        if (this.#hasHits) this.#hits.push(0);
      }
      if (this.#hasHits) this.#hits[name]! += hits;
    }
    if (this.#table.heldBytes > this.#room.memoryBytes && this.#table.count > 1) this.#flush();
  }

  /** Visits each name once; its text is valid during the call. */
  each(visit: (name: Counted) => void): void {
    if (this.#sorter === undefined) {
      for (const [name, urls] of this.#urls.entries()) {
        const [text, hash, hits] = [this.#table.text(name), this.#hashes[name]!, this.#hits[name] ?? 0];
        visit({ text, hash, urls, hits });
      }
      return;
    }
    this.#flush();
    this.#eachMerged(this.#sorter, visit);
  }

  #eachMerged(sorter: SpillSorter, visit: (name: Counted) => void): void {
    const rows = sorter.finish();
    const text = new Run();
    let [hash, urls, hits] = [0, 0, 0];
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (!text.is(row, row.keyStart, row.keyEnd)) {
        if (urls > 0) visit({ text: text.view, hash, urls, hits });
        text.remember(row, row.keyStart, row.keyEnd);
        [hash, urls, hits] = [readU32(row.bytes, row.keyEnd) | 0, 0, 0];
      }
      urls += readU32(row.bytes, row.keyEnd + 4);
      hits += readU32(row.bytes, row.keyEnd + 8) + readU32(row.bytes, row.keyEnd + 12) * 2 ** 32;
    }
    if (urls > 0) visit({ text: text.view, hash, urls, hits });
    rows.close();
  }

  #flush(): void {
    this.#sorter ??= new SpillSorter(this.#room, this.#room.stats);
    const line = new RowWriter();
    for (const [name, urls] of this.#urls.entries()) {
      const hits = this.#hits[name] ?? 0;
      const keyLength = line.clear().raw(this.#table.text(name)).length;
      line
        .u32(this.#hashes[name]!)
        .u32(urls)
        .u32(hits)
        .u32(Math.floor(hits / 2 ** 32));
      this.#sorter.add(line.bytes, 0, line.length, keyLength);
    }
    this.#table.clear();
    this.#hashes = [];
    this.#urls = [];
    this.#hits = [];
  }
}
