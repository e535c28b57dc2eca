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
import { readU32, SpillSorter, type Row } from '../base/spill.js';
import { evidenceFor, hasEvidence, type Voice } from '../table/evidence.js';
import { RowWriter } from '../table/pair.js';
import type { SiteUrls } from '../table/site-urls.js';
import type { Room } from './engine.js';
import type { Places } from './parameter-places.js';
import { KEY_WORDS, ROW_WORDS, type Members } from './parameter-rows.js';
import { WordSorter, type WordReader } from './parameter-sort.js';
import { UNIQUE, type ValueCounts } from './parameter-values.js';

export interface Group {
  /** Number of the parameter. */
  readonly name: number;
  readonly voice: Voice;
  readonly present: Voice;
  /** True where the pivot is the member without the parameter. */
  readonly isPivotAbsent: boolean;
  /** Row of the member without the parameter, or -1. */
  readonly absent: number;
  /** The first member that has the parameter: its row and where, and how many groups have its value. */
  readonly first: number;
  readonly place: number;
  readonly valueGroups: number;
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

/** Calls `visit` for every group of two values, in no order. */
export function eachGroup(members: Members, comparison: Comparison, room: Room, visit: (group: Group) => void): void {
  // One hash is nearly always one base; the rows of another base wait for a round of their own.
  let rows: WordReader | undefined = members.rows;
  while (rows !== undefined) {
    const others = new Others(room);
    const bases = new BaseReader(members, comparison, room, others, visit);
    while (rows.next()) bases.take(rows.words, rows.at);
    bases.end();
    rows.close();
    rows = others.finish();
  }
}

/** Rows that were put off; the sorter is made only if there are any. */
class Others {
  readonly #room: Room;
  #sorter: WordSorter | undefined;

  constructor(room: Room) {
    this.#room = room;
  }

  add(hashA: number, hashB: number, name: number, value: number, row: number, place: number): void {
    this.#sorter ??= new WordSorter(ROW_WORDS, KEY_WORDS, { ...this.#room, memoryBytes: this.#room.memoryBytes / 2 });
    const at = this.#sorter.add();
    const { words } = this.#sorter;
    words[at] = hashA;
    words[at + 1] = hashB;
    words[at + 2] = name + 1;
    words[at + 3] = value;
    words[at + 4] = row;
    words[at + 5] = place;
  }

  finish(): WordReader | undefined {
    return this.#sorter?.finish();
  }
}

/** Groups of more members are put in order by a sorter of their own. */
const SMALL = 256;

/** Cuts rows into bases and bases into groups. */
class BaseReader {
  readonly #values: ValueCounts;
  readonly #places: Places;
  readonly #room: Room;
  readonly #others: Others;
  readonly #visit: (group: Group) => void;
  readonly #growing: GrowingGroup;
  #hashA = -1;
  #hashB = -1;
  /** The first row of the base, which says what the base is. */
  #row = -1;
  #place = 0;
  #nameOfRow = -1;
  #absent = -1;
  /** Members of a group as they come: by value and row. */
  #name = -1;
  #count = 0;
  readonly #value = new Uint32Array(SMALL);
  readonly #member = new Uint32Array(SMALL);
  readonly #memberPlace = new Uint32Array(SMALL);
  readonly #order = new Uint16Array(SMALL);
  #large: SpillSorter | undefined;
  readonly #line = new RowWriter();

  constructor(
    { values, places }: Members,
    comparison: Comparison,
    room: Room,
    others: Others,
    visit: (group: Group) => void,
  ) {
    this.#values = values;
    this.#places = places;
    this.#room = room;
    this.#others = others;
    this.#visit = visit;
    this.#growing = new GrowingGroup(comparison);
  }

  take(words: Uint32Array, at: number): void {
    const [name, row, place] = [words[at + 2]! - 1, words[at + 4]!, words[at + 5]!];
    if (words[at] !== this.#hashA || words[at + 1] !== this.#hashB || this.#row < 0) {
      this.end();
      this.#hashA = words[at]!;
      this.#hashB = words[at + 1]!;
      this.#row = row;
      this.#place = place;
      this.#nameOfRow = name;
      if (name < 0) {
        this.#absent = row;
        return;
      }
    }
    if (name < 0) return this.#putOff(name, 0, row, place);
    if (name !== this.#name) {
      this.#endGroup();
      this.#name = name;
    }
    if (this.#large !== undefined) return this.#addLarge(words[at + 3]!, row, place);
    this.#value[this.#count] = words[at + 3]!;
    this.#member[this.#count] = row;
    this.#memberPlace[this.#count++] = place;
    if (this.#count === SMALL) this.#enlarge();
  }

  end(): void {
    this.#endGroup();
    this.#row = this.#absent = -1;
  }

  #endGroup(): void {
    if (this.#large !== undefined) this.#endLarge();
    else if (this.#count > 0 && (this.#absent >= 0 || this.#hasTwoValues())) this.#endSmall();
    this.#count = 0;
    this.#name = -1;
  }

  /** Two of the members that came, of whatever base. */
  #hasTwoValues(): boolean {
    const last = this.#count - 1;
    return last > 0 && (this.#value[0] !== this.#value[last] || this.#value[0] === UNIQUE);
  }

  #endSmall(): void {
    const order = this.#order;
    let kept = 0;
    for (let k = 0; k < this.#count; k++) {
      if (this.#isOfBase(this.#member[k]!, this.#memberPlace[k]!)) order[kept++] = k;
      else this.#putOff(this.#name, this.#value[k]!, this.#member[k]!, this.#memberPlace[k]!);
    }
    if (kept > 1) this.#sortMembers(kept);
    if (this.#absent >= 0) this.#growing.addAbsent(this.#absent);
    for (let k = 0; k < kept; k++) {
      const member = order[k]!;
      const value = this.#value[member]!;
      this.#growing.addPresent(this.#member[member]!, this.#memberPlace[member]!, this.#values.groupsOf(value), value);
    }
    this.#endGrowing();
  }

  /** By value in the order of SPEC 9, then by row. */
  #sortMembers(kept: number): void {
    const [value, member, place] = [this.#value, this.#member, this.#memberPlace];
    const before = (a: number, b: number) => {
      if (value[a] === value[b] && value[a] !== UNIQUE) return member[a]! - member[b]!;
      return (
        this.#values.groupsOf(value[b]!) - this.#values.groupsOf(value[a]!) ||
        this.#places.compareValues(member[a]!, place[a]!, member[b]!, place[b]!, this.#name)
      );
    };
    const order = this.#order;
    if (kept > 12) {
      order.subarray(0, kept).sort(before);
      return;
    }
    for (let k = 1; k < kept; k++) {
      const moved = order[k]!;
      let hole = k;
      for (; hole > 0 && before(moved, order[hole - 1]!) < 0; hole--) order[hole] = order[hole - 1]!;
      order[hole] = moved;
    }
  }

  #enlarge(): void {
    this.#large = new SpillSorter({ ...this.#room, memoryBytes: this.#room.memoryBytes / 4 }, this.#room.stats);
    for (let k = 0; k < SMALL; k++) this.#addLarge(this.#value[k]!, this.#member[k]!, this.#memberPlace[k]!);
  }

  #addLarge(value: number, row: number, place: number): void {
    if (!this.#isOfBase(row, place)) return this.#putOff(this.#name, value, row, place);
    const line = this.#line.clear();
    bigEndian(line, ~this.#values.groupsOf(value) >>> 0);
    bigEndian(line, this.#places.valueLength(row, place, this.#name));
    const keyLength = line.raw(this.#places.valueOf(row, place, this.#name)).length;
    line.u32(row).u32(place).u32(value);
    this.#large!.add(line.bytes, 0, line.length, keyLength);
  }

  #endLarge(): void {
    const rows = this.#large!.finish();
    if (this.#absent >= 0) this.#growing.addAbsent(this.#absent);
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const { bytes, keyEnd } = row;
      const value = readU32(bytes, keyEnd + 8);
      this.#growing.addPresent(readU32(bytes, keyEnd), readU32(bytes, keyEnd + 4), this.#values.groupsOf(value), value);
    }
    rows.close();
    this.#large = undefined;
    this.#endGrowing();
  }

  #endGrowing(): void {
    if (this.#growing.hasTwoValues) this.#visit(this.#growing.group(this.#name));
    this.#growing.clear();
  }

  #isOfBase(row: number, place: number): boolean {
    if (row === this.#row && place === this.#place) return true;
    return this.#places.isSameBase(this.#row, this.#place, this.#nameOfRow, row, place, this.#name);
  }

  #putOff(name: number, value: number, row: number, place: number): void {
    this.#others.add(this.#hashA, this.#hashB, name, value, row, place);
  }
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

class GrowingGroup {
  readonly #comparison: Comparison;
  readonly #all = new Tally();
  readonly #present = new Tally();
  #absent = -1;
  #first = -1;
  #place = 0;
  #second = -1;
  #valueGroups = 0;
  #value = UNIQUE;
  #pivot = -1;
  #presentPivot = -1;
  #sample: number[] = [];

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
  }

  clear(): void {
    this.#all.clear();
    this.#present.clear();
    this.#absent = this.#first = this.#second = this.#pivot = this.#presentPivot = -1;
    if (this.#sample.length > 0) this.#sample = [];
  }

  get hasTwoValues(): boolean {
    return this.#second >= 0 || (this.#absent >= 0 && this.#first >= 0);
  }

  addAbsent(row: number): void {
    this.#absent = row;
    if (this.#comparison.isWitness(row)) this.#pivot = row;
  }

  addPresent(row: number, place: number, valueGroups: number, value: number): void {
    if (this.#first < 0) {
      this.#first = row;
      this.#place = place;
      this.#valueGroups = valueGroups;
      this.#value = value;
    } else if (this.#second < 0 && (value !== this.#value || value === UNIQUE)) this.#second = row;
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
      place: this.#place,
      valueGroups: this.#valueGroups,
      second: this.#second,
      pivot: this.#pivot,
      sample: this.#sample,
    };
  }
}

/** Appends a group, and what chance says of it, as a payload. */
export function writeGroup(row: RowWriter, group: Group, chance: Voice, sample = group.sample): RowWriter {
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
  row.u32(group.first).u32(group.place).u32(group.valueGroups).byte(sample.length);
  for (const member of sample) row.u32(member);
  return row;
}

/** Reads back what {@link writeGroup} wrote behind the key of a row. */
export function readGroup({ bytes, keyEnd: at }: Row): { readonly group: Group; readonly chance: Voice } {
  const sample: number[] = [];
  for (let k = 0; k < bytes[at + 32]!; k++) sample.push(readU32(bytes, at + 33 + 4 * k));
  const group: Group = {
    name: readU32(bytes, at),
    voice: (bytes[at + 4]! - 1) as Voice,
    present: (bytes[at + 5]! - 1) as Voice,
    isPivotAbsent: bytes[at + 7] === 1,
    absent: (readU32(bytes, at + 8) - 1) | 0,
    second: (readU32(bytes, at + 12) - 1) | 0,
    pivot: (readU32(bytes, at + 16) - 1) | 0,
    first: readU32(bytes, at + 20),
    place: readU32(bytes, at + 24),
    valueGroups: readU32(bytes, at + 28),
    sample,
  };
  return { group, chance: (bytes[at + 6]! - 1) as Voice };
}

export function bigEndian(row: RowWriter, value: number): RowWriter {
  return row
    .byte(value >>> 24)
    .byte((value >>> 16) & 0xff)
    .byte((value >>> 8) & 0xff)
    .byte(value & 0xff);
}
