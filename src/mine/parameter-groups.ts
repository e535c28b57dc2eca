// Finds the groups of URLs that are equal except for a parameter, and orders their members (SPEC 9).
//
// Rows come by base: the URL itself, then for each name the members that have it, by value. The members of a group are
// sorted: first the one without the parameter; then by value, the one of most groups first, ties by length and then by
// order; then in the order of the list. That happens in a few columns or, for more members, in an external sort. The
// members are then passed on one by one (`parameter-group`).
//
// A hash finds a base and bytes decide, but only for possible groups: most rows are the only ones of their base.
import { readU32, RowWriter } from '../base/row.js';
import { SpillSorter } from '../base/spill.js';
import { WordSorter, type WordReader } from '../base/word-sort.js';
import { roomFor } from '../memory-plan.js';
import type { Room } from './engine.js';
import { GrowingGroup, type Comparison, type Group, type MemberWatch } from './parameter-group.js';
import type { Places } from './parameter-places.js';
import { KEY_WORDS, ROW_WORDS, type Members } from './parameter-rows.js';
import { UNIQUE, type ValueCounts } from './parameter-values.js';

/** Calls `visit` for every group of two values, in no order; `watch` follows their members. */
export function eachGroup(
  members: Members,
  comparison: Comparison,
  watch: MemberWatch | undefined,
  room: Room,
  visit: (group: Group) => void,
): void {
  // One hash is nearly always one base; the rows of another base are deferred to another round.
  let rows: WordReader | undefined = members.rows;
  while (rows !== undefined) {
    const others = new Others(room);
    const bases = new BaseReader(members, new GrowingGroup(comparison, watch), room, others, visit);
    while (rows.next()) bases.take(rows.words);
    bases.end();
    rows.close();
    rows = others.finish();
  }
}

/** Rows that are left for another round. The sorter is made only if there are any. */
class Others {
  readonly #room: Room;
  #sorter: WordSorter | undefined;

  constructor(room: Room) {
    this.#room = room;
  }

  add(hashA: number, hashB: number, name: number, value: number, row: number, place: number): void {
    this.#sorter ??= new WordSorter(ROW_WORDS, KEY_WORDS, roomFor('grouping/put-off', this.#room));
    const words = this.#sorter.row;
    words[0] = hashA;
    words[1] = hashB;
    words[2] = name + 1;
    words[3] = value;
    words[4] = row;
    words[5] = place;
    this.#sorter.add();
  }

  finish(): WordReader | undefined {
    return this.#sorter?.finish();
  }
}

/** Larger groups are sorted by a separate sorter. */
const SMALL = 256;

/** Members of the current group, in a thread. */
const values = new Uint32Array(SMALL);
const members = new Uint32Array(SMALL);
const memberPlaces = new Uint32Array(SMALL);
const order = new Uint16Array(SMALL);

/** Splits rows into bases and bases into groups. */
class BaseReader {
  readonly #values: ValueCounts;
  readonly #places: Places;
  readonly #room: Room;
  readonly #others: Others;
  readonly #visit: (group: Group) => void;
  readonly #growing: GrowingGroup;
  #hashA = -1;
  #hashB = -1;
  /** The first row of the base, which defines it. */
  #row = -1;
  #place = 0;
  #nameOfRow = -1;
  #absent = -1;
  /** The current group, and its members as they come: by value and row. */
  #name = -1;
  #count = 0;
  readonly #value = values;
  readonly #member = members;
  readonly #memberPlace = memberPlaces;
  readonly #order = order;
  #large: SpillSorter | undefined;
  readonly #line = new RowWriter();

  constructor(
    { values, places }: Members,
    growing: GrowingGroup,
    room: Room,
    others: Others,
    visit: (group: Group) => void,
  ) {
    this.#values = values;
    this.#places = places;
    this.#room = room;
    this.#others = others;
    this.#visit = visit;
    this.#growing = growing;
  }

  take(words: Uint32Array): void {
    const [name, row, place] = [words[2]! - 1, words[4]!, words[5]!];
    if (words[0] !== this.#hashA || words[1] !== this.#hashB || this.#row < 0) {
      this.end();
      this.#hashA = words[0]!;
      this.#hashB = words[1]!;
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
    if (this.#large !== undefined) return this.#addLarge(words[3]!, row, place);
    this.#value[this.#count] = words[3]!;
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

  /** True if the members, whatever their base, have two different values. */
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
    this.#growing.begin(this.#name);
    if (this.#absent >= 0) this.#growing.addAbsent(this.#absent);
    for (let k = 0; k < kept; k++) {
      const member = order[k]!;
      this.#addPresent(this.#member[member]!, this.#memberPlace[member]!, this.#value[member]!);
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
    this.#large = new SpillSorter(roomFor('grouping/large-group', this.#room), this.#room.stats);
    for (let k = 0; k < SMALL; k++) this.#addLarge(this.#value[k]!, this.#member[k]!, this.#memberPlace[k]!);
  }

  #addLarge(value: number, row: number, place: number): void {
    if (!this.#isOfBase(row, place)) return this.#putOff(this.#name, value, row, place);
    const line = this.#line.clear();
    line.bigEndian(~this.#values.groupsOf(value) >>> 0);
    line.bigEndian(this.#places.valueLength(row, place, this.#name));
    const keyLength = line.raw(this.#places.valueOf(row, place, this.#name)).length;
    line.u32(row).u32(place).u32(value);
    this.#large!.add(line.bytes, 0, line.length, keyLength);
  }

  #endLarge(): void {
    const rows = this.#large!.finish();
    this.#growing.begin(this.#name);
    if (this.#absent >= 0) this.#growing.addAbsent(this.#absent);
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const { bytes, keyEnd } = row;
      this.#addPresent(readU32(bytes, keyEnd), readU32(bytes, keyEnd + 4), readU32(bytes, keyEnd + 8));
    }
    rows.close();
    this.#large = undefined;
    this.#endGrowing();
  }

  #addPresent(row: number, place: number, value: number): void {
    const kind = this.#places.kindOf(row, place, this.#name);
    this.#growing.addPresent(row, place, this.#values.groupsOf(value), value, kind);
  }

  #endGrowing(): void {
    if (this.#growing.hasTwoValues) this.#visit(this.#growing.group());
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
