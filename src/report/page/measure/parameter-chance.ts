// How often would a group get the same result if its pages were not the same (SPEC 9.1)?
//
// Pages of one kind have similar sizes. So each group is compared with another page of its kind, once all groups were
// read:
//
//   page     the URL without all level parameters (in most of their groups the pages are one, or of one size); then its
//            canonical form, so that what the rules know to be one page is one
//   kind     the template of the page, as `mine/parameter-chance` has it
//
//   number | kind | hash of the page | base      : the first page of the group, another one of it
//
// The groups of one kind are sorted by a hash, so that neighbours are unrelated; the other page is the last one before
// with a different hash. The base, of the group, makes the order that of no sort before.
import { readU32, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { type SpillRoom, SpillSorter } from '../../../base/spill.js';
import { roomFor } from '../../../memory-plan.js';
import { writeTemplate } from '../../../mine/parameter-chance.js';
import type { SiteOf } from '../../../table/url-list.js';
import { emptyFields, isParameter, splitFields, withoutFields } from '../../../url/fields.js';
import { HASH_BYTES, hashOf, partEnd, putHash, putPart } from '../../sort-keys.js';
import { NEAR } from './parameter-class.js';
import { type Counts, evidenceFor, pageAt, putPage, sizeRatio } from './parameter-group.js';
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

  /** A group with two known pages. */
  add(number: number, base: Uint8Array, pivot: PageFacts, other: PageFacts): void {
    const row = putPages(putPart(this.#row.clear().u32(number), base), pivot, other);
    this.#groups.add(row.bytes, 0, row.length, 0);
  }

  /** Adds the results of chance to each count. These have to be complete otherwise. */
  count(counts: readonly Counts[], numbers: ParameterNumbers, reading: GroupReading): void {
    const rows = this.#byPage(counts, numbers, reading).finish();
    const kind = new Run();
    const page = new Run();
    let pivot: PageFacts | undefined;
    let before: PageFacts | undefined;
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const pageEnd = row.keyEnd - 4 - readU32(row.bytes, row.keyEnd);
      if (kind.isNew(row, row.keyStart, pageEnd - HASH_BYTES)) pivot = before = undefined;
      if (page.isNew(row, row.keyStart, pageEnd)) before = pivot;
      const pivotEnd = partEnd(row, row.keyEnd + 4);
      const number = new DataView(row.bytes.buffer, row.bytes.byteOffset + row.keyStart).getUint32(0);
      if (before !== undefined) ask(counts[number]!, before, pageAt(row, pivotEnd, row.end));
      pivot = pageAt(row, row.keyEnd + 8, pivotEnd);
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
      putHash(line.byte(0), hashOf(page))
        .u32(baseEnd - baseAt)
        .range(row.bytes, baseAt, baseEnd);
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

function isMostlyLevel({ same, different, near, far }: Counts): boolean {
  const isOf = (good: number, bad: number) => good >= MIN_GROUPS && good > bad;
  return isOf(same, different) || isOf(near, far);
}

function putPages(row: RowWriter, pivot: PageFacts, other: PageFacts): RowWriter {
  const first = putPage(new RowWriter(), pivot);
  return putPage(putPart(row, first.bytes.subarray(0, first.length)), other);
}

function ask(counts: Counts, before: PageFacts, page: PageFacts): void {
  const voice = evidenceFor(before, page);
  if (voice === 0) return;
  counts.asked++;
  if (voice > 0) counts.sameByChance++;
  const haveSizes = before.maxSize >= 0 && page.maxSize >= 0;
  if (haveSizes && sizeRatio(before.maxSize, page.maxSize) <= NEAR) counts.nearByChance++;
}
