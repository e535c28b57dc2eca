// Decides whether one group is evidence for its parameter, or against it (SPEC 9). Its members are streamed in order,
// in constant memory.
//
//   voice      of all members, compared with the pivot, the first member that has a size or a sketch
//   present    of members with the parameter, compared with the first of them that has evidence
//   sample     the first 16 members with evidence after the pivot, for measuring chance
//   near       members by how near they are: one page with 40 others behind it is one group against, and 40 wrong URLs
//
// The voice of a group is how near its members are (table/nearness): the least level that 1 − ε of those with evidence
// reach. The scope decides whether that counts for the parameter, as it knows how near other pages of the template are.
//
// Members that differ only in the position of the parameter are no evidence: a group has at least two values, where the
// absence of the parameter counts as one.
import { readU32, type Row, type RowWriter } from '../base/row.js';
import { hasEvidence } from '../table/similar.js';
import { LEVELS, Nearness, OTHER, SILENT, type Level } from '../table/nearness.js';
import type { SiteUrls } from '../table/site-urls.js';
import type { Levels } from './evidence.js';
import { UNIQUE } from './parameter-values.js';

/** How near the members of a group are, or {@link SILENT}. */
export type Voice = Level | typeof SILENT;

export interface Group {
  /** Number of the parameter. */
  readonly name: number;
  readonly voice: Voice;
  readonly present: Voice;
  /** By level: the number of members that are so near to the pivot, and to the first member with the parameter. */
  readonly near: Levels;
  readonly presentNear: Levels;
  /** The kinds of its values (parameter-kinds), as bits. */
  readonly kinds: number;
  /** True if the pivot is the member without the parameter. */
  readonly isPivotAbsent: boolean;
  /** Row of the member without the parameter, or -1. */
  readonly absent: number;
  /** The first member with the parameter: its row, its place, and the number of groups with its value. */
  readonly first: number;
  readonly place: number;
  readonly valueGroups: number;
  /** The row of the first member that has the parameter with another value, or -1. */
  readonly second: number;
  /** The row of the pivot, or -1 if no member has evidence. */
  readonly pivot: number;
  readonly sample: readonly number[];
}

export const SAMPLE = 16;
const NOBODY: Levels = new Uint32Array(LEVELS);
/** By level: the counts of one member at that level. */
const ONE: readonly Levels[] = Array.from({ length: LEVELS }, (_, level) =>
  Uint32Array.from({ length: LEVELS }, (_, k) => (k === level ? 1 : 0)),
);
/** ε is one in twenty: so many of the members with evidence may be further from the pivot. */
const TOLERATED = 20;

/** Compares rows. Without the similarity test, all rows are alike. */
export class Comparison {
  readonly #urls: SiteUrls;
  readonly #nearness: Nearness | undefined;

  constructor(urls: SiteUrls, similarity: boolean) {
    this.#urls = urls;
    this.#nearness = similarity ? new Nearness(urls) : undefined;
  }

  isWitness(row: number): boolean {
    return this.#nearness === undefined || hasEvidence(this.#urls, row);
  }

  between(a: number, b: number): Voice {
    return this.#nearness?.between(a, b) ?? 0;
  }

  /** The voice of a sample compared with a pivot. SILENT if all rows are alike anyway. */
  ofSample(pivot: number, sample: readonly number[]): Voice {
    if (this.#nearness === undefined) return SILENT;
    const tally = new Tally();
    for (const row of sample) tally.add(this.between(pivot, row));
    return tally.voice;
  }
}

/** How near the members of a group are. */
export class Tally {
  /** By level: the number of members that are no nearer. */
  readonly #at = new Uint32Array(LEVELS);
  #count = 0;

  add(voice: Voice): void {
    if (voice === SILENT) return;
    this.#at[voice]!++;
    this.#count++;
  }

  get voice(): Voice {
    if (this.#count === 0) return SILENT;
    let further = this.#count;
    for (let level = 0; level < OTHER; level++) {
      further -= this.#at[level]!;
      if (further * TOLERATED <= this.#count) return level as Level;
    }
    return OTHER;
  }

  get near(): Levels {
    return this.#count === 0 ? NOBODY : this.#count === 1 ? ONE[this.voice]! : this.#at.slice();
  }

  clear(): void {
    if (this.#count > 0) this.#at.fill(0);
    this.#count = 0;
  }
}

/** Follows the members of one possible group after another, in their order. */
export interface MemberWatch {
  begin(name: number): void;
  addAbsent(row: number): void;
  addPresent(row: number, value: number): void;
}

/** A group whose members are still being added. */
export class GrowingGroup {
  readonly #comparison: Comparison;
  readonly #watch: MemberWatch | undefined;
  #name = -1;
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
  #kinds = 0;

  constructor(comparison: Comparison, watch: MemberWatch | undefined) {
    this.#comparison = comparison;
    this.#watch = watch;
  }

  begin(name: number): void {
    this.#name = name;
    this.#watch?.begin(name);
  }

  clear(): void {
    this.#all.clear();
    this.#present.clear();
    this.#kinds = 0;
    this.#absent = this.#first = this.#second = this.#pivot = this.#presentPivot = -1;
    if (this.#sample.length > 0) this.#sample = [];
  }

  get hasTwoValues(): boolean {
    return this.#second >= 0 || (this.#absent >= 0 && this.#first >= 0);
  }

  addAbsent(row: number): void {
    this.#watch?.addAbsent(row);
    this.#absent = row;
    if (this.#comparison.isWitness(row)) this.#pivot = row;
  }

  addPresent(row: number, place: number, valueGroups: number, value: number, kind: number): void {
    this.#watch?.addPresent(row, value);
    if (this.#first < 0) {
      this.#first = row;
      this.#place = place;
      this.#valueGroups = valueGroups;
      this.#value = value;
    } else if (this.#second < 0 && (value !== this.#value || value === UNIQUE)) this.#second = row;
    if (!this.#comparison.isWitness(row)) return;
    this.#kinds |= 1 << kind;
    const isFirst = this.#presentPivot < 0;
    if (isFirst) this.#presentPivot = row;
    else this.#present.add(this.#comparison.between(this.#presentPivot, row));
    if (this.#pivot < 0) this.#pivot = row;
    else {
      // If both pivots are the same, `all` equals `present`.
      if (this.#pivot !== this.#presentPivot) this.#all.add(this.#comparison.between(this.#pivot, row));
      if (this.#sample.length < SAMPLE) this.#sample.push(row);
    }
  }

  group(): Group {
    const all = this.#pivot === this.#presentPivot ? this.#present : this.#all;
    return {
      name: this.#name,
      voice: all.voice,
      present: this.#second < 0 ? SILENT : this.#present.voice,
      near: all.near,
      presentNear: this.#second < 0 ? NOBODY : this.#present.near,
      kinds: this.#kinds,
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

/** Appends a group and its voice by chance as a payload. */
export function writeGroup(row: RowWriter, group: Group, chance: Voice, sample = group.sample): RowWriter {
  row
    .u32(group.name)
    .byte(group.voice + 1)
    .byte(group.present + 1)
    .byte(chance + 1);
  row
    .byte((group.isPivotAbsent ? 1 : 0) | (group.kinds << 1))
    .u32(group.absent + 1)
    .u32(group.second + 1)
    .u32(group.pivot + 1);
  row.u32(group.first).u32(group.place).u32(group.valueGroups).byte(sample.length);
  for (const member of sample) row.u32(member);
  writeNear(row, group.near);
  writeNear(row, group.presentNear);
  return row;
}

/**
 * A first byte that is followed by five counts. Most groups have one member besides the pivot: then one byte has its
 * level, or says that there is none.
 */
const MANY = LEVELS + 1;

function writeNear(row: RowWriter, near: Levels): void {
  const few = near === NOBODY ? 0 : ONE.indexOf(near) + 1;
  row.byte(near !== NOBODY && few === 0 ? MANY : few);
  if (near !== NOBODY && few === 0) for (let level = 0; level < LEVELS; level++) row.u32(near[level]!);
}

function readNear(bytes: Uint8Array, at: number): Levels {
  const few = bytes[at]!;
  if (few < MANY) return few === 0 ? NOBODY : ONE[few - 1]!;
  return Uint32Array.from({ length: LEVELS }, (_, level) => readU32(bytes, at + 1 + 4 * level));
}

function nearBytes(bytes: Uint8Array, at: number): number {
  return bytes[at] === MANY ? 1 + 4 * LEVELS : 1;
}

/** Reads what {@link writeGroup} wrote after the key of a row. */
export function readGroup({ bytes, keyEnd: at }: Row): { readonly group: Group; readonly chance: Voice } {
  const sample: number[] = [];
  for (let k = 0; k < bytes[at + 32]!; k++) sample.push(readU32(bytes, at + 33 + 4 * k));
  const near = at + 33 + 4 * sample.length;
  const group: Group = {
    name: readU32(bytes, at),
    voice: (bytes[at + 4]! - 1) as Voice,
    present: (bytes[at + 5]! - 1) as Voice,
    near: readNear(bytes, near),
    presentNear: readNear(bytes, near + nearBytes(bytes, near)),
    kinds: bytes[at + 7]! >>> 1,
    isPivotAbsent: (bytes[at + 7]! & 1) === 1,
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
