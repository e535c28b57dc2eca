// Which URLs are equal except for a parameter, and do their pages agree (SPEC 9)? An external sort joins them:
//
//   hash of URL  | 0                           : sizes | sketch          each URL of the log: without the parameter
//   hash of base | 1 | site, name | value | URL : sizes | base | sketch   each URL and parameter; the base is the URL
//                                                                        without it
//
// Site and name, and the URL at the end of the key, are hashes too (`hash`). The last one orders URLs that differ only in
// the position of the parameter, or in further values.
//
// The evidence of a group is counted while its members are read (`parameter-group`); how often it would be the same by
// chance is computed when all were read (`parameter-chance`).
import { readU32, type Row, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { type SpillRoom, SpillSorter } from '../../../base/spill.js';
import { roomFor } from '../../../memory-plan.js';
import { HASH_BYTES, hashOfRange, partEnd, putHash, type UrlHash } from '../../sort-keys.js';
import { Chance, type GroupReading } from './parameter-chance.js';
import type { GroupEvidence } from './parameter-class.js';
import { pageAt, pageOf, putPage, putSizes, SIZE_BYTES } from './evidence.js';
import { emptyCounts, evidenceOf, mediansOf, OpenGroup } from './parameter-group.js';
import { type FoundParameter, ParameterNumbers } from './parameter-values.js';
import { sums, TallyTable } from './tally.js';
import { Packing, SizeNearness } from '../../../table/nearness.js';
import type { PageFacts, VisitedUrl } from './visits.js';

const URL_ITSELF = 0;
const HAS = 1;
/** Length of: hash of the base, kind of row, hash of site and name. */
const NAMED_BYTES = HASH_BYTES + 1 + HASH_BYTES;

/** The evidence of groups about a parameter. */
export interface ParameterEvidence extends GroupEvidence {
  /** Median of largest over smallest size in a group, to the thousandth; null if no group has two sizes. */
  readonly sizeRatio: number | null;
}

/** A URL and one of its parameters. */
interface Member {
  readonly url: UrlHash;
  /** Of its site and name. */
  readonly parameter: UrlHash;
  readonly base: { readonly bytes: Uint8Array; readonly length: number };
  readonly value: { readonly bytes: Uint8Array; readonly start: number; readonly end: number };
}

/** Build (`addUrl`, `addMember`), then read (`finish`). */
export class ParameterGroups {
  readonly #members: SpillSorter;
  readonly #packing = new Packing();
  readonly #row = new RowWriter();
  readonly #room: SpillRoom;

  constructor(room: SpillRoom) {
    this.#room = room;
    this.#members = new SpillSorter(roomFor('report-groups/members', room), room.stats);
  }

  addUrl(visited: VisitedUrl): void {
    this.#packing.add(visited.hits, visited.minSize, visited.maxSize);
    const row = putHash(this.#row.clear(), visited.hash).byte(URL_ITSELF);
    const keyLength = row.length;
    putPage(row, visited);
    this.#members.add(row.bytes, 0, row.length, keyLength);
  }

  /** Adds a URL with the parameter; `base` is the URL without it. */
  addMember({ url, parameter, base, value }: Member, page: PageFacts): void {
    const row = putHash(this.#row.clear(), hashOfRange(base.bytes, 0, base.length)).byte(HAS);
    putHash(row, parameter).range(value.bytes, value.start, value.end);
    putHash(row, url);
    const keyLength = row.length;
    putSizes(row, page).u32(base.length).range(base.bytes, 0, base.length).raw(page.sketch);
    this.#members.add(row.bytes, 0, row.length, keyLength);
  }

  /** Evidence for each of `found`, in their order. */
  finish(found: readonly FoundParameter[], reading: GroupReading): ParameterEvidence[] {
    const chance = new Chance(roomFor('report-groups/chance', this.#room));
    const ratios = new TallyTable(sums(1), roomFor('report-groups/ratios', this.#room));
    const counts = found.map(emptyCounts);
    const sizes = new SizeNearness(this.#packing);
    const numbers = new ParameterNumbers(found, reading.siteOf);
    const rows = this.#members.finish();
    const hash = new Run();
    const named = new Run();
    const base = new Run();
    const first = new LoneRow();
    let absent: PageFacts | undefined;
    let group: OpenGroup | undefined;
    const add = (row: Row) => group?.add(row, row.keyStart + NAMED_BYTES, memberPage(row));
    const open = (row: Row) => {
      const at = row.keyStart + NAMED_BYTES - HASH_BYTES;
      const number = numbers.numberOfHash(readU32(row.bytes, at), readU32(row.bytes, at + 4));
      group = number < 0 ? undefined : new OpenGroup(number, absent, found[number]!.usual, sizes);
      if (group !== undefined) base.remember(row, row.keyEnd + SIZE_BYTES + 4, partEnd(row, row.keyEnd + SIZE_BYTES));
      add(row);
    };
    const end = () => {
      if (group?.hasTwoValues === true) {
        group.count(counts[group.number]!, ratios);
        if (group.sample.length > 0) chance.add(group.number, base.view, group.pivot!, group.sample);
      }
      group = undefined;
      first.take();
    };
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const isUrl = row.bytes[row.keyStart + HASH_BYTES] === URL_ITSELF;
      if (!named.isNew(row, row.keyStart, isUrl ? row.keyEnd : row.keyStart + NAMED_BYTES)) {
        const lone = first.take();
        if (lone !== undefined) open(lone);
        add(row);
        continue;
      }
      end();
      if (hash.isNew(row, row.keyStart, row.keyStart + HASH_BYTES)) absent = undefined;
      if (isUrl) {
        absent = pageAt(row, row.keyEnd, row.end);
        continue;
      }
      if (absent === undefined) first.hold(row);
      else open(row);
    }
    end();
    rows.close();
    chance.count(counts, numbers, sizes, reading);
    const medians = mediansOf(ratios, found.length);
    return counts.map((count, number) => ({ ...evidenceOf(count), sizeRatio: medians[number]! }));
  }
}

function memberPage(row: Row): PageFacts {
  return pageOf(row, row.keyEnd, partEnd(row, row.keyEnd + SIZE_BYTES), row.end);
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
