// Measures how often a group would support its parameter if its pages were not the same (SPEC 9.1).
//
// Pages of one template have similar sizes. So each group is judged a second time, with the pivot of another page of
// the same template instead of its own:
//
//   page        the base without all neutral parameters: most of at least MS groups support these; at most 64
//   template    the path of the page, every token with a digit replaced by `#`; without a query, its last name by `*`
//
//   /forum/topic.php?t=7&sid=a   page /forum/topic.php?t=7   template /forum/topic.php?
//   /2024/05/story.html?sid=a    page /2024/05/story.html    template /#/#/*.html
//
// The groups of a parameter in a template are sorted by a hash of their pages, so that neighbours are unrelated. The
// other page is the last one before with a different hash; groups of the first page are not judged. Pages are compared,
// not bases, because `?utm_medium=1` and `?utm_medium=2` without `utm_source` are still one page.
import { TopK } from '../base/top-k.js';
import { DOT, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { isDigit } from '../base/bytes.js';
import { hashBytes, OTHER_SEED } from '../base/hash.js';
import { type RowReader, RowWriter } from '../base/row.js';
import { SpillSorter } from '../base/spill.js';
import { TextTable } from '../base/text-table.js';
import { LEVELS, SILENT, type Level } from '../table/nearness.js';
import { emptyFields, isParameter, splitFields, withoutFields, withoutParameter } from '../url/fields.js';
import { pathStart } from '../url/form.js';
import { isRunByte, tokenEnd } from '../url/token.js';
import type { Room } from './engine.js';
import { VALUE_KINDS } from './parameter-kinds.js';
import { readGroup, writeGroup, type Comparison, type Group, type Voice } from './parameter-group.js';
import type { Places } from './parameter-places.js';

const MAX_NEUTRAL = 64;
/** Groups this near count for a name until the nearness of other pages is known. */
export const NEUTRAL: Level = 2;

export interface Counts {
  readonly for: number;
  readonly against: number;
}

/** How many groups are as near as `level`, and how many are not. */
export function countsAt(levels: ArrayLike<number>, level: Level): Counts {
  let [same, against] = [0, 0];
  for (let k = 0; k < LEVELS; k++) {
    if (k <= level) same += levels[k]!;
    else against += levels[k]!;
  }
  return { for: same, against };
}

/** How near the groups of each parameter are: counts per level, over all members, and over the members that have it. */
export class NameTotals {
  readonly #all: Uint32Array;
  readonly #present: Uint32Array;
  readonly #kinds: Uint32Array;
  readonly #names: number;

  constructor(names: number) {
    this.#names = names;
    this.#all = new Uint32Array(names * LEVELS);
    this.#present = new Uint32Array(names * LEVELS);
    this.#kinds = new Uint32Array(names * VALUE_KINDS * LEVELS);
  }

  add({ name, voice, present, kinds }: Group): void {
    if (voice !== SILENT) {
      this.#all[name * LEVELS + voice]!++;
      for (let kind = 0; kind < VALUE_KINDS; kind++)
        if ((kinds & (1 << kind)) !== 0) this.#kinds[(name * VALUE_KINDS + kind) * LEVELS + voice]!++;
    }
    if (present !== SILENT) this.#present[name * LEVELS + present]!++;
  }

  /** By level: the number of groups that are so near, over all members or over those with the parameter. */
  of(name: number, by: 'all' | 'present'): Uint32Array {
    return (by === 'all' ? this.#all : this.#present).subarray(name * LEVELS, (name + 1) * LEVELS);
  }

  /** By level: the number of groups with a value of this kind that are so near. */
  ofKind(name: number, kind: number): Uint32Array {
    const at = (name * VALUE_KINDS + kind) * LEVELS;
    return this.#kinds.subarray(at, at + LEVELS);
  }

  /**
   * Numbers of the mined names with more groups for than against, and at least MS; the 64 with the most for, ties to
   * the first.
   */
  neutral(MS: number, isMined: (name: number) => boolean): readonly number[] {
    const same = (name: number) => countsAt(this.of(name, 'all'), NEUTRAL).for;
    const names = new TopK<number>(MAX_NEUTRAL, (a, b) => same(b) - same(a) || a - b);
    for (let name = 0; name < this.#names; name++) {
      if (!isMined(name)) continue;
      const { for: speaking, against } = countsAt(this.of(name, 'all'), NEUTRAL);
      if (speaking >= MS && speaking > against) names.add(name);
    }
    return names.finish();
  }
}

/**
 * Compares the pages of each group with pages of another group by chance, and calls `visit` with the result, or with
 * SILENT if there was nothing to compare, and the row of the other page. `neutral` are the names that are removed from
 * pages.
 */
export function eachGroupByChance(
  places: Places,
  neutral: readonly Uint8Array[],
  groups: RowReader,
  comparison: Comparison,
  room: Room,
  visit: (group: Group, chance: Voice, other: number) => void,
): void {
  const reader = sortByPage(places, neutral, groups, room);
  const key = new TemplateKey();
  // The last pivot of this page, and of the page before.
  let pivot = -1;
  let pivotBefore = -1;
  for (let row = reader.next(); row !== undefined; row = reader.next()) {
    const { group } = readGroup(row);
    const change = key.change(row.bytes, row.keyStart, row.keyEnd);
    if (change === 'template') pivot = pivotBefore = -1;
    else if (change === 'page') pivotBefore = pivot;
    visit(group, pivotBefore < 0 ? SILENT : comparison.ofSample(pivotBefore, group.sample), pivotBefore);
    pivot = group.pivot;
  }
  reader.close();
}

/** The end of a row: the key is name u32, template, hash of the page; then comes the row. */
const PAGE_BYTES = 8;
const ROW_BYTES = 4;

/** The rows of groups with a pivot, by name, template and page. Other groups are passed on at once. */
function sortByPage(places: Places, neutral: readonly Uint8Array[], groups: RowReader, room: Room): RowReader {
  const sorter = new SpillSorter(room, room.stats);
  const line = new RowWriter();
  const pages = new Pages(places, neutral);
  for (let row = groups.next(); row !== undefined; row = groups.next()) {
    const { group } = readGroup(row);
    line.clear();
    line.bigEndian(group.name);
    // Groups without a pivot are not judged: they have the page of no template, which sorts first.
    const page = group.pivot < 0 ? NO_PAGE : pages.pageOf(group);
    if (page.length > 0) writeTemplate(line, page);
    line.byte(0);
    line.bigEndian(hashBytes(page, 0, page.length));
    line.bigEndian(hashBytes(page, 0, page.length, OTHER_SEED));
    line.bigEndian(group.first);
    const keyLength = line.length;
    writeGroup(line, group, SILENT);
    sorter.add(line.bytes, 0, line.length, keyLength);
  }
  groups.close();
  return sorter.finish();
}

const NO_PAGE = new Uint8Array(0);

class TemplateKey {
  #key: Uint8Array = new Uint8Array(256);
  #length = 0;

  /** The first part of the key that differs from the row before. */
  change(bytes: Uint8Array, start: number, end: number): 'template' | 'page' | 'nothing' {
    const length = end - start - ROW_BYTES;
    const key = this.#key;
    let same = 0;
    if (length === this.#length) while (same < length && bytes[start + same] === key[same]) same++;
    if (length > 0 && same === length) return 'nothing';
    const isSameTemplate = length === this.#length && same >= length - PAGE_BYTES;
    if (length > key.length) this.#key = new Uint8Array(2 * length);
    for (let k = 0; k < length; k++) this.#key[k] = bytes[start + k]!;
    this.#length = length;
    return isSameTemplate ? 'page' : 'template';
  }
}

/** Finds the pages of groups. */
class Pages {
  readonly #places: Places;
  readonly #neutral: readonly Uint8Array[];
  readonly #table = new TextTable();
  readonly #fields = emptyFields();

  constructor(places: Places, neutral: readonly Uint8Array[]) {
    this.#places = places;
    this.#neutral = neutral;
    for (const name of neutral) this.#table.intern(name, 0, name.length, hashBytes(name, 0, name.length));
  }

  /** Raw bytes, valid until the next call. */
  pageOf({ first, place, name }: Group): Uint8Array {
    const base = this.#places.baseOf(first, place, name);
    const fields = splitFields(base, this.#fields);
    let goes = 0;
    let canBeBare = false;
    for (let field = 0; field < fields.count && this.#table.count > 0; field++) {
      if (!this.#isNeutral(base, field)) continue;
      goes++;
      if (fields.nameEnd[field] === fields.end[field]) canBeBare = true;
    }
    if (goes === 0) return base;
    // With a `=` in each field, no removal can leave a bare query, which is no parameter.
    return canBeBare ? this.#oneByOne(base) : withoutFields(base, fields, (field) => this.#isNeutral(base, field));
  }

  #isNeutral(url: Uint8Array, field: number): boolean {
    if (!isParameter(this.#fields, field)) return false;
    const start = this.#fields.start[field]!;
    const end = this.#fields.nameEnd[field]!;
    return this.#table.find(url, start, end - start, hashBytes(url, start, end)) >= 0;
  }

  #oneByOne(page: Uint8Array): Uint8Array {
    for (const name of this.#neutral) page = withoutParameter(page, splitFields(page, this.#fields), name);
    return page;
  }
}

/** Writes the template of a URL. Hosts, path parameters and the query itself are not part of it. */
export function writeTemplate(row: RowWriter, page: Uint8Array): void {
  const start = pathStart(page);
  let end = start;
  while (end < page.length && page[end] !== QUESTION && page[end] !== SEMICOLON) end++;
  const hasQuery = page.indexOf(QUESTION, end) >= 0;
  const lastSlash = page.subarray(start, end).lastIndexOf(SLASH);
  const lastName = lastSlash < 0 ? start : start + lastSlash + 1;
  writeAbstract(row, page, start, hasQuery ? end : lastName);
  if (hasQuery) {
    row.byte(QUESTION);
  } else if (lastName < end) {
    row.byte(0x2a);
    const dot = page.subarray(lastName, end).lastIndexOf(DOT);
    if (dot >= 0) writeAbstract(row, page, lastName + dot, end);
  }
}

/** Replaces every run that has a digit by `#`. */
function writeAbstract(row: RowWriter, bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end;) {
    const stop = tokenEnd(bytes, at, end);
    let hasDigit = false;
    if (isRunByte(bytes[at]!)) for (let k = at; k < stop; k++) hasDigit ||= isDigit(bytes[k]!);
    if (hasDigit) row.byte(0x23);
    else for (let k = at; k < stop; k++) row.byte(bytes[k]!);
    at = stop;
  }
}
