// Finds where a parameter is irrelevant: on the whole site, under a prefix, or on one path (SPEC 9).
//
// Groups come sorted by parameter and place, so one pass traverses the tree of prefixes, with a stack of the open ones.
// A prefix sums up everything below it:
//
//   ''                                       the site
//   //www.example.com/                       a host
//   //www.example.com/forum/                 a folder, and so on
//   //www.example.com/forum/list             one path: a leaf, to its end before `;` or `?`
//
// There are two questions. Are all members of its groups alike (`remove`)? If those without the parameter are not, are
// those with it (`set`)? A prefix is accepted if enough groups are for it, twice as many as against it, clearly more
// than by chance, and nothing below it is refuted. A folder or path is refuted if most of its groups are against, more
// than their share on the site would explain. Without that condition, a parameter that is neutral on 1,000 product
// pages would also be removed from 20 comparisons. The broadest accepted prefixes are kept.
//
// Both are tested for groups whose pages are equal by size, and for groups within the noise of a template (levels 0 to
// 4 of table/nearness). The level at which the groups differ most from chance counts: if pages show a date or a
// counter, no two are equal, and if all pages have about the same size, only equal pages are evidence.
import { type RowReader, RowWriter } from '../base/row.js';
import { SpillSorter } from '../base/spill.js';
import { LEVELS, SILENT, type Level } from '../table/nearness.js';
import type { Room } from './engine.js';
import { countsAt, type Counts, type NameTotals } from './parameter-chance.js';
import { readGroup, writeGroup, type Group, type Voice } from './parameter-group.js';
import type { Places } from './parameter-places.js';
import { wilsonLower } from './rank.js';

/** The lower end of the Wilson interval must be at least LEAST, and exceed chance by MARGIN. */
const LEAST = 0.4;
const MARGIN = 0.2;
/** Groups for the parameter that are needed for each group against. */
export const MAJORITY = 2;
/** The most places that may be refuted by accident, in expectation, if every group were a place. */
const EXPECTED_ACCIDENTS = 0.05;
const EXAMPLES = 3;

/** A scope in which a parameter can be removed, or set, with the groups that support it. */
export interface Accepted {
  readonly scope: 'site' | 'prefix' | 'path';
  /** One char per byte. */
  readonly path: string;
  readonly action: 'remove' | 'set';
  /** The level that counts: groups at least as near are for the parameter. */
  readonly level: Level;
  readonly for: number;
  readonly against: number;
  readonly chance: number;
  /** How near its groups are, and how near they would be by chance: counts per level. */
  readonly levels: readonly number[];
  readonly chanceLevels: readonly number[];
  /** By level: the number of members of its groups that are so near to their pivots. */
  readonly nearUrls: readonly number[];
  /** True if its pages offer several values to choose from, as links that sort a list do. */
  readonly isChoice: boolean;
  /** The group whose first member has the most common value. */
  readonly value: Candidate;
  /** Rows of members with the parameter, and of their twins without it. */
  readonly twins: readonly (readonly [number, number])[];
  readonly candidates: readonly Candidate[];
}

/** A group as an example: its first member, the place in it, and the first member with another value, or -1. */
export interface Candidate {
  readonly first: number;
  readonly place: number;
  readonly second: number;
  readonly valueGroups: number;
}

/** A parameter is a choice if so many of its groups have several values, and so many have the most common value. */
const OF_CHOICES = 0.3;

/** The levels that are tested: equal, within 0.3 % and within 2 %. */
export const ASKED: readonly Level[] = [0, 2, 4];

/** The margin by which groups exceed chance; undefined if too few are for the parameter. */
export function marginOver(chance: number, { for: same, against }: Counts): number | undefined {
  const lower = wilsonLower(same, against);
  const margin = lower - chance;
  return same < MAJORITY * against || lower < LEAST || margin <= MARGIN ? undefined : margin;
}

/** The share of groups that would be so near by chance. */
export function chanceShare(levels: ArrayLike<number>, level: Level): number {
  const { for: same, against } = countsAt(levels, level);
  return same === 0 ? 0 : same / (same + against);
}

/** The order of candidates: by value. */
type ByValue = (a: Candidate, b: Candidate) => number;

export interface ScopeOptions {
  readonly MS: number;
  readonly untested: boolean;
}

/** Rows by parameter, place and first member. */
export class GroupsByPlace {
  readonly #sorter: SpillSorter;
  readonly #line = new RowWriter();

  constructor(room: Room) {
    this.#sorter = new SpillSorter(room, room.stats);
  }

  /** An empty place belongs to the site alone. */
  add(group: Group, chance: Voice, place: Uint8Array): void {
    const line = this.#line.clear();
    line.bigEndian(group.name).raw(place).byte(0);
    line.bigEndian(group.first);
    const keyLength = line.length;
    writeGroup(line, group, chance, []);
    this.#sorter.add(line.bytes, 0, line.length, keyLength);
  }

  finish(): RowReader {
    return this.#sorter.finish();
  }
}

/** Calls `visit` for every accepted scope of every parameter, also for those inside of others, in no order. */
export function eachAccepted(
  reader: RowReader,
  options: ScopeOptions,
  totals: NameTotals,
  places: Places,
  visit: (name: number, accepted: Accepted) => void,
): void {
  let tree: Tree | undefined;
  for (let row = reader.next(); row !== undefined; row = reader.next()) {
    const { group, chance } = readGroup(row);
    if (tree?.name !== group.name) {
      tree?.end();
      tree = new Tree(group.name, totals, places, options, visit);
    }
    const place = Buffer.from(row.bytes.buffer, row.bytes.byteOffset + row.keyStart + 4, row.keyEnd - row.keyStart - 9);
    tree.add(place.toString('latin1'), group, chance);
  }
  tree?.end();
  reader.close();
}

class Tree {
  readonly name: number;
  readonly #refutes: (levels: Levels, by: 'all' | 'present', level: Level) => boolean;
  readonly #options: ScopeOptions;
  readonly #visit: (name: number, accepted: Accepted) => void;
  /** The open scopes: the site first, each further one inside of the one before. */
  readonly #open: Node[];
  readonly #byValue: ByValue;

  constructor(
    name: number,
    totals: NameTotals,
    places: Places,
    options: ScopeOptions,
    visit: (name: number, accepted: Accepted) => void,
  ) {
    this.name = name;
    this.#options = options;
    this.#visit = visit;
    this.#byValue = (a, b) =>
      b.valueGroups - a.valueGroups || places.compareValues(a.first, a.place, b.first, b.place, name);
    this.#open = [new Node('site', '', this.#byValue)];
    this.#refutes = (levels, by, level) => {
      const here = countsAt(levels, level);
      return here.against >= options.MS && isRefuted(here, countsAt(totals.of(name, by), level));
    };
  }

  add(place: string, group: Group, chance: Voice): void {
    while (!this.#open.at(-1)!.holds(place)) this.#close();
    if (place !== '' && this.#open.at(-1)!.scope !== 'path') this.#openTo(place);
    this.#open.at(-1)!.add(group, chance);
  }

  end(): void {
    while (this.#open.length > 0) this.#close();
  }

  /** Opens the folders of a place that are not open yet, and the place itself. */
  #openTo(place: string): void {
    const from = Math.max(this.#open.at(-1)!.path.length, place.startsWith('//') ? 2 : 0);
    for (let at = place.indexOf('/', from); at >= 0; at = place.indexOf('/', at + 1)) {
      this.#open.push(new Node('prefix', place.slice(0, at + 1), this.#byValue));
    }
    this.#open.push(new Node('path', place, this.#byValue));
  }

  #close(): void {
    const node = this.#open.pop()!;
    const accepted = node.accepted(this.#options);
    if (accepted !== undefined) this.#visit(this.name, accepted);
    const parent = this.#open.at(-1);
    if (parent === undefined) return;
    parent.take(node);
    for (const level of ASKED) {
      if (this.#refutes(node.all, 'all', level)) parent.hasRefuted.all[level] = true;
      if (this.#refutes(node.present, 'present', level)) parent.hasRefuted.present[level] = true;
    }
  }
}

/** True if most groups here are against the parameter, and more than would be by accident in one of many places. */
function isRefuted(here: Readonly<Counts>, site: Readonly<Counts>): boolean {
  const groups = site.for + site.against;
  const share = (site.against + 1) / (groups + 2);
  return (
    here.against > here.for && groups * tailBound(here.against, here.for + here.against, share) < EXPECTED_ACCIDENTS
  );
}

/**
 * An upper bound (Chernoff) of the probability that at least `k` of `n` are against, if each is with probability
 * `share`.
 */
function tailBound(k: number, n: number, share: number): number {
  const part = k / n;
  if (part <= share) return 1;
  const divergence = part * Math.log(part / share) + (part === 1 ? 0 : (1 - part) * Math.log((1 - part) / (1 - share)));
  return Math.exp(-n * divergence);
}

/** An open scope, and the groups in it so far. */
class Node {
  readonly scope: Accepted['scope'];
  readonly path: string;
  /** The groups by level, for all members, and for members with the parameter. */
  readonly all: Levels = new Uint32Array(LEVELS);
  readonly present: Levels = new Uint32Array(LEVELS);
  /** The same for their members. */
  readonly near = { all: new Uint32Array(LEVELS), present: new Uint32Array(LEVELS) };
  /** By level: whether a scope inside of this one is refuted. */
  readonly hasRefuted = { all: Array<boolean>(LEVELS).fill(false), present: Array<boolean>(LEVELS).fill(false) };
  #groups = 0;
  /** The number of groups with at least two values, not counting the absence of the parameter. */
  #several = 0;
  /** The same as `all`, but only for groups whose pivot is the member without the parameter. */
  readonly #absent: Levels = new Uint32Array(LEVELS);
  readonly #chance: Levels = new Uint32Array(LEVELS);
  #twins: (readonly [number, number])[] = [];
  /** The three groups with the most common values. */
  #candidates: Candidate[] = [];
  readonly #byValue: ByValue;

  constructor(scope: Accepted['scope'], path: string, byValue: ByValue) {
    this.scope = scope;
    this.path = path;
    this.#byValue = byValue;
  }

  holds(place: string): boolean {
    return this.scope === 'path' ? place === this.path : place.startsWith(this.path);
  }

  add(group: Group, chance: Voice): void {
    const { voice, present, isPivotAbsent, absent, first, place, second, valueGroups } = group;
    this.#groups++;
    if (second >= 0) this.#several++;
    count(this.all, voice);
    count(this.present, present);
    join(this.near.all, group.near);
    join(this.near.present, group.presentNear);
    if (isPivotAbsent) count(this.#absent, voice);
    count(this.#chance, chance);
    if (absent >= 0 && this.#twins.length < EXAMPLES) this.#twins.push([first, absent]);
    const candidate = { first, place, second, valueGroups };
    if (this.#candidates.length < EXAMPLES || this.#byValue(candidate, this.#candidates.at(-1)!) < 0)
      this.#offer([candidate]);
  }

  /** Adds a scope inside of this one. */
  take(node: Node): void {
    this.#groups += node.#groups;
    this.#several += node.#several;
    join(this.all, node.all);
    join(this.present, node.present);
    join(this.near.all, node.near.all);
    join(this.near.present, node.near.present);
    for (const level of ASKED) {
      this.hasRefuted.all[level] ||= node.hasRefuted.all[level]!;
      this.hasRefuted.present[level] ||= node.hasRefuted.present[level]!;
    }
    join(this.#absent, node.#absent);
    join(this.#chance, node.#chance);
    this.#twins = [...this.#twins, ...node.#twins].slice(0, EXAMPLES);
    this.#offer(node.#candidates);
  }

  #offer(candidates: readonly Candidate[]): void {
    this.#candidates = [...this.#candidates, ...candidates].sort(this.#byValue).slice(0, EXAMPLES);
  }

  accepted({ MS, untested }: ScopeOptions): Accepted | undefined {
    if (this.all.every((groups) => groups === 0)) {
      return untested && this.scope === 'site' && this.#groups >= MS ? this.#as('remove', 0, 'all') : undefined;
    }
    let best: Accepted | undefined;
    let most = -Infinity;
    for (const level of ASKED) {
      // Pages without the parameter may differ from those with it, which may all be the same.
      const absent = countsAt(this.#absent, level);
      const by = absent.against > absent.for ? 'present' : 'all';
      if (this.hasRefuted[by][level] === true) continue;
      const tally = countsAt(this[by], level);
      const margin = tally.for < MS ? undefined : marginOver(chanceShare(this.#chance, level), tally);
      if (margin === undefined || margin <= most) continue;
      best = this.#as(by === 'present' ? 'set' : 'remove', level, by);
      most = margin;
    }
    return best;
  }

  /**
   * True if most pages have the same few values, several per page: links that sort a list or choose a language. Session
   * ids differ from page to page, and a page rarely has two campaigns.
   */
  #isChoice({ valueGroups }: Candidate): boolean {
    return Math.min(this.#several, valueGroups) >= OF_CHOICES * this.#groups;
  }

  #as(action: Accepted['action'], level: Level, by: 'all' | 'present'): Accepted {
    const { scope, path } = this;
    const chance = chanceShare(this.#chance, level);
    const levels = { levels: [...this[by]], chanceLevels: [...this.#chance], nearUrls: [...this.near[by]] };
    const [value] = this.#candidates;
    if (value === undefined) throw new Error('a scope without groups');
    const examples = { twins: this.#twins, candidates: this.#candidates };
    const isChoice = this.#isChoice(value);
    return {
      scope,
      path,
      action,
      level,
      ...countsAt(this[by], level),
      chance,
      ...levels,
      isChoice,
      value,
      ...examples,
    };
  }
}

type Levels = Uint32Array;

function count(levels: Levels, voice: Voice): void {
  if (voice !== SILENT) levels[voice]!++;
}

function join(levels: Levels, others: ArrayLike<number>): void {
  for (let level = 0; level < LEVELS; level++) levels[level]! += others[level]!;
}
