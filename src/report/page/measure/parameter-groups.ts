// Which URLs are equal except for a parameter, and do their pages agree (SPEC 9)? An external sort joins them:
//
//   base | URL                             : sizes, sketch      each URL of the log: a member without the parameter
//   base | HAS | name | value | hash       : sizes, sketch      each URL and parameter; the base is the URL without it
//
// The hash is that of the URL: it orders those that differ only in the position of the parameter, or in further values.
//
// The evidence of a group is counted while its members are read (`parameter-group`); how often it would be the same by
// chance is computed when all were read (`parameter-chance`).
import type { Row } from '../../../base/row.js';
import { SpillSorter, type SpillRoom } from '../../../base/spill.js';
import { RowWriter } from '../../../base/row-writer.js';
import { roomFor } from '../../../memory-plan.js';
import { partEnd, putPart, Run } from '../../measure-row.js';
import { pageAt, putPage } from './evidence.js';
import { putHash, type UrlHash } from './hash.js';
import { Chance, type GroupReading } from './parameter-chance.js';
import type { GroupEvidence } from './parameter-class.js';
import { emptyCounts, mediansOf, OpenGroup } from './parameter-group.js';
import { ParameterNumbers } from './parameter-numbers.js';
import type { FoundParameter } from './parameter-values.js';
import { sums, TallyTable } from './tally.js';
import type { PageFacts } from './visits.js';

const URL_ITSELF = 0;
const HAS = 1;

/** The evidence of groups about a parameter. */
export interface ParameterEvidence extends GroupEvidence {
  /** Median of largest over smallest size in a group, to the thousandth; null if no group has two sizes. */
  readonly sizeRatio: number | null;
}

/** Build (`addUrl`, `addMember`), then read (`finish`). */
export class ParameterGroups {
  readonly #members: SpillSorter;
  readonly #row = new RowWriter();
  readonly #room: SpillRoom;

  constructor(room: SpillRoom) {
    this.#room = room;
    this.#members = new SpillSorter(roomFor('report-groups/members', room), room.stats);
  }

  addUrl(url: Uint8Array, page: PageFacts): void {
    this.#add(putPart(this.#row.clear(), url).byte(URL_ITSELF), page);
  }

  /** A URL that is `base` without the parameter; `hash` is what {@link hashOf} gives of the URL. */
  addMember(base: Uint8Array, name: Uint8Array, value: Uint8Array, hash: UrlHash, page: PageFacts): void {
    const row = putPart(putPart(this.#row.clear(), base).byte(HAS), name).raw(value);
    this.#add(putHash(row, hash), page);
  }

  #add(row: RowWriter, page: PageFacts): void {
    const keyLength = row.length;
    putPage(row, page);
    this.#members.add(row.bytes, 0, row.length, keyLength);
  }

  /** Evidence for each of `found`, in their order. */
  finish(found: readonly FoundParameter[], reading: GroupReading): ParameterEvidence[] {
    const chance = new Chance(roomFor('report-groups/chance', this.#room));
    const ratios = new TallyTable(sums(1), roomFor('report-groups/ratios', this.#room));
    const counts = found.map(emptyCounts);
    const numbers = new ParameterNumbers(found, reading.siteOf);
    const rows = this.#members.finish();
    const base = new Run();
    const named = new Run();
    const first = new LoneRow();
    let absent: PageFacts | undefined;
    let group: OpenGroup | undefined;
    const open = (row: Row, baseEnd: number, nameEnd: number) => {
      const number = numbers.numberOf(row.bytes, baseEnd + 5, nameEnd, base.bytes.subarray(4));
      group = number < 0 ? undefined : new OpenGroup(number, absent, found[number]!.usual);
      group?.add(row, nameEnd);
    };
    const end = () => {
      if (group?.hasTwoValues === true) {
        group.count(counts[group.number]!, ratios);
        if (group.other !== undefined) chance.add(group.number, base.bytes.subarray(4), group.pivot!, group.other);
      }
      group = undefined;
      first.take();
    };
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const baseEnd = partEnd(row, row.keyStart);
      const isUrl = row.bytes[baseEnd] === URL_ITSELF;
      const nameEnd = isUrl ? baseEnd : partEnd(row, baseEnd + 1);
      if (!named.isNew(row, row.keyStart, nameEnd)) {
        const lone = first.take();
        if (lone !== undefined) open(lone, baseEnd - row.keyStart, nameEnd - row.keyStart);
        group?.add(row, nameEnd);
        continue;
      }
      end();
      if (base.isNew(row, row.keyStart, baseEnd)) absent = undefined;
      if (isUrl) {
        absent = pageAt(row, row.keyEnd, row.end);
        continue;
      }
      if (absent === undefined) first.hold(row);
      else open(row, baseEnd, nameEnd);
    }
    end();
    rows.close();
    chance.count(counts, numbers, reading);
    const medians = mediansOf(ratios, found.length);
    return counts.map((count, number) => ({ ...count, sizeRatio: medians[number]! }));
  }
}

/** A member that is alone with its base so far, as most remain. */
class LoneRow {
  readonly #bytes = new Run();
  #keyLength = 0;
  #isThere = false;

  hold(row: Row): void {
    this.#bytes.remember(row, row.keyStart, row.end);
    this.#keyLength = row.keyEnd - row.keyStart;
    this.#isThere = true;
  }

  /** Undefined if none is held, or it was taken. */
  take(): Row | undefined {
    if (!this.#isThere) return undefined;
    this.#isThere = false;
    const bytes = this.#bytes.view;
    return { bytes, keyStart: 0, keyEnd: this.#keyLength, end: bytes.length };
  }
}
