// What do the groups of a parameter say about its pages, for a report? A rule only needs how near the pages of a group
// are; a report also shows how their sizes compare. Counted while groups are read for the rules, in constant memory for
// each parameter that is listed.
import { byText } from '../base/bytes.js';
import { TopK } from '../base/top-k.js';
import type { WordReader } from '../base/word-sort.js';
import { WordSorter } from '../base/word-sort.js';
import { roomFor } from '../memory-plan.js';
import { LEVELS, SILENT } from '../table/nearness.js';
import type { SiteUrls } from '../table/site-urls.js';
import { emptyFields, isParameter, splitFields, withoutFields } from '../url/fields.js';
import type { Room } from './engine.js';
import type { Group, MemberWatch, Voice } from './parameter-group.js';
import type { Names } from './parameter-names.js';
import { rawUrl } from '../table/raw-url.js';

/** Counts over the groups of one parameter. */
export interface GroupFacts {
  /** By level: how near groups are, how near they would be by chance, and how near their members are to their pivots. */
  readonly groups: readonly number[];
  readonly chance: readonly number[];
  readonly near: readonly number[];
  /** Groups of which nothing is known. */
  readonly silent: number;
  /** Groups with two sizes: those whose largest is at most {@link NEAR} times the smallest, and the others. */
  readonly nearSizes: number;
  readonly farSizes: number;
  /**
   * Groups that have a size without the parameter, or with its usual value: in how many most other members are smaller,
   * in how many larger, and in how many neither.
   */
  readonly narrower: number;
  readonly wider: number;
  readonly level: number;
  /** Pages of known size, each compared with a page of another group of its kind: how many are near in size, or not. */
  readonly nearByChance: number;
  readonly farByChance: number;
  /** Members of groups that have the parameter. */
  readonly members: number;
  /** True if any page of the groups has a sketch. */
  readonly hasSketches: boolean;
  /** Median of largest over smallest size in a group, to the thousandth; null if no group has a size. */
  readonly sizeRatio: number | null;
}

/** A parameter as a report lists it. */
export interface ListedParameter {
  readonly site: string;
  /** Empty for the parameter whose values are bare numbers. */
  readonly name: string;
  readonly urls: number;
  readonly hits: number;
  /** How many distinct values it has, and those in the most URLs, ties to the first in byte order. */
  readonly values: number;
  readonly commonest: readonly Uint8Array[];
  readonly facts: GroupFacts;
}

/** The parameters in the most URLs, and how many there are in all. */
export interface Listing {
  readonly parameters: readonly ListedParameter[];
  readonly names: number;
}

/** Adds up the listings of sites. */
export class Listings {
  readonly #top: TopK<ListedParameter>;
  #names = 0;

  constructor(most: number) {
    this.#top = new TopK(most, byUrls);
  }

  add({ parameters, names }: Listing): void {
    for (const parameter of parameters) this.#top.add(parameter);
    this.#names += names;
  }

  finish(): Listing {
    return { parameters: this.#top.finish(), names: this.#names };
  }
}

function byUrls(a: ListedParameter, b: ListedParameter): number {
  return b.urls - a.urls || b.hits - a.hits || byText(a.name, b.name) || byText(a.site, b.site);
}

/** Pages with the same content in another order differ in size only by their links and dates. */
export const NEAR = 1.02;
/** Sizes of members that are compared with the one without the parameter, or with the usual value. */
const MAX_COMPARED = 256;
/** This share of the members other than the reference has to be smaller, or larger. */
const MOST = 0.8;
/** Groups that are needed before a name counts as one that leaves the size as it is. */
const FEWEST_LEVEL = 3;
/** Ratios are kept in these. */
const THOUSANDTHS = 1000;

type Counts = { -readonly [Key in keyof GroupFacts]: GroupFacts[Key] } & {
  readonly chance: number[];
  readonly near: number[];
};

/** Follows the groups of listed parameters as their members are read (`begin`, `addAbsent`, `addPresent`, `end`). */
export class GroupMeter implements MemberWatch {
  readonly #urls: SiteUrls;
  /** By name; undefined for those that are not listed. */
  readonly #counts: readonly (Counts | undefined)[];
  readonly #usual: ReadonlySet<number>;
  readonly #ratios: WordSorter;
  /** Names that most groups say leave the size of a page as it is. */
  readonly #level = new Set<string>();
  readonly #fields = emptyFields();
  #isOpen = false;
  #isReferenceAbsent = false;
  #reference = -1;
  #least = Infinity;
  #largest = -1;
  #members = 0;
  #hasSketches = false;
  readonly #compared = new Float64Array(MAX_COMPARED);
  #compares = 0;

  constructor(urls: SiteUrls, names: Names, usual: ReadonlySet<number>, room: Room) {
    this.#urls = urls;
    this.#counts = Array.from({ length: names.count }, (_, name) => (names.isListed(name) ? noCounts() : undefined));
    this.#usual = usual;
    this.#ratios = new WordSorter(2, 2, roomFor('grouping/ratios', room));
  }

  begin(name: number): void {
    this.#isOpen = this.#counts[name] !== undefined;
    this.#isReferenceAbsent = this.#hasSketches = false;
    this.#reference = this.#largest = -1;
    this.#least = Infinity;
    this.#members = this.#compares = 0;
  }

  addAbsent(row: number): void {
    if (!this.#isOpen) return;
    this.#isReferenceAbsent = true;
    this.#reference = this.#take(row);
  }

  /** Members come with the value that most groups have first. */
  addPresent(row: number, value: number): void {
    if (!this.#isOpen) return;
    this.#members++;
    const size = this.#take(row);
    if (this.#reference < 0 && !this.#isReferenceAbsent && this.#usual.has(value)) this.#reference = size;
    else if (size >= 0 && this.#compares < MAX_COMPARED) this.#compared[this.#compares++] = size;
  }

  /** The largest size of a URL counts: the others may be of truncated answers. */
  #take(row: number): number {
    const at = this.#urls.at(row);
    if (this.#urls.sketchLengthAt(at) > 0) this.#hasSketches = true;
    const size = this.#urls.maxSizeAt(at);
    if (size >= 0) {
      this.#least = Math.min(this.#least, size);
      this.#largest = Math.max(this.#largest, size);
    }
    return size;
  }

  /** The group that was read has two values. */
  end({ name, voice, near }: Group): void {
    const counts = this.#counts[name];
    if (counts === undefined) return;
    counts.members += this.#members;
    counts.hasSketches ||= this.#hasSketches;
    if (voice === SILENT) {
      counts.silent++;
      return;
    }
    for (let level = 0; level < LEVELS; level++) counts.near[level]! += near[level]!;
    if (this.#largest >= 0) this.#countSizes(name, counts);
  }

  #countSizes(name: number, counts: Counts): void {
    const ratio = ratioOf(this.#largest, this.#least);
    if (ratio <= NEAR) counts.nearSizes++;
    else counts.farSizes++;
    this.#ratios.row[0] = name;
    this.#ratios.row[1] = Math.min(0xffff_ffff, Math.round(ratio * THOUSANDTHS));
    this.#ratios.add();
    if (this.#reference < 0 || this.#compares === 0) return;
    const compared = this.#compared.subarray(0, this.#compares);
    const least = MOST * compared.length;
    const reference = Math.max(1, this.#reference);
    if (countOf(compared, (size) => size * NEAR < reference) >= least) counts.narrower++;
    else if (countOf(compared, (size) => size > reference * NEAR) >= least) counts.wider++;
    else counts.level++;
  }

  /** Adds the comparison of a group with `other`, the page of another group. */
  addChance({ name, sample }: Group, chance: Voice, other: number): void {
    const counts = this.#counts[name];
    if (counts === undefined || chance === SILENT) return;
    counts.chance[chance]!++;
    const [a, b] = [other, sample[0]!].map((row) => this.#urls.maxSizeAt(this.#urls.at(row))) as [number, number];
    if (a < 0 || b < 0) return;
    if (ratioOf(Math.max(a, b), Math.min(a, b)) > NEAR) counts.farByChance++;
    else if (!this.#areOneList(other, sample[0]!)) counts.nearByChance++;
  }

  /** True for URLs that differ in nothing but parameters that leave the size as it is: one list in two orders. */
  #areOneList(a: number, b: number): boolean {
    return Buffer.compare(this.#listOf(a), this.#listOf(b)) === 0;
  }

  #listOf(row: number): Uint8Array {
    const url = rawUrl(this.#urls, row);
    const fields = splitFields(url, this.#fields);
    const goes = (field: number) =>
      isParameter(fields, field) && this.#level.has(textOf(url.subarray(fields.start[field], fields.nameEnd[field])));
    return withoutFields(url, fields, goes);
  }

  /** No more groups. `neutral`: names that change nothing. */
  endGroups(names: Names, neutral: readonly number[]): void {
    const isLevel = ({ nearSizes, farSizes }: Counts) => nearSizes >= FEWEST_LEVEL && nearSizes > farSizes;
    const level = this.#counts.flatMap((counts, name) => (counts !== undefined && isLevel(counts) ? [name] : []));
    for (const name of [...level, ...neutral]) this.#level.add(textOf(names.name(name)));
    this.#addRatios();
  }

  #addRatios(): void {
    const rows = this.#ratios.finish();
    const groups = this.#counts.map((counts) => (counts === undefined ? 0 : counts.nearSizes + counts.farSizes));
    for (const [name, ratio] of medians(rows, groups)) this.#counts[name]!.sizeRatio = ratio / THOUSANDTHS;
    rows.close();
  }

  /** The counts of a listed parameter; `groups`: how near these are, by level. */
  facts(name: number, groups: Uint32Array): GroupFacts {
    return { ...this.#counts[name]!, groups: [...groups] };
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function noCounts(): Counts {
  const column = () => Array<number>(LEVELS).fill(0);
  const sizes = {
    nearSizes: 0,
    farSizes: 0,
    narrower: 0,
    wider: 0,
    level: 0,
    nearByChance: 0,
    farByChance: 0,
    sizeRatio: null,
  };
  return { groups: [], chance: column(), near: column(), silent: 0, ...sizes, members: 0, hasSketches: false };
}

function ratioOf(larger: number, smaller: number): number {
  return Math.max(1, larger) / Math.max(1, smaller);
}

function countOf(sizes: Float64Array, isCounted: (size: number) => boolean): number {
  let count = 0;
  for (const size of sizes) if (isCounted(size)) count++;
  return count;
}

/** The median for each first word; `counts` has how many rows each has. */
function* medians(rows: WordReader, counts: readonly number[]): Generator<readonly [number, number]> {
  let read = 0;
  let last = -1;
  while (rows.next()) {
    const [name, ratio] = [rows.words[0]!, rows.words[1]!];
    if (name !== last) read = 0;
    last = name;
    const half = counts[name]! / 2;
    if (read < half && read + 1 >= half) yield [name, ratio];
    read++;
  }
}
