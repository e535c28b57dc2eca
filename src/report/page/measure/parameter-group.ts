// What is one group's evidence about its parameter? Its members are streamed, the one without the parameter first, then
// by value, in constant memory.
import { sameBytes } from '../../../base/bytes.js';
import { hashBytes } from '../../../base/hash.js';
import { type Row, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { countsAt } from '../../../mine/parameter-chance.js';
import { SAMPLE, Tally } from '../../../mine/parameter-group.js';
import { ASKED, chanceShare, marginOver } from '../../../mine/parameter-scope.js';
import { LEVELS, SILENT, type Level, type SizeNearness } from '../../../table/nearness.js';
import { hasEvidence, levelBetween, sizeRatio } from './evidence.js';
import { HASH_BYTES } from '../../sort-keys.js';
import { NEAR, type GroupEvidence } from './parameter-class.js';
import type { TallyTable } from './tally.js';
import type { PageFacts } from './visits.js';

/** What is counted while groups are read: three columns by level, of groups, by chance, and of members. */
export interface Counts {
  readonly groups: Uint32Array;
  readonly chance: Uint32Array;
  readonly near: Uint32Array;
  silent: number;
  nearSizes: number;
  farSizes: number;
  narrower: number;
  wider: number;
  level: number;
  nearByChance: number;
  members: number;
  hasSketches: boolean;
}

export function emptyCounts(): Counts {
  const column = () => new Uint32Array(LEVELS);
  const sizes = { nearSizes: 0, farSizes: 0, narrower: 0, wider: 0, level: 0, nearByChance: 0 };
  return { groups: column(), chance: column(), near: column(), silent: 0, ...sizes, members: 0, hasSketches: false };
}

/** Read at the level at which the groups are furthest from chance, as rules are mined. */
export function evidenceOf(counts: Counts): GroupEvidence {
  const { groups, chance, near, nearSizes, farSizes, ...others } = counts;
  const level = levelOf(counts);
  const [spoke, asked, members] = [groups, chance, near].map((levels) => countsAt(levels, level));
  return {
    ...others,
    near: nearSizes,
    far: farSizes,
    same: spoke!.for,
    different: spoke!.against,
    equal: groups[0]!,
    asked: asked!.for + asked!.against,
    sameByChance: asked!.for,
    likes: members!.for,
    others: members!.against,
  };
}

function levelOf({ groups, chance }: Counts): Level {
  let [best, most] = [ASKED[0]!, -Infinity];
  for (const level of ASKED) {
    const margin = marginOver(chanceShare(chance, level), countsAt(groups, level)) ?? -Infinity;
    if (margin > most) [best, most] = [level, margin];
  }
  return best;
}

/** Sizes of members that are compared with the one without the parameter, or with the usual value. */
const MAX_COMPARED = 256;
/** This share of the members other than the reference has to be smaller, or larger. */
const MOST = 0.8;

/** A group whose members are added one by one: without the parameter first, then by value. */
export class OpenGroup {
  readonly number: number;
  /** The first with a size or a sketch, and a sample of the others. */
  pivot: PageFacts | undefined;
  readonly sample: PageFacts[] = [];
  readonly #usual: Uint8Array | undefined;
  readonly #value = new Run();
  #values = 0;
  #members = 0;
  readonly #tally = new Tally();
  readonly #sizes: SizeNearness;
  #least = Infinity;
  #largest = -1;
  #reference = -1;
  readonly #isReferenceAbsent: boolean;
  readonly #compared: number[] = [];
  #hasSketches = false;

  constructor(number: number, absent: PageFacts | undefined, usual: Uint8Array | undefined, sizes: SizeNearness) {
    this.number = number;
    this.#sizes = sizes;
    this.#usual = usual;
    this.#isReferenceAbsent = absent !== undefined;
    if (absent === undefined) return;
    this.#values = 1;
    this.#reference = absent.maxSize;
    this.#take(absent);
  }

  get hasTwoValues(): boolean {
    return this.#values > 1;
  }

  /** A row whose key has the value from `valueStart` to the hash at its end. */
  add(row: Row, valueStart: number, page: PageFacts): void {
    if (this.#value.isNew(row, valueStart, row.keyEnd - HASH_BYTES)) this.#values++;
    this.#members++;
    if (this.#reference < 0 && this.#isUsual()) {
      this.#reference = page.maxSize;
    } else if (page.maxSize >= 0 && this.#compared.length < MAX_COMPARED) this.#compared.push(page.maxSize);
    this.#take(page);
  }

  #isUsual(): boolean {
    return !this.#isReferenceAbsent && this.#usual !== undefined && sameBytes(this.#value.bytes, this.#usual);
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
    if (this.sample.length < SAMPLE) this.sample.push(page);
    this.#tally.add(levelBetween(this.pivot, page, this.#sizes));
  }

  count(counts: Counts, ratios: TallyTable): void {
    counts.members += this.#members;
    counts.hasSketches ||= this.#hasSketches;
    const { voice, near } = this.#tally;
    if (voice === SILENT) {
      counts.silent++;
      return;
    }
    counts.groups[voice]!++;
    for (let level = 0; level < LEVELS; level++) counts.near[level]! += near[level]!;
    this.#countSizes(counts, ratios);
  }

  #countSizes(counts: Counts, ratios: TallyTable): void {
    if (this.#largest < 0) return;
    const ratio = sizeRatio(this.#largest, this.#least);
    if (ratio <= NEAR) counts.nearSizes++;
    else counts.farSizes++;
    const key = new RowWriter();
    key.bigEndian(this.number);
    key.bigEndian(Math.min(0xffff_ffff, Math.round(ratio * THOUSANDTHS)));
    const at = ratios.entry(key.bytes, 0, key.length, hashBytes(key.bytes, 0, key.length));
    ratios.numbers[at]!++;
    if (this.#reference < 0 || this.#compared.length === 0) return;
    const least = MOST * this.#compared.length;
    const reference = Math.max(1, this.#reference);
    if (this.#compared.filter((size) => size * NEAR < reference).length >= least) counts.narrower++;
    else if (this.#compared.filter((size) => size > reference * NEAR).length >= least) counts.wider++;
    else counts.level++;
  }
}

/** Ratios are kept in these. */
const THOUSANDTHS = 1000;

/** For each parameter, the median ratio; `ratios` counts groups by ratio. */
export function mediansOf(ratios: TallyTable, parameters: number): (number | null)[] {
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
