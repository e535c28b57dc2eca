// How often would a group get the same result if its pages were different ones (SPEC 9.1)?
//
// Pages of one kind have similar sizes. So each group is compared with another page of its kind, once all groups were
// read:
//
//   page     the URL without all level parameters (in most of their groups the pages are one, or of one size); then its
//            canonical form, so that what the rules know to be one page is one
//   kind     the template of the page, as `mine/parameter-chance` has it
//
//   number | kind | hash of the page | base      : the first page of the group, and some others of it
//
// The groups of one kind are sorted by a hash, so that neighbours are unrelated; the other page is the last one before
// with a different hash. `base` (a hash of the group) breaks ties, so the order does not depend on input order.
import { readU32, type Row, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { type SpillRoom, SpillSorter } from '../../../base/spill.js';
import { roomFor } from '../../../memory-plan.js';
import { countsAt, NEUTRAL, writeTemplate } from '../../../mine/parameter-chance.js';
import { Tally } from '../../../mine/parameter-group.js';
import { SILENT, type SizeNearness } from '../../../table/nearness.js';
import type { SiteOf } from '../../../table/url-list.js';
import { emptyFields, isParameter, splitFields, withoutFields } from '../../../url/fields.js';
import { HASH_BYTES, hashOf, partEnd, putPart } from '../../sort-keys.js';
import { levelBetween, pageAt, putPage, sizeRatio } from './evidence.js';
import { NEAR } from './parameter-class.js';
import type { Counts } from './parameter-group.js';
import type { ParameterNumbers } from './parameter-values.js';
import type { PageFacts } from './visits.js';

export interface GroupReading {
  readonly siteOf: SiteOf;
  canonize(url: Uint8Array): Uint8Array;
}

/** Groups that are needed before a parameter counts as level. */
const MIN_GROUPS = 3;

/** Build (`add`), then ask (`count`). */
export class Chance {
  readonly #room: SpillRoom;
  /** Groups as they come. */
  readonly #groups: SpillSorter;
  readonly #row = new RowWriter();
  readonly #fields = emptyFields();

  constructor(room: SpillRoom) {
    this.#room = roomFor('chance/sort', room);
    this.#groups = new SpillSorter(this.#room, room.stats);
  }

  /** A group with known pages: its first one, and a sample of the others. */
  add(number: number, base: Uint8Array, pivot: PageFacts, sample: readonly PageFacts[]): void {
    const row = putPart(this.#row.clear().u32(number), base);
    for (const page of [pivot, ...sample]) putPart(row, pageBytes(page));
    this.#groups.add(row.bytes, 0, row.length, 0);
  }

  /** Adds the results of chance to each count. These have to be complete otherwise. */
  count(counts: readonly Counts[], numbers: ParameterNumbers, sizes: SizeNearness, reading: GroupReading): void {
    const rows = this.#byPage(counts, numbers, reading).finish();
    const kind = new Run();
    const page = new Run();
    let pivot: PageFacts | undefined;
    let before: PageFacts | undefined;
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const pageEnd = row.keyEnd - 4 - readU32(row.bytes, row.keyEnd);
      if (kind.isNew(row, row.keyStart, pageEnd - HASH_BYTES)) pivot = before = undefined;
      if (page.isNew(row, row.keyStart, pageEnd)) before = pivot;
      const [first, ...sample] = pagesIn(row, row.keyEnd + 4);
      const number = new DataView(row.bytes.buffer, row.bytes.byteOffset + row.keyStart).getUint32(0);
      if (before !== undefined) ask(counts[number]!, before, sample, sizes);
      pivot = first;
    }
    rows.close();
  }

  #byPage(counts: readonly Counts[], numbers: ParameterNumbers, reading: GroupReading): SpillSorter {
    const sorter = new SpillSorter(this.#room, this.#room.stats);
    const rows = this.#groups.finish();
    const isLevel = counts.map(isMostlyLevel);
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const baseAt = row.keyEnd + 8;
      const baseEnd = partEnd(row, row.keyEnd + 4);
      const plain = this.#withoutLevel(row.bytes.subarray(baseAt, baseEnd), numbers, isLevel);
      const page = reading.canonize(plain);
      const line = this.#row.clear();
      line.bigEndian(readU32(row.bytes, row.keyEnd));
      writeTemplate(line, plain);
      const { first, second } = hashOf(page);
      line.byte(0).bigEndian(first);
      line.bigEndian(second);
      line.u32(baseEnd - baseAt).range(row.bytes, baseAt, baseEnd);
      const keyLength = line.length;
      line.u32(baseEnd - baseAt).range(row.bytes, baseEnd, row.end);
      sorter.add(line.bytes, 0, line.length, keyLength);
    }
    rows.close();
    return sorter;
  }

  #withoutLevel(url: Uint8Array, numbers: ParameterNumbers, isLevel: readonly boolean[]): Uint8Array {
    const fields = splitFields(url, this.#fields);
    const goes = (field: number) => {
      if (!isParameter(fields, field)) return false;
      const number = numbers.numberOf(url, fields.start[field]!, fields.nameEnd[field]!, url);
      return number >= 0 && isLevel[number]!;
    };
    return fields.count === 0 ? url : withoutFields(url, fields, goes);
  }
}

function isMostlyLevel({ groups, nearSizes, farSizes }: Counts): boolean {
  const isOf = (good: number, bad: number) => good >= MIN_GROUPS && good > bad;
  const { for: same, against } = countsAt(groups, NEUTRAL);
  return isOf(same, against) || isOf(nearSizes, farSizes);
}

/** Valid until the next one. */
function pageBytes(page: PageFacts): Uint8Array {
  const { bytes, length } = putPage(onePage.clear(), page);
  return bytes.subarray(0, length);
}

const onePage = new RowWriter();

function pagesIn(row: Row, start: number): PageFacts[] {
  const pages: PageFacts[] = [];
  for (let at = start; at < row.end;) {
    const end = partEnd(row, at);
    pages.push(pageAt(row, at + 4, end));
    at = end;
  }
  return pages;
}

function ask(counts: Counts, before: PageFacts, sample: readonly PageFacts[], sizes: SizeNearness): void {
  const tally = new Tally();
  for (const page of sample) tally.add(levelBetween(before, page, sizes));
  if (tally.voice === SILENT) return;
  counts.chance[tally.voice]!++;
  const [{ maxSize }] = sample as [PageFacts];
  if (before.maxSize >= 0 && maxSize >= 0 && sizeRatio(before.maxSize, maxSize) <= NEAR) counts.nearByChance++;
}
