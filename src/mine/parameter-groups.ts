// What does each group say of its parameter (SPEC 9)?
//
// Rows come by base: the URL itself, then for each name the members that have it, in their order. So the first member of a
// group that has a size or a sketch is the pivot, and all others are compared with it as they pass. A group of 500,000
// members is a few numbers:
//
//   voice      of all members, compared with the pivot
//   present    of those that have the parameter, compared with the first of them that has evidence
//   sample     the first 16 members with evidence behind the pivot, which chance is measured on
//
// Members that differ in nothing but the place of the parameter say nothing of it: a group has two values at least, being
// without the parameter among them.
import { readU32, SpillSorter, type Row, type RowReader } from '../base/spill.js';
import { evidenceFor, hasEvidence, type Voice } from '../table/evidence.js';
import type { RowWriter } from '../table/pair.js';
import type { SiteUrls } from '../table/site-urls.js';
import type { Room } from './engine.js';
import { baseOf, HASH_BYTES, readPlace, type Place } from './parameter-rows.js';

export interface Group {
  /** Number of the parameter. */
  readonly name: number;
  readonly voice: Voice;
  readonly present: Voice;
  /** True where the pivot is the member without the parameter. */
  readonly isPivotAbsent: boolean;
  /** Row of the member without the parameter, or -1. */
  readonly absent: number;
  /** The first member that has the parameter, how many groups have its value, and the number of the value. */
  readonly first: Place;
  readonly valueGroups: number;
  readonly value: number;
  /** Row of the first member that has the parameter with another value, or -1. */
  readonly second: number;
  /** Row, or -1 where nothing is known of any member. */
  readonly pivot: number;
  readonly sample: readonly number[];
}

const SAMPLE = 16;
/** ε is one in twenty: so many of the members that evidence speaks of may differ from the pivot. */
const TOLERATED = 20;

/** Of a group, or of a sample of one: for, against, or silent. */
export function voiceOf(same: number, different: number): Voice {
  if (same + different === 0) return 0;
  return different * TOLERATED <= same + different ? 1 : -1;
}

/** Calls `visit` for every group of two values. Rows are those of the sort by base. */
export function eachGroup(
  urls: SiteUrls,
  byBase: SpillSorter,
  comparison: Comparison,
  room: Room,
  visit: (group: Group) => void,
): void {
  // One hash is nearly always one base; the rows of another base wait for a round of their own.
  let rows: RowReader | undefined = byBase.finish();
  while (rows !== undefined) {
    const others = new Others(room);
    const bases = new BaseReader(urls, comparison, visit);
    for (let row = rows.next(); row !== undefined; row = rows.next()) if (!bases.take(row)) others.add(row);
    bases.end();
    rows.close();
    rows = others.finish();
  }
}

/** Rows that were put off; the sorter is made only if there are any. */
class Others {
  readonly #room: Room;
  #sorter: SpillSorter | undefined;

  constructor(room: Room) {
    this.#room = room;
  }

  add({ bytes, keyStart, keyEnd, end }: Row): void {
    this.#sorter ??= new SpillSorter(this.#room, this.#room.stats);
    this.#sorter.add(bytes, keyStart, end, keyEnd - keyStart);
  }

  finish(): RowReader | undefined {
    return this.#sorter?.finish();
  }
}

/** Cuts rows into bases and bases into groups. */
class BaseReader {
  readonly #urls: SiteUrls;
  readonly #visit: (group: Group) => void;
  readonly #growing: GrowingGroup;
  readonly #hash = new Uint8Array(HASH_BYTES);
  /** The first row of the base; its bytes once there is a second one. */
  #place: Place | undefined;
  #base: Uint8Array | undefined;
  #absent = -1;
  #name = -1;

  constructor(urls: SiteUrls, comparison: Comparison, visit: (group: Group) => void) {
    this.#urls = urls;
    this.#visit = visit;
    this.#growing = new GrowingGroup(comparison);
  }

  /** False for a row of another base with the same hash. */
  take({ bytes, keyStart, keyEnd }: Row): boolean {
    const place = readPlace(bytes, keyEnd);
    if (this.#hasHash(bytes, keyStart)) {
      this.#base ??= this.#baseOf(this.#place!);
      if (Buffer.compare(this.#baseOf(place), this.#base) !== 0) return false;
    } else {
      this.end();
      for (let k = 0; k < HASH_BYTES; k++) this.#hash[k] = bytes[keyStart + k]!;
      this.#place = place;
    }
    const at = keyStart + HASH_BYTES + 1;
    if (bytes[at - 1] === 0) {
      this.#absent = place.row;
      return true;
    }
    const name = readBigEndian(bytes, at);
    if (name !== this.#name) {
      this.#endGroup();
      this.#name = name;
      if (this.#absent >= 0) this.#growing.addAbsent(this.#absent);
    }
    this.#growing.addPresent(place, ~readBigEndian(bytes, at + 4) >>> 0, readBigEndian(bytes, at + 8));
    return true;
  }

  end(): void {
    this.#endGroup();
    this.#place = this.#base = undefined;
    this.#absent = -1;
  }

  #endGroup(): void {
    if (this.#name >= 0 && this.#growing.hasTwoValues) this.#visit(this.#growing.group(this.#name));
    this.#growing.clear();
    this.#name = -1;
  }

  #hasHash(bytes: Uint8Array, at: number): boolean {
    if (this.#place === undefined) return false;
    for (let k = 0; k < HASH_BYTES; k++) if (bytes[at + k] !== this.#hash[k]) return false;
    return true;
  }

  #baseOf({ row, at, length }: Place): Uint8Array {
    return baseOf(this.#urls, row, at, length);
  }
}

function readBigEndian(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

/** Evidence between rows; without the similarity test everything is alike. */
export class Comparison {
  readonly #urls: SiteUrls;
  readonly #similarity: boolean;

  constructor(urls: SiteUrls, similarity: boolean) {
    this.#urls = urls;
    this.#similarity = similarity;
  }

  isWitness(row: number): boolean {
    return !this.#similarity || hasEvidence(this.#urls, row);
  }

  between(a: number, b: number): Voice {
    return this.#similarity ? evidenceFor(this.#urls, a, b) : 1;
  }

  /** What a sample says when compared with a pivot; chance says nothing where everything is alike. */
  ofSample(pivot: number, sample: readonly number[]): Voice {
    if (!this.#similarity) return 0;
    const tally = new Tally();
    for (const row of sample) tally.add(this.between(pivot, row));
    return tally.voice;
  }
}

class Tally {
  #same = 0;
  #different = 0;

  add(voice: Voice): void {
    if (voice > 0) this.#same++;
    else if (voice < 0) this.#different++;
  }

  get voice(): Voice {
    return voiceOf(this.#same, this.#different);
  }

  clear(): void {
    this.#same = this.#different = 0;
  }
}

const NOWHERE: Place = { row: -1, at: 0, length: 0 };

class GrowingGroup {
  readonly #comparison: Comparison;
  readonly #all = new Tally();
  readonly #present = new Tally();
  #absent = -1;
  #first = NOWHERE;
  #second = -1;
  #valueGroups = 0;
  #value = -1;
  #pivot = -1;
  #presentPivot = -1;
  #sample: number[] = [];

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
  }

  clear(): void {
    this.#all.clear();
    this.#present.clear();
    this.#absent = this.#second = this.#value = this.#pivot = this.#presentPivot = -1;
    this.#first = NOWHERE;
    this.#sample = [];
  }

  get hasTwoValues(): boolean {
    return this.#absent >= 0 || this.#second >= 0;
  }

  addAbsent(row: number): void {
    this.#absent = row;
    if (this.#comparison.isWitness(row)) this.#pivot = row;
  }

  addPresent(place: Place, valueGroups: number, value: number): void {
    const { row } = place;
    if (this.#first.row < 0) {
      this.#first = place;
      this.#valueGroups = valueGroups;
      this.#value = value;
    } else if (this.#second < 0 && value !== this.#value) this.#second = row;
    if (!this.#comparison.isWitness(row)) return;
    const isFirst = this.#presentPivot < 0;
    if (isFirst) this.#presentPivot = row;
    else this.#present.add(this.#comparison.between(this.#presentPivot, row));
    if (this.#pivot < 0) this.#pivot = row;
    else {
      // Without a pivot of its own `all` is what `present` is.
      if (this.#pivot !== this.#presentPivot) this.#all.add(this.#comparison.between(this.#pivot, row));
      if (this.#sample.length < SAMPLE) this.#sample.push(row);
    }
  }

  group(name: number): Group {
    return {
      name,
      voice: this.#pivot === this.#presentPivot ? this.#present.voice : this.#all.voice,
      present: this.#second < 0 ? 0 : this.#present.voice,
      isPivotAbsent: this.#pivot >= 0 && this.#pivot === this.#absent,
      absent: this.#absent,
      first: this.#first,
      valueGroups: this.#valueGroups,
      value: this.#value,
      second: this.#second,
      pivot: this.#pivot,
      sample: this.#sample,
    };
  }
}

/** Appends a group, and what chance says of it, as a payload. */
export function writeGroup(row: RowWriter, group: Group, chance: Voice): RowWriter {
  const { first, sample } = group;
  row
    .u32(group.name)
    .byte(group.voice + 1)
    .byte(group.present + 1)
    .byte(chance + 1);
  row
    .byte(group.isPivotAbsent ? 1 : 0)
    .u32(group.absent + 1)
    .u32(group.second + 1)
    .u32(group.pivot + 1);
  row.u32(first.row).u32(first.at).u32(first.length).u32(group.valueGroups).u32(group.value).byte(sample.length);
  for (const member of sample) row.u32(member);
  return row;
}

/** Reads back what {@link writeGroup} wrote behind the key of a row. */
export function readGroup({ bytes, keyEnd }: Row): { readonly group: Group; readonly chance: Voice } {
  const voiceAt = (at: number) => (bytes[keyEnd + at]! - 1) as Voice;
  const numberAt = (at: number) => readU32(bytes, keyEnd + at);
  const group: Group = {
    name: numberAt(0),
    voice: voiceAt(4),
    present: voiceAt(5),
    isPivotAbsent: bytes[keyEnd + 7] === 1,
    absent: numberAt(8) - 1,
    second: numberAt(12) - 1,
    pivot: numberAt(16) - 1,
    first: { row: numberAt(20), at: numberAt(24), length: numberAt(28) },
    valueGroups: numberAt(32),
    value: numberAt(36),
    sample: Array.from({ length: bytes[keyEnd + 40]! }, (_, k) => numberAt(41 + 4 * k)),
  };
  return { group, chance: voiceAt(6) };
}
