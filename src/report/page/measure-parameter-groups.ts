// Which URLs are equal but for a parameter, and do their pages agree (SPEC 9)? Two external sorts, the second fed by the first.
//
//   base | URL                             : sizes, sketch      each URL of the log: a member without the parameter
//   base | HAS | name | value | place      : sizes, sketch      each URL and parameter; the base is the URL without it
//
//   number | template | hash of the page   : page, another      each group that can be compared, of a parameter that is told
//
// The groups of one kind of page (`writeTemplate`) stand in the order of a hash, so that neighbours have nothing to do with one
// another: how often are a page and one of the next group alike? That is chance. A page is told by its canonical form, so that what
// the rules know to be one page is not asked whether it is like itself.
import { hashBytes } from '../../base/hash.js';
import { SpillSorter, type Row, type SpillRoom } from '../../base/spill.js';
import { writeTemplate } from '../../mine/parameter-chance.js';
import { bigEndian, voiceOf } from '../../mine/parameter-group.js';
import { sameBytes } from '../../url/form.js';
import { RowWriter } from '../../table/pair.js';
import type { SiteOf } from '../../table/url-list.js';
import { partEnd, putPart, Run } from '../measure-row.js';
import { evidenceFor, hasEvidence, sizeRatio } from './measure-evidence.js';
import { putNumber, readNumber } from './measure-groups.js';
import { NEAR, type GroupEvidence } from './measure-parameter-class.js';
import type { FoundParameter } from './measure-parameter-values.js';
import { sums, TallyTable } from './measure-tally.js';
import type { PageFacts } from './measure-visits.js';

const URL_ITSELF = 0;
const HAS = 1;

/** What groups say of a parameter. */
export interface ParameterEvidence extends GroupEvidence {
  /** Median of largest over smallest size in a group, to the thousandth; null where no group has two sizes. */
  readonly sizeRatio: number | null;
}

export interface GroupReading {
  readonly siteOf: SiteOf;
  canonize(url: Uint8Array): Uint8Array;
}

/** Build (`addUrl`, `addMember`), then read (`finish`). */
export class ParameterGroups {
  readonly #members: SpillSorter;
  readonly #row = new RowWriter();
  readonly #room: SpillRoom;

  constructor(room: SpillRoom) {
    this.#room = { ...room, memoryBytes: room.memoryBytes / 4 };
    this.#members = new SpillSorter({ ...room, memoryBytes: room.memoryBytes / 2 }, room.stats);
  }

  addUrl(url: Uint8Array, page: PageFacts): void {
    this.#add(putPart(this.#row.clear(), url).byte(URL_ITSELF), page);
  }

  /** A URL that is `base` without the parameter, which stands at `place` in it. */
  addMember(base: Uint8Array, name: Uint8Array, value: Uint8Array, place: number, page: PageFacts): void {
    this.#add(putPart(putPart(this.#row.clear(), base).byte(HAS), name).raw(value).u32(place), page);
  }

  #add(row: RowWriter, { minSize, maxSize, sketch }: PageFacts): void {
    const keyLength = row.length;
    putPage(row, minSize, maxSize, sketch);
    this.#members.add(row.bytes, 0, row.length, keyLength);
  }

  /** Evidence for each of `told`, in their order. */
  finish(told: readonly FoundParameter[], reading: GroupReading): ParameterEvidence[] {
    const chance = new Chance(this.#room, reading);
    const ratios = new TallyTable(sums(1), this.#room);
    const counts = told.map(emptyCounts);
    const tellers = tellersOf(told);
    const rows = this.#members.finish();
    const base = new Run();
    const named = new Run();
    let absent: PageFacts | undefined;
    let group: OpenGroup | undefined;
    const end = () => {
      if (group?.hasTwoValues === true) {
        group.count(counts[group.number]!, ratios);
        if (group.other !== undefined) chance.add(group.number, base.bytes.subarray(4), group.pivot!, group.other);
      }
      group = undefined;
    };
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const baseEnd = partEnd(row, row.keyStart);
      const isUrl = row.bytes[baseEnd] === URL_ITSELF;
      const nameEnd = isUrl ? baseEnd : partEnd(row, baseEnd + 1);
      if (!named.isNew(row, row.keyStart, nameEnd)) {
        group?.add(row, nameEnd);
        continue;
      }
      end();
      if (base.isNew(row, row.keyStart, baseEnd)) absent = undefined;
      if (isUrl) {
        absent = pageOf(row);
        continue;
      }
      const number = numberOf(tellers, row, baseEnd + 5, nameEnd, base.bytes, reading.siteOf);
      if (number < 0) continue;
      group = new OpenGroup(number, absent, told[number]!.commonest[0]!);
      group.add(row, nameEnd);
    }
    end();
    rows.close();
    chance.count(counts);
    const medians = mediansOf(ratios, told.length);
    return counts.map((count, number) => ({ ...count, sizeRatio: medians[number]! }));
  }
}

type Counts = { -readonly [Key in keyof GroupEvidence]: GroupEvidence[Key] };

function emptyCounts(): Counts {
  const voices = { same: 0, different: 0, silent: 0 };
  const sizes = { near: 0, far: 0, narrower: 0, wider: 0, level: 0 };
  return { ...voices, ...sizes, asked: 0, sameByChance: 0, nearByChance: 0, members: 0, hasSketches: false };
}

/** By name, one char a byte: the parameters that are told, with their sites. */
type Tellers = ReadonlyMap<string, readonly { readonly site: string; readonly number: number }[]>;

function tellersOf(told: readonly FoundParameter[]): Tellers {
  const tellers = new Map<string, { readonly site: string; readonly number: number }[]>();
  for (const [number, { nameBytes, site }] of told.entries()) {
    const name = Buffer.from(nameBytes).toString('latin1');
    tellers.set(name, [...(tellers.get(name) ?? []), { site, number }]);
  }
  return tellers;
}

function numberOf(
  tellers: Tellers,
  { bytes }: Row,
  nameStart: number,
  nameEnd: number,
  base: Uint8Array,
  siteOf: SiteOf,
): number {
  const sites = tellers.get(
    Buffer.from(bytes.buffer, bytes.byteOffset + nameStart, nameEnd - nameStart).toString('latin1'),
  );
  if (sites === undefined) return -1;
  const site = siteOf(base, 4, base.length);
  return sites.find((one) => one.site === site)?.number ?? -1;
}

/** Sizes of members that are compared with the one without the parameter, or with the commonest value. */
const MAX_COMPARED = 256;
/** Of the members beside the reference, so many have to be smaller, or larger. */
const MOST = 0.8;

/** The members of a group pass: without the parameter first, then by value. */
class OpenGroup {
  readonly number: number;
  /** The first with a size or a sketch, and one more. */
  pivot: PageFacts | undefined;
  other: PageFacts | undefined;
  readonly #commonest: Uint8Array;
  readonly #value = new Run();
  #values = 0;
  #members = 0;
  #same = 0;
  #different = 0;
  #least = Infinity;
  #largest = -1;
  #reference = -1;
  readonly #isReferenceAbsent: boolean;
  readonly #compared: number[] = [];
  #hasSketches = false;

  constructor(number: number, absent: PageFacts | undefined, commonest: Uint8Array) {
    this.number = number;
    this.#commonest = commonest;
    this.#isReferenceAbsent = absent !== undefined;
    if (absent === undefined) return;
    this.#values = 1;
    this.#reference = absent.maxSize;
    this.#take(absent);
  }

  get hasTwoValues(): boolean {
    return this.#values > 1;
  }

  add(row: Row, nameEnd: number): void {
    const valueEnd = row.keyEnd - 4;
    if (this.#value.isNew(row, nameEnd, valueEnd)) this.#values++;
    this.#members++;
    const page = pageOf(row);
    if (!this.#isReferenceAbsent && this.#reference < 0 && sameBytes(this.#value.bytes, this.#commonest)) {
      this.#reference = page.maxSize;
    } else if (page.maxSize >= 0 && this.#compared.length < MAX_COMPARED) this.#compared.push(page.maxSize);
    this.#take(page);
  }

  #take(page: PageFacts): void {
    if (page.sketch.length > 0) this.#hasSketches = true;
    if (page.maxSize >= 0) {
      this.#least = Math.min(this.#least, page.maxSize);
      this.#largest = Math.max(this.#largest, page.maxSize);
    }
    if (!hasEvidence(page)) return;
    if (this.pivot === undefined) {
      this.pivot = page;
      return;
    }
    this.other ??= page;
    const voice = evidenceFor(this.pivot, page);
    if (voice > 0) this.#same++;
    else if (voice < 0) this.#different++;
  }

  count(counts: Counts, ratios: TallyTable): void {
    counts.members += this.#members;
    counts.hasSketches ||= this.#hasSketches;
    const voice = voiceOf(this.#same, this.#different);
    if (voice === 0) {
      counts.silent++;
      return;
    }
    if (voice > 0) counts.same++;
    else counts.different++;
    this.#countSizes(counts, ratios);
  }

  #countSizes(counts: Counts, ratios: TallyTable): void {
    if (this.#largest < 0) return;
    const ratio = sizeRatio(this.#largest, this.#least);
    if (ratio <= NEAR) counts.near++;
    else counts.far++;
    const key = new RowWriter();
    bigEndian(key, this.number);
    bigEndian(key, Math.min(0xffff_ffff, Math.round(ratio * THOUSANDTHS)));
    ratios.numbers[ratios.entry(key.bytes, 0, key.length, hashBytes(key.bytes, 0, key.length))]!++;
    if (this.#reference < 0 || this.#compared.length === 0) return;
    const least = MOST * this.#compared.length;
    const reference = Math.max(1, this.#reference);
    if (this.#compared.filter((size) => size * NEAR < reference).length >= least) counts.narrower++;
    else if (this.#compared.filter((size) => size > reference * NEAR).length >= least) counts.wider++;
    else counts.level++;
  }
}

const THOUSANDTHS = 1000;

/** Of each parameter, from how many groups have which ratio. */
function mediansOf(ratios: TallyTable, parameters: number): (number | null)[] {
  const found: (readonly [ratio: number, groups: number])[][] = Array.from({ length: parameters }, () => []);
  ratios.each((key, groups) => {
    const view = new DataView(key.buffer, key.byteOffset, key.length);
    found[view.getUint32(0)]!.push([view.getUint32(4) / THOUSANDTHS, groups[0]!]);
  });
  return found.map((list) => {
    const half = list.reduce((sum, [, groups]) => sum + groups, 0) / 2;
    let below = 0;
    return list.find(([, groups]) => (below += groups) >= half)?.[0] ?? null;
  });
}

/** How often are pages of one kind, but of two groups, alike? */
class Chance {
  readonly #sorter: SpillSorter;
  readonly #reading: GroupReading;
  readonly #row = new RowWriter();

  constructor(room: SpillRoom, reading: GroupReading) {
    this.#sorter = new SpillSorter(room, room.stats);
    this.#reading = reading;
  }

  add(number: number, base: Uint8Array, pivot: PageFacts, other: PageFacts): void {
    const page = this.#reading.canonize(base);
    const row = this.#row.clear();
    bigEndian(row, number);
    writeTemplate(row, base);
    bigEndian(row.byte(0), hashBytes(page, 0, page.length));
    bigEndian(row, hashBytes(page, 0, page.length, 0x9e3779b9));
    const keyLength = row.length;
    const first = new RowWriter();
    putPage(first, pivot.minSize, pivot.maxSize, pivot.sketch);
    putPart(row, first.bytes.subarray(0, first.length));
    putPage(row, other.minSize, other.maxSize, other.sketch);
    this.#sorter.add(row.bytes, 0, row.length, keyLength);
  }

  count(counts: readonly Counts[]): void {
    const rows = this.#sorter.finish();
    const kind = new Run();
    const page = new Run();
    let pivot: PageFacts | undefined;
    let before: PageFacts | undefined;
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (kind.isNew(row, row.keyStart, row.keyEnd - 8)) pivot = before = undefined;
      if (page.isNew(row, row.keyStart, row.keyEnd)) before = pivot;
      const pivotEnd = partEnd(row, row.keyEnd);
      const view = new DataView(row.bytes.buffer, row.bytes.byteOffset + row.keyStart, 4);
      if (before !== undefined) ask(counts[view.getUint32(0)]!, before, pageAt(row, pivotEnd, row.end));
      pivot = pageAt(row, row.keyEnd + 4, pivotEnd);
    }
    rows.close();
  }
}

function ask(counts: Counts, before: PageFacts, page: PageFacts): void {
  const voice = evidenceFor(before, page);
  if (voice === 0) return;
  counts.asked++;
  if (voice > 0) counts.sameByChance++;
  const haveSizes = before.maxSize >= 0 && page.maxSize >= 0;
  if (haveSizes && sizeRatio(before.maxSize, page.maxSize) <= NEAR) counts.nearByChance++;
}

/** Two sizes, each one more than it is so that 0 is none, and the sketch. */
function putPage(row: RowWriter, minSize: number, maxSize: number, sketch: Uint8Array): void {
  putNumber(putNumber(row, minSize + 1), maxSize + 1).raw(sketch);
}

function pageOf(row: Row): PageFacts {
  return pageAt(row, row.keyEnd, row.end);
}

function pageAt({ bytes }: Row, start: number, end: number): PageFacts {
  const minSize = readNumber(bytes, start) - 1;
  return { minSize, maxSize: readNumber(bytes, start + 8) - 1, sketch: bytes.slice(start + 16, end) };
}
