// Finds the URLs that have each parameter, and those that are equal except for it (SPEC 9), by sorting rows of numbers.
//
//   | hash of the base u64 | 0        | 0     | row | 0     |     the URL itself: a member without the parameter
//   | hash of the base u64 | name + 1 | value | row | place |
//
// The base is the URL without the parameter. Values are interned in one pass over the list or, if their table would
// outgrow its share, in several passes, each for a part of the values. URLs whose hash is not that of a base are left
// out.
import { PROGRESS_MASK, type Progress } from '../base/progress.js';
import { HashFilter } from '../base/hash-filter.js';
import { TEXT_BYTES, TextTable } from '../base/text-table.js';
import { WordSorter, type WordReader } from '../base/word-sort.js';
import { bytesFor, roomFor } from '../memory-plan.js';
import type { SiteUrls } from '../table/site-urls.js';
import type { Room } from './engine.js';
import { countNames, type NameOptions, type Names } from './parameter-names.js';
import { NEAR_BITS, Nearness } from './parameter-near.js';
import { VALUE_KINDS, kindOf } from './parameter-kinds.js';
import { placeIn, Places } from './parameter-places.js';
import { listScan } from './parameter-scan.js';
import { ListedValues, UNIQUE, ValueCounts } from './parameter-values.js';

export interface MemberOptions extends NameOptions {
  /** A mask on hashes of bases; tests use it to force collisions, so that bytes have to decide. */
  readonly hashMask?: number;
}

export const ROW_WORDS = 6;
export const KEY_WORDS = 5;

export interface Members {
  readonly names: Names;
  readonly places: Places;
  readonly values: ValueCounts;
  /** By name and kind of value (parameter-kinds): the number of URLs. */
  readonly kinds: Uint32Array;
  /** Of the parameters that a report lists, if it lists any. */
  readonly listed: ListedValues | undefined;
  /** Rows in order. */
  readonly rows: WordReader;
}

/** The most passes. With so many, the table of values may be larger than its share. */
const MAX_PARTS = 4096;

/** Undefined if no parameter occurs in enough URLs. */
export function collectMembers(urls: SiteUrls, options: MemberOptions, room: Room): Members | undefined {
  const { names, seen } = countNames(urls, options, room);
  if (names.count === 0) return undefined;
  const places = new Places(urls, names);
  const tableBytes = bytesFor('parameters/values', room.memoryBytes);
  const wanted = seen.repeated.passing * (TEXT_BYTES + seen.meanBytes);
  let parts = Math.max(1, Math.ceil(wanted / tableBytes));
  for (; ; parts = Math.ceil(1.5 * parts)) {
    const collector = new Collector(urls, names, places, seen.repeated, options, room);
    let part = 0;
    while (part < parts && collector.collect(part, parts, tableBytes)) part++;
    if (part < parts) {
      collector.sorter.finish().close();
      continue;
    }
    collector.addUrls();
    const { values, kinds, listed } = collector;
    const rows = collector.sorter.finish();
    takeDoubles(rows, values, places);
    return { names, places, values, kinds, listed, rows };
  }
}

/** Reused for all sites, as most have few values. */
const valueTable = new TextTable();

class Collector {
  readonly sorter: WordSorter;
  readonly values = new ValueCounts();
  readonly kinds: Uint32Array;
  readonly listed: ListedValues | undefined;
  readonly #urls: SiteUrls;
  readonly #names: Names;
  readonly #mask: number;
  readonly #scan = listScan;
  readonly #places: Places;
  readonly #repeated: HashFilter;
  readonly #near: Nearness | undefined;
  readonly #seen: HashFilter;
  /** Both hashes of each URL if there is room for them. Otherwise they are recomputed. */
  readonly #hashes: Int32Array | undefined;
  readonly #progress: Progress | undefined;
  #numbered = 0;

  constructor(urls: SiteUrls, names: Names, places: Places, repeated: HashFilter, options: MemberOptions, room: Room) {
    this.#urls = urls;
    this.#names = names;
    this.kinds = new Uint32Array(VALUE_KINDS * names.count);
    this.#places = places;
    this.#repeated = repeated;
    this.#progress = room.progress;
    if ((options.listed ?? 0) > 0) this.listed = new ListedValues(names);
    if (!urls.isResident) this.#near = new Nearness(urls);
    this.#mask = options.hashMask ?? -1;
    this.#seen = new HashFilter(1, Math.min(bytesFor('parameters/bases', room.memoryBytes), 16 * urls.count));
    if (8 * urls.count <= bytesFor('parameters/hashes', room.memoryBytes))
      this.#hashes = new Int32Array(2 * urls.count);
    this.sorter = new WordSorter(ROW_WORDS, KEY_WORDS, roomFor('parameters/rows', room));
  }

  /** Adds the members whose values are in one part; false if the table of these values does not fit. */
  collect(part: number, parts: number, tableBytes: number): boolean {
    const table = valueTable.clear();
    const [scan, hashes] = [this.#scan, this.#hashes];
    for (let row = 0; row < this.#urls.count; row++) {
      if ((row & PROGRESS_MASK) === 0) this.#progress?.tick();
      scan.readHashed(this.#urls, row);
      if (hashes !== undefined) {
        hashes[2 * row] = scan.hashA;
        hashes[2 * row + 1] = scan.hashB;
      }
      for (let k = 0; k < scan.count; k++) {
        const name = this.#names.find(scan, k);
        if (name < 0) continue;
        const value = this.#valueOf(k, part, parts, table);
        if (value < 0) continue;
        const hits = this.listed === undefined ? 0 : this.#urls.hitsAt(scan.at);
        this.listed?.add(name, scan, k, value === UNIQUE ? UNIQUE : value - this.#numbered, hits);
        scan.hashWithout(k);
        this.values.add(value);
        this.kinds[VALUE_KINDS * name + kindOf(scan.bytes, scan.at + scan.nameEnd[k]! + 1, scan.at + scan.end[k]!)]!++;
        this.#seen.add(scan.hashA);
        const place = placeIn(scan, k);
        const hash = this.#near === undefined ? scan.hashA : this.#nearHash(row, place, name);
        this.#add(hash, scan.hashB, name + 1, value, row, place);
      }
      if (table.heldBytes > tableBytes && table.count > 1 && parts < MAX_PARTS) return false;
    }
    this.listed?.endPart(table, this.#numbered, this.values);
    this.#numbered += table.count;
    return true;
  }

  /** If the list is on disk, the hash begins with the position of the base in it. */
  #nearHash(row: number, place: number, name: number): number {
    const near = this.#near!.of(this.#places.collatedBaseOf(row, place, name), row);
    return (near << (32 - NEAR_BITS)) | (this.#scan.hashA >>> NEAR_BITS);
  }

  /** The number of the value of a parameter of the scanned URL; -1 if it belongs to another part. */
  #valueOf(parameter: number, part: number, parts: number, table: TextTable): number {
    const scan = this.#scan;
    const hash = scan.fieldHash[parameter]!;
    if (!this.#repeated.passes(hash)) return part === 0 ? UNIQUE : -1;
    if (parts > 1 && (hash >>> 0) % parts !== part) return -1;
    const at = scan.nameAt[parameter]!;
    return this.#numbered + table.intern(scan.bytes, scan.at + at, scan.end[parameter]! - at, hash);
  }

  /** Adds the URLs that may be the base of a member. */
  addUrls(): void {
    const [scan, hashes] = [this.#scan, this.#hashes];
    for (let row = 0; row < this.#urls.count; row++) {
      if (hashes === undefined) scan.readHashed(this.#urls, row);
      const hash = hashes === undefined ? scan.hashA : hashes[2 * row]!;
      if (!this.#seen.passes(hash)) continue;
      const nearHash =
        this.#near === undefined ? hash : (this.#near.ofRow(row) << (32 - NEAR_BITS)) | (hash >>> NEAR_BITS);
      this.#add(nearHash, hashes?.[2 * row + 1] ?? scan.hashB, 0, 0, row, 0);
    }
  }

  #add(hashA: number, hashB: number, name: number, value: number, row: number, place: number): void {
    const words = this.sorter.row;
    words[0] = hashA & this.#mask;
    words[1] = hashB & this.#mask;
    words[2] = name;
    words[3] = value;
    words[4] = row;
    words[5] = place;
    this.sorter.add();
  }
}

/** Two URLs with the same value and base, which differ in the position of the parameter, belong to one group. */
function takeDoubles(rows: WordReader, values: ValueCounts, places: Places): void {
  const last = new Uint32Array(ROW_WORDS);
  /** Row and place of one member per base with these hashes, name and value: nearly always one. */
  let bases: number[] = [];
  while (rows.next()) {
    const { words } = rows;
    let same = 0;
    while (same < 4 && words[same] === last[same]) same++;
    const [name, value, row, place] = [words[2]! - 1, words[3]!, words[4]!, words[5]!];
    if (same < 4 || name < 0 || value === UNIQUE) {
      for (let k = 0; k < ROW_WORDS; k++) last[k] = words[k]!;
      bases = [];
      continue;
    }
    if (bases.length === 0) bases = [last[4]!, last[5]!];
    let base = 0;
    while (base < bases.length && !places.isSameBase(bases[base]!, bases[base + 1]!, name, row, place, name)) base += 2;
    if (base < bases.length) values.takeOne(value);
    else bases.push(row, place);
  }
  rows.rewind();
}
